package compiled

import (
	"os"
	"strings"

	"github.com/claudewatch/claudewatch/internal/regular"
	"github.com/claudewatch/claudewatch/policy"
)

// stamp is the state of a file or directory without its content.
type stamp struct {
	path string
	// state holds what changes with the content: device, inode, size, mode, and the
	// times of the last changes in nanoseconds.
	state string
	// latest is the later of these times, in nanoseconds of Unix time.
	latest int64
}

// stampOf returns the stamp of what a path leads to.
func stampOf(path string) (stamp, error) {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{}, err
	}
	state, latest := stateOf(info)
	return stamp{path, state, latest}, nil
}

// record is a stamp with a hash of the content it was taken of.
type record struct {
	stamp
	hash string
}

// recordOf returns the record of a path. It is an error when the state changes while
// the content is read.
func recordOf(path string) (record, error) {
	before, err := stampOf(path)
	if err != nil {
		return record{}, err
	}
	hash, err := hashOf(path)
	if err != nil {
		return record{}, err
	}
	after, err := stampOf(path)
	if err == nil && after != before {
		err = errStale
	}
	return record{after, hash}, err
}

// hashOf returns a hash of the content of a file, or of the names in a directory.
func hashOf(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		source, err := regular.ReadFile(path, policy.MaxFileSize)
		return contentHash(source), err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return "", err
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return contentHash([]byte(strings.Join(names, "/"))), nil
}
