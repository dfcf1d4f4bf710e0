package cel

import (
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

// library is what an environment shares with those that are made from it. Functions
// are declared when they are first asked for: planning asks for those of one
// expression, checking for all.
type library struct {
	types     types.Provider
	registry  *types.Registry // adapts Go values
	parser    func() (*parser.Parser, error)
	standard  []standard
	functions []Function

	mu         sync.Mutex // of what follows; held while an expression is planned
	declared   map[string]*decls.FunctionDecl
	dispatcher interpreter.Dispatcher
	bound      map[string]bool // the functions that the dispatcher has
}

func newLibrary(provider types.Provider, functions []Function) (*library, error) {
	registry, err := types.NewRegistry()
	if err != nil {
		return nil, err
	}
	return &library{
		types: provider, registry: registry,
		parser:     sync.OnceValues(newParser),
		standard:   standardFunctions(),
		functions:  slices.Concat(stringFunctions(), listFunctions(), setFunctions(), functions),
		declared:   map[string]*decls.FunctionDecl{},
		dispatcher: interpreter.NewDispatcher(),
		bound:      map[string]bool{},
	}, nil
}

// names returns the names of all functions, in their order.
func (l *library) names() []string {
	var names []string
	for _, s := range l.standard {
		names = append(names, s.name)
	}
	for _, f := range l.functions {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	return names
}

// declaration returns the declaration of a function, nil for one that there is not.
// The caller holds mu.
func (l *library) declaration(name string) (*decls.FunctionDecl, error) {
	if f, ok := l.declared[name]; ok {
		return f, nil
	}
	f, err := l.declare(name)
	if err == nil {
		l.declared[name] = f
	}
	return f, err
}

func (l *library) declare(name string) (*decls.FunctionDecl, error) {
	for i := range l.standard {
		if l.standard[i].name == name {
			return l.standard[i].declaration()
		}
	}
	for i := range l.functions {
		if l.functions[i].Name == name {
			return l.functions[i].declaration()
		}
	}
	return nil, nil
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
	if l.bound[name] {
		return nil
	}
	l.bound[name] = true
	f, err := l.declaration(name)
	if err != nil || f == nil {
		return err // the planner says what it does not know
	}
	bindings, err := f.Bindings()
	if err != nil {
		return err
	}
	return l.dispatcher.Add(bindings...)
}
