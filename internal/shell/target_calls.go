package shell

import (
	"strings"
)

// targetCalls are the functions that the table of targets names, for programs whose
// words need more than a place in the line. Each is documented where it stands.
var targetCalls = table[func(u *fileUser, use *fileUse)]{
	{"archive", (*fileUser).archiveTargets},
	{"awk", (*fileUser).awkTargets},
	{"claudewatch", (*fileUser).claudewatchTargets},
	{"compress", (*fileUser).compressTargets},
	{"copy", (*fileUser).copyTargets},
	{"curl", (*fileUser).curlTargets},
	{"dd", (*fileUser).ddTargets},
	{"find", (*fileUser).findTargets},
	{"git", (*fileUser).gitTargets},
	{"jq", (*fileUser).jqTargets},
	{"mode", (*fileUser).modeTargets},
	{"move", (*fileUser).moveTargets},
	{"patch", (*fileUser).patchTargets},
	{"perl", (*fileUser).perlTargets},
	{"prefix", (*fileUser).prefixTargets},
	{"remotecopy", (*fileUser).remoteCopyTargets},
	{"sed", (*fileUser).sedTargets},
	{"sevenzip", (*fileUser).sevenZipTargets},
	{"sqlite", (*fileUser).sqliteTargets},
	{"wget", (*fileUser).wgetTargets},
}

// modeTargets is for chmod and its like: the first operand is a mode or an owner,
// the others are files. A mode that takes something away looks like an option
// (chmod -x f), and there is none with --reference.
func (u *fileUser) modeTargets(use *fileUse) {
	files := u.operands
	hasMode := len(u.values("--reference")) > 0
	for _, f := range u.words {
		if f.text == "--" {
			break
		}
		hasMode = hasMode || isRemovedMode(f.text)
	}
	if !hasMode && len(files) > 0 {
		files = files[1:]
	}
	u.addAll(opMode, files, u.has(use.recursive...))
}

// isRemovedMode reports whether a word is a mode that begins with a dash, or that of
// chattr which begins with a plus.
func isRemovedMode(word string) bool {
	if len(word) < 2 || word[0] != '-' && word[0] != '+' {
		return false
	}
	return strings.Trim(word[1:], "rwxXstugoa,+-=") == "" || word[0] == '+'
}

// ddTargets reads the operands of dd, which are names with values.
func (u *fileUser) ddTargets(*fileUse) {
	for _, f := range u.operands {
		name, value, _ := strings.Cut(f.text, "=")
		op := map[string]string{"if": opRead, "of": opWrite}[name]
		if op == "" {
			continue
		}
		f = behind(f, len(name)+1)
		if home := u.walk.context.Home; home != "" && f.known && !f.quoted && (value == "~" || strings.HasPrefix(value, "~/")) {
			f = derived(f, home+value[1:]) // the shell takes the word for an assignment
		}
		u.add(op, f, false)
	}
}

// findTargets lists what find itself deletes and writes; the commands it runs are
// commands of their own.
func (u *fileUser) findTargets(*fileUse) {
	u.addAll(opWrite, u.values("-fprint", "-fprint0", "-fls"), false)
	for _, o := range u.args.options { // -fprintf FILE FORMAT
		if o.Name == "-fprintf" && o.Index+1 < len(u.words) {
			u.add(opWrite, u.words[o.Index+1], false)
		}
	}
	if !u.has("-delete") {
		return
	}
	for _, f := range findStarts(u.words) {
		u.add(opDelete, f, true)
	}
}

// findStarts returns the places where find begins: the words in front of its
// expression, or the directory it works in.
func findStarts(words []field) []field {
	from := 0
	for from < len(words) {
		word := words[from].text
		if word == "-D" {
			from++
		} else if word != "-H" && word != "-L" && word != "-P" && !strings.HasPrefix(word, "-O") {
			break
		}
		from++
	}
	to := min(from, len(words))
	for to < len(words) && !strings.HasPrefix(words[to].text, "-") && words[to].text != "(" && words[to].text != "!" {
		to++
	}
	if from >= to {
		return []field{literalField(".")}
	}
	return words[from:to]
}

// anyDepth stands for any file below a directory in the path of a word.
const anyDepth = "/**/*"

// withFound replaces the words that find puts a file in by patterns below the places
// where it begins, in the commands that it runs.
func (w *walk) withFound(inner []nested, words []field, dir string) []nested {
	starts := startsOf(words, dir)
	for i := range inner {
		var command []field
		for _, f := range inner[i].command {
			command = append(command, w.foundFields(f, starts)...)
		}
		inner[i].command = command
	}
	return inner
}

