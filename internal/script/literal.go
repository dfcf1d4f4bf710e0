package script

import (
	"slices"
	"strings"
)

// literal is a string of a program's source as far as it can be read: fixed text
// and, between it, parts that are only known when the program runs.
type literal []piece

// piece is fixed text or, when unknown is not "", a part that is not known.
// unknown is then a name for it, made of what stands in the source, or home. When
// it is code inside a string, code is the number of its tokens in scanner.nested,
// from 1 on.
type piece struct {
	text, unknown string
	code          int32
}

// home is the part that stands for the user's home directory: Path.home(),
// os.homedir(), ENV['HOME']. No name of a part that is not known looks like it.
const home = "~"

// anonymous names a part that no simple name stands for.
const anonymous = "value"

func fixed(text string) literal         { return literal{{text: text}} }
func unknownPart(source string) literal { return literal{{unknown: cleanName(source)}} }

// cleanName keeps what a shell variable's name may hold of a name in another language.
func cleanName(source string) string {
	name := strings.Map(func(r rune) rune {
		if r < 0x80 && isNameByte(byte(r)) {
			return r
		}
		return -1
	}, source)
	if name == "" {
		return anonymous
	}
	return name
}

// isKnown reports that l has a part that is fixed and not blank.
func (l literal) isKnown() bool {
	for _, p := range l {
		if p.unknown == "" && strings.TrimSpace(p.text) != "" {
			return true
		}
	}
	return false
}

// fixedText returns l when all of it is fixed.
func (l literal) fixedText() (string, bool) {
	var text strings.Builder
	for _, p := range l {
		if p.unknown != "" {
			return "", false
		}
		text.WriteString(p.text)
	}
	return text.String(), true
}

// literalBuilder collects a literal. As long as its text is one part of the source
// it is not copied.
type literalBuilder struct {
	done literal
	part string
	text strings.Builder // holds the text when it is more than one part
}

func (b *literalBuilder) addText(s string) {
	if b.part == "" && b.text.Len() == 0 {
		b.part = s
		return
	}
	b.spill()
	b.text.WriteString(s)
}

func (b *literalBuilder) addByte(c byte) {
	b.spill()
	b.text.WriteByte(c)
}

func (b *literalBuilder) addRune(r rune) {
	b.spill()
	b.text.WriteRune(r)
}

func (b *literalBuilder) addUnknown(name string) { b.add(unknownPart(name)[0]) }

func (b *literalBuilder) add(p piece) {
	if p.unknown == "" {
		b.addText(p.text)
		return
	}
	b.flush()
	b.done = append(b.done, p)
}

func (b *literalBuilder) spill() {
	b.text.WriteString(b.part)
	b.part = ""
}

func (b *literalBuilder) flush() {
	if b.part != "" {
		b.done = append(b.done, piece{text: b.part})
		b.part = ""
	}
	if b.text.Len() > 0 {
		b.done = append(b.done, piece{text: b.text.String()})
		b.text.Reset()
	}
}

// string returns the text since the last part that is not known.
func (b *literalBuilder) string() string {
	if b.text.Len() == 0 {
		return b.part
	}
	return b.text.String()
}

func (b *literalBuilder) literal() literal {
	b.flush()
	return b.done
}

// shellText writes l as shell text. A part that is not known becomes an unset
// variable, $_path for a variable path, so that the reader of the text takes the
// word it stands in for unknown; also inside single quotes, where the quotes are
// closed around it.
func (l literal) shellText() string {
	var out strings.Builder
	var quotes quoteState
	for i, p := range l {
		if p.unknown == "" {
			out.WriteString(p.text)
			quotes.advance(p.text)
			continue
		}
		variable := "$" + p.variable()
		if i+1 < len(l) && l[i+1].unknown == "" && (isNameByte(l[i+1].text[0]) || l[i+1].text[0] == '[') {
			variable = "${" + p.variable() + "}"
		}
		if quotes.quote == '\'' {
			variable = `'"` + variable + `"'`
		}
		out.WriteString(variable)
	}
	return out.String()
}

// variable returns the name of the shell variable that stands for an unknown part.
func (p piece) variable() string {
	if p.unknown == home {
		return "HOME"
	}
	return "_" + p.unknown
}

// quoteState follows the quotes of a shell text.
type quoteState struct {
	quote           byte // ', " or # for a comment; 0 outside
	escaped, inWord bool
}

func (s *quoteState) advance(text string) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case s.escaped:
			s.escaped = false
		case s.quote == '#':
			if c == '\n' {
				s.quote = 0
			}
		case s.quote != 0 && c == s.quote:
			s.quote = 0
		case c == '\\' && s.quote != '\'':
			s.escaped = true
		case s.quote != 0:
		case c == '\'' || c == '"' || c == '#' && !s.inWord:
			s.quote = c
		}
		s.inWord = c > ' ' && !strings.ContainsRune(";|&()", rune(c))
	}
}

// shellWord writes l as one quoted word of shell text.
func (l literal) shellWord(first bool) string {
	if text, ok := l.fixedText(); ok {
		return quoteWord(text, first)
	}
	var out strings.Builder
	for i, p := range l {
		switch {
		case p.unknown != "":
			out.WriteString(`"$` + p.variable() + `"`)
		case p.text != "":
			out.WriteString(quoteWord(p.text, first && i == 0))
		}
	}
	return out.String()
}

// shellKeywords are the words that the shell does not take for a program's name.
var shellKeywords = []string{
	"if", "then", "else", "elif", "fi", "for", "while", "until",
	"do", "done", "case", "esac", "in", "function", "select", "time", "coproc",
}

// quoteWord quotes a word where the shell would not read it as itself. The first
// word of a command is also kept from being an assignment or a keyword.
func quoteWord(word string, first bool) string {
	plain := word != "" && !(first && (strings.Contains(word, "=") || slices.Contains(shellKeywords, word)))
	for i := 0; plain && i < len(word); i++ {
		c := word[i]
		plain = isNameByte(c) || c >= 0x80 || strings.IndexByte("@%+=:,./-^", c) >= 0
	}
	if plain {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

func isNameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
