// Package cel is the language of rules: CEL as cel-go parses, checks and evaluates
// it, with the standard functions and macros and the extensions for strings, lists
// and sets.
//
// It puts cel-go's parser, checker and interpreter together as cel-go's own package
// cel does, for which it stands in. That package and the extensions link protobuf's
// descriptors of itself, a second YAML library and the tables of a library of human
// languages: to initialize those takes longer than a hook takes to judge a call, and
// a hook is a process of its own for every call. docs/speed.md has the figures. The
// tests compare this package with those it stands in for.
package cel

import (
	"slices"
	"sync"

	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/containers"
	"github.com/google/cel-go/common/decls"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/parser"
)

// MaxExpressionSize bounds an expression, in runes, and with it the time and memory
// that the parser takes.
const MaxExpressionSize = 100_000

// Environment is what expressions can name. It does not change and may be used by
// many goroutines. What checking needs and planning does not is made when an
// expression is first checked.
type Environment struct {
	library   *library
	variables []*decls.VariableDecl
	checker   func() (*checker.Env, error)
}

// New returns an environment with a type provider, functions besides those of the
// language, and variables.
func New(provider types.Provider, functions []Function, variables ...*decls.VariableDecl) (*Environment, error) {
	l, err := newLibrary(provider, functions)
	if err != nil {
		return nil, err
	}
	e := &Environment{library: l, variables: variables}
	e.checker = sync.OnceValues(func() (*checker.Env, error) {
		c, err := checker.NewEnv(containers.DefaultContainer, provider, checker.CrossTypeNumericComparisons(false))
		if err != nil {
			return nil, err
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, name := range l.names() {
			f, err := l.declaration(name)
			if err == nil {
				err = c.AddFunctions(f)
			}
			if err != nil {
				return nil, err
			}
		}
		return c, c.AddIdents(variables...)
	})
	return e, nil
}

// With returns an environment that has one more variable.
func (e *Environment) With(v *decls.VariableDecl) (*Environment, error) {
	parent, err := e.checker()
	if err != nil {
		return nil, err
	}
	c, err := checker.NewEnv(containers.DefaultContainer, e.library.types, checker.CrossTypeNumericComparisons(false), checker.ValidatedDeclarations(parent))
	if err != nil {
		return nil, err
	}
	if err := c.AddIdents(v); err != nil {
		return nil, err
	}
	return &Environment{
		library: e.library, variables: append(slices.Clip(e.variables), v),
		checker: func() (*checker.Env, error) { return c, nil },
	}, nil
}

// Variables returns the variables in the order they were added.
func (e *Environment) Variables() []*decls.VariableDecl { return e.variables }

// Functions returns the names of all functions, operators included, in their order.
func (e *Environment) Functions() []string { return e.library.names() }

// Function returns the declaration of a function, and whether there is one.
func (e *Environment) Function(name string) (*decls.FunctionDecl, bool) {
	e.library.mu.Lock()
	defer e.library.mu.Unlock()
	f, err := e.library.declaration(name)
	return f, err == nil && f != nil
}

// Parse parses an expression with its macros expanded.
func (e *Environment) Parse(text string) (*ast.AST, []*common.Error) {
	parsed, _, errs := e.parse(text)
	return parsed, errs
}

func (e *Environment) parse(text string) (*ast.AST, common.Source, []*common.Error) {
	source, err := common.NewTextSourceWithLimit(text, MaxExpressionSize)
	if err != nil {
		return nil, nil, []*common.Error{common.NewError(0, err.Error(), common.NoLocation)}
	}
	p, err := e.library.parser()
	if err != nil {
		return nil, nil, []*common.Error{common.NewError(0, err.Error(), common.NoLocation)}
	}
	parsed, found := p.Parse(source)
	if errs := found.GetErrors(); len(errs) > 0 {
		return nil, nil, errs
	}
	return parsed, source, nil
}

// Compile parses and type-checks an expression. The expression is nil when there are errors.
func (e *Environment) Compile(text string) (*ast.AST, []*common.Error) {
	parsed, source, errs := e.parse(text)
	if len(errs) > 0 {
		return nil, errs
	}
	c, err := e.checker()
	if err != nil {
		return nil, []*common.Error{common.NewError(0, err.Error(), common.NoLocation)}
	}
	checked, found := checker.Check(parsed, source, c)
	if len(found.GetErrors()) == 0 {
		checkFormats(checked, found)
	}
	if errs := found.GetErrors(); len(errs) > 0 {
		return nil, errs
	}
	return checked, nil
}

// macros are those of the language and of its extension for lists.
func macros() []parser.Macro {
	return []parser.Macro{
		parser.HasMacro, parser.AllMacro, parser.ExistsMacro, parser.ExistsOneMacro,
		parser.MapMacro, parser.MapFilterMacro, parser.FilterMacro, sortBy(),
	}
}

// newParser returns a parser that remembers macros as they were written, so that a
// trace can show exists() as such.
func newParser() (*parser.Parser, error) {
	return parser.NewParser(parser.Macros(macros()...), parser.PopulateMacroCalls(true), parser.ExpressionSizeCodePointLimit(MaxExpressionSize))
}
