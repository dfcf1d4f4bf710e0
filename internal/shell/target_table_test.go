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
	for _, fault := range CheckTargets(targetTable) {
		t.Error(fault)
	}
	for _, line := range tableLines(targetTable) {
		names, rest, _ := strings.Cut(line, " ")
		for _, name := range strings.Split(names, "|") {
			if !slices.Contains(linesOf(targetTable, name), rest) {
				t.Errorf("%s: not found for %s", line, name)
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
	for _, r := range targetCalls {
		name := r.name
		if !strings.Contains(targetTable, " call "+name) {
			t.Errorf("nothing calls %s", name)
		}
	}
}

func TestTheProgramsOfTheSpecificationAreInTheTable(t *testing.T) {
	for _, program := range strings.Fields(`tee touch mkdir rm rmdir truncate chmod chown chgrp unlink shred mv cp install ln rsync scp sed perl awk gawk dd tar unzip patch
		npm yarn pnpm curl wget sort tree find split git cat head tail less more grep wc diff cut base64 xxd jq source . openspec gofmt go make`) {
		if len(fileUsesOf(program, "")) == 0 {
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

func TestLinesThatCannotBeReadAreErrors(t *testing.T) {
	for _, line := range []string{
		"x", "x write", "x frobnicate *", "x write 0", "x write y", "x write * if", "x write * if=", "x write * if=-a,,-b", "x write * colour=-a", "x call nothing",
		"x options -a", "x options a:", "|x write *", "x| write *",
	} {
		faults := CheckTargets("# a comment\n\n" + line + "\ny write *\n")
		if len(faults) != 1 || faults[0].Line != 3 {
			t.Errorf("%q: %v", line, faults)
		}
	}
}

func TestMoreLinesExtendTheTable(t *testing.T) {
	const more = "deploy write -t,--to if=--real\ndeploy plan|apply read 1\nrm read *\n"
	context := Context{Dir: "/p", Targets: more}
	for text, want := range map[string]string{
		"deploy apply a --real -t x": "write /p/x read /p/a", "deploy -t x": "", "deploy --real --to=x plan": "write /p/x", "rm a": "delete /p/a read /p/a", "deployer --real -t x": "",
	} {
		got := ""
		effects := Read(text, context)
		for _, target := range slices.Concat(effects.Writes, effects.Reads) {
			got += " " + target.Op + " " + target.Lexical
		}
		if strings.TrimSpace(got) != want {
			t.Errorf("%s: want %q, got %q", text, want, got)
		}
	}
}
