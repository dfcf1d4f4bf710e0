package shell

import (
	"slices"
	"strings"
	"testing"
)

// tableLines returns the lines of the table that say something.
func tableLines(table string) []string {
	var lines []string
	for line := range strings.Lines(table) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	return lines
}

func TestEveryLineOfTheTableIsRead(t *testing.T) {
	for _, line := range tableLines(targetTable) {
		names, rest, _ := strings.Cut(line, " ")
		var files programFiles
		if err := files.add(rest); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		for _, name := range strings.Split(names, "|") {
			if name == "" || name != strings.TrimSpace(name) {
				t.Errorf("%s: an empty name", line)
			}
			if !slices.ContainsFunc(linesOf(targetTable, name), func(found string) bool { return found == rest }) {
				t.Errorf("%s: not found for %s", line, name)
			}
		}
		for option := range strings.FieldsSeq(files.options) {
			if !strings.HasPrefix(option, "-") || !strings.ContainsAny(option[len(option)-1:], ":?+;") {
				t.Errorf("%s: option %s has no mark", line, option)
			}
		}
	}
}

func TestNoLineOfTheTableStandsTwice(t *testing.T) {
	seen := map[string]bool{}
	for _, line := range tableLines(targetTable) {
		names, rest, _ := strings.Cut(line, " ")
		for _, name := range strings.Split(names, "|") {
			key := name + " " + strings.Join(strings.Fields(rest), " ")
			if seen[key] {
				t.Errorf("%s stands twice", key)
			}
			seen[key] = true
		}
	}
}

func TestEveryFunctionForTargetsIsNamedInTheTable(t *testing.T) {
	for name := range targetCalls {
		if !strings.Contains(targetTable, " call "+name) {
			t.Errorf("nothing calls %s", name)
		}
	}
}

func TestTheProgramsOfTheSpecificationAreInTheTable(t *testing.T) {
	for _, program := range strings.Fields(`tee touch mkdir rm rmdir truncate chmod chown chgrp unlink shred mv cp install ln rsync scp sed perl awk gawk dd tar unzip patch
		npm yarn pnpm curl wget sort tree find split git cat head tail less more grep wc diff cut base64 xxd jq source . openspec gofmt go make`) {
		if filesOf(program) == nil {
			t.Errorf("the table does not know %s", program)
		}
	}
}

func TestAProgramIsFoundOnlyByItsWholeName(t *testing.T) {
	const table = "# rm in a comment\nrmdir|unlink delete *\ntee write * append=-a\nx rm delete *\n|odd read *\n"
	for program, want := range map[string]int{"rm": 0, "rmdir": 1, "unlink": 1, "tee": 1, "write": 0, "link": 0, "x": 1, "": 0, "#": 0, "rmdir|unlink": 0, "append=-a": 0} {
		if got := linesOf(table, program); len(got) != want {
			t.Errorf("%q: %q", program, got)
		}
	}
}

func TestLinesThatSayNothingAreErrors(t *testing.T) {
	for _, line := range []string{"", "write", "frobnicate *", "write 0", "write x", "write * if", "write * if=", "write * if=-a,,-b", "write * colour=-a", "call nothing"} {
		if err := new(programFiles).add(line); err == nil {
			t.Errorf("%q is read", line)
		}
	}
}
