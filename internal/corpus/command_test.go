package corpus

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOnlyStandsBehindTheHook(t *testing.T) {
	for _, c := range []struct{ from, want Command }{
		{Command{Program: "/b/claudewatch", Args: []string{"hook"}}, Command{Program: "/b/claudewatch", Args: []string{"hook", "--only", "s"}}},
		{Command{Program: "/b/claudewatch", Args: []string{"hook", "rules"}}, Command{Program: "/b/claudewatch", Args: []string{"hook", "--only", "s", "rules"}}},
		{Command{Program: "env", Args: []string{"claudewatch", "hook"}}, Command{Program: "env", Args: []string{"claudewatch", "hook", "--only", "s"}}},
		{Command{Program: "/b/claudewatch"}, Command{Program: "/b/claudewatch", Args: []string{"hook", "--only", "s"}}},
		{Command{Program: "/b/claudewatch", Args: []string{"hook", "--only", "x"}}, Command{Program: "/b/claudewatch", Args: []string{"hook", "--only", "x"}}},
		{Command{Program: "/b/guard.sh"}, Command{Program: "/b/guard.sh"}},
		{Command{Shell: "claudewatch hook"}, Command{Shell: "claudewatch hook --only s"}},
		{Command{Shell: "cd /x && ~/b/claudewatch hook 2>/dev/null || true"}, Command{Shell: "cd /x && ~/b/claudewatch hook --only s 2>/dev/null || true"}},
		{Command{Shell: `"$HOME/b/claudewatch" "hook"`}, Command{Shell: `"$HOME/b/claudewatch" "hook" --only s`}},
		{Command{Shell: "'/b c/claudewatch'"}, Command{Shell: "'/b c/claudewatch' hook --only s"}},
		{Command{Shell: "claudewatch hook --only=x"}, Command{Shell: "claudewatch hook --only=x"}},
		{Command{Shell: "hook"}, Command{Shell: "hook"}},
		{Command{Shell: "exit 0"}, Command{Shell: "exit 0"}},
		{Command{Shell: "claudewatch hook ("}, Command{Shell: "claudewatch hook ("}},
	} {
		if diff := cmp.Diff(c.want, c.from.Only("s")); diff != "" {
			t.Errorf("%s: %s", c.from, diff)
		}
		if diff := cmp.Diff(c.from, c.from.Only("")); diff != "" {
			t.Errorf("%s without a set: %s", c.from, diff)
		}
	}
}

func TestACommandNamesItsSets(t *testing.T) {
	for text, want := range map[string][]string{
		"claudewatch hook":                          nil,
		"claudewatch hook --only a,b":               {"a", "b"},
		"claudewatch hook --only=a --only 'b'":      {"a", "b"},
		"claudewatch hook --only":                   nil,
		"exec claudewatch hook --only a || exit 2;": {"a"},
	} {
		if diff := cmp.Diff(want, Command{Shell: text}.Sets()); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
	if diff := cmp.Diff([]string{"a"}, Command{Program: "p", Args: []string{"hook", "--only", "a"}}.Sets()); diff != "" {
		t.Error(diff)
	}
}

func TestPlacesOfThisMachineAreWrittenOut(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("hooks are shell text of another form")
	}
	bin := t.TempDir()
	program := filepath.Join(bin, "claudewatch")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	t.Chdir(filepath.Dir(bin))
	relative := "./" + filepath.Base(bin) + "/claudewatch"
	places := map[string]string{"HOME": "/home/a b", "CLAUDE_PROJECT_DIR": "/p$x"}
	for text, want := range map[string]string{
		`~/bin/claudewatch hook`:                   `'/home/a b'/bin/claudewatch hook`,
		`$HOME/bin/claudewatch hook`:               `'/home/a b'/bin/claudewatch hook`,
		`"${HOME}/bin/claudewatch" hook`:           `"/home/a b/bin/claudewatch" hook`,
		`"$CLAUDE_PROJECT_DIR"/guard-main.sh`:      `"/p\$x"/guard-main.sh`,
		`"$(cat $HOME/x)/claudewatch" hook`:        `"$(cat '/home/a b'/x)/claudewatch" hook`,
		`echo "${HOME:-x}" '$HOME' "~/x" $OTHER`:   `echo "${HOME:-x}" '$HOME' "~/x" $OTHER`,
		`claudewatch hook`:                         program + ` hook`,
		`A=~/x command claudewatch hook ~ && true`: `A='/home/a b'/x command claudewatch hook '/home/a b' && true`,
		relative + ` hook "$1"`:                    program + ` hook "$1"`,
		`./gone hook && sh x/y`:                    `./gone hook && sh x/y`,
		`not ( shell`:                              `not ( shell`,
	} {
		if got := (Command{Shell: text}).Expand(places).Shell; got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	got := Command{Program: "${HOME}/x", Args: []string{"${CLAUDE_PROJECT_DIR}/y", "$HOME"}}.Expand(places)
	if diff := cmp.Diff(Command{Program: "/home/a b/x", Args: []string{"/p$x/y", "$HOME"}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestACommandIsShownAsTyped(t *testing.T) {
	for want, c := range map[string]Command{
		"claudewatch hook || true": {Shell: "claudewatch hook || true"},
		"'/a b/claudewatch' hook":  {Program: "/a b/claudewatch", Args: []string{"hook"}},
	} {
		if got := c.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func FuzzCommand(f *testing.F) {
	f.Add("claudewatch hook --only a")
	f.Add(`"$HOME/x" ~/y $(claudewatch) <<< ${HOME}`)
	f.Fuzz(func(t *testing.T, text string) {
		c := Command{Shell: text}.Expand(map[string]string{"HOME": "/h"}).Only("s")
		if _, err := parse(text); err == nil {
			if _, err := parse(c.Shell); err != nil {
				t.Errorf("%q became %q, which is no shell text: %v", text, c.Shell, err)
			}
		}
	})
}
