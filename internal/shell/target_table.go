package shell

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// targetTable says which programs read and change which files. Its format is
// described at its top.
//
//go:embed targets.txt
var targetTable string

// fileUse is one line of the table: what a program does to some of the files it is
// given.
type fileUse struct {
	// subcommands are the first operands, each a list of alternatives; "-" stands for
	// no operand at all.
	subcommands [][]string
	op          string
	where       whereUsed
	// condition: it happens with one of given, and with none of not.
	given, not []string
	// appends and recursive are the options with which it appends, and with which it
	// means what is beneath a directory too.
	appends, recursive []string
	deep               bool // always recursive
	// dirs are the options that name the directory that it works in.
	dirs []string
	// options are those that are known to take a value, in the notation of
	// grammar.options.
	options []string
	// call is the function that tells the targets instead, "" for none.
	call string
}

// whereUsed says which of a program's words name files.
type whereUsed struct {
	// options are those whose value is a file.
	options []string
	// from and to are the first and the last operand that is a file, counted from 1
	// behind the subcommand, or from the end when they are negative; from is 0 when no
	// operand is.
	from, to int
	// here: the directory that the program works in; with operands only when there
	// are none.
	here bool
}

// linesOf returns the lines of a table that are about a program, without its name.
// The table is searched and not indexed: a call has few programs.
func linesOf(table, program string) []string {
	if program == "" || strings.ContainsAny(program, "| \t\n#") {
		return nil
	}
	var lines []string
	for at := 0; ; {
		i := strings.Index(table[at:], program)
		if i < 0 {
			return lines
		}
		from, to := at+i, at+i+len(program)
		at = to
		if to == len(table) || table[to] != ' ' && table[to] != '|' || from > 0 && table[from-1] != '\n' && table[from-1] != '|' {
			continue
		}
		start := strings.LastIndexByte(table[:from], '\n') + 1
		line, _, _ := strings.Cut(table[start:], "\n")
		names, rest, _ := strings.Cut(line, " ")
		if from < start+len(names) {
			lines = append(lines, rest)
			at = start + len(line)
		}
	}
}

// fileUsesRead keeps what was read of the table, also that it does not know a program.
var (
	fileUsesLock sync.Mutex
	fileUsesRead = map[string][]fileUse{}
)

// fileUsesOf returns the lines about a program, those of the table and then those of
// more, in the same format.
func fileUsesOf(program, more string) []fileUse {
	fileUsesLock.Lock()
	uses, ok := fileUsesRead[program]
	if !ok {
		uses = readFileUses(targetTable, program)
		if len(fileUsesRead) < maxCommands {
			fileUsesRead[program] = uses
		}
	}
	fileUsesLock.Unlock()
	if more != "" {
		uses = append(uses[:len(uses):len(uses)], readFileUses(more, program)...)
	}
	return uses
}

// readFileUses reads the lines about a program, or else about the one that it is
// another name of. Lines that cannot be read are left out; see CheckTargets.
func readFileUses(table, program string) []fileUse {
	lines := linesOf(table, program)
	if lines == nil {
		family, _ := versioned(program)
		lines = linesOf(table, family)
	}
	if lines == nil {
		lines = linesOf(table, sameGrammar.of(program))
	}
	var uses []fileUse
	for _, line := range lines {
		if use, err := readFileUse(line); err == nil {
			uses = append(uses, use)
		}
	}
	return uses
}

// TargetError is a line of Context.Targets that cannot be read.
type TargetError struct {
	Line int // from 1
	Err  error
}

func (e TargetError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

func (e TargetError) Unwrap() error { return e.Err }

// CheckTargets returns the lines of a Context.Targets that cannot be read.
func CheckTargets(table string) []TargetError {
	var faults []TargetError
	n := 0
	for line := range strings.Lines(table) {
		n++
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		names, rest, _ := strings.Cut(line, " ")
		_, err := readFileUse(rest)
		if slices.Contains(strings.Split(names, "|"), "") {
			err = errors.New("the name of a program is missing")
		}
		if err != nil {
			faults = append(faults, TargetError{n, err})
		}
	}
	return faults
}

// readFileUse reads one line behind the program's name.
func readFileUse(line string) (use fileUse, err error) {
	words := strings.Fields(line)
	for len(words) > 0 && !isTargetOp(words[0]) {
		use.subcommands = append(use.subcommands, strings.Split(strings.Trim(words[0], `"`), "|"))
		words = words[1:]
	}
	if len(words) < 2 {
		return use, fmt.Errorf("%q names no operation or no file", line)
	}
	use.op = words[0]
	switch use.op {
	case "options":
		use.options = words[1:]
		for _, option := range use.options {
			if option[0] != '-' || !strings.ContainsAny(option[len(option)-1:], ":?") {
				return use, fmt.Errorf("option %q has no mark", option)
			}
		}
		return use, nil
	case "call":
		use.call = words[1]
		if targetCalls.of(use.call) == nil {
			return use, fmt.Errorf("there is no function %s", use.call)
		}
	default:
		if use.where, err = parseWhere(words[1]); err != nil {
			return use, err
		}
	}
	for _, word := range words[2:] {
		if err := use.condition(word); err != nil {
			return use, err
		}
	}
	for _, option := range slices.Concat(use.where.options, use.dirs) {
		use.options = append(use.options, option+":")
	}
	return use, nil
}

func isTargetOp(word string) bool {
	switch word {
	case opRead, opWrite, opAppend, opCreate, opDelete, opMode, "options", "call":
		return true
	}
	return false
}

// parseWhere reads which words name files.
func parseWhere(text string) (whereUsed, error) {
	switch text {
	case "*":
		return whereUsed{from: 1, to: -1}, nil
	case ".":
		return whereUsed{here: true}, nil
	case "*.":
		return whereUsed{from: 1, to: -1, here: true}, nil
	case "last":
		return whereUsed{from: -1, to: -1}, nil
	case "-last":
		return whereUsed{from: 1, to: -2}, nil
	}
	if strings.HasPrefix(text, "-") {
		return whereUsed{options: strings.Split(text, ",")}, nil
	}
	rest, here := strings.CutSuffix(text, ".")
	rest, open := strings.CutSuffix(rest, "*")
	n, err := strconv.Atoi(rest)
	if err != nil || n < 1 {
		return whereUsed{}, fmt.Errorf("%q is no place of a file", text)
	}
	where := whereUsed{from: n, to: n, here: here}
	if open {
		where.to = -1
	}
	return where, nil
}

// condition reads a word behind the place of the files.
func (u *fileUse) condition(word string) error {
	if word == "recursive" {
		u.deep = true
		return nil
	}
	key, value, ok := strings.Cut(word, "=")
	options := strings.Split(value, ",")
	if !ok || slices.Contains(options, "") {
		return fmt.Errorf("%q is no condition", word)
	}
	switch key {
	case "if":
		u.given = options
	case "unless":
		u.not = options
	case "append":
		u.appends = options
	case "recursive":
		u.recursive = options
	case "dir":
		u.dirs = options
	default:
		return fmt.Errorf("%q is no condition", word)
	}
	return nil
}
