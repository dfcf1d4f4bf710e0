package changes_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// binary is the path of the built claudewatch, which TestMain makes, and smallBinary that
// of one which writes its manifest at every event.
var binary, smallBinary string

// runWithBinary builds the binaries and runs the tests.
func runWithBinary(m *testing.M) int {
	directory, err := os.MkdirTemp("", "claudewatch-changes-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(directory)
	binary, smallBinary = filepath.Join(directory, "claudewatch.exe"), filepath.Join(directory, "small.exe")
	for path, tags := range map[string]string{binary: "", smallBinary: "smalljournal"} {
		build := exec.Command("go", "build", "-tags", tags, "-o", path, "../../cmd/claudewatch")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "building claudewatch: %v\n%s", err, out)
			return 1
		}
	}
	return m.Run()
}

// machine is what a hook sees of the machine it runs on.
type machine struct {
	t                testing.TB
	home, data, root string
	binary           string
	without          []string // variables that are not set
}

func newMachine(t testing.TB, directory, root string) *machine {
	m := &machine{t: t, home: filepath.Join(directory, "home"), data: filepath.Join(directory, "data"), root: root, binary: binary}
	for _, d := range []string{m.home, m.data} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func (m *machine) environment() []string {
	variables := []string{
		"PATH=" + os.Getenv("PATH"), "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"),
		"HOME=" + m.home, "USERPROFILE=" + m.home,
		"CLAUDE_PLUGIN_DATA=" + m.data, "CLAUDE_PROJECT_DIR=" + m.root,
	}
	return slices.DeleteFunc(variables, func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(m.without, name)
	})
}

// hookRun is a hook that has run.
type hookRun struct {
	began, ended   time.Time
	exit           int
	killed         bool
	stdout, stderr string
}

// ok reports whether the hook ran to its end.
func (h hookRun) ok() bool { return !h.killed }

// hook runs the hook with an event, and kills it after a time unless that is 0.
func (m *machine) hook(event map[string]any, killAfter time.Duration) hookRun {
	payload, err := json.Marshal(event)
	if err != nil {
		m.t.Fatal(err)
	}
	cmd := exec.Command(m.binary, "hook")
	cmd.Env = m.environment()
	cmd.Dir = m.root
	if _, err := os.Stat(m.root); err != nil {
		cmd.Dir = m.home
	}
	cmd.Stdin = bytes.NewReader(payload)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	run := hookRun{began: time.Now()}
	if err := cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	if killAfter > 0 {
		timer := time.AfterFunc(killAfter, func() { _ = cmd.Process.Kill() })
		defer timer.Stop()
	}
	err = cmd.Wait()
	run.ended, run.stdout, run.stderr = time.Now(), stdout.String(), stderr.String()
	var exit *exec.ExitError
	switch {
	case err == nil:
	case errors.As(err, &exit) && exit.ExitCode() < 0 || killAfter > 0 && runtime.GOOS == "windows":
		run.killed = true
	case errors.As(err, &exit):
		run.exit = exit.ExitCode()
	default:
		m.t.Errorf("the hook: %v", err)
	}
	played.hooks.Add(1)
	if run.killed {
		played.killed.Add(1)
	}
	return run
}
