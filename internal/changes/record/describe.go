package record

import (
	"fmt"
	"io/fs"

	"github.com/claudewatch/claudewatch/internal/changes/textdiff"
)

// Side is what is known of a path at one time.
type Side struct {
	Present bool
	Kind    string      // RegularFile ("" too), Symlink or Other
	Perm    fs.FileMode // the permission bits
	Size    int64
	SHA256  string // lower-case hex, "" when not known
	Content []byte // nil when not known
}

// Describe fills in the operation, both sides, the diff with its hunks and counts, the
// modes and the types of a change, from what stood at its path. Path, attribution,
// windows and XSecret are the caller's; XSecret must be set before. A file of more than
// sizeCap bytes is not compared.
func (c *Change) Describe(before, after Side, sizeCap int64) {
	c.Operation = Operation(before, after)
	c.XMode, c.XType = modes(before, after), types(before, after)
	c.Before, c.After = before.state(c.XSecret), after.state(c.XSecret)
	c.Hunks, c.Additions, c.Deletions = nil, 0, 0
	c.Diff = diffState(before, after, sizeCap, c.XSecret)
	if c.Diff == Available {
		c.Hunks, c.Additions, c.Deletions = textdiff.Compare(before.Content, after.Content)
	}
}

// Operation returns what happened to a path, by what stood there.
func Operation(before, after Side) string {
	switch {
	case !before.Present:
		return Create
	case !after.Present:
		return Delete
	case before.kind() != after.kind():
		return TypeChange
	}
	return Modify
}

func (s Side) kind() string {
	switch {
	case !s.Present:
		return ""
	case s.Kind == "":
		return RegularFile
	}
	return s.Kind
}

// known reports whether the bytes of a side are there to be compared.
func (s Side) known() bool {
	return !s.Present || s.Size == 0 || int64(len(s.Content)) == s.Size
}

func (s Side) state(secret bool) State {
	if !s.Present {
		return State{}
	}
	n := len(s.Content)
	return State{
		Present: true, Bytes: s.Size, SHA256: s.SHA256,
		NoNewlineAtEnd: !secret && s.kind() == RegularFile && s.known() && n > 0 && s.Content[n-1] != '\n',
	}
}

func diffState(before, after Side, sizeCap int64, secret bool) string {
	for _, s := range []Side{before, after} {
		if secret || s.Present && s.kind() != RegularFile {
			return Unavailable
		}
	}
	switch {
	case before.Present && before.Size > sizeCap, after.Present && after.Size > sizeCap:
		return TooLarge
	case !before.known() || !after.known():
		return Unavailable
	case !textdiff.IsText(before.Content) || !textdiff.IsText(after.Content):
		return Binary
	}
	return Available
}

// plainMode are the permission bits of a file for which nothing else is said.
const plainMode = 0o644

func modes(before, after Side) *Sides {
	if before.kind() != RegularFile && before.Present || after.kind() != RegularFile && after.Present {
		return nil
	}
	was, is := before.Perm&fs.ModePerm, after.Perm&fs.ModePerm
	switch {
	case !before.Present && is == plainMode, !after.Present && was == plainMode,
		before.Present && after.Present && was == is:
		return nil
	}
	sides := &Sides{}
	if before.Present {
		sides.Before = fmt.Sprintf("%04o", was)
	}
	if after.Present {
		sides.After = fmt.Sprintf("%04o", is)
	}
	return sides
}

func types(before, after Side) *Sides {
	sides := Sides{before.kind(), after.kind()}
	for _, kind := range []string{sides.Before, sides.After} {
		if kind == Symlink || kind == Other {
			return &sides
		}
	}
	return nil
}
