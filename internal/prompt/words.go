package prompt

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// complete returns how a line can go on at its end: an expression, the name of a
// command, or what that command takes.
func (s *Session) complete(line string) Completion {
	trimmed := strings.TrimLeft(line, " ")
	if !strings.HasPrefix(trimmed, ":") {
		return s.completer.Complete(line, s.arguments())
	}
	command, argument, named := strings.Cut(trimmed, " ")
	if !named {
		return Completion{Start: len(line) - len(trimmed), Items: beginningWith(commandItems(), trimmed)}
	}
	completion := Completion{Start: len(line)}
	switch command {
	case ":type":
		completion = s.completer.Complete(argument, s.arguments())
		completion.Start += len(line) - len(argument)
	case ":cwd", ":json":
		completion = s.files(argument, command == ":cwd")
		completion.Start += len(line) - len(argument)
	case ":tool":
		if !strings.Contains(argument, " ") {
			completion.Items = beginningWith(toolItems(), argument)
			completion.Start -= len(argument)
		}
	}
	return completion
}

// arguments are the keys of input.args.
func (s *Session) arguments() []string { return slices.Collect(maps.Keys(s.Call.Args)) }

func commandItems() []Item {
	var items []Item
	for _, c := range commands() {
		text := ":" + c.name
		if c.argument != "" {
			text += " "
		}
		items = append(items, Item{Name: ":" + c.name, Text: text, Signatures: []string{strings.TrimSpace(":" + c.name + " " + c.argument)}, Doc: c.doc})
	}
	return items
}

// tools are those that have fields of their own in input.
var tools = []string{"Bash", "Edit", "Glob", "Grep", "LS", "Monitor", "MultiEdit", "NotebookEdit", "NotebookRead", "PowerShell", "Read", "Write"}

func toolItems() []Item {
	var items []Item
	for _, t := range tools {
		items = append(items, Item{Name: t, Text: t + " ", Signatures: []string{t}})
	}
	return items
}

// maxFiles is how many entries of a directory are offered.
const maxFiles = 1000

// files returns the entries of a directory whose name begins as what was entered ends;
// with directories the others are left out.
func (s *Session) files(entered string, directories bool) Completion {
	directory, begun := filepath.Split(entered)
	d, err := os.Open(s.path(directory))
	if err != nil {
		return Completion{Start: len(directory)}
	}
	defer d.Close()
	entries, _ := d.ReadDir(maxFiles)
	var items []Item
	for _, e := range entries {
		name := e.Name()
		info, err := os.Stat(filepath.Join(d.Name(), name))
		if err != nil || !storable(name) || strings.HasPrefix(name, ".") && !strings.HasPrefix(begun, ".") {
			continue
		}
		switch {
		case info.IsDir():
			items = append(items, Item{Name: name, Text: name + string(filepath.Separator), Signatures: []string{name + string(filepath.Separator)}})
		case !directories && info.Mode().IsRegular():
			items = append(items, Item{Name: name, Text: name, Signatures: []string{name}})
		}
	}
	slices.SortFunc(items, func(a, b Item) int { return strings.Compare(a.Name, b.Name) })
	return Completion{Start: len(directory), Items: beginningWith(items, begun)}
}
