package install

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/claudewatch/claudewatch/internal/lazyregexp"
)

// Program returns the absolute path by which Claude Code is to run the binary of this
// process. name is how the process was started, os.Args[0].
//
// The path by which the user calls the program is taken where it leads to this very
// binary, since a package manager moves a link there and leaves the path alone. A
// binary that will be gone soon, or that has another name, is refused.
func Program(name string) (string, error) {
	executable, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("the path of this program is not known: %w; run it by its full path", err)
	}
	return programAt(name, executable)
}

func programAt(name, executable string) (string, error) {
	self, err := os.Stat(executable)
	if err != nil {
		return "", fmt.Errorf("this program is no longer where it was started: %w; run the installed one", err)
	}
	path := executable
	if called := calledBy(name); called != "" {
		if info, err := os.Stat(called); err == nil && os.SameFile(info, self) {
			path = called
		}
	}
	if IsTemporary(path) || IsTemporary(executable) {
		return "", errors.New(`"go run" deletes the program when it ends: build it first, with go install ./cmd/claudewatch, and run that one`)
	}
	if !isClaudewatch(path) {
		return "", fmt.Errorf("the program is named %s: its hooks are known by the name claudewatch; rename it", filepath.Base(path))
	}
	return path, nil
}

// calledBy returns the absolute path that the name of a program means, "" when it is
// not known.
func calledBy(name string) string {
	if name == "" {
		return ""
	}
	if !strings.ContainsAny(name, `/\`) {
		found, err := exec.LookPath(name)
		if err != nil {
			return ""
		}
		name = found
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return ""
	}
	if runtime.GOOS == "windows" && filepath.Ext(path) == "" {
		path += ".exe"
	}
	return path
}

// temporaryPath is where "go run" and "go test" put programs: below a folder
// go-build…, or in the cache of builds.
var temporaryPath = lazyregexp.New(`[/\\]go-build[^/\\]*[/\\]|[/\\][0-9a-f]{2}[/\\][0-9a-f]{64}-d[/\\]`)

// IsTemporary reports whether a path is one where builds are that will be deleted.
func IsTemporary(path string) bool { return temporaryPath().MatchString(path) }
