package policy

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/claudewatch/claudewatch/internal/cel"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
)

// EvaluateOptions are what Evaluate is told besides the call.
type EvaluateOptions struct {
	// Trace fills in Outcome.Trace. The verdict is the same either way.
	Trace bool
	// Unfiltered evaluates the rules that cannot match as well. The verdict is the same
	// either way, which is what tests want to see.
	Unfiltered bool
	// Set is the name of the set whose rules alone are evaluated, all sets when "".
	Set string
}

// EvaluationError is an error of an expression at run time, with its place in the
// rule file.
type EvaluationError struct {
	Path string
	Position
	Message string
}

// Error returns "path:line:column: message".
func (e *EvaluationError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Column, e.Message)
}

// Evaluate judges one call by the rules on its event: all block rules of all sets,
// then all ask rules. A rule whose evaluation fails counts as matched, with the error
// in its Match.
func (p *Policy) Evaluate(in *schema.Input, o EvaluateOptions) *Outcome {
	event, judged := eventOf(in.Event)
	outcome := &Outcome{Faults: p.faults, Over: !judged || event != PreToolUse}
	if !judged {
		return outcome
	}
	e := &evaluation{options: o, outcome: outcome, facts: newFacts(in), input: schema.InputValue(in), deadline: time.Now().Add(callLimit)}
	defer e.end()
	candidates := e.candidates(p.Sets, event)
	activations := map[*Set]*activation{}
	for _, action := range []Action{Block, Ask} {
		for _, c := range candidates {
			if c.Action != action {
				continue
			}
			if activations[c.set] == nil {
				activations[c.set] = &activation{input: e.input, set: c.set, call: e.context()}
			}
			e.rule(c, activations[c.set])
		}
	}
	if len(outcome.Asks) > 0 || o.Trace {
		outcome.Compound = in.Effects().Compound
	}
	return outcome
}

// evaluation is the state of one Evaluate.
type evaluation struct {
	options  EvaluateOptions
	outcome  *Outcome
	facts    *facts
	input    ref.Val
	deadline time.Time

	call context.Context // nil until a rule is evaluated: most calls have none
	done context.CancelFunc
}

// candidates returns the rules on an event that can match, in their order; all of them
// for a trace.
func (e *evaluation) candidates(sets []*Set, event Event) []*CompiledRule {
	var all []*CompiledRule
	for _, set := range sets {
		if !set.Enabled || e.options.Set != "" && e.options.Set != set.Name {
			continue
		}
		for i, h := range set.unit.heads {
			if h.on == event && h.checks && set.action(i, h) != Off && (e.options.Trace || e.options.Unfiltered || e.facts.hold(h.needs)) {
				all = append(all, set.rule(i, h))
			}
		}
	}
	return all
}

// context returns the context that bounds the evaluation of all rules.
func (e *evaluation) context() context.Context {
	if e.call == nil {
		e.call, e.done = context.WithDeadlineCause(context.Background(), e.deadline, errCallLimit)
	}
	return e.call
}

func (e *evaluation) end() {
	if e.done != nil {
		e.done()
	}
}

// rule judges by one rule and adds to the outcome.
func (e *evaluation) rule(r *CompiledRule, a *activation) {
	var done context.CancelFunc
	a.within, done = context.WithTimeoutCause(a.call, ruleLimit, errRuleLimit)
	defer done()
	matched, state, err := r.matches(a, e.options.Trace)
	if e.options.Trace {
		t := r.trace(matched, state, err)
		if !e.facts.hold(r.needs) {
			t.Skipped = e.facts.missing(r.needs)
		}
		e.outcome.Trace = append(e.outcome.Trace, t)
	}
	if !matched {
		return
	}
	m := Match{
		Set: r.set.Name, Rule: r.Name, Action: r.Action, Reason: r.Reason, Suggest: r.Suggest, Ref: r.Ref,
		Path: r.set.Path, Position: r.Position, Err: err,
	}
	if r.CheckedMessage != nil {
		text, messageErr := r.text(a)
		if messageErr == nil {
			m.Reason = text
		} else if m.Err == nil {
			m.Err = fmt.Errorf("the rule's message could not be computed: %w", messageErr)
		}
	}
	if m.Reason == "" {
		m.Reason = "the rule '" + r.Name + "' matches"
	}
	if r.Action == Block {
		e.outcome.Blocks = append(e.outcome.Blocks, m)
	} else {
		e.outcome.Asks = append(e.outcome.Asks, m)
	}
}

