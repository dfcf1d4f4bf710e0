package predicates

import (
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// dialect is how a pattern is written.
type dialect int

const (
	ofGlob  dialect = iota // that of glob, valid
	ofShell                // a word of the shell, without {a,b}
)

// segment is one name of a path or of a pattern; that in front of the first slash of
// an absolute one is empty.
type segment struct {
	tokens []token
	deep   bool // **
}

// token is what stands for one character, or a star for any number of them.
type token struct {
	kind   byte // 'c' a character, '?' any, '[' one of a class, '*'
	r      rune
	ranges []rune // pairs of first and last, of a class
	not    bool
}

func literalSegments(path string) []segment {
	var list []segment
	for name := range strings.SplitSeq(strings.TrimRight(filepath.ToSlash(path), "/"), "/") {
		s := segment{tokens: make([]token, 0, len(name))}
		for _, r := range name {
			s.tokens = append(s.tokens, token{kind: 'c', r: r})
		}
		list = append(list, s)
	}
	return list
}

// readSegments reads a pattern without choices and groups.
func readSegments(pattern string, d dialect) []segment {
	pattern = strings.TrimRight(pattern, "/")
	list := make([]segment, 0, strings.Count(pattern, "/")+1)
	all := make([]token, 0, len(pattern)) // of all segments
	begin, first := 0, 0
	finish := func(end int) {
		list = append(list, segment{tokens: all[first:], deep: pattern[begin:end] == "**"})
		begin, first = end+1, len(all)
	}
	for i := 0; i < len(pattern); i++ {
		if pattern[i] == '\\' && i+1 < len(pattern) {
			i++
		} else {
			switch pattern[i] {
			case '*', '?':
				all = append(all, token{kind: pattern[i]})
				continue
			case '[':
				if end := classEnd(pattern, i, d); end > 0 {
					all = append(all, readClass(pattern[i+1:end], d))
					i = end
					continue
				}
			}
		}
		if pattern[i] == '/' {
			finish(i)
			continue
		}
		r, size := utf8.DecodeRuneInString(pattern[i:])
		all = append(all, token{kind: 'c', r: r})
		i += size - 1
	}
	finish(len(pattern))
	return list
}

// classEnd returns where the class ends that begins at pattern[at], -1 when it does
// not. In the shell a ] at its beginning is of the class, and what is named [:alpha:],
// [.x.] or [=x=]; a class has no slash.
func classEnd(pattern string, at int, d dialect) int {
	i := at + 1
	if i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^') {
		i++
	}
	for first := i; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case c == ']' && (i > first || d == ofGlob):
			return i
		case c == '/' && d == ofShell:
			return -1
		case c == '[' && d == ofShell:
			i += max(0, nameLength(pattern[i:])-1)
		}
	}
	return -1
}

// nameLength returns the length of a name like [:alpha:] that a text begins with, 0
// when there is none.
func nameLength(text string) int {
	if len(text) < 2 || strings.IndexByte(":.=", text[1]) < 0 {
		return 0
	}
	end := strings.Index(text[2:], text[1:2]+"]")
	if end < 0 || strings.Contains(text[:end+2], "/") {
		return 0
	}
	return end + 4
}

// readClass reads what stands between the brackets of a class. One with names like
// [:alpha:] is any character.
func readClass(class string, d dialect) token {
	t := token{kind: '['}
	if class != "" && (class[0] == '!' || class[0] == '^') {
		t.not = true
		class = class[1:]
	}
	character := func() rune {
		if class[0] == '\\' && len(class) > 1 {
			class = class[1:]
		}
		r, size := utf8.DecodeRuneInString(class)
		class = class[size:]
		return r
	}
	for class != "" {
		if d == ofShell && class[0] == '[' && nameLength(class) > 0 {
			return token{kind: '?'}
		}
		first := character()
		last := first
		if len(class) > 1 && class[0] == '-' {
			class = class[1:]
			last = character()
			if d == ofGlob && last < first {
				last = first // glob takes the first one of [z-a]
			}
		}
		t.ranges = append(t.ranges, first, last)
	}
	return t
}

// skipped returns the last place of the escape or class that begins at pattern[at],
// at for another character.
func skipped(pattern string, at int, d dialect) int {
	switch pattern[at] {
	case '\\':
		return at + 1
	case '[':
		if end := classEnd(pattern, at, d); end > 0 {
			return end
		}
	}
	return at
}
