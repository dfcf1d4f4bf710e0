package readonly

import "strings"

// objectionToGo passes the subcommands of go that build nothing.
func objectionToGo(w words) string {
	if len(w.list) == 0 {
		return "go is given no subcommand"
	}
	subcommand := w.list[0]
	w.list = w.list[1:]
	switch subcommand {
	case "version":
		return w.objectionToFlags("go version", "m v json", "")
	case "env":
		return w.objectionToFlags("go env", "json changed", "")
	case "doc":
		return w.objectionToFlags("go doc", "all c cmd short src u", "C")
	case "list":
		return w.objectionToFlags("go list", "m json e deps test u versions find retracted v", "f tags C reuse mod")
	}
	return "go " + subcommand + " is not on the list"
}

// objectionToFlags passes flags as the package flag reads them, with one dash or two;
// valued lists those whose value may be the next word.
func (w words) objectionToFlags(program, flags, valued string) string {
	if w.fed {
		return program + " is given the words of another program"
	}
	for i := 0; i < len(w.list); i++ {
		word := w.list[i]
		if w.mayBeOption(word) || w.splits(word) {
			return program + " is given words that are not known"
		}
		if !strings.HasPrefix(word, "-") {
			continue
		}
		name, value, attached := strings.Cut(strings.TrimPrefix(word[1:], "-"), "=")
		switch {
		case contains(valued, name):
			if !attached && i+1 < len(w.list) {
				i++
				value = w.list[i]
			}
			if w.splits(value) || name == "mod" && value == "mod" {
				return program + " -" + name + " " + value + " is not known to change nothing"
			}
		case !contains(flags, name):
			return program + " -" + name + " is not known to change nothing"
		}
	}
	return ""
}