// matches evaluates the rule's expression. An error is a match: a guard that
// cannot tell must not let the call through.
func (r *CompiledRule) matches(a *activation, trace bool) (bool, interpreter.EvalState, error) {
	plan, checked := &r.plain, r.Checked
	if trace {
		plan = &r.traced
		if compiled := checked.compiled(); compiled != nil {
			checked = compiled // a trace shows the text
		}
	}
	value, state, err := a.evaluate(plan, checked, trace)
	if err != nil {
		return true, state, err
	}
	matched, ok := value.(types.Bool)
	if !ok {
		return true, state, &EvaluationError{r.set.Path, r.Position, "the rule's condition is not a bool but of type " + value.Type().TypeName()}
	}
	return bool(matched), state, nil
}

// text evaluates the rule's message.
func (r *CompiledRule) text(a *activation) (string, error) {
	value, _, err := a.evaluate(&r.message, r.CheckedMessage, false)
	if err != nil {
		return "", err
	}
	text, ok := value.(types.String)
	if !ok || strings.TrimSpace(string(text)) == "" {
		return "", errors.New("it is empty")
	}
	return string(text), nil
}

// programs returns the environment that plans the set's expressions. A set of an
// image has none of its own: what its variables are called matters to the checker
// alone.
func (s *Set) programs() (*cel.Environment, error) {
	if s.unit.environment != nil {
		return s.unit.environment.env, nil
	}
	return baseEnvironment()
}

// variable is a variable of a set with its program.
type variable struct {
	checked *Checked
	planned planned
}

func newVariables(e *Environment) map[string]*variable {
	if e == nil || len(e.Variables) == 0 {
		return nil
	}
	variables := make(map[string]*variable, len(e.Variables))
	for _, v := range e.Variables {
		variables[variablesPrefix+v.Name] = &variable{checked: v.Checked}
	}
	return variables
}

// activation holds what the expressions of one set can name during one call. A
// variable is evaluated at its first use, and its value or error kept. It is used
// by one goroutine.
type activation struct {
	input  ref.Val
	set    *Set
	values map[string]ref.Val
	// call bounds the evaluation of all rules, within that of the current rule; an
	// expression without either has the time of one rule.
	call, within context.Context
}

var _ interpreter.Activation = (*activation)(nil)

// ResolveName implements interpreter.Activation.
func (a *activation) ResolveName(name string) (any, bool) {
	if name == "input" {
		return a.input, true
	}
	v := a.set.unit.variable(name)
	if v == nil {
		return nil, false
	}
	if value, done := a.values[name]; done {
		return value, true
	}
	value, _, err := a.evaluate(&v.planned, v.checked, false)
	if err == nil && sizeOf(value) > maxVariableSize {
		err = v.checked.locate(a.set.Path, errVariableSize)
	}
	if err != nil {
		value = types.WrapErr(err)
	}
	if a.values == nil {
		a.values = map[string]ref.Val{}
	}
	a.values[name] = value
	return value, true
}

// Parent implements interpreter.Activation.
func (a *activation) Parent() interpreter.Activation { return nil }

// evaluate runs a program. Errors are of type *EvaluationError.
func (a *activation) evaluate(p *planned, checked *Checked, trace bool) (ref.Val, interpreter.EvalState, error) {
	environment, err := a.set.programs()
	if err != nil {
		return nil, nil, checked.locate(a.set.Path, err)
	}
	program, err := p.get(environment, checked, trace)
	if err != nil {
		return nil, nil, checked.locate(a.set.Path, err)
	}
	within := a.within
	if within == nil {
		var done context.CancelFunc
		within, done = context.WithTimeoutCause(context.Background(), ruleLimit, errRuleLimit)
		defer done()
	}
	value, state, err := program.Evaluate(within, a)
	if err != nil {
		if late := context.Cause(within); late != nil {
			err = late
		}
		return nil, state, checked.locate(a.set.Path, err)
	}
	if types.IsUnknownOrError(value) {
		return nil, state, checked.locate(a.set.Path, fmt.Errorf("no value: %v", value))
	}
	return value, state, nil
}

// locate gives a run-time error its place in the rule file. An error that comes
// from a variable has it already.
func (c *Checked) locate(path string, err error) *EvaluationError {
	var located *EvaluationError
	if errors.As(err, &located) {
		return located
	}
	e := &EvaluationError{Path: path, Message: err.Error()}
	if c.AST == nil {
		if compiled := c.compiled(); compiled != nil {
			return compiled.locate(path, err)
		}
		if c.stored != nil {
			e.Position = c.stored.position
		}
		return e
	}
	part := &c.Lowered.Parts[0]
	var value *types.Err
	if errors.As(err, &value) && value.NodeID() != 0 {
		if at, offset := c.place(value.NodeID()); at != nil {
			part = at
			if at.Verbatim {
				e.Position = at.Scalar.At(afterDot([]rune(at.Scalar.Text), offset))
			}
		}
	}
	if e.IsZero() && part.Scalar != nil {
		e.Position = part.Scalar.Position
	}
	return e
}
