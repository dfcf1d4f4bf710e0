package script

import (
	"slices"
	"sync"
)

// Program is code that is read once, when it is first asked about. Its methods may be
// called at the same time.
type Program struct {
	language *language // nil when it is not known
	source   string

	once sync.Once // guards the following
	// readers hold the program's tokens and then those of each piece of code that
	// stands inside a string, numbered as in piece.code.
	readers []*reader
	names   importedNames
	calls   []call

	mu sync.Mutex // guards the following, and what evaluating code changes
	// constants are its variables, by name.
	constants map[string]*constant
	// functions are the functions that it defines, by name, and bound the values of the
	// parameters of the one that is looked at.
	functions map[string]*ownFunction
	bound     map[string]value
	// steps bounds the work of reading calls without parentheses, whose arguments
	// may overlap, and of working out constants.
	steps int
}

// language is how code of a language is read.
type language struct {
	lex    func(code string) *scanner
	concat []string // the operators that join strings
	// names collects what the program calls modules and functions; nil where a
	// language has no such names.
	names func(readers []*reader) importedNames
	// path reads a path of names; nil for (*reader).path.
	path func(r *reader, i int) (string, int)
	// name is the name that a full path is known by; nil for the path itself.
	name func(path string) string
	// keywords are words that are no calls, whatever stands behind them.
	keywords []string
	// loose is set where a call needs no parentheses.
	loose bool
	// arrows is set where => makes a function, and no pair.
	arrows bool
	// shell records the shell text that a call starts.
	shell func(c *call)
	// texts and calls return the shell texts and calls of a language that is read in
	// another way than by lex.
	texts func(code string) []finding
	calls func(code string) []Call
	// marks are what any code holds that starts a process, so that most code need
	// not be read for its shell texts.
	marks []string
}

// languages is made in init because reading a language needs its entry.
var languages map[string]*language

func init() {
	languages = map[string]*language{
		Python: &pythonLanguage, Node: &nodeLanguage, Ruby: &rubyLanguage, Perl: &perlLanguage, PHP: &phpLanguage,
		PowerShell: {texts: powershellTexts, calls: powershellCalls, marks: []string{"sh"}},
	}
}

// Read returns the program that code in a language is. A program in another language
// than python, node, ruby, perl, php and powershell has no calls.
func Read(language, code string) *Program {
	return &Program{language: languages[language], source: code, constants: map[string]*constant{}, steps: 4096}
}

// read reads the program, the first time it is called.
func (p *Program) read() {
	p.once.Do(func() {
		if p.language == nil || p.language.lex == nil {
			return
		}
		s := p.language.lex(p.source)
		for _, tokens := range append([][]token{s.tokens}, s.nested...) {
			p.readers = append(p.readers, newReader(p, tokens, p.language.concat...))
			p.steps += 16 * len(tokens)
		}
		p.findConstants(p.readers)
		if p.language.names != nil {
			p.names = p.language.names(p.readers)
		}
		p.findCalls()
	})
}

// ShellTexts returns the shell text that the program starts through the calls of its
// language that start a process, in source order: os.system and subprocess in
// python, child_process in node, system, exec and backticks in ruby, perl and php.
//
// A command given as a list of words is written as shell text, each word quoted
// where it needs it. A part of a string that is only known at run time becomes a
// shell variable that nobody sets, named after what stands there and beginning with
// an underscore: f"rm -rf {path}" gives rm -rf $_path. A command of which nothing is
// fixed is left out. A variable counts as its value where the program sets it once,
// to a literal, and has no parameter of the same name.
//
// The commands of a powershell text are its own: see Statements. Its shell texts
// are what it hands to a shell. Code of an unknown language, and of the shell, has
// none.
func (p *Program) ShellTexts() []string {
	if p.language == nil || !containsAny(p.source, p.language.marks) {
		return nil
	}
	return sortedTexts(p.findings())
}

func (p *Program) findings() []finding {
	if p.language.texts != nil {
		return p.language.texts(p.source)
	}
	p.read()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.readers {
		r.found = nil
	}
	for i := range p.calls {
		p.language.shell(&p.calls[i])
	}
	p.findOwnFunctions()
	for i := range p.calls {
		c := &p.calls[i]
		p.follow(c, c.reader.tokens[c.at].start, maxFollowed)
	}
	var found []finding
	for _, r := range p.readers {
		found = append(found, r.found...)
	}
	return found
}

// Imports returns the full names of the modules, and of the functions of modules,
// that the program imports, in order and once each: "os" and "os.system",
// "child_process.exec". Only python and node programs have any: elsewhere an import
// is a call, as require is in ruby.
func (p *Program) Imports() []string {
	p.read()
	imports := slices.Clone(p.names.imported)
	slices.Sort(imports)
	return slices.Compact(imports)
}
