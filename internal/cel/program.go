package cel

import (
	"context"
	"errors"
	"fmt"

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

// Plan makes a program of a checked expression. Constants are folded and the loops
// can be interrupted; options add to that.
func (e *Environment) Plan(checked *ast.AST, options ...interpreter.PlannerOption) (*Program, error) {
	l := e.library
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.bind(checked.Expr()); err != nil {
		return nil, err
	}
	attributes := interpreter.NewAttributeFactory(containers.DefaultContainer, l.registry, l.types)
	planner := interpreter.NewInterpreter(l.dispatcher, containers.DefaultContainer, l.types, l.registry, attributes)
	plan, err := planner.NewInterpretable(checked, append([]interpreter.PlannerOption{interpreter.InterruptableEval(), interpreter.Optimize()}, options...)...)
	if err != nil {
		return nil, err
	}
	return &Program{plan}, nil
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
