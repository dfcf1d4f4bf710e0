package shell

import (
	"errors"
	"io"
	"runtime"
	"strings"

	"github.com/claudewatch/claudewatch/schema"
	"mvdan.cc/sh/v3/syntax"
)

// Context is what a reader must know besides the text.
type Context struct {
	// Dir is the absolute directory the text would run in, "" when it is unknown.
	Dir string
	// Home is the user's home directory, "" when it is unknown.
	Home string
	// Wrappers names further programs that run the command in their arguments, with
	// the number of operands they take in front of it.
	Wrappers map[string]int
	// Targets holds more lines about the files that programs use, in the format that
	// targets.txt describes. They add to those that are known.
	Targets string
	// script: the text is that of a file, which may be given arguments.
	script bool
}

// The bounds of one Read. Text beyond them is not read, and Parsed is false.
const (
	maxTextBytes   = 512 << 10 // of the text itself
	maxNestedBytes = 1 << 20   // of all texts that it runs as shell, together
	maxWordBytes   = 8 << 20   // of all words and texts of commands, together
	textBytes      = 256       // that each of them counts besides its length
	maxCommands    = 10_000
	maxListItems   = 20_000 // && and |: the parser's trees are as deep as a list is long
	wordBytes      = 128    // that each word counts besides its length
	maxDepth       = 16     // texts within texts
	maxNesting     = 200    // statements within statements
	maxFrames      = 4_000  // of the call stack in the parser, which recurses
)

// Read says what the shell text would run. It never fails: text that cannot be
// read gives Parsed false and one Command that holds the raw text.
func Read(text string, ctx Context) *schema.Effects {
	text = strings.TrimRight(text, "\r\n")
	r := newReader(ctx)
	file, err := r.parse(text)
	if err != nil {
		return unreadable(text)
	}
	w := &walk{reader: r, text: text, file: file, edits: new([]edit)}
	r.effects.Command = text
	r.effects.Compound = compound(file)
	env := newEnvironment(ctx.Dir)
	if !ctx.script {
		env.setPositional([]field{})
	}
	w.statements(file.Stmts, env, place{})
	r.effects.Command = applyEdits(text, *w.edits)
	return r.effects
}

// unreadable is the result for text that is in no language we know.
func unreadable(text string) *schema.Effects {
	return &schema.Effects{
		Command:  text,
		Commands: []*schema.Command{{Source: text, Text: text}},
	}
}

// reader holds what all texts of one Read share: the result and what is left of
// the bounds.
type reader struct {
	context Context
	effects *schema.Effects
	parser  map[syntax.LangVariant]*syntax.Parser

	nestedBytes int
	// stdin is the input of the command whose words are looked at.
	stdin *code
	// assigning: the word that is looked at is given to a variable.
	assigning bool
	// substituted is the number of substitutions around the one whose output is looked at.
	substituted int
	wordBytes   int
	roundBytes  int
	// placeholders are the words that xargs puts something in the place of.
	placeholders []string
	// dotglob: the text has patterns match hidden names.
	dotglob bool
}

func newReader(ctx Context) *reader {
	return &reader{
		context:     ctx,
		effects:     &schema.Effects{Parsed: true},
		parser:      make(map[syntax.LangVariant]*syntax.Parser, 1),
		nestedBytes: maxNestedBytes,
		wordBytes:   maxWordBytes,
		roundBytes:  maxRoundBytes,
	}
}

var (
	errTooLong = errors.New("the text is too long")
	errTooDeep = errors.New("the text is nested too deeply")
)

// parse reads text as bash, and as zsh when it is not bash.
func (r *reader) parse(text string) (*syntax.File, error) {
	if len(text) > maxTextBytes {
		return nil, errTooLong
	}
	if strings.Count(text, "&&")+strings.Count(text, "|") > maxListItems {
		return nil, errTooLong
	}
	file, err := r.parseAs(syntax.LangBash, text)
	if err != nil && !errors.Is(err, errTooDeep) {
		file, err = r.parseAs(syntax.LangZsh, text)
	}
	return file, err
}

func (r *reader) parseAs(dialect syntax.LangVariant, text string) (*syntax.File, error) {
	parser := r.parser[dialect]
	if parser == nil {
		parser = syntax.NewParser(syntax.Variant(dialect))
		r.parser[dialect] = parser
	}
	return parser.Parse(&shallowReader{text: text}, "")
}

// shallowReader fails when the parser that reads from it has recursed too deeply.
// The parser has no limit of its own, and a Go stack that overflows ends the
// process; it reads a block of 1 KiB at a time, so that a look at the call stack
// from here comes early enough. A text of one block, as most are, is too short for
// that: the look would take as long as parsing it.
type shallowReader struct {
	text   string
	blocks int // that have been read
}

func (r *shallowReader) Read(p []byte) (int, error) {
	var frame [1]uintptr
	if (r.blocks > 1 || r.blocks == 1 && r.text != "") && runtime.Callers(maxFrames, frame[:]) > 0 {
		return 0, errTooDeep
	}
	if r.text == "" {
		return 0, io.EOF
	}
	n := copy(p, r.text)
	r.text = r.text[n:]
	r.blocks++
	return n, nil
}

// spend takes n bytes of words from what may still be made, and reports whether
// there were that many. When there were not, the text counts as not parsed.
func (r *reader) spend(n int) bool {
	if n > r.wordBytes {
		r.effects.Parsed = false
		return false
	}
	r.wordBytes -= n
	return true
}

// add appends a command, within the bounds.
func (r *reader) add(c *schema.Command) {
	if len(r.effects.Commands) >= maxCommands {
		r.effects.Parsed = false
		return
	}
	r.effects.Commands = append(r.effects.Commands, c)
}

// spendWord is spend for one word of a command.
func (r *reader) spendWord(text string) bool { return r.spend(len(text) + wordBytes) }

// read walks a text that a command runs as shell, in the environment env and at the
// place of that command. alias is the name of the alias whose text it is, or "".
func (w *walk) read(c *code, env *environment, p place, alias string) {
	if c == nil {
		return
	}
	cost := len(c.text) + textBytes
	if w.depth >= maxDepth || cost > w.nestedBytes {
		w.effects.Parsed = false
		return
	}
	w.nestedBytes -= cost
	file, err := w.parse(c.text)
	if err != nil {
		w.effects.Parsed = false
		return
	}
	if !p.quoted && compound(file) {
		w.effects.Compound = true
	}
	inner := &walk{reader: w.reader, text: c.text, file: file, walked: c.walked, depth: w.depth + 1, nesting: w.nesting, expanding: w.expanding}
	if alias != "" {
		inner.expanding = appended(w.expanding, alias)
	}
	inner.statements(file.Stmts, env, p)
}
