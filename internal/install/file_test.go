package install

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/testpipe"
	"github.com/google/go-cmp/cmp"
)

// userFile returns the settings file of a user whose home is a new folder.
func userFile(t *testing.T, text string) *File {
	t.Helper()
	m := Machine{Environment: config.Environment{Home: t.TempDir()}}
	f, err := m.File(User)
	if err != nil {
		t.Fatal(err)
	}
	if text != "" {
		write(t, f.Path, text)
	}
	return f
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// names returns the names of what is in a directory.
func names(t *testing.T, directory string) []string {
	t.Helper()
	entries, err := os.ReadDir(directory)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestANewFileIsForItsOwnerAndUninstallTakesItAway(t *testing.T) {
	f := userFile(t, "")
	if _, err := f.Install(program, false); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(f.Path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	if info, err := os.Stat(filepath.Dir(f.Path)); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Error(info.Mode(), err)
	}
	result, err := f.Uninstall(false)
	if err != nil || result.Text != nil {
		t.Error(err, result)
	}
	if diff := cmp.Diff([]string{filepath.Base(f.With)}, names(t, filepath.Dir(f.Path))); diff != "" {
		t.Error(diff)
	}
	if result, err := f.Uninstall(false); err != nil || result.Changed() {
		t.Error(err, result)
	}
}

func TestManagedSettingsCanBeReadByEveryUser(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permissions as on Unix")
	}
	m := Machine{Environment: config.Environment{ManagedSettings: filepath.Join(t.TempDir(), "claude-code", "managed-settings.json")}}
	f, err := m.File(Managed)
	if err == nil {
		_, err = f.Install(program, false)
	}
	if err != nil {
		t.Fatal(err)
	}
	info, _ := os.Stat(f.Path)
	directory, _ := os.Stat(filepath.Dir(f.Path))
	if info.Mode().Perm() != 0o644 || directory.Mode().Perm()&0o555 != 0o555 {
		t.Error(info.Mode(), directory.Mode())
	}
}

func TestTheModeOfTheFileIsKept(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permissions as on Unix")
	}
	f := userFile(t, "{}")
	if err := os.Chmod(f.Path, 0o664); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Install(program, false); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{f.Path, f.Without} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o664 {
			t.Error(path, info.Mode(), err)
		}
	}
}

func TestASymbolicLinkIsWrittenThrough(t *testing.T) {
	for name, text := range map[string]string{"to a file": `{"model": "opus"}`, "to nothing yet": ""} {
		f := userFile(t, "")
		target := filepath.Join(t.TempDir(), "dotfiles", "claude.json")
		write(t, target, text)
		if text == "" {
			os.Remove(target)
		}
		if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, f.Path); err != nil {
			t.Skip(err)
		}
		f, err := newFile(f.Path, "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Install(program, false); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if link, err := os.Readlink(f.Path); err != nil || link != target {
			t.Errorf("%s: the link is now %q, %v", name, link, err)
		}
		if !hasHooks([]byte(read(t, target))) {
			t.Errorf("%s: the target is %s", name, read(t, target))
		}
		if _, err := f.Uninstall(false); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if text != "" && read(t, target) != text {
			t.Errorf("%s: the target is %s", name, read(t, target))
		}
		if _, err := os.Lstat(f.Path); err != nil {
			t.Errorf("%s: the link is gone: %v", name, err)
		}
	}
}

func TestNothingButTheFileAppearsInTheProject(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	m := Machine{Environment: config.Environment{Home: home, ProjectDir: project}}
	for scope, name := range map[Scope]string{Project: "settings.json", Local: "settings.local.json"} {
		write(t, filepath.Join(project, ".claude", name), "{ }")
		f, err := m.File(scope)
		if err == nil {
			_, err = f.Install(program, false)
		}
		if err != nil {
			t.Fatal(err)
		}
		if read(t, f.Without) != "{ }" {
			t.Errorf("%s: the backup is %q", scope, read(t, f.Without))
		}
	}
	if diff := cmp.Diff([]string{"settings.json", "settings.local.json"}, names(t, filepath.Join(project, ".claude"))); diff != "" {
		t.Error(diff)
	}
}

func TestADryRunWritesNothing(t *testing.T) {
	home := t.TempDir()
	f, err := Machine{Environment: config.Environment{Home: home}}.File(User)
	if err != nil {
		t.Fatal(err)
	}
	result, err := f.Install(program, true)
	if err != nil || !hasHooks(result.Text) || result.Backup != "" || len(names(t, home)) > 0 {
		t.Error(result, err, names(t, home))
	}
}

func TestHostileSettingsFilesAreRefusedAndLeftAlone(t *testing.T) {
	for name, c := range map[string]struct {
		make func(t *testing.T, path string) error
		want string
	}{
		"a directory": {func(_ *testing.T, path string) error { return os.Mkdir(path, 0o755) }, "is a directory"},
		"a pipe":      {func(t *testing.T, path string) error { testpipe.Make(t, path); return nil }, "not a regular file"},
		"a hundred megabytes": {func(_ *testing.T, path string) error {
			return errors.Join(os.WriteFile(path, []byte("{"), 0o600), os.Truncate(path, 100<<20))
		}, "more than 4194304 bytes"},
		"a loop of links": {func(_ *testing.T, path string) error { return os.Symlink(path, path) }, "too many"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), settingsName)
			if err := c.make(t, path); err != nil {
				t.Skip(err)
			}
			before, _ := os.Lstat(path)
			f, err := newFile(path, "")
			if err == nil {
				_, err = f.Install(program, false)
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if f != nil {
				if _, err := f.Uninstall(false); err == nil {
					t.Error("uninstall says nothing")
				}
			}
			after, err := os.Lstat(path)
			if err != nil || !os.SameFile(before, after) || len(names(t, filepath.Dir(path))) != 1 {
				t.Errorf("%v, %v", err, names(t, filepath.Dir(path)))
			}
		})
	}
}

