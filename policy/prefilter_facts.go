package policy

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/schema"
)

// subjects are the values that conditions are about: those that the CEL fields of the
// same name have, of all objects of the call together, or more.
var subjects = map[string]func(in *schema.Input) []string{
	"event":           one(func(in *schema.Input) string { return in.Event }),
	"tool":            one(func(in *schema.Input) string { return in.Tool }),
	"path":            one(func(in *schema.Input) string { return in.Path }),
	"extension":       one(func(in *schema.Input) string { return in.Extension }),
	"content":         one((*schema.Input).Content),
	"command":         one(func(in *schema.Input) string { return in.Effects().Command }),
	"compound":        one(func(in *schema.Input) string { return fmt.Sprint(in.Effects().Compound) }),
	"parsed":          one(func(in *schema.Input) string { return fmt.Sprint(in.Effects().Parsed) }),
	"permission_mode": one(func(in *schema.Input) string { return in.PermissionMode }),
	"agent_type":      one(func(in *schema.Input) string { return in.AgentType }),

	// "" stands for an object that is there, whatever is in it.
	objectSubject + "command": each(commandsOf, func(*schema.Command) string { return "" }),
	objectSubject + "script":  each(scriptsOf, func(*schema.Script) string { return "" }),
	objectSubject + "read":    each(readsOf, func(*schema.Target) string { return "" }),
	objectSubject + "write":   each(writesOf, func(*schema.Target) string { return "" }),
	objectSubject + "git":     each(gitOpsOf, func(*schema.GitOp) string { return "" }),

	"command.program":    each(commandsOf, func(c *schema.Command) string { return c.Program }),
	"command.subcommand": each(commandsOf, func(c *schema.Command) string { return c.Subcommand }),
	"command.text":       each(commandsOf, func(c *schema.Command) string { return c.Text }),
	"command.source":     each(commandsOf, func(c *schema.Command) string { return c.Source }),
	"command.piped_from": each(commandsOf, func(c *schema.Command) string { return c.PipedFrom }),
	"command.piped_to":   each(commandsOf, func(c *schema.Command) string { return c.PipedTo }),
	"command.remote":     each(commandsOf, func(c *schema.Command) string { return fmt.Sprint(c.Remote) }),
	"command.function":   each(commandsOf, func(c *schema.Command) string { return fmt.Sprint(c.Function) }),
	"command.args":       eachOf(commandsOf, func(c *schema.Command) []string { return c.Args }),
	"command.operands":   eachOf(commandsOf, func(c *schema.Command) []string { return c.Operands }),
	"command.flags":      eachOf(commandsOf, (*schema.Command).Flags),
	"command.wrappers":   eachOf(commandsOf, func(c *schema.Command) []string { return c.Wrappers }),
	"command.expands":    eachOf(commandsOf, func(c *schema.Command) []string { return c.Expands }),
	"command.redirects":  eachOf(commandsOf, func(c *schema.Command) []string { return c.Redirects }),
	"command.env":        eachOf(commandsOf, func(c *schema.Command) []string { return slices.Collect(maps.Keys(c.Env)) }),
	// What predicates.Runs compares words with, and what has_flag looks at.
	"command.word": eachOf(commandsOf, func(c *schema.Command) []string { return append(slices.Clip(c.Operands), c.Subcommand) }),
	"command.option": eachOf(commandsOf, func(c *schema.Command) []string {
		return append(c.Flags(), c.Args...)
	}),

	"script.language":  each(scriptsOf, func(s *schema.Script) string { return s.Language }),
	"script.content":   each(scriptsOf, func(s *schema.Script) string { return s.Content }),
	"script.extension": each(scriptsOf, func(s *schema.Script) string { return s.Extension }),
	"script.source":    each(scriptsOf, func(s *schema.Script) string { return s.Source }),

	"read.lexical":  each(readsOf, func(t *schema.Target) string { return t.Lexical }),
	"read.raw":      each(readsOf, func(t *schema.Target) string { return t.Raw }),
	"read.op":       each(readsOf, func(t *schema.Target) string { return t.Op }),
	"read.via":      each(readsOf, func(t *schema.Target) string { return t.Via }),
	"write.lexical": each(writesOf, func(t *schema.Target) string { return t.Lexical }),
	"write.raw":     each(writesOf, func(t *schema.Target) string { return t.Raw }),
	"write.op":      each(writesOf, func(t *schema.Target) string { return t.Op }),
	"write.via":     each(writesOf, func(t *schema.Target) string { return t.Via }),

	"git.verb":    each(gitOpsOf, func(g *schema.GitOp) string { return g.Verb }),
	"git.source":  each(gitOpsOf, func(g *schema.GitOp) string { return g.Source }),
	"git.mutates": each(gitOpsOf, func(g *schema.GitOp) string { return fmt.Sprint(g.Mutates) }),
	"git.args":    eachOf(gitOpsOf, func(g *schema.GitOp) []string { return g.Args }),
}

// objectSubject stands in front of the subject that is the objects of a list.
const objectSubject = "a "

