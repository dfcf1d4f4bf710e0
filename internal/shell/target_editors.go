package shell

import (
	"strings"
)

// sedTargets lists the files that sed reads, or edits in place, and those that the
// commands of its script read and write.
func (u *fileUser) sedTargets(*fileUse) {
	scripts := u.values("-e", "--expression")
	files := u.operands
	u.addAll(opRead, u.values("-f", "--file"), false)
	inPlace := u.has("-i", "--in-place", "-I")
	hasScript := len(scripts) > 0 || u.has("-f", "--file")
	if inPlace && len(files) > 0 && isSeparateSuffix(files, hasScript) {
		files = files[1:] // BSD: the suffix is a word of its own
	}
	if !hasScript && len(files) > 0 {
		scripts, files = files[:1], files[1:]
	}
	op := opRead
	if inPlace {
		op = opWrite
	}
	u.addAll(op, files, false)
	for _, script := range scripts {
		if !script.known {
			continue
		}
		for _, use := range sedFiles(script.text) {
			u.addPath(use.op, use.name, false)
		}
	}
}

// isSeparateSuffix reports whether the first operand of sed -i is the suffix of
// backups, as BSD wants it: empty, or a name that begins with a point, which no
// script does.
func isSeparateSuffix(operands []field, hasScript bool) bool {
	first := operands[0]
	if !first.known || first.text != "" && first.text[0] != '.' {
		return false
	}
	rest := len(operands) - 1
	return first.text == "" || hasScript && rest > 0 || rest > 1
}

// namedFile is a file that code names, and what it does to it.
type namedFile struct{ op, name string }

// sedFiles returns the files that a sed script reads and writes: r, R, w, W, and the
// flag w of s. https://www.gnu.org/software/sed/manual/sed.html
func sedFiles(script string) []namedFile {
	s := sedScanner{text: script}
	for s.at < len(s.text) {
		s.command()
	}
	return s.files
}

type sedScanner struct {
	text  string
	at    int
	files []namedFile
}

// command reads one command with its addresses.
func (s *sedScanner) command() {
	s.addresses()
	if s.at >= len(s.text) {
		return
	}
	c := s.text[s.at]
	s.at++
	switch c {
	case 's', 'y':
		delimiter := s.peek()
		if delimiter == 0 || delimiter == '\n' {
			return
		}
		s.at++
		s.part(delimiter)
		s.part(delimiter)
		if c == 's' {
			s.flags()
		}
	case 'r', 'R':
		s.file(opRead)
	case 'w', 'W':
		s.file(opWrite)
	case 'a', 'i', 'c':
		s.lines()
	case '#', 'e':
		s.line()
	case ':', 'b', 't', 'T':
		for s.at < len(s.text) && s.text[s.at] != ';' && s.text[s.at] != '\n' {
			s.at++
		}
	}
}

// addresses moves to the next command's letter.
func (s *sedScanner) addresses() {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '/':
			s.at++
			s.part('/')
		case c == '\\' && s.at+1 < len(s.text):
			s.at += 2
			s.part(s.text[s.at-1])
		case strings.IndexByte(" \t\n;{},!$+~0123456789IM", c) >= 0:
			s.at++
		default:
			return
		}
	}
}

// part moves behind the next delimiter that is not quoted.
func (s *sedScanner) part(delimiter byte) {
	class := false
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '\\':
			s.at++
		case c == '[' && !class:
			class = strings.IndexByte(s.text[s.at:], ']') > 0 && delimiter == '/'
		case c == ']':
			class = false
		case c == delimiter && !class:
			s.at++
			return
		}
	}
	s.at = min(s.at, len(s.text))
}

// flags reads the flags of s; behind w stands a file.
func (s *sedScanner) flags() {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == 'w':
			s.at++
			s.file(opWrite)
			return
		case isAlphanumeric(c):
			s.at++
		default:
			return
		}
	}
}

// file reads the name of a file, which takes the rest of the line.
func (s *sedScanner) file(op string) {
	if name := strings.TrimSpace(s.line()); name != "" {
		s.files = append(s.files, namedFile{op, name})
	}
}

// line returns the rest of the line and moves behind it.
func (s *sedScanner) line() string {
	line, _, _ := strings.Cut(s.text[s.at:], "\n")
	s.at = min(s.at+len(line)+1, len(s.text))
	return line
}