// startsOf returns the places where find begins, "" for those that are not known.
func startsOf(words []field, dir string) []string {
	var starts []string
	for _, f := range findStarts(words) {
		if len(starts) == maxFieldsPerWord {
			break
		}
		starts = append(starts, locate(dir, f).path)
	}
	return starts
}

// foundFields returns what find makes of one word of a command: a word for each place
// where it begins, when the word is {} alone.
func (w *walk) foundFields(f field, starts []string) []field {
	if !f.known || f.written || !strings.Contains(f.text, "{}") {
		return []field{f}
	}
	var fields []field
	for _, start := range starts {
		file := f
		file.located, file.quoted = start != "", false
		file.path = filled(f.text, "{}", strings.TrimSuffix(start, "/")+anyDepth)
		if !w.spendWord(file.path) {
			break
		}
		if fields = append(fields, file); f.text != "{}" {
			break
		}
	}
	return fields
}

// filled returns a word with a pattern of files in each place where one of them is put.
// Behind something else only what is below the pattern's directory counts: in a/{} that is
// a/**/*.
func filled(word, placeholder, pattern string) string {
	if !strings.HasPrefix(word, placeholder) {
		pattern = anyDepth[1:]
	}
	return strings.ReplaceAll(word, placeholder, pattern)
}

// prefixTargets is for programs that write files whose names begin with a prefix:
// split FILE PREFIX, csplit -f PREFIX. They stand in the directory of the prefix.
func (u *fileUser) prefixTargets(use *fileUse) {
	prefix := literalField("x")
	if f, ok := u.value("-f", "--prefix"); ok {
		prefix = f
	} else if u.command.Program == "split" && len(u.operands) > 1 {
		prefix = u.operands[1]
	}
	if len(u.operands) > 0 {
		u.add(opRead, u.operands[0], false)
	}
	if prefix.known && prefix.located {
		prefix = derived(prefix, prefix.path+"*")
		prefix.quoted = false
	}
	u.add(opWrite, prefix, false)
}

// patchTargets lists the file that patch is given, or the directory it works in.
func (u *fileUser) patchTargets(*fileUse) {
	u.addAll(opRead, u.values("-i", "--input"), false)
	if u.has("--dry-run", "-C", "--check") {
		return
	}
	if dir, ok := u.value("-d", "--directory"); ok {
		u.dir = locate(u.dir, dir).path
	}
	if len(u.operands) > 1 {
		u.add(opRead, u.operands[1], false)
	}
	out := u.values("-o", "--output")
	switch {
	case len(out) > 0:
		u.addAll(opWrite, out, false)
	case len(u.operands) > 0:
		u.add(opWrite, u.operands[0], false)
	default:
		u.addDir(opWrite, true)
	}
}

// sqliteTargets lists the database that sqlite3 opens: read when it is given queries
// only, else written.
func (u *fileUser) sqliteTargets(*fileUse) {
	if len(u.operands) == 0 || strings.HasPrefix(u.operands[0].text, ":memory:") {
		return
	}
	op := opWrite
	if len(u.operands) > 1 && u.areQueries(u.operands[1:]) || u.has("-readonly") {
		op = opRead
	}
	u.add(op, u.operands[0], false)
}

// jqTargets lists the files that jq reads: the operands behind its filter, and those
// of options with one value or two.
func (u *fileUser) jqTargets(*fileUse) {
	filter := true // the first operand is one
	for i := 0; i < len(u.words); i++ {
		switch word := u.words[i].text; {
		case word == "--arg" || word == "--argjson":
			i += 2
		case word == "--slurpfile" || word == "--rawfile":
			if i += 2; i < len(u.words) {
				u.add(opRead, u.words[i], false)
			}
		case word == "-f" || word == "--from-file":
			filter = false
			if i++; i < len(u.words) {
				u.add(opRead, u.words[i], false)
			}
		case word == "-L" || word == "--indent":
			i++
		case word == "--args" || word == "--jsonargs":
			return
		case len(word) > 1 && word[0] == '-' && word != "--":
		case filter:
			filter = word == "--"
		default:
			u.add(opRead, u.words[i], false)
		}
	}
}

// areQueries reports whether SQL texts only read.
func (u *fileUser) areQueries(texts []field) bool {
	for _, f := range texts {
		for statement := range strings.SplitSeq(f.text, ";") {
			words := strings.Fields(strings.ToLower(statement))
			if len(words) == 0 {
				continue
			}
			switch words[0] {
			case "select", "explain", ".tables", ".schema", ".dump", ".mode", ".headers", ".indexes", ".databases", "values":
			case "pragma":
				if strings.Contains(statement, "=") {
					return false
				}
			default:
				return false
			}
		}
	}
	return true
}