func commandsOf(in *schema.Input) []*schema.Command { return in.Effects().Commands }
func scriptsOf(in *schema.Input) []*schema.Script   { return in.Effects().Scripts }
func readsOf(in *schema.Input) []*schema.Target     { return in.Effects().Reads }
func writesOf(in *schema.Input) []*schema.Target    { return in.Effects().Writes }
func gitOpsOf(in *schema.Input) []*schema.GitOp     { return in.Effects().Git }

func one(get func(*schema.Input) string) func(*schema.Input) []string {
	return func(in *schema.Input) []string { return []string{get(in)} }
}

func each[T any](list func(*schema.Input) []*T, get func(*T) string) func(*schema.Input) []string {
	return func(in *schema.Input) []string {
		var all []string
		for _, element := range list(in) {
			all = append(all, get(element))
		}
		return all
	}
}

func eachOf[T any](list func(*schema.Input) []*T, get func(*T) []string) func(*schema.Input) []string {
	return func(in *schema.Input) []string {
		var all []string
		for _, element := range list(in) {
			all = append(all, get(element)...)
		}
		return all
	}
}

// encodeCondition writes the kind and what the kind has, children with their length
// in front so that they can be passed over.
func encodeCondition(w *writer, c condition) {
	w.int(int(c.kind))
	switch c.kind {
	case allHold, anyHolds:
		w.int(len(c.children))
		for _, child := range c.children {
			var inner writer
			encodeCondition(&inner, child)
			w.string(string(inner.bytes))
		}
	case literalHolds:
		w.string(c.subject)
		w.int(int(c.test))
		w.int(len(c.literals))
		for _, l := range c.literals {
			w.string(l)
		}
	}
}

// facts answers conditions about one call. The values of a subject are collected when
// a condition first asks for them.
type facts struct {
	in             *schema.Input
	values, folded map[string][]string
}

func newFacts(in *schema.Input) *facts {
	return &facts{in: in, values: map[string][]string{}, folded: map[string][]string{}}
}

// valuesOf returns the values of a subject, with fold in one letter case.
func (f *facts) valuesOf(subject string, fold bool) (values []string, known bool) {
	values, done := f.values[subject]
	if !done {
		collect, known := subjects[subject]
		if !known {
			return nil, false
		}
		values = collect(f.in)
		f.values[subject] = values
	}
	if !fold {
		return values, true
	}
	lower, done := f.folded[subject]
	if !done {
		lower = folded(values)
		f.folded[subject] = lower
	}
	return lower, true
}

// hold reports whether an encoded condition holds. One that cannot be read does.
func (f *facts) hold(encoded string) bool {
	if encoded == "" {
		return true
	}
	r := reader{rest: encoded}
	switch kind := conditionKind(r.int()); kind {
	case neverHolds:
		return r.err != nil
	case allHold, anyHolds:
		for n := r.count(); n > 0; n-- {
			child := r.string()
			if r.err != nil {
				return true
			}
			if f.hold(child) != (kind == allHold) {
				return kind == anyHolds
			}
		}
		return r.err != nil || kind == allHold
	case literalHolds:
		subject, test, n := r.string(), literalTest(r.int()), r.count()
		values, known := f.valuesOf(subject, test == containsFold)
		if !known || r.err != nil {
			return true
		}
		if test == isAnything {
			return len(values) > 0
		}
		for ; n > 0; n-- {
			l := r.string()
			if r.err != nil || anyFits(values, test, l) {
				return true
			}
		}
		return false
	}
	return true
}

// anyFits reports whether one of the values passes the test with a literal.
func anyFits(values []string, test literalTest, l string) bool {
	for _, value := range values {
		var ok bool
		switch test {
		case equals:
			ok = value == l
		case differs:
			ok = value != l
		case isFlag:
			rest, found := strings.CutPrefix(value, l)
			ok = found && (rest == "" || rest[0] == '=')
		default:
			ok = strings.Contains(value, l)
		}
		if ok {
			return true
		}
	}
	return false
}

// missing says of a condition that does not hold what the call lacks.
func (f *facts) missing(encoded string) string {
	r := &reader{rest: encoded}
	switch kind := conditionKind(r.int()); kind {
	case allHold:
		for n := r.count(); n > 0 && r.err == nil; n-- {
			if child := r.string(); !f.hold(child) {
				return f.missing(child)
			}
		}
	case anyHolds:
		var lacks []string
		for n := r.count(); n > 0 && r.err == nil; n-- {
			if len(lacks) == 3 {
				lacks = append(lacks, "…")
				break
			}
			lacks = append(lacks, f.missing(r.string()))
		}
		return strings.Join(lacks, ", ")
	case literalHolds:
		name, test := r.string(), literalTest(r.int())
		if test == isAnything {
			return "no " + strings.TrimPrefix(name, objectSubject)
		}
		var quoted []string
		for n := r.count(); n > 0 && r.err == nil; n-- {
			if len(quoted) == 4 {
				quoted = append(quoted, "…")
				break
			}
			quoted = append(quoted, fmt.Sprintf("%q", r.string()))
		}
		verb := "is"
		if test == differs {
			verb = "is other than"
		}
		if test == contains || test == containsFold {
			verb = "contains"
		}
		return "no " + strings.ReplaceAll(name, ".", " ") + " " + verb + " " + strings.Join(quoted, " or ")
	}
	return "it is never true"
}
