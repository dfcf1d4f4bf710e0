package cel

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/containers"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
)

// interruptFrequency is how many steps of a loop pass between looks at the clock.
const interruptFrequency = 256

// Program is an expression that can be evaluated. It may be used by many goroutines.
type Program struct {
	plan interpreter.InterpretableV2
}

// Expression is a checked expression in the form that is planned.
type Expression struct {
	Tree *ast.AST
	// Part returns the parts of the expression for which NewPart nodes stand in Tree; nil
	// when there are none.
	Part func(number int) (Expression, error)
}

// partFunction is what a node for a part calls. Nobody can write its name.
const partFunction = "@part"

// NewPart returns a node for a part of an expression that has an id of its own and is
// planned when it is first evaluated: a branch that is seldom taken, the step of a
// loop over what is often empty.
func NewPart(factory ast.ExprFactory, id int64, number int) ast.Expr {
	return factory.NewCall(id, partFunction, factory.NewLiteral(0, types.Int(number)))
}

// Plan makes a program of a checked expression. Constants are folded and the loops
// can be interrupted; options add to that.
func (e *Environment) Plan(x Expression, options ...interpreter.PlannerOption) (*Program, error) {
	plan, err := e.plan(x, append([]interpreter.PlannerOption{interpreter.InterruptableEval(), interpreter.Optimize()}, options...))
	if err != nil {
		return nil, err
	}
	return &Program{plan}, nil
}

func (e *Environment) plan(x Expression, options []interpreter.PlannerOption) (interpreter.InterpretableV2, error) {
	l := e.library
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.bind(x.Tree.Expr()); err != nil {
		return nil, err
	}
	attributes := interpreter.NewAttributeFactory(containers.DefaultContainer, l.registry, l.types)
	planner := interpreter.NewInterpreter(l.dispatcher, containers.DefaultContainer, l.types, l.registry, attributes)
	if x.Part == nil {
		return planner.NewInterpretable(x.Tree, options...)
	}
	return planner.NewInterpretable(x.Tree, append(slices.Clip(options), interpreter.CustomDecoratorV2(func(i interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
		call, ok := i.(interpreter.InterpretableCall)
		if !ok || call.Function() != partFunction {
			return i, nil
		}
		number, err := partNumber(call)
		if err != nil {
			return nil, err
		}
		return &part{id: i.ID(), plan: sync.OnceValues(func() (interpreter.InterpretableV2, error) {
			x, err := x.Part(number)
			if err != nil {
				return nil, err
			}
			return e.plan(x, options)
		})}, nil
	}))...)
}

func partNumber(call interpreter.InterpretableCall) (int, error) {
	if args := call.Args(); len(args) == 1 {
		if constant, ok := args[0].(interpreter.InterpretableConst); ok {
			if number, ok := constant.Value().(types.Int); ok {
				return int(number), nil
			}
		}
	}
	return 0, errors.New("a part of the expression has no number")
}

// part is a part of a program.
type part struct {
	id   int64
	plan func() (interpreter.InterpretableV2, error)
}

var _ interpreter.InterpretableV2 = (*part)(nil)

// ID implements interpreter.Interpretable.
func (p *part) ID() int64 { return p.id }

// Exec implements interpreter.InterpretableV2.
func (p *part) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	plan, err := p.plan()
	if err != nil {
		return types.WrapErr(err)
	}
	return plan.Exec(frame)
}

// Eval implements interpreter.Interpretable.
func (p *part) Eval(variables interpreter.Activation) ref.Val {
	return p.Exec(interpreter.AsFrame(variables))
}

// Evaluate evaluates the program until ctx is done. The state holds the values of the
// sub-expressions of a program that was planned to observe them, else it is nil. The
// error is that of the expression, or says that its time is up, with the cause that
// ctx has for it, or that cel-go has panicked.
func (p *Program) Evaluate(ctx context.Context, variables interpreter.Activation) (value ref.Val, state interpreter.EvalState, err error) {
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case interpreter.EvalCancelledError:
			err = fault
		default:
			err = fmt.Errorf("internal error: %v", fault)
		}
		if errors.Is(err, interpreter.InterruptError{}) {
			err = fmt.Errorf("%w: %w", err, context.Cause(ctx))
		}
	}()
	frame, err := interpreter.NewExecutionFrame(variables)
	if err != nil {
		return nil, nil, err
	}
	defer frame.Close()
	if err := frame.SetContext(ctx, interruptFrequency); err != nil {
		return nil, nil, err
	}
	if observed, ok := p.plan.(*interpreter.ObservableInterpretable); ok {
		value = observed.ObserveExec(frame, func(seen any) { state, _ = seen.(interpreter.EvalState) })
	} else {
		value = p.plan.Exec(frame)
	}
	if failure, ok := value.(*types.Err); ok {
		return value, state, failure
	}
	return value, state, nil
}
