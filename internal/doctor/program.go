package doctor

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/claudewatch/claudewatch/internal/install"
)

// versionWait is how long a program may take to say its version.
const versionWait = 10 * time.Second

// programs says which binaries the hooks run.
func programs(ctx context.Context, m *Machine) []Finding {
	var findings []Finding
	seen := map[string]bool{}
	for _, h := range m.installations().distinct() {
		path, ok := m.programOf(h)
		if seen[path] {
			continue
		}
		seen[path] = true
		if !ok {
			if h.kind != install.Foreign {
				findings = append(findings, Finding{
					Status: Warn, Message: fmt.Sprintf("which program runs cannot be told from %s (%s)", h, h.place.path), Remedy: "claudewatch install writes it out; take this hook out first",
				})
			}
			continue
		}
		findings = append(findings, m.program(ctx, h, path))
	}
	return findings
}

// programOf returns the program of a hook, ok is false when the text does not tell.
func (m *Machine) programOf(h *hook) (path string, ok bool) {
	command := m.expanded(h)
	handler := h.Handler
	handler.Command, handler.Args = command.Shell, nil
	if command.Program != "" {
		handler.Command, handler.Args = command.Program, command.Args
	}
	return install.ProgramOf(handler)
}

// program judges one program.
func (m *Machine) program(ctx context.Context, h *hook, path string) Finding {
	f := func(status Status, format string, args ...any) Finding {
		return Finding{Status: status, Message: fmt.Sprintf("%s: ", path) + fmt.Sprintf(format, args...), Remedy: h.remedy()}
	}
	then := "Claude Code lets every call through"
	if h.OnFailure == install.OnFailure {
		then = "Claude Code blocks every call (before 2.1.295 it lets them through)"
	}
	found := path
	if !filepath.IsAbs(path) {
		var err error
		if found, err = exec.LookPath(path); err != nil {
			return f(Fail, "is not found by PATH: %s", then)
		}
	}
	info, err := os.Stat(found)
	switch {
	case err != nil:
		return f(Fail, "%v: %s", err, then)
	case info.IsDir() || runtime.GOOS != "windows" && info.Mode().Perm()&0o111 == 0:
		return f(Fail, "is not a program that can be run: %s", then)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o002 != 0:
		finding := f(Fail, "every user of the machine can write to it, and so put another program in its place")
		finding.Remedy = "chmod o-w " + found
		return finding
	case install.IsTemporary(found):
		return f(Fail, "is a build that will be deleted")
	}
	if self, err := os.Stat(m.Executable); err == nil && os.SameFile(info, self) {
		if !filepath.IsAbs(path) {
			return f(Warn, "is found by the PATH of whoever starts Claude Code, which may be another one")
		}
		finding := f(OK, "%s, this program", m.Version)
		finding.Remedy = ""
		return finding
	}
	if why := m.untrusted(h); why != "" {
		return f(Warn, "was not run: %s", why)
	}
	version, err := versionOf(ctx, found)
	if err != nil {
		return f(Fail, "does not say its version: %v", err)
	}
	return f(Warn, "%s, and this program (%s) is %s", version, m.Executable, m.Version)
}

// versionOf runs the command "version" of a program.
func versionOf(ctx context.Context, program string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, versionWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "version")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return "", err
	}
	fields := strings.Fields(string(out[:min(len(out), 200)]))
	if len(fields) < 2 || fields[0] != "claudewatch" {
		return "", fmt.Errorf("it prints %.80q", out)
	}
	return fields[1], nil
}

// untrusted says why a hook's command must not be run just because somebody checks an
// installation; "" when it may be.
func (m *Machine) untrusted(h *hook) string {
	if h.kind == install.Mixed || h.kind == install.Foreign {
		for _, name := range []string{"CLAUDEWATCH_", "CLAUDE_PLUGIN_DATA"} {
			if strings.Contains(h.String(), name) {
				return "its text sets where claudewatch reads and writes, which a check must not"
			}
		}
	}
	if m.TrustProject || !h.ofProject() {
		return ""
	}
	if path, ok := m.programOf(h); !ok || !m.isKnown(path) {
		return "the project's settings bring it, and it is no program of your own settings; claudewatch doctor --trust-project runs it"
	}
	return ""
}

// ofProject reports whether a hook stands in settings that somebody else may have put
// into the repository.
func (h *hook) ofProject() bool {
	return h.place.scope == install.Project || h.place.scope == install.Local
}

// isKnown reports whether a program is this one, or one that the settings of the user
// or of the machine run.
func (m *Machine) isKnown(program string) bool {
	known := []string{m.Executable}
	for _, h := range m.installations().own {
		if path, ok := m.programOf(h); ok && !h.ofProject() {
			known = append(known, path)
		}
	}
	info, err := statProgram(program)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(known, func(path string) bool {
		other, err := statProgram(path)
		return err == nil && os.SameFile(info, other)
	})
}

// statProgram looks at a program as it would be found.
func statProgram(program string) (os.FileInfo, error) {
	found, err := exec.LookPath(program)
	if err != nil {
		return nil, err
	}
	return os.Stat(found)
}
