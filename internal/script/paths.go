package script

import (
	"strings"
	"sync"
)

// filled works out the code inside a string where it stands for text that is known.
func (r *reader) filled(l literal, depth int) literal {
	var b literalBuilder
	filled := false
	for _, p := range l {
		if p.code == 0 || depth <= 0 {
			b.add(p)
			continue
		}
		in := r.program.readers[p.code]
		v := in.evaluateWithin(0, len(in.tokens), depth-1)
		if v.list != nil || v.spread || !v.text.isFixed() {
			b.add(p)
			continue
		}
		filled = true
		for _, part := range v.text {
			b.add(part)
		}
	}
	if !filled {
		return l
	}
	return b.literal()
}

// isFixed reports that all of l is known, but for what the home directory is.
func (l literal) isFixed() bool {
	for _, p := range l {
		if p.unknown != "" && p.unknown != home {
			return false
		}
	}
	return len(l) > 0
}

// startsWithHome reports that l is a path in the home directory.
func (l literal) startsWithHome() bool { return len(l) > 0 && l[0].unknown == home }

// pathKind is what a function makes of paths.
type pathKind uint8

const (
	samePath   pathKind = iota + 1 // its first argument in another form
	joinedPath                     // its arguments, one below the other
	homePath                       // the home directory
	variable                       // the environment variable that it is given
)

// pathFunctions are the functions that make a path, by their full names.
var pathFunctions = sync.OnceValue(func() map[string]pathKind {
	return map[string]pathKind{
		"os.path.join": joinedPath, "posixpath.join": joinedPath, "path.join": joinedPath, "path.resolve": joinedPath, "path.posix.join": joinedPath, "File.join": joinedPath,
		"pathlib.Path": joinedPath, "pathlib.PurePath": joinedPath, "pathlib.PosixPath": joinedPath, "pathlib.PurePosixPath": joinedPath, "Pathname": samePath, "Pathname.new": samePath,
		"os.path.expanduser": samePath, "os.path.abspath": samePath, "os.path.realpath": samePath, "os.path.normpath": samePath, "os.fspath": samePath, "os.fsencode": samePath,
		"path.normalize": samePath, "fs.realpathSync": samePath, "File.expand_path": samePath, "File.absolute_path": samePath, "File.realpath": samePath,
		"pathlib.Path.home": homePath, "os.homedir": homePath, "homedir": homePath, "Dir.home": homePath,
		"os.getenv": variable, "os.environ.get": variable, "ENV.fetch": variable, "Deno.env.get": variable,
	}
})

// homeVariables are names that stand for the home directory.
var homeVariables = []string{
	"process.env.HOME", "process.env.USERPROFILE", "Bun.env.HOME", "Dir.home",
}

// environments are the names of the environment's variables as a whole.
var environments = []string{"os.environ", "process.env", "ENV", "$ENV"}

// pathMethod says what path a method of paths makes, 0 for another method.
func pathMethod(name string) pathKind {
	switch name {
	case "joinpath":
		return joinedPath
	case "expanduser", "resolve", "absolute", "as_posix", "expand_path", "cleanpath", "realpath":
		return samePath
	}
	return 0
}

// pathOf works out the call of a function that makes a path. It reports false for
// any other function.
func (r *reader) pathOf(function string, list []argument, depth int) (value, bool) {
	kind := pathFunctions()[function]
	switch {
	case kind == homePath && len(list) == 0:
		return value{text: literal{{unknown: home}}}, true
	case kind == 0 || len(list) == 0:
		return value{}, false
	}
	var parts []value
	for _, a := range list {
		if a.keyword != "" {
			continue
		}
		parts = append(parts, r.evaluateWithin(a.lo, a.hi, depth-1))
	}
	if len(parts) == 0 {
		return value{}, false
	}
	if kind == variable {
		name, _ := parts[0].text.fixedText()
		return value{text: literal{{unknown: home}}}, name == "HOME" || name == "USERPROFILE"
	}
	if kind == samePath {
		if len(parts) > 1 && !parts[0].text.isAbsolute() { // File.expand_path(path, directory)
			return value{text: joinPaths(parts[1].text, parts[0].text)}, true
		}
		return value{text: parts[0].text}, parts[0].list == nil
	}
	joined := parts[0]
	for _, part := range parts[1:] {
		if joined.list != nil || part.list != nil {
			return value{}, false
		}
		joined = value{text: joinPaths(joined.text, part.text)}
	}
	return joined, joined.list == nil
}

// isAbsolute reports that l begins at the root or in the home directory.
func (l literal) isAbsolute() bool {
	return l.startsWithHome() || len(l) > 0 && l[0].unknown == "" && (strings.HasPrefix(l[0].text, "/") || strings.HasPrefix(l[0].text, "~"))
}

// joinPaths returns the path of b below a, or b where it is absolute.
func joinPaths(a, b literal) literal {
	if len(a) == 0 || b.isAbsolute() {
		return b
	}
	var builder literalBuilder
	for _, p := range a {
		builder.add(p)
	}
	if last := a[len(a)-1]; last.unknown != "" || !strings.HasSuffix(last.text, "/") {
		builder.addText("/")
	}
	for _, p := range b {
		builder.add(p)
	}
	return builder.literal()
}

// quotient works out a / b of two paths. It reports false when tokens lo to hi have
// no slash outside of brackets.
func (r *reader) quotient(lo, hi, depth int) (value, bool) {
	slash := lo
	for slash < hi && !(slash > lo && r.tokens[slash].is("/")) {
		slash = r.skip(slash)
	}
	if slash >= hi || slash+1 >= hi || depth <= 0 {
		return value{}, false
	}
	joined := r.operand(lo, slash, depth-1)
	for slash < hi {
		start := slash + 1
		for slash = start; slash < hi && !r.tokens[slash].is("/"); {
			slash = r.skip(slash)
		}
		if start >= hi {
			break
		}
		part := r.operand(start, min(slash, hi), depth-1)
		if joined.list != nil || part.list != nil || len(joined.text) == 0 {
			return value{}, false
		}
		joined = value{text: joinPaths(joined.text, part.text)}
	}
	return joined, true
}
