package record

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/claudewatch/claudewatch/internal/changes/textdiff"
)

// WritePatch writes a change as git writes it, for git apply and git apply -R. A change
// that a patch cannot carry becomes a line that begins with "#" and says so, which git
// passes over.
func WritePatch(w io.Writer, c *Change) error {
	p := patch{to: bufio.NewWriter(w), change: c}
	if err := p.write(); err != nil {
		return fmt.Errorf("patch of %s: %w", c.Path, err)
	}
	return p.to.Flush()
}

type patch struct {
	to     *bufio.Writer
	change *Change
}

func (p patch) write() error {
	c := p.change
	before, after := gitModes(c)
	switch {
	case c.Diff != Available:
		return p.remark()
	case c.Operation == Modify && len(c.Hunks) == 0 && before == after:
		return p.remark()
	}
	path := strings.TrimPrefix(c.Path, "/")
	a, b := quote("a/"+path), quote("b/"+path)
	fmt.Fprintf(p.to, "diff --git %s %s\n", a, b)
	switch {
	case c.Operation == Create:
		fmt.Fprintf(p.to, "new file mode %s\n", after)
		a = "/dev/null"
	case c.Operation == Delete:
		fmt.Fprintf(p.to, "deleted file mode %s\n", before)
		b = "/dev/null"
	case before != after:
		fmt.Fprintf(p.to, "old mode %s\nnew mode %s\n", before, after)
	}
	if len(c.Hunks) == 0 {
		return nil
	}
	fmt.Fprintf(p.to, "--- %s\n+++ %s\n", tabbed(a), tabbed(b))
	for _, h := range c.Hunks {
		if err := p.hunk(h); err != nil {
			return err
		}
	}
	return nil
}

func (p patch) hunk(h textdiff.Hunk) error {
	fmt.Fprintf(p.to, "@@ -%s +%s @@\n", extent(h.OldStart, h.OldLines), extent(h.NewStart, h.NewLines))
	for _, line := range h.Lines {
		if strings.Contains(line, "\n") {
			return fmt.Errorf("the record is damaged: a line feed within a line")
		}
		p.to.WriteString(line)
		p.to.WriteByte('\n')
	}
	return nil
}

func extent(start, lines int) string {
	if lines == 1 {
		return strconv.Itoa(start)
	}
	return fmt.Sprintf("%d,%d", start, lines)
}

// remark writes the line of a change without a patch.
func (p patch) remark() error {
	c := p.change
	name := quote(c.Path)
	var reason string
	switch {
	case c.Diff == Binary:
		reason = "not text"
	case c.Diff == TooLarge:
		reason = "over the size cap"
	case c.XSecret:
		reason = "its content is not recorded, it may hold secrets"
	case c.Diff == Available:
		reason = "a patch cannot carry it"
	default:
		reason = "its content is not recorded"
	}
	fmt.Fprintf(p.to, "# %s: %s, no patch: %s (%s, %s)\n", name, c.Operation, reason, c.Before.summary(), c.After.summary())
	return nil
}

func (s State) summary() string {
	if !s.Present {
		return "not present"
	}
	return fmt.Sprintf("%d bytes sha256 %.12s", s.Bytes, s.SHA256)
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

// quote quotes a path that git quotes with core.quotePath off: one with quotes,
// backslashes or control characters.
func quote(path string) string {
	special := func(r rune) bool { return r < ' ' || r == 0x7f || r == '"' || r == '\\' }
	if strings.IndexFunc(path, special) < 0 {
		return path
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(path) {
		switch c := path[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