func TestWhatMayNotBeWrittenIsSaidWithWhatToDo(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("permissions do not bind this user")
	}
	f := userFile(t, "{}")
	if err := os.Chmod(filepath.Dir(f.Path), 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(filepath.Dir(f.Path), 0o700) })
	if _, err := f.Install(program, false); err == nil || !strings.Contains(err.Error(), "as a user who may read and write there") || read(t, f.Path) != "{}" {
		t.Error(err)
	}
}

func TestWhatIsNotKnownIsSaid(t *testing.T) {
	for scope, want := range map[Scope]string{User: "HOME is not set", Project: "CLAUDE_PROJECT_DIR", Local: "CLAUDE_PROJECT_DIR", "other": "no scope"} {
		if _, err := (Machine{}).File(scope); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", scope, err)
		}
	}
}

func TestConcurrentInstallsDoNoHarm(t *testing.T) {
	f := userFile(t, `{"model": "opus", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}`)
	var group sync.WaitGroup
	for i := range 12 {
		group.Go(func() {
			own, err := newFile(f.Path, "")
			if err == nil {
				_, err = own.Install(fmt.Sprintf("/opt/%d/claudewatch", i), false)
			}
			if err == nil && i%3 == 0 {
				_, err = own.Uninstall(false)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	// Whoever was last: one more, and the file is what one install makes of it.
	if _, err := f.Install(program, false); err != nil {
		t.Fatal(err)
	}
	text := read(t, f.Path)
	s, err := Read([]byte(text))
	if err != nil || len(s.Hooks) != len(Events)+1 || !json.Valid([]byte(text)) || !strings.Contains(text, "say done") {
		t.Errorf("%v\n%s", err, text)
	}
	for _, name := range names(t, filepath.Dir(f.Path)) {
		if strings.HasPrefix(name, ".") {
			t.Errorf("%s is left", name)
		}
	}
}

func TestAChangeBySomebodyWithoutALockIsNotOverwritten(t *testing.T) {
	f := userFile(t, `{}`)
	tries := 0
	result, err := f.edit(false, func(before []byte) (*Edit, error) {
		if tries++; tries == 2 { // under the lock: now somebody else writes
			write(t, f.Path, `{"theirs": true}`)
		}
		return Merge(before, program)
	})
	if err != nil || tries != 3 || string(result.Before) != `{"theirs": true}` || !strings.Contains(read(t, f.Path), "theirs") {
		t.Errorf("%v after %d tries:\n%s", err, tries, read(t, f.Path))
	}
	_, err = f.edit(false, func(before []byte) (*Edit, error) {
		write(t, f.Path, string(before)+" ")
		return Remove(before, nil)
	})
	if err == nil || !strings.Contains(err.Error(), "keeps changing the file") {
		t.Error(err)
	}
}

func TestTheBackupsHoldTheFileWithoutAndWithTheHooks(t *testing.T) {
	f := userFile(t, `{"a": 1}`)
	install := func(program string) *Result {
		result, err := f.Install(program, false)
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	if r := install("/one/claudewatch"); r.Backup != f.Without {
		t.Error(r.Backup)
	}
	one := read(t, f.Path)
	if r := install("/two/claudewatch"); r.Backup != f.With {
		t.Error(r.Backup)
	}
	if read(t, f.Without) != `{"a": 1}` || read(t, f.With) != one {
		t.Errorf("%q, %q", read(t, f.Without), read(t, f.With))
	}
	// Also after an update the original comes back.
	if _, err := f.Uninstall(false); err != nil || read(t, f.Path) != `{"a": 1}` {
		t.Error(err, read(t, f.Path))
	}
}

func TestTheSettingsFilesOfAMachine(t *testing.T) {
	home := t.TempDir()
	project := filepath.Join(home, "src", "shop")
	below := filepath.Join(project, "api", "v1")
	write(t, filepath.Join(project, ".git", "HEAD"), "x")
	write(t, filepath.Join(home, ".claude", settingsName), "{}")
	if err := os.MkdirAll(below, 0o755); err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(home, "notes")
	for name, c := range map[string]struct {
		machine Machine
		scope   Scope
		want    string
	}{
		"user":                    {Machine{Environment: config.Environment{Home: home}}, User, filepath.Join(home, ".claude", "settings.json")},
		"CLAUDE_CONFIG_DIR":       {Machine{Environment: config.Environment{Home: home, ClaudeConfig: filepath.Join(home, "cc")}}, User, filepath.Join(home, "cc", "settings.json")},
		"CLAUDE_PROJECT_DIR":      {Machine{Environment: config.Environment{Home: home, ProjectDir: below}}, Project, filepath.Join(below, ".claude", "settings.json")},
		"the repository":          {Machine{config.Environment{Home: home}, below}, Local, filepath.Join(project, ".claude", "settings.local.json")},
		"no project, not of home": {Machine{config.Environment{Home: home}, elsewhere}, Project, filepath.Join(elsewhere, ".claude", "settings.json")},
	} {
		f, err := c.machine.File(c.scope)
		if err != nil || f.Path != c.want {
			t.Errorf("%s: %v, %v, want %s", name, f, err, c.want)
		}
	}
	for system, want := range map[string]string{
		"linux":   "/etc/claude-code/managed-settings.json",
		"darwin":  "/Library/Application Support/ClaudeCode/managed-settings.json",
		"windows": `C:\Program Files\ClaudeCode\managed-settings.json`,
	} {
		if got := managedFile(system); got != want {
			t.Errorf("%s: %s", system, got)
		}
	}
}
