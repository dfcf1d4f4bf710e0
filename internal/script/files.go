package script

import (
	"strconv"
	"strings"
)

// FileUse is what a call in a program does to a file.
type FileUse struct {
	// Op is "read", "write", "append", "create", "delete" or "mode".
	Op string
	// Path is the file, as the program would name it; ~ stands for the home directory.
	// It is "" when it is not known.
	Path string
	// Source is the argument as written.
	Source string
	// Recursive: what is beneath a directory is meant too.
	Recursive bool
	// Moved: the program changes its directory, so that nobody knows where a relative
	// path leads.
	Moved bool
}

// FileUses returns what the calls of code in python, node, ruby, perl or php that are
// known to use files do to them, in source order. Its time is that of Calls.
func FileUses(language, code string) []FileUse {
	table := fileCalls()[language]
	if table == nil || !containsAny(code, fileMarks) {
		return nil
	}
	var uses []FileUse
	moved := false
	for _, c := range Read(language, code).Calls() {
		name := fileFunction(language, c.Name)
		moved = moved || name == "chdir" || strings.HasSuffix(name, ".chdir")
		effects, ok := table[name]
		if !ok {
			effects, ok = table[methodOf(language, name)]
		}
		if !ok {
			continue
		}
		f := fileCall{name: name, arguments: c.Arguments()}
		if receiver, ok := c.Receiver(); ok {
			f.receiver = receiver
		}
		for effect := range strings.SplitSeq(effects, ",") {
			uses = append(uses, f.effect(strings.Fields(effect))...)
		}
	}
	for i := range uses {
		uses[i].Moved = moved
	}
	return uses
}

// fileMarks are what any code holds that uses a file.
var fileMarks = []string{
	"open", "write", "rm", "remove", "unlink", "mkdir", "makedirs", "rename", "replace", "truncate", "chmod", "chown", "touch", "copy", "cp", "move", "mv", "link",
	"shutil", "delete", "read", "File", "file", "ln_s", "mkpath", "make_path", "Write", "install", "archive",
}

// fileFunction returns the name under which the tables hold a function: node's have
// several modules and forms.
func fileFunction(language, name string) string {
	if language != Node {
		return name
	}
	for _, module := range []string{"fs.promises.", "fs-extra.", "graceful-fs.", "fs/promises.", "fsp."} {
		if function, ok := strings.CutPrefix(name, module); ok {
			name = "fs." + function
		}
	}
	return strings.TrimSuffix(name, "Sync")
}

// methodOf returns the name of a method that tells by itself that it is one of a
// path: ".write_text" of "p.write_text".
func methodOf(language, name string) string {
	if language != Python && language != Ruby {
		return ""
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return name[i:]
	}
	return ""
}

// fileCall is a call of a function that uses files.
type fileCall struct {
	name      string
	arguments []Argument
	receiver  Argument
}

// effect returns the uses that one entry of a table stands for.
func (f *fileCall) effect(words []string) []FileUse {
	op, place := words[0], words[1]
	recursive, keywords := false, words[2:]
	if n := len(keywords); n > 0 && keywords[n-1] == "recursive" {
		recursive, keywords = true, keywords[:n-1]
	}
	if value, ok := f.keyword("recursive"); ok && value.Value != "false" {
		recursive = true
	}
	if op == "open" {
		return f.opened(place, keywords)
	}
	if op == "perlopen" {
		return f.perlOpened()
	}
	if op == "write" && f.appends() {
		op = "append"
	}
	number, rest := strings.CutSuffix(place, "*")
	n, _ := strconv.Atoi(number)
	var files []Argument
	switch {
	case n == 0:
		files = []Argument{f.receiver}
	default:
		files = f.files(n, rest, keywords)
	}
	var uses []FileUse
	for _, file := range files {
		uses = append(uses, usesOf(op, file, recursive)...)
	}
	return uses
}

// usesOf returns the uses of a file that is given, or of each in a list.
func usesOf(op string, file Argument, recursive bool) []FileUse {
	if file.Items == nil {
		return []FileUse{useOf(op, file, recursive)}
	}
	var uses []FileUse
	for _, item := range file.Items {
		if item.Source == "" {
			item.Source = item.Value
		}
		uses = append(uses, useOf(op, item, recursive))
	}
	return uses
}