// lines moves behind a text, whose lines are continued with a backslash.
func (s *sedScanner) lines() {
	for s.at < len(s.text) {
		if line := s.line(); !strings.HasSuffix(line, `\`) {
			return
		}
	}
}

func (s *sedScanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

// perlTargets is for perl and ruby with -n, -p or -i: the operands behind the
// script are files, which -i edits in place.
func (u *fileUser) perlTargets(*fileUse) {
	op := opRead
	if u.has("-i") {
		op = opWrite
	} else if !u.has("-n", "-p") {
		return
	}
	files := u.operands
	if !u.has("-e", "-E") && len(files) > 0 {
		files = files[1:]
	}
	u.addAll(op, files, false)
}

// awkTargets lists the files that awk reads, or edits with -i inplace, and those
// that its program reads and writes.
func (u *fileUser) awkTargets(*fileUse) {
	programs := u.values("-e", "--source")
	files := u.operands
	u.addAll(opRead, u.values("-f", "--file", "-E", "--exec"), false)
	if len(programs) == 0 && !u.has("-f", "--file", "-E", "--exec") && len(files) > 0 {
		programs, files = files[:1], files[1:]
	}
	op := opRead
	for _, library := range u.values("-i", "--include") {
		if strings.HasPrefix(library.text, "inplace") {
			op = opWrite
		}
	}
	for _, f := range files {
		if !isAssignment(f) {
			u.add(op, f, false)
		}
	}
	variables := map[string]field{}
	for _, f := range append(u.values("-v", "--assign"), files...) {
		if name, value, ok := strings.Cut(f.text, "="); ok && f.known {
			variables[name] = literalField(value)
		}
	}
	for _, program := range programs {
		if program.known {
			u.awkProgram(program.text, variables)
		}
	}
}

// awkProgram lists the files that an awk program names behind print > and getline <.
func (u *fileUser) awkProgram(text string, variables map[string]field) {
	s := awkScanner{text: text}
	for s.at < len(s.text) {
		use, ok := s.next()
		if !ok {
			continue
		}
		f := literalField(use.name)
		if use.variable != "" {
			if f, ok = variables[use.variable]; !ok {
				f = field{value: value{text: use.variable}}
			}
		} else if use.name == "" {
			f = field{}
		}
		u.add(use.op, f, false)
	}
}

// awkFile is a file that an awk program names: by a literal, by a variable, or by an
// expression when both are "".
type awkFile struct {
	namedFile
	variable string
}

// awkScanner goes through an awk program, so far that a > of a comparison, a string
// and a regular expression are not taken for a redirection.
type awkScanner struct {
	text string
	at   int
	// depth counts open parentheses; printed is true behind print and printf, reads
	// behind getline, operand where an operator would follow.
	depth                   int
	printed, reads, operand bool
}

// next moves over one token, and returns the file that a redirection names.
func (s *awkScanner) next() (awkFile, bool) {
	c := s.text[s.at]
	switch {
	case c == '"':
		s.string()
		s.operand = true
	case c == '#':
		s.skipTo("\n")
	case c == '/' && !s.operand:
		s.at++
		for s.at < len(s.text) && s.text[s.at] != '/' && s.text[s.at] != '\n' {
			if s.text[s.at] == '\\' {
				s.at++
			}
			s.at++
		}
		s.at = min(s.at+1, len(s.text))
		s.operand = true
	case isAlphanumeric(c) || c == '_':
		s.word()
	case c == ' ' || c == '\t':
		s.at++
	case c == '>' && s.printed && s.depth == 0:
		s.at++
		op := opWrite
		if s.at < len(s.text) && s.text[s.at] == '>' {
			op = opAppend
			s.at++
		}
		s.printed, s.operand = false, false
		return s.target(op), true
	case c == '<' && s.reads:
		s.at++
		s.reads, s.operand = false, false
		return s.target(opRead), true
	default:
		s.symbol(c)
	}
	return awkFile{}, false
}

func (s *awkScanner) symbol(c byte) {
	s.at++
	s.operand = c == ')' || c == ']' || c == '$'
	switch c {
	case '(':
		s.depth++
	case ')':
		s.depth = max(s.depth-1, 0)
	case ';', '\n', '{', '}', '|':
		s.printed, s.reads, s.depth = false, false, 0
	}
}

func (s *awkScanner) word() {
	from := s.at
	for s.at < len(s.text) && (isAlphanumeric(s.text[s.at]) || s.text[s.at] == '_' || s.text[s.at] == '.') {
		s.at++
	}
	s.operand = true
	switch s.text[from:s.at] {
	case "print", "printf":
		s.printed, s.depth, s.operand = true, 0, false
	case "getline":
		s.reads = true
	case "return", "in":
		s.operand = false
	}
}

// string reads a string literal.
func (s *awkScanner) string() string {
	from := s.at + 1
	for s.at++; s.at < len(s.text) && s.text[s.at] != '"'; s.at++ {
		if s.text[s.at] == '\\' {
			s.at++
		}
	}
	to := min(s.at, len(s.text))
	s.at = min(s.at+1, len(s.text))
	return decodeEscapes(s.text[min(from, to):to], escapes{quotes: true})
}

func (s *awkScanner) skipTo(end string) {
	if i := strings.Index(s.text[s.at:], end); i >= 0 {
		s.at += i
		return
	}
	s.at = len(s.text)
}

// target reads what stands behind a redirection: a literal or a variable, when
// nothing is joined to it.
func (s *awkScanner) target(op string) awkFile {
	s.blanks()
	file := awkFile{namedFile: namedFile{op: op}}
	if s.at >= len(s.text) {
		return file
	}
	open := s.text[s.at] == '('
	if open {
		s.at++
		s.blanks()
	}
	from := s.at
	switch {
	case s.at < len(s.text) && s.text[s.at] == '"':
		file.name = s.string()
	default:
		for s.at < len(s.text) && (isAlphanumeric(s.text[s.at]) || s.text[s.at] == '_') {
			s.at++
		}
		file.variable = s.text[from:s.at]
	}
	s.blanks()
	if open && s.at < len(s.text) && s.text[s.at] == ')' {
		s.at++
		s.blanks()
	}
	if s.at < len(s.text) && strings.IndexByte(";}\n#)", s.text[s.at]) < 0 {
		return awkFile{namedFile: namedFile{op: op}} // an expression
	}
	return file
}

func (s *awkScanner) blanks() {
	for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\t') {
		s.at++
	}
}
