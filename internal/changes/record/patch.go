package record

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/claudewatch/claudewatch/internal/changes/textdiff"
	"github.com/claudewatch/claudewatch/internal/safetext"
)

// WritePatch writes a change as git writes it, for git apply and git apply -R. A change
// that a patch cannot carry becomes a line that begins with "#" and says so, which git
// passes over. Of a change that is not usable nothing is written.
func WritePatch(w io.Writer, c *Change) error {
	for i, h := range c.Hunks {
		// One that lacks lines would take those of the next file.
		if err := h.Check(); err != nil {
			return fmt.Errorf("patch of %s: hunk %d: %w", c.Path, i+1, err)
		}
	}
	var patch strings.Builder
	before, after := gitModes(c)
	if c.Diff != Available || c.Operation == TypeChange || c.Operation == Modify && len(c.Hunks) == 0 && before == after {
		// What is from the record and not quoted must not begin a line.
		patch.WriteString(strings.NewReplacer("\n", " ", "\r", " ").Replace(remark(c)) + "\n")
	} else {
		writeHead(&patch, c, before, after)
		writeHunks(&patch, c.Hunks)
	}
	_, err := io.WriteString(w, patch.String())
	return err
}

// nowhere is the name of a side that is not present.
const nowhere = "/dev/null"

// writeHead writes the lines of a change before its hunks.
func writeHead(patch *strings.Builder, c *Change, before, after string) {
	a, b := quote(c.Path, "a/"), quote(c.Path, "b/")
	fmt.Fprintf(patch, "diff --git %s %s\n", a, b)
	switch {
	case c.Operation == Create:
		fmt.Fprintf(patch, "new file mode %s\n", after)
		a = nowhere
	case c.Operation == Delete:
		fmt.Fprintf(patch, "deleted file mode %s\n", before)
		b = nowhere
	case before != after:
		fmt.Fprintf(patch, "old mode %s\nnew mode %s\n", before, after)
	}
	if len(c.Hunks) > 0 {
		fmt.Fprintf(patch, "--- %s\n+++ %s\n", tabbed(a), tabbed(b))
	}
}

func writeHunks(patch *strings.Builder, hunks []textdiff.Hunk) {
	for _, h := range hunks {
		fmt.Fprintf(patch, "@@ -%s +%s @@\n", extent(h.OldStart, h.OldLines), extent(h.NewStart, h.NewLines))
		for _, line := range h.Lines {
			patch.WriteString(line)
			patch.WriteByte('\n')
		}
	}
}

func extent(start, lines int) string {
	if lines == 1 {
		return strconv.Itoa(start)
	}
	return fmt.Sprintf("%d,%d", start, lines)
}

// remark returns the line of a change that a patch cannot carry.
func remark(c *Change) string {
	states := fmt.Sprintf("(%s, %s)", c.Before.summary(), c.After.summary())
	if c.Diff != Binary {
		return fmt.Sprintf("# %s: %s, no patch: %s %s", quote(c.Path, ""), c.Operation, noPatch(c), states)
	}
	a, b := quote(c.Path, "a/"), quote(c.Path, "b/")
	if !c.Before.Present {
		a = nowhere
	}
	if !c.After.Present {
		b = nowhere
	}
	return fmt.Sprintf("# Binary files %s and %s differ %s", a, b, states)
}

// noPatch returns the reason why a patch cannot carry a change.
func noPatch(c *Change) string {
	switch {
	case c.Diff == TooLarge:
		return "it is over the size cap"
	case c.XSecret:
		return "its content may hold secrets and is not recorded"
	case c.XType != nil:
		return fmt.Sprintf("it is no regular file (%s before, %s after)", cmp.Or(c.XType.Before, "nothing"), cmp.Or(c.XType.After, "nothing"))
	case c.Diff == Available && c.XMode != nil:
		return fmt.Sprintf("git does not know its permission bits (%s before, %s after)", c.XMode.Before, c.XMode.After)
	case c.Diff == Available:
		return "nothing that git knows has changed"
	}
	return "its content is not known"
}

func (s State) summary() string {
	switch {
	case !s.Present:
		return "not present"
	case s.SHA256 == "":
		return fmt.Sprintf("%d bytes", s.Bytes)
	}
	return fmt.Sprintf("%d bytes sha256:%.12s", s.Bytes, s.SHA256)
}

// gitModes returns the modes of a file as git knows them, of which there are two.
func gitModes(c *Change) (before, after string) {
	git := func(mode string) string {
		if bits, err := strconv.ParseUint(mode, 8, 32); err == nil && bits&0o100 != 0 {
			return "100755"
		}
		return "100644"
	}
	if c.XMode == nil {
		return git(""), git("")
	}
	return git(c.XMode.Before), git(c.XMode.After)
}

// tabbed ends a name that has a space with a tab, as git does for programs that would
// take what follows the space for a time.
func tabbed(name string) string {
	if strings.Contains(name, " ") {
		return name + "\t"
	}
	return name
}

// quote puts a prefix before a path, and both into quotes where git does with
// core.quotePath off: when there are quotes, backslashes or control characters in it.
// It also quotes what git would not: characters that would
// drive a terminal or change how the line reads, and a space before a slash, where git takes the slash in the line
// "diff --git" for the start of an absolute path. An absolute path goes without its
// slash behind a prefix.
func quote(path, prefix string) string {
	if prefix != "" {
		path = prefix + strings.TrimPrefix(path, "/")
	}
	special := func(r rune) bool { return r == '"' || r == '\\' || safetext.Unsafe(r) }
	if strings.IndexFunc(path, special) < 0 && !strings.Contains(path, " /") && utf8.ValidString(path) {
		return path
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(path); {
		r, size := utf8.DecodeRuneInString(path[i:])
		switch char := path[i : i+size]; {
		case r == '"' || r == '\\':
			b.WriteString(`\` + char)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case special(r) || r == utf8.RuneError && size == 1:
			for j := range len(char) {
				fmt.Fprintf(&b, `\%03o`, char[j])
			}
		default:
			b.WriteString(char)
		}
		i += size
	}
	b.WriteByte('"')
	return b.String()
}
