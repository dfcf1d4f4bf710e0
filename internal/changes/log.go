package changes

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/claudewatch/claudewatch/internal/ownfile"
	"github.com/claudewatch/claudewatch/internal/regular"
)

// maxLog is the size in bytes at which the log is put aside, and oldLogs how many of
// those are kept.
const (
	maxLog  = 1 << 20
	oldLogs = 2
)

// logWait bounds how long a process waits for another that puts the log aside.
const logWait = 100 * time.Millisecond

// LogFile is the path of the log of the recorder.
func LogFile(directory string) string { return filepath.Join(directory, "log", "plugin.log") }

// logf adds a line to the log: when, how bad it is, and what there is to say. When it
// cannot be written it goes to Warn.
func (r *Recorder) logf(format string, args ...any) {
	message := strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "; ")
	line := fmt.Sprintf("%s [%d] %s\n", time.Now().UTC().Format(time.RFC3339Nano), os.Getpid(), message)
	if err := appendLog(LogFile(r.Directory()), line); err != nil && r.Warn != nil {
		r.Warn(message)
	}
}

// logOnce adds a line to the log unless it is among the last ones.
func (r *Recorder) logOnce(message string) {
	if file, info, err := regular.Open(LogFile(r.Directory())); err == nil {
		defer file.Close()
		last := make([]byte, 64<<10)
		n, _ := file.ReadAt(last, max(0, info.Size()-int64(len(last))))
		if strings.Contains(string(last[:n]), strings.ReplaceAll(message, "\n", "; ")) {
			return
		}
	}
	r.logf("%s", message)
}

// appendLog adds a line with one write, which no other process can tear.
func appendLog(path, line string) error {
	if info, err := os.Lstat(path); err != nil {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
	} else if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file; remove it", path)
	} else if info.Size() > maxLog {
		rotateLog(path)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(line)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	return err
}

// rotateLog puts the log aside. When another process is at it the log grows on.
func rotateLog(path string) {
	unlock, err := ownfile.Lock(path+".lock", logWait)
	if err != nil {
		return
	}
	defer unlock()
	if info, err := os.Lstat(path); err != nil || info.Size() <= maxLog {
		return // somebody else has done it
	}
	for n := oldLogs; n > 1; n-- {
		_ = os.Rename(fmt.Sprintf("%s.%d", path, n-1), fmt.Sprintf("%s.%d", path, n))
	}
	_ = os.Rename(path, path+".1")
}
