package cel

import (
	"fmt"
	"slices"
	"sync"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/decls"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
	"github.com/google/cel-go/parser"
)

// Function is a function that expressions can call.
type Function struct {
	Name, Doc string
	Overloads []Overload
	// Dynamic leaves it to the bindings to look at the types of the arguments: what is
	// a list(T) to the checker may be any list when it runs.
	Dynamic bool
	// Bind is for all overloads, of which none then has one of its own: it is called
	// when the first argument is a list.
	Bind func(args ...ref.Val) ref.Val
}

// Overload is one way to call a function.
type Overload struct {
	// ID is the name of the overload in checked expressions: "string_trim".
	ID string
	// Member says that the first parameter is the receiver.
	Member     bool
	Parameters []*types.Type
	Result     *types.Type
	// Bind is called with values of the types of the parameters, unless the function
	// is dynamic: errors and unknown values never reach it, nor what a dyn turned out
	// to be. The elements of lists are not looked at.
	Bind func(args ...ref.Val) ref.Val
}

// declaration returns the function as cel-go declares one.
func (f Function) declaration() (*decls.FunctionDecl, error) {
	options := []decls.FunctionOpt{decls.FunctionDocs(f.Doc), decls.DisableTypeGuards(f.Dynamic)}
	for _, o := range f.Overloads {
		declare := decls.Overload
		if o.Member {
			declare = decls.MemberOverload
		}
		var bind []decls.OverloadOpt
		if o.Bind != nil {
			bind = append(bind, decls.FunctionBinding(o.Bind))
		}
		options = append(options, declare(o.ID, o.Parameters, o.Result, bind...))
	}
	if f.Bind != nil {
		options = append(options, decls.SingletonFunctionBinding(f.Bind, listTrait))
	}
	return decls.NewFunction(f.Name, options...)
}

// library is what an environment shares with those that are made from it. Planning
// asks for the functions of one expression, checking for all.
type library struct {
	types     types.Provider
	registry  *types.Registry // adapts Go values
	parser    func() (*parser.Parser, error)
	functions map[string]func() (*decls.FunctionDecl, error)

	mu         sync.Mutex // held while an expression is planned
	dispatcher interpreter.Dispatcher
	bound      map[string]bool // the functions that the dispatcher has
}

func newLibrary(provider types.Provider, functions []Function) (*library, error) {
	registry, err := types.NewRegistry()
	if err != nil {
		return nil, err
	}
	l := &library{
		types: provider, registry: registry,
		parser:     sync.OnceValues(newParser),
		functions:  map[string]func() (*decls.FunctionDecl, error){},
		dispatcher: interpreter.NewDispatcher(),
		bound:      map[string]bool{},
	}
	for _, s := range standardFunctions() {
		l.functions[s.name] = sync.OnceValues(s.declaration)
	}
	for _, f := range slices.Concat(stringFunctions(), listFunctions(), setFunctions(), functions) {
		if _, again := l.functions[f.Name]; again {
			return nil, fmt.Errorf("the function %s is declared twice", f.Name)
		}
		l.functions[f.Name] = sync.OnceValues(f.declaration)
	}
	return l, nil
}

// bind gives the dispatcher the functions that an expression calls. The caller holds mu.
func (l *library) bind(x ast.Expr) error {
	var failure error
	ast.PreOrderVisit(x, ast.NewExprVisitor(func(x ast.Expr) {
		if x.Kind() == ast.CallKind && failure == nil {
			failure = l.bindFunction(x.AsCall().FunctionName())
		}
	}))
	return failure
}

func (l *library) bindFunction(name string) error {
	declare, known := l.functions[name]
	if !known || l.bound[name] {
		return nil // the planner says what it does not know
	}
	l.bound[name] = true
	f, err := declare()
	if err != nil {
		return err
	}
	bindings, err := f.Bindings()
	if err != nil {
		return err
	}
	return l.dispatcher.Add(bindings...)
}