func useOf(op string, file Argument, recursive bool) FileUse {
	use := FileUse{Op: op, Source: file.Source, Recursive: recursive}
	if file.Literal {
		use.Path = file.Value
	}
	return use
}

// positional returns the arguments without a keyword.
func (f *fileCall) positional() []Argument {
	var list []Argument
	for _, a := range f.arguments {
		if a.Name == "" {
			list = append(list, a)
		}
	}
	return list
}

// files returns the n-th argument, counted from 1, and with rest all behind it; or
// else the one with one of the keywords.
func (f *fileCall) files(n int, rest bool, keywords []string) []Argument {
	list := f.positional()
	if n <= len(list) {
		if rest {
			return list[n-1:]
		}
		return list[n-1 : n]
	}
	for _, keyword := range keywords {
		if a, ok := f.keyword(keyword); ok {
			return []Argument{a}
		}
	}
	return nil
}

func (f *fileCall) keyword(name string) (Argument, bool) {
	for _, a := range f.arguments {
		if a.Name == name {
			return a, true
		}
	}
	return Argument{}, false
}

// appends reports whether a function that writes adds to the file: with the flag of
// node, or that of php.
func (f *fileCall) appends() bool {
	if flag, ok := f.keyword("flag"); ok {
		return strings.HasPrefix(flag.Value, "a")
	}
	if flag, ok := f.keyword("flags"); ok {
		return strings.HasPrefix(flag.Value, "a")
	}
	list := f.positional()
	return len(list) > 0 && strings.Contains(list[len(list)-1].Source, "FILE_APPEND")
}

// opened returns the use of a function that opens a file. place holds the numbers of
// the file and of the mode: "1:2".
func (f *fileCall) opened(place string, keywords []string) []FileUse {
	at, mode, _ := strings.Cut(place, ":")
	n, _ := strconv.Atoi(at)
	m, _ := strconv.Atoi(mode)
	file := f.receiver
	if n > 0 {
		files := f.files(n, false, keywords)
		if len(files) == 0 {
			return nil
		}
		file = files[0]
	}
	if strings.HasPrefix(strings.TrimSpace(file.Value), "|") || file.Source != "" && isDigit(file.Source[0]) {
		return nil // a command, in ruby; the number of a stream
	}
	modes := f.files(m, false, []string{"mode", "flags", "flag"})
	if len(modes) == 0 {
		return usesOf("read", file, false)
	}
	return usesOf(modeOp(modes[0]), file, false)
}

// modeOp returns what a file is opened for: "w", "r+", os.O_WRONLY|os.O_CREAT. A mode
// that is not known may be any.
func modeOp(mode Argument) string {
	value := mode.Value
	if strings.Contains(mode.Source, "O_") || strings.Contains(mode.Source, "File::") {
		value = mode.Source
		switch {
		case strings.Contains(value, "APPEND"):
			return "append"
		case strings.Contains(value, "WRONLY"), strings.Contains(value, "RDWR"), strings.Contains(value, "CREAT"), strings.Contains(value, "TRUNC"):
			return "write"
		}
		return "read"
	}
	switch {
	case !mode.Literal:
		return "write"
	case strings.Contains(value, "a"):
		return "append"
	case strings.Contains(value, "x"):
		return "create"
	case strings.ContainsAny(value, "w+c"):
		return "write"
	}
	return "read"
}

// perlOpened returns the use of perl's open: open(HANDLE, MODE, FILE), or
// open(HANDLE, "MODE FILE").
func (f *fileCall) perlOpened() []FileUse {
	list := f.positional()
	if len(list) < 2 {
		return nil
	}
	mode := strings.TrimSpace(list[1].Value)
	operator := mode[:len(mode)-len(strings.TrimLeft(mode, "+<>"))]
	file := list[1]
	if len(list) > 2 {
		file = list[2]
	} else {
		file.Value = strings.TrimSpace(mode[len(operator):])
	}
	if strings.HasPrefix(mode, "|") || strings.HasSuffix(mode, "|") || strings.HasSuffix(mode, "&") || strings.HasPrefix(file.Value, "&") || file.Value == "-" || strings.HasPrefix(file.Source, `\`) {
		return nil // a command, a handle, a variable in memory
	}
	op := map[string]string{">": "write", ">>": "append", "+>": "write", "+<": "write", "+>>": "append"}[operator]
	if op == "" {
		op = "read"
	}
	return usesOf(op, file, false)
}
