package git

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// comparison compares files with what is tracked, and stops at the first difference.
type comparison struct {
	ctx        context.Context
	repository string
	tracked    map[string]entry // by path relative to repository, with slashes
	seen       int              // files that are as tracked
}

// check compares what is at name, and everything below it.
func (c *comparison) check(name string) error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	if strings.EqualFold(filepath.Base(name), ".git") {
		return fmt.Errorf("%s: another repository", name)
	}
	path := filepath.Join(c.repository, filepath.FromSlash(name))
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return c.checkDirectory(name, path)
	}
	e, ok := c.tracked[name]
	if !ok {
		return fmt.Errorf("%s is not tracked", name)
	}
	if err := c.checkFile(path, info, e); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	c.seen++
	return nil
}

// checkDirectory reads the directory piece by piece, so that one with a million
// untracked files costs no more than its first.
func (c *comparison) checkDirectory(name, path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	for {
		names, err := dir.Readdirnames(256)
		for _, child := range names {
			if err := c.check(name + "/" + child); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

var errModified = errors.New("modified since it was committed")

func (c *comparison) checkFile(path string, info fs.FileInfo, e entry) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		link, err := os.Readlink(path)
		if err != nil {
			return err
		}
		return compareBlob(c.ctx, strings.NewReader(link), int64(len(link)), e, "120000")
	case info.Mode().IsRegular():
		mode := "100644"
		if info.Mode()&0o100 != 0 {
			mode = "100755"
		}
		if runtime.GOOS == "windows" && e.mode != "120000" {
			mode = e.mode // the file system has no such bit
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		return compareBlob(c.ctx, file, info.Size(), e, mode)
	}
	return errors.New("neither a file nor a symbolic link")
}

// compareBlob returns errModified unless content, of size bytes, and mode are those of e.
func compareBlob(ctx context.Context, content io.Reader, size int64, e entry, mode string) error {
	if mode != e.mode {
		return errModified
	}
	var sum hash.Hash
	switch len(e.id) {
	case hex.EncodedLen(sha1.Size):
		sum = sha1.New()
	case hex.EncodedLen(sha256.Size):
		sum = sha256.New()
	default:
		return fmt.Errorf("object id %q of an unknown kind", e.id)
	}
	fmt.Fprintf(sum, "blob %d\x00", size) // gitformat: the hash covers type and size
	n, err := io.Copy(sum, contextReader{ctx, content})
	if err != nil {
		return err
	}
	if n != size || hex.EncodeToString(sum.Sum(nil)) != e.id {
		return errModified
	}
	return nil
}

// contextReader reads until its context ends.
type contextReader struct {
	ctx context.Context
	io.Reader
}

// Read implements io.Reader.
func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}
