// Package git answers questions about repositories, read-only: it never writes to
// a repository, and nothing that a repository configures (hooks, filters, a file
// system monitor, a pager) runs on its behalf.
package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// maxOutput bounds what one git call may print, in bytes.
const maxOutput = 16 << 20

var errOutputTooLong = errors.New("git printed more than expected")

// run runs one git command in dir, with stdin as its input, and returns what it
// printed. The command must be one that only reads. Repository discovery does not
// leave dir, so that dir must be the top of a worktree.
func run(ctx context.Context, dir, stdin string, args ...string) ([]byte, error) {
	program, err := exec.LookPath("git")
	if err != nil {
		return nil, err
	}
	global := []string{
		"--no-pager", "--literal-pathspecs",
		"-c", "core.fsmonitor=false",
		"-c", "core.hooksPath=" + os.DevNull,
	}
	cmd := exec.CommandContext(ctx, program, append(global, args...)...)
	cmd.Dir = dir
	cmd.Env = environment(dir)
	cmd.Stdin = strings.NewReader(stdin)
	stdout := &limitedBuffer{limit: maxOutput}
	stderr := &limitedBuffer{limit: 4096, truncate: true}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.WaitDelay = 100 * time.Millisecond // for a child of git that keeps the pipes open
	if err := cmd.Run(); stdout.exceeded {
		return nil, fmt.Errorf("git %s: %w", args[0], errOutputTooLong)
	} else if err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(stderr.buffer.Bytes()))
	}
	return stdout.buffer.Bytes(), nil
}

// kept are the variables git gets from our own environment: where programs are
// and where the user's configuration is. Everything else, above all GIT_DIR,
// GIT_INDEX_FILE and GIT_CONFIG_…, could make it answer about something else.
var kept = []string{
	"PATH", "HOME", "XDG_CONFIG_HOME",
	"USERPROFILE", "HOMEDRIVE", "HOMEPATH", "SYSTEMROOT", "PATHEXT", // Windows
}

func environment(dir string) []string {
	env := []string{
		"GIT_CEILING_DIRECTORIES=" + filepath.Dir(dir),
		"GIT_OPTIONAL_LOCKS=0",     // no refresh of the index
		"GIT_NO_REPLACE_OBJECTS=1", // what is committed, not what replaces it
		"GIT_NO_LAZY_FETCH=1",      // a partial clone's missing objects stay missing
		"GIT_ALLOW_PROTOCOL=none",  // also for versions that do not know the former
		"GIT_TERMINAL_PROMPT=0",
		"LC_ALL=C",
	}
	for _, name := range kept {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// limitedBuffer keeps up to limit bytes. What is more it drops when truncate is
// set, and otherwise refuses, which ends the command that writes it.
type limitedBuffer struct {
	buffer   bytes.Buffer // not embedded: its ReadFrom would pass the limit by
	limit    int
	truncate bool
	exceeded bool
}

// Write implements io.Writer.
func (b *limitedBuffer) Write(p []byte) (int, error) {
	room := b.limit - b.buffer.Len()
	if len(p) <= room {
		return b.buffer.Write(p)
	}
	b.exceeded = true
	if !b.truncate {
		return 0, errOutputTooLong
	}
	b.buffer.Write(p[:room])
	return len(p), nil
}
