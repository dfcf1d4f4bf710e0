package shell

import "strings"

// programName returns the name that a command's first word gives its program: the
// last segment of its path, without .exe. It is "" when the word does not tell.
func programName(f field) string {
	name := f.text
	if !f.known || f.written {
		// $DIR/git is git, wherever the directory is.
		name = strings.TrimSuffix(name, `"`)
		slash := strings.LastIndexByte(name, '/')
		if slash < 0 || !isPlainWord(name[slash+1:]) {
			return ""
		}
	}
	name = name[strings.LastIndexByte(name, '/')+1:]
	if n := len(name) - len(".exe"); n > 0 && strings.EqualFold(name[n:], ".exe") {
		name = name[:n]
	}
	return name
}

// grammarOf returns how a program reads its options.
func grammarOf(program string) grammar {
	if same, ok := sameGrammar.find(program); ok {
		program = same
	} else if family, ok := versioned(program); ok {
		program = family
	}
	return programs.of(program)
}

// versioned returns the name without the version that interpreters and their
// package managers carry: python for python3.12, pip for pip3.
func versioned(program string) (family string, ok bool) {
	family = strings.TrimRight(program, "0123456789.-")
	switch family {
	case "python", "pypy", "pip", "ruby", "perl", "php", "node", "lua", "bash", "gem":
		return family, family != program
	}
	return program, false
}
