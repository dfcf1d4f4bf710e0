package shell_test

import (
	"testing"

	"github.com/claudewatch/claudewatch/internal/shell"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/go-cmp/cmp"
)

func showScripts(scripts []*schema.Script) []string {
	var list []string
	for _, s := range scripts {
		list = append(list, s.Language+" "+s.Extension+" "+s.Source+": "+s.Content)
	}
	return list
}

func TestScripts(t *testing.T) {
	for text, want := range map[string][]string{
		// Code on the command line.
		`python3 -c 'print(1)'`:                                   {"python .py argument: print(1)"},
		`python3.12 -Bc "print('a')" x`:                           {"python .py argument: print('a')"},
		`sudo env A=1 pypy -c 'x'`:                                {"python .py argument: x"},
		`node -e 'x'; node -p y; node -pe z`:                      {"node .js argument: x", "node .js argument: y", "node .js argument: z"},
		`node --eval=x; bun -e y; deno eval z`:                    {"node .js argument: x", "node .js argument: y", "node .js argument: z"},
		`ruby -rjson -e 'a' -e 'b'`:                               {"ruby .rb argument: a\nb"},
		`perl -pi -e 's/a/b/' f; perl -lE x`:                      {"perl .pl argument: s/a/b/", "perl .pl argument: x"},
		`php -r 'x;'`:                                             {"php .php argument: x;"},
		`pwsh -c Clear-Disk -Number 1`:                            {"powershell .ps1 argument: Clear-Disk -Number 1"},
		`pwsh -NoProfile -Command "a; b"`:                         {"powershell .ps1 argument: a; b"},
		`powershell.exe -EncodedCommand RwBlAHQALQBEAGEAdABlAA==`: {"powershell .ps1 argument: Get-Date"},
		`pwsh 'Get-Date'`:                                         {"powershell .ps1 argument: Get-Date"},
		`uv run python -c x`:                                      {"python .py argument: x"},
		`ssh h "python3 -c 'x'"`:                                  {"python .py argument: x"},
		`X=1; python3 -c "print($X, $Y)"`:                         {"python .py argument: print(1, $Y)"},
		`python3 -c $'a\nb'`:                                      {"python .py argument: a\nb"},
		// Code on standard input.
		"python3 - <<'E'\nx = 1\nE":                   {"python .py heredoc: x = 1\n"},
		"python3 <<E\nx = $A \\$B\nE":                 {"python .py heredoc: x = $A $B\n"},
		"cat <<'E' | node\nx\nE":                      {"node .js heredoc: x\n"},
		"node <<-'E'\n\tx\n\tE":                       {"node .js heredoc: x\n"},
		`echo 'x' | python3; ruby <<< 'y'`:            {"python .py argument: x\n", "ruby .rb argument: y\n"},
		`python3 <(echo x); python3 /dev/stdin <<< y`: {"python .py argument: x\n", "python .py argument: y\n"},
		// Code that is written.
		"cat > x.py <<'E'\nx\nE":                {"python .py heredoc: x\n"},
		"cat <<'E' > 'a b.SH'\nx\nE":            {"shell .sh heredoc: x\n"},
		"tee x.rb <<'E' > /dev/null\nx\nE":      {"ruby .rb heredoc: x\n"},
		"cat <<'E' | sudo tee a.js b.txt\nx\nE": {"node .js heredoc: x\n"},
		`echo 'x' > x.sh; printf 'y\n' >> y.py`: {"shell .sh argument: x\n", "python .py argument: y\n"},
		`{ echo a; echo b; } > x.sh`:            {"shell .sh argument: a\nb\n"},
		// No script.
		`python3 x.py`: nil,
		`python3 --version; node -v; pwsh --version`: nil,
		`python3 -m http.server`:                     nil,
		`pwsh -File x.ps1; pwsh x.ps1`:               nil,
		`python3 < x.py`:                             nil,
		`curl x | python3`:                           nil,
		"cat > x.txt <<'E'\nx\nE":                    nil,
		"cat <<'E'\nx\nE":                            nil,
		`ls > x.sh`:                                  nil,
		`grep -c x f.py`:                             nil,
		`bash -c 'ls'`:                               nil,
		"bash <<'E'\nls\nE":                          nil,
	} {
		if diff := cmp.Diff(want, showScripts(read(text).Scripts)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", text, diff)
		}
	}
}

func TestWhatAScriptStartsIsACommandOfTheCall(t *testing.T) {
	checkCommands(t, []commandRow{
		{`python3 -c "import os; os.system('git push')"`, []string{"python3 -c import os; os.system('git push')", "git push"}},
		{"node <<'E'\nrequire('child_process').execSync('rm -rf x | cat')\nE", []string{"node", "rm -rf x >cat", "cat <rm"}},
		{`pwsh -c "Remove-Item -Recurse x; git push"`, []string{"pwsh -c Remove-Item -Recurse x; git push", "Remove-Item -Recurse x", "git push"}},
		{"cat > x.py <<'E'\nimport os; os.system('rm x')\nE", []string{"cat"}},
		{"python3 -c \"print('git push')\"", []string{"python3 -c print('git push')"}},
	})
}

func TestCommandsOfAScript(t *testing.T) {
	for _, row := range []struct {
		content, extension, language string
		want                         []string
	}{
		{"#!/bin/sh\ncd /x\nrm -rf y\n", ".sh", "shell", []string{"cd /x @", "rm -rf y @/x"}},
		{"#!/usr/bin/env bash\ngit push\n", "", "shell", []string{"git push @"}},
		{"import os\nos.system('rm x')\n", ".py", "python", []string{"rm x @"}},
		{"system('rm x')\n", ".rb", "ruby", []string{"rm x @"}},
		{"Remove-Item x\n", ".ps1", "powershell", []string{"Remove-Item x @"}},
		{"rm -rf /\n", ".txt", "", nil},
	} {
		s := shell.ScriptOf(row.content, row.extension, "file", shell.Context{Dir: "/d", Home: "/h"})
		if s.Language != row.language || s.Source != "file" || s.Content != row.content {
			t.Errorf("%q: %+v", row.content, s)
		}
		if diff := cmp.Diff(row.want, showAll(s.Commands())); diff != "" {
			t.Errorf("%q: (-want +got)\n%s", row.content, diff)
		}
	}
}

func TestPowerShell(t *testing.T) {
	effects := shell.ReadPowerShell("Get-ChildItem C:\\x | Remove-Item -Recurse -Force\ngit push --force\n", shell.Context{Dir: "/home/dev/proj"})
	if diff := cmp.Diff([]string{`Get-ChildItem C:\x >Remove-Item`, "Remove-Item -Recurse -Force <Get-ChildItem", "git push --force"}, showAll(effects.Commands)); diff != "" {
		t.Error(diff)
	}
	if flags := effects.Commands[1].Flags(); !cmp.Equal(flags, []string{"-Recurse", "-Force"}) {
		t.Errorf("flags %q", flags)
	}
	if !hasForcePush(effects.Commands) || !effects.Parsed || !effects.Compound || len(effects.Scripts) != 1 || effects.Scripts[0].Language != "powershell" {
		t.Errorf("%+v", effects)
	}
}
