package shell_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/shell"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/go-cmp/cmp"
)

// read reads text in the directory /home/dev/proj, with the home /home/dev.
func read(text string) *schema.Effects {
	return shell.Read(text, shell.Context{Dir: "/home/dev/proj", Home: "/home/dev"})
}

// commandRow is a text and the commands it would run, as show writes them.
type commandRow struct {
	text string
	want []string
}

func checkCommands(t *testing.T, rows []commandRow) {
	t.Helper()
	for _, row := range rows {
		effects := read(row.text)
		if !effects.Parsed {
			t.Errorf("%s: not parsed", row.text)
		}
		if diff := cmp.Diff(row.want, showAll(effects.Commands)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", row.text, diff)
		}
	}
}

func showAll(commands []*schema.Command) []string {
	var list []string
	for _, c := range commands {
		list = append(list, show(c))
	}
	return list
}

// show writes a command as its text, and behind it, where they are not the usual
// ones: @ its directory, its wrappers in brackets and assignments in braces, < and >
// the programs on its pipes, "remote" and "function".
func show(c *schema.Command) string {
	var b strings.Builder
	if c.Program == "" {
		b.WriteString("? ")
	}
	b.WriteString(c.Text)
	if c.Dir != "/home/dev/proj" && !c.Remote {
		b.WriteString(" @" + c.Dir)
	}
	if len(c.Wrappers) > 0 {
		fmt.Fprintf(&b, " %v", c.Wrappers)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		fmt.Fprintf(&b, " {%s=%s}", name, c.Env[name])
	}
	if c.PipedFrom != "" {
		b.WriteString(" <" + c.PipedFrom)
	}
	if c.PipedTo != "" {
		b.WriteString(" >" + c.PipedTo)
	}
	if c.Remote {
		b.WriteString(" remote")
	}
	if c.Function {
		b.WriteString(" function")
	}
	return b.String()
}
