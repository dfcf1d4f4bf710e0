package changes

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/changes/scan"
	"github.com/claudewatch/claudewatch/internal/git"
	"github.com/claudewatch/claudewatch/internal/regular"
)

// Bounds of one record.
const (
	// maxCompared is how many bytes of files are compared, so that no line gets longer
	// than it can be read.
	maxCompared = 32 << 20
	// maxBlobs is how many bytes of files are in memory at once, but for a larger one.
	maxBlobs = 4 << 20
	gitWait  = 5 * time.Second
)

// contents are the bytes of the sides of changes, from where they are still to be had:
// the content store, the disk, git.
type contents struct {
	*state
	blobs map[[sha256.Size]byte][]byte
}

// contentsOf returns the contents of changes. What only git has is asked for at once.
func (s *state) contentsOf(list []netChange) *contents {
	c := &contents{state: s, blobs: make(map[[sha256.Size]byte][]byte)}
	byRepository := make(map[string][]*scan.Entry)
	var locator git.Locator
	for i := range list {
		change := &list[i]
		for _, e := range []*scan.Entry{change.before, change.after} {
			if !s.compares(change, e) || e.Blob == [20]byte{} || s.gitFails || s.store.Has(e.Hash) {
				continue
			}
			repository := locator.Find(filepath.Join(s.path, filepath.FromSlash(change.path))).Root
			if repository != "" {
				byRepository[repository] = append(byRepository[repository], e)
			}
		}
	}
	for repository, entries := range byRepository {
		c.askGit(repository, entries)
	}
	return c
}

// askGit takes blobs from a repository, each of which must have the hash that it had.
func (c *contents) askGit(repository string, entries []*scan.Entry) {
	ctx, cancel := context.WithTimeout(context.Background(), gitWait)
	defer cancel()
	for len(entries) > 0 {
		var ids []string
		size := int64(0)
		for len(entries) > 0 && (len(ids) == 0 || size+entries[0].Size <= maxBlobs) {
			ids = append(ids, hex.EncodeToString(entries[0].Blob[:]))
			size += entries[0].Size
			entries = entries[1:]
		}
		blobs, err := git.Blobs(ctx, repository, ids)
		if err != nil {
			c.gitFails = true
			c.logf("%s: contents that only git has are not to be had: %v", c.path, err)
			return
		}
		for _, content := range blobs {
			c.blobs[sha256.Sum256(content)] = content
		}
	}
}

// comparable reports whether the bytes of an entry are wanted.
func (s *state) comparable(path string, e *scan.Entry) bool {
	return e != nil && e.Kind == scan.Regular && e.Known() && e.Size > 0 && e.Size <= s.Settings().SizeCap && !isSecret(path)
}

// compares reports whether the bytes of a side of a change are wanted.
func (s *state) compares(change *netChange, e *scan.Entry) bool {
	return !change.leftOut && s.comparable(change.path, e)
}

// side returns a side of a change with its bytes, where they are wanted and to be had.
func (c *contents) side(change *netChange, e *scan.Entry) record.Side {
	side := entrySide(e)
	if c.compares(change, e) {
		side.Content = c.bytes(change.path, e)
	}
	return side
}

// entrySide returns an entry, nil for nothing, as a side of a change without its bytes.
func entrySide(e *scan.Entry) record.Side {
	if e == nil {
		return record.Side{}
	}
	side := record.Side{Present: true, Kind: kindOf(e.Kind), Perm: fs.FileMode(e.Perm), Size: e.Size}
	if e.Known() {
		side.SHA256 = hex.EncodeToString(e.Hash[:])
	}
	return side
}

// bytes returns the content of an entry, nil when nobody has it any more.
func (c *contents) bytes(path string, e *scan.Entry) []byte {
	if content, err := c.store.Get(e.Hash); err == nil {
		return content
	}
	if content, ok := c.blobs[e.Hash]; ok {
		return content
	}
	content, err := regular.ReadFile(filepath.Join(c.path, filepath.FromSlash(path)), c.Settings().SizeCap)
	if err == nil && sha256.Sum256(content) == e.Hash {
		return content
	}
	return nil
}

func kindOf(k scan.Kind) string {
	switch k {
	case scan.Symlink:
		return record.Symlink
	case scan.Regular:
		return record.RegularFile
	}
	return record.Other
}
