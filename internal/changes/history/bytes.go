package history

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/content"
	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/changes/textdiff"
	"github.com/claudewatch/claudewatch/internal/git"
)

// gitWait bounds how long git is waited for.
const gitWait = 10 * time.Second

// gitCommits is in how many commits back from HEAD a content is looked for.
const gitCommits = 50

// bytesOf finds contents by their SHA-256.
type bytesOf struct {
	data   string
	stores map[string]*content.Store
	git    map[string]map[string][]byte // by file, then by SHA-256
}

func newBytes(data string) *bytesOf {
	return &bytesOf{data: data, stores: make(map[string]*content.Store), git: make(map[string]map[string][]byte)}
}

// find returns the content that a state of a file had: nil when nobody has it any more.
func (b *bytesOf) find(step Step, s record.State) []byte {
	if !s.Present || s.SHA256 == "" {
		return nil
	}
	if s.Bytes == 0 && s.SHA256 == hashOf(nil) {
		return []byte{}
	}
	if c := b.kept(step.Record.Root, s.SHA256); c != nil {
		return c
	}
	return b.fromGit(Absolute(step.Record, step.Change.Path))[s.SHA256]
}

// kept returns a content from the store of a root.
func (b *bytesOf) kept(root *record.Root, hash string) []byte {
	raw, err := hex.DecodeString(hash)
	if root == nil || err != nil || len(raw) != sha256.Size || !isRootID(root.ID) {
		return nil
	}
	store := b.stores[root.ID]
	if store == nil {
		store = content.Open(filepath.Join(b.data, "state", root.ID, "content"))
		b.stores[root.ID] = store
	}
	c, err := store.Get(content.Hash(raw))
	if err != nil {
		return nil
	}
	return c
}

// isRootID reports whether an id of a record is what makes the name of a directory.
func isRootID(id string) bool { return len(id) == 16 && strings.Trim(id, "0123456789abcdef") == "" }

// fromGit returns the contents that git has of a file: in the index and in the last
// commits.
func (b *bytesOf) fromGit(file string) map[string][]byte {
	if found, ok := b.git[file]; ok {
		return found
	}
	found := make(map[string][]byte)
	b.git[file] = found
	top := new(git.Locator).Find(filepath.Dir(file)).Root
	if top == "" {
		return found
	}
	relative, err := filepath.Rel(top, file)
	if err != nil || strings.ContainsAny(relative, "\n\r") {
		return found
	}
	relative = filepath.ToSlash(relative)
	ctx, cancel := context.WithTimeout(context.Background(), gitWait)
	defer cancel()
	names := []string{":" + relative}
	for n := range gitCommits {
		names = append(names, fmt.Sprintf("HEAD~%d:%s", n, relative))
		// What git gives back at once is bounded: first the few that are likely.
		if n != 0 && n != 9 && n != gitCommits-1 {
			continue
		}
		blobs, _ := git.Blobs(ctx, top, names) // without git, or without a history, there is nothing to find
		for _, c := range blobs {
			found[hashOf(c)] = c
		}
		names = nil
	}
	return found
}

// before returns what a file held before a step, of which after is what it held after
// it; nil when that is not known any more.
func (b *bytesOf) before(step Step, after []byte) []byte {
	c := step.Change
	if !c.After.Present {
		after = []byte{} // what the hunks of a deletion lead back from
	}
	if after != nil && c.Diff == record.Available {
		if content, err := textdiff.Apply(after, textdiff.Reverse(c.Hunks)); err == nil && hashOf(content) == c.Before.SHA256 {
			if content == nil {
				content = []byte{}
			}
			return content
		}
	}
	return b.find(step, c.Before)
}

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
