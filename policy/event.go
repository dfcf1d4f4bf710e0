package policy

import (
	"fmt"

	"github.com/claudewatch/claudewatch/internal/suggest"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/ast"
)

// codeEvent is the code of findings about the event that a rule judges.
const codeEvent = "event"

// Event is the moment at which a rule judges a call.
type Event int

const (
	// PreToolUse is before the call, which can be stopped.
	PreToolUse Event = iota
	// PostToolUse is after the call, whether it returned or failed. Nothing can be
	// stopped: what the rules say goes to the model.
	PostToolUse
)

// events are all events that a rule can judge.
var events = [...]Event{PreToolUse, PostToolUse}

// String returns the event as rule files and Claude Code spell it.
func (e Event) String() string { return [...]string{"PreToolUse", "PostToolUse"}[e] }

// eventOf returns which rules judge a call, by the name of the hook event; judged is
// false for events that no rule is about. A call that names none has not happened yet.
func eventOf(name string) (event Event, judged bool) {
	switch name {
	case "", "PreToolUse":
		return PreToolUse, true
	case "PostToolUse", "PostToolUseFailure":
		return PostToolUse, true
	}
	return PreToolUse, false
}

// on reads which event a rule judges. Nobody knows what a rule on another one would
// have said, so that is a fault.
func (l *loader) on(r *Rule, e entry) {
	name, ok := l.text(e, Fault)
	if !ok {
		return
	}
	var names []string
	for _, event := range events {
		if name == event.String() {
			r.On = event
			return
		}
		names = append(names, event.String())
	}
	l.reportNode(Fault, codeEvent, e.value, fmt.Sprintf(
		"unknown event '%s'%s: a rule is on PreToolUse, before the call, or on PostToolUse, after it, whether the call failed or not",
		name, suggest.Hint(name, names)))
}

// checkEvent finds what a rule looks at that it never sees: before a call there are no
// changes.
func (e *Environment) checkEvent(r *Rule, expressions ...*Checked) []Diagnostic {
	if r.On != PreToolUse {
		return nil
	}
	var found []Diagnostic
	for _, c := range expressions {
		if c == nil {
			continue
		}
		for _, x := range e.lookingAtChanges(c) {
			message := "'input.changes' is always empty before a call: add 'on: PostToolUse' to the rule, or ask for 'input.writes'"
			if x.Kind() == ast.IdentKind {
				message = fmt.Sprintf("'%s' looks at 'input.changes', which is always empty before a call: add 'on: PostToolUse' to the rule", x.AsIdent())
			}
			found = append(found, c.finding(Error, codeEvent, x, message)...)
		}
	}
	return found
}

// lookingAtChanges returns where an expression reads input.changes: the field, or a
// variable of the set that does.
func (e *Environment) lookingAtChanges(c *Checked) []ast.Expr {
	tree := c.AST
	var found []ast.Expr
	ast.PreOrderVisit(tree.Expr(), ast.NewExprVisitor(func(x ast.Expr) {
		if c.isField(x, schema.InputType, "changes") {
			found = append(found, x)
		} else if reference := tree.ReferenceMap()[x.ID()]; reference != nil {
			if name, ok := variableName(reference.Name); ok && e.changes[name] {
				found = append(found, x)
			}
		}
	}))
	return found
}
