package shell

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// location is where a word leads as a path.
type location struct {
	// path is absolute and clean; "" when it cannot be known. That of a glob is the
	// directory in front of the first segment with a pattern.
	path string
	// glob: the word is a pattern. whole: the pattern matches all that is in path; deep:
	// and all below.
	glob, whole, deep bool
}

// locate returns where a word leads from dir.
func locate(dir string, f field) location {
	if !f.known && f.pattern != "" {
		f = field{value: value{path: f.pattern, located: true}, known: true}
	}
	if !f.known || !f.located {
		return location{}
	}
	name := f.path
	if name == "" {
		return location{}
	}
	at := globIn(name, f)
	if i := strings.Index(name, anyDepth); i >= 0 {
		at = i + 1
	}
	if at < 0 {
		return location{path: join(dir, name)}
	}
	prefix := name[:strings.LastIndexByte(name[:at], '/')+1]
	pattern := name[len(prefix):]
	if hasParent(pattern) {
		return location{}
	}
	if prefix == "" {
		prefix = "."
	}
	return location{path: join(dir, prefix), glob: true, whole: matchesAll(pattern), deep: "/"+pattern == anyDepth}
}

// globIn returns where in name, the path of f, a pattern begins; -1 when it is none.
func globIn(name string, f field) int {
	at := strings.IndexAny(name, "*?[")
	extended := hasExtendedGlob(f.word)
	switch {
	case extended:
		return strings.IndexAny(name, "*?[+@!")
	case at < 0 || !f.globbed && f.quoted && f.word != nil && !hasOpenGlob(f.word.Parts):
		return -1
	}
	return at
}

func hasExtendedGlob(word *syntax.Word) bool {
	if word == nil {
		return false
	}
	for _, part := range word.Parts {
		if _, ok := part.(*syntax.ExtGlob); ok {
			return true
		}
	}
	return false
}

// hasOpenGlob reports whether a pattern stands in parts outside of quotes. What a
// variable holds counts as one, when it is not quoted.
func hasOpenGlob(parts []syntax.WordPart) bool {
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			for i := 0; i < len(part.Value); i++ {
				switch part.Value[i] {
				case '\\':
					i++
				case '*', '?', '[':
					return true
				}
			}
		case *syntax.ParamExp, *syntax.ExtGlob:
			return true
		}
	}
	return false
}

// hasParent reports whether a path has a .. segment, with which a pattern leads out
// of the directory that it stands in.
func hasParent(name string) bool {
	for segment := range strings.SplitSeq(name, "/") {
		if segment == ".." {
			return true
		}
	}
	return false
}

// matchesAll reports whether a pattern matches everything in its directory, or
// everything but hidden files.
func matchesAll(pattern string) bool {
	for segment := range strings.SplitSeq(strings.TrimRight(pattern, "/"), "/") {
		if strings.Trim(segment, "*") != "" && segment != ".*" && segment != "*.*" && segment != ".[!.]*" {
			return false
		}
	}
	return true
}

// isStream reports whether a path is no file: a device that swallows what it is
// given, or one of the streams that the process has open.
func isStream(name string) bool {
	switch name {
	case "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty":
		return true
	}
	return strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/proc/self/fd/")
}

// isProcess reports whether a word is <(…) or >(…), behind which there is a pipe.
func isProcess(f field) bool {
	if f.word == nil || len(f.word.Parts) != 1 {
		return false
	}
	_, ok := f.word.Parts[0].(*syntax.ProcSubst)
	return ok
}

// derived returns a field with a path made from that of f. It is what is known of f.
func derived(f field, name string) field {
	f.path = name
	return f
}

// behind returns what stands in a word behind its first n bytes.
func behind(f field, n int) field {
	f.text = f.text[min(n, len(f.text)):]
	f.path = f.path[min(n, len(f.path)):]
	return f
}

// fileNameOf returns the last segment of a path; "" when there is none.
func fileNameOf(name string) string {
	if base := path.Base(name); base != "/" && base != "." && base != ".." {
		return base
	}
	return ""
}

// noGlob is the word of a field whose path is taken as it is, also where it looks
// like a pattern.
var noGlob = &syntax.Word{Parts: []syntax.WordPart{&syntax.SglQuoted{}}}
