package schema

import (
	"slices"
	"strings"
	"sync"

	"github.com/claudewatch/claudewatch/internal/trigrams"
	"github.com/google/cel-go/common/types/ref"
)

// Call is one call of a function or method in a script (CEL type Call).
type Call struct {
	// Name is the full name of what is called, whatever the code calls it: "os.remove",
	// "fs.rmSync", "FileUtils.rm_rf". A method of something that is no name begins with
	// a point: ".unlink".
	Name string
	// ReadGiven computes what Given returns; its maker wraps it in sync.OnceValue.
	ReadGiven func() *Given
	// ReadKeywords computes the names of the keywords alone, which costs less.
	ReadKeywords func() []string
}

// Given is what a call is given. Strings are their values; parts that are only known
// when the code runs stand as $name, the home directory as ~. What is no string
// stands as in the source.
type Given struct {
	// Args are the arguments without a keyword; the items of a list one by one.
	Args []string
	// Literals tells of each of Args whether all of it is known.
	Literals []bool
	// Keywords are the keyword arguments, in node the properties of an object that is
	// an argument.
	Keywords map[string]string
	// Literal is true when all arguments are known, keyword arguments too.
	Literal bool
	// Receiver is what a method is called on, "" for a plain function.
	Receiver string
}

// Given returns what the call is given; never nil.
func (c *Call) Given() *Given {
	if c.ReadGiven == nil {
		return &Given{}
	}
	return c.ReadGiven()
}

// Calls returns the calls in the code, in source order: of python, node, ruby, perl
// and php, and those of .NET methods in powershell.
func (s *Script) Calls() []*Call { return s.index().calls }

// Imports returns the full names of what a python or node program imports.
func (s *Script) Imports() []string {
	if s.ReadImports == nil {
		return nil
	}
	return s.ReadImports()
}

// CallsTo returns the calls, in source order, whose name is one of names. A name
// that begins with a point stands for the method of anything: ".unlink" also for
// "os.unlink". Code that does not hold the last part of any of the names is not read.
func (s *Script) CallsTo(names ...string) []*Call {
	held := s.held(names)
	if len(held) == 0 {
		return nil
	}
	index := s.index()
	var found []int
	for _, name := range held {
		found = append(found, index.byName[name]...)
		if method, ok := strings.CutPrefix(name, "."); ok {
			found = append(found, index.byMethod[method]...)
		}
	}
	return index.at(found)
}

// CallsWith returns the calls, in source order, that are given a keyword.
func (s *Script) CallsWith(keyword string) []*Call {
	if !givesKeyword(s.Content, keyword) {
		return nil
	}
	var found []int
	index := s.index()
	for i, c := range index.calls {
		if c.ReadKeywords != nil && slices.Contains(c.ReadKeywords(), keyword) {
			found = append(found, i)
		}
	}
	return index.at(found)
}

// givesKeyword reports that a keyword may be given a value in code: a word, perhaps in
// quotes, in front of = or a colon.
func givesKeyword(code, keyword string) bool {
	for keyword != "" {
		i := strings.Index(code, keyword)
		if i < 0 {
			break
		}
		code = code[i+len(keyword):]
		if rest := strings.TrimLeft(code, "\"' \t\r\n"); rest != "" && (rest[0] == '=' || rest[0] == ':') {
			return true
		}
	}
	return false
}

// HasImport reports that a python or node program imports one of names, as in
// Imports. Code that does not hold the last part of any of the names is not read.
func (s *Script) HasImport(names ...string) bool {
	held := s.held(names)
	return len(held) > 0 && slices.ContainsFunc(s.Imports(), func(name string) bool { return slices.Contains(held, name) })
}

// held returns those of names whose last part may stand in the script.
func (s *Script) held(names []string) []string {
	var held []string
	for _, name := range names {
		if s.holds(name[strings.LastIndexAny(name, ". ")+1:]) {
			held = append(held, name)
		}
	}
	return held
}

// holds reports that code that names a word may stand in the script. A command in
// backticks has other forms; names of php and powershell are of any case.
func (s *Script) holds(word string) bool {
	switch {
	case word == "`":
		return s.words.in(s.Content, "`") || s.words.in(s.Content, "%x") || s.words.in(s.Content, "qx")
	case s.Language == "php" || s.Language == "powershell":
		return true
	}
	return s.words.in(s.Content, word)
}

// words remembers which words a text holds: many rules look for the same.
type words struct {
	mu      sync.Mutex
	text    *trigrams.Text // nil until a word is looked for
	present map[string]bool
	absent  []string
}

func (w *words) in(text, word string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.present[word] {
		return true
	}
	if slices.ContainsFunc(w.absent, func(part string) bool { return strings.Contains(word, part) }) {
		return false
	}
	if w.text == nil {
		w.text = trigrams.Of(text)
	}
	if !w.text.Contains(word) {
		w.absent = append(w.absent, word)
		return false
	}
	if w.present == nil {
		w.present = map[string]bool{}
	}
	w.present[word] = true
	return true
}

// callIndex finds the calls of a script by name.
type callIndex struct {
	calls            []*Call
	byName, byMethod map[string][]int // places in calls
}

func (s *Script) index() *callIndex {
	s.indexOnce.Do(func() {
		if s.ReadCalls != nil {
			s.calls.calls = s.ReadCalls()
		}
		s.calls.byName, s.calls.byMethod = map[string][]int{}, map[string][]int{}
		for i, c := range s.calls.calls {
			s.calls.byName[c.Name] = append(s.calls.byName[c.Name], i)
			if point := strings.LastIndexByte(c.Name, '.'); point > 0 {
				method := c.Name[point+1:]
				s.calls.byMethod[method] = append(s.calls.byMethod[method], i)
			}
		}
	})
	return &s.calls
}

// at returns the calls at several places, in order and once each.
func (x *callIndex) at(places []int) []*Call {
	slices.Sort(places)
	var calls []*Call
	for _, i := range slices.Compact(places) {
		calls = append(calls, x.calls[i])
	}
	return calls
}

// ScriptOf returns the Script behind a CEL value of type Script.
func ScriptOf(v ref.Val) (*Script, bool) { return nativeOf[*Script](v) }

// CallsValue returns calls as a CEL value of type list(Call).
func CallsValue(calls []*Call) ref.Val { return objectList(callObject, calls) }
