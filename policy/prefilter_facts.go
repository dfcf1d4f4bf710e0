package policy

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/claudewatch/claudewatch/schema"
)

// objectSubject stands in front of the subject that is the objects of a list: a value
// "" for each.
const objectSubject = "a "

// collect returns the values of a subject, which conditions are about: those that the
// CEL fields of the same name have, of all objects of the call together, or more. It
// is no table of functions, because the hook would make that at every start.
func collect(in *schema.Input, subject string) (values []string, known bool) {
	object, field, ofObject := strings.Cut(subject, ".")
	if !ofObject {
		object, isObject := strings.CutPrefix(subject, objectSubject)
		if !isObject {
			return inputValues(in, subject)
		}
		return objectValues(in, object, "")
	}
	return objectValues(in, object, field)
}

// subjects are all that collect knows. An image has their numbers, so that whatever
// changes one makes another format of it.
var subjects = [...]string{
	"event", "tool", "path", "extension", "content", "command", "compound", "parsed", "permission_mode", "agent_type",
	"a command", "a script", "a read", "a write", "a git", "a change",
	"command.program", "command.subcommand", "command.text", "command.source", "command.piped_from", "command.piped_to",
	"command.remote", "command.function", "command.args", "command.operands", "command.flags", "command.wrappers",
	"command.expands", "command.redirects", "command.env", "command.word", "command.option",
	"script.language", "script.content", "script.extension", "script.source",
	"read.lexical", "read.raw", "read.op", "read.via",
	"write.lexical", "write.raw", "write.op", "write.via",
	"git.verb", "git.source", "git.mutates", "git.args",
	"change.path", "change.operation", "change.attribution",
}

func isSubject(name string) bool { return slices.Contains(subjects[:], name) }

// inputValues returns the value of a field of the input.
func inputValues(in *schema.Input, field string) (values []string, known bool) {
	value := ""
	switch field {
	case "event":
		value = in.Event
	case "tool":
		value = in.Tool
	case "path":
		value = in.Path
	case "extension":
		value = in.Extension
	case "content":
		value = in.Content()
	case "command":
		value = in.Effects().Command
	case "compound":
		value = strconv.FormatBool(in.Effects().Compound)
	case "parsed":
		value = strconv.FormatBool(in.Effects().Parsed)
	case "permission_mode":
		value = in.PermissionMode
	case "agent_type":
		value = in.AgentType
	default:
		return nil, false
	}
	return []string{value}, true
}

// objectValues returns the values of a field of all objects of a kind, or with the
// field "" as many empty texts as there are.
func objectValues(in *schema.Input, object, field string) (values []string, known bool) {
	if object == "change" { // the effects, which cost work, tell nothing of them
		return valuesOfAll(in.Changes, field, changeValues)
	}
	effects := in.Effects()
	switch object {
	case "command":
		return valuesOfAll(effects.Commands, field, commandValues)
	case "script":
		return valuesOfAll(effects.Scripts, field, scriptValues)
	case "read":
		return valuesOfAll(effects.Reads, field, targetValues)
	case "write":
		return valuesOfAll(effects.Writes, field, targetValues)
	case "git":
		return valuesOfAll(effects.Git, field, gitValues)
	}
	return nil, false
}

func valuesOfAll[T any](objects []*T, field string, valuesOf func(all []string, object *T, field string) ([]string, bool)) (all []string, known bool) {
	if field == "" {
		return make([]string, len(objects)), true
	}
	if _, known := valuesOf(nil, new(T), field); !known {
		return nil, false
	}
	for _, o := range objects {
		all, _ = valuesOf(all, o, field)
	}
	return all, true
}

// commandValues appends the values of a field of a command. "word" and "option" are no
// fields: they are what runs() compares words with, and what has_flag() looks at.
func commandValues(all []string, c *schema.Command, field string) ([]string, bool) {
	switch field {
	case "program":
		return append(all, c.Program), true
	case "subcommand":
		return append(all, c.Subcommand), true
	case "text":
		return append(all, c.Text), true
	case "source":
		return append(all, c.Source), true
	case "piped_from":
		return append(all, c.PipedFrom), true
	case "piped_to":
		return append(all, c.PipedTo), true
	case "remote":
		return append(all, strconv.FormatBool(c.Remote)), true
	case "function":
		return append(all, strconv.FormatBool(c.Function)), true
	case "args":
		return append(all, c.Args...), true
	case "operands":
		return append(all, c.Operands...), true
	case "flags":
		return append(all, c.Flags()...), true
	case "wrappers":
		return append(all, c.Wrappers...), true
	case "expands":
		return append(all, c.Expands...), true
	case "redirects":
		return append(all, c.Redirects...), true
	case "env":
		return slices.AppendSeq(all, maps.Keys(c.Env)), true
	case "word":
		return append(append(all, c.Operands...), c.Subcommand), true
	case "option":
		return append(append(all, c.Flags()...), c.Args...), true
	}
	return all, false
}

func scriptValues(all []string, s *schema.Script, field string) ([]string, bool) {
	switch field {
	case "language":
		return append(all, s.Language), true
	case "content":
		return append(all, s.Content), true
	case "extension":
		return append(all, s.Extension), true
	case "source":
		return append(all, s.Source), true
	}
	return all, false
}

func targetValues(all []string, t *schema.Target, field string) ([]string, bool) {
	switch field {
	case "lexical":
		return append(all, t.Lexical), true
	case "raw":
		return append(all, t.Raw), true
	case "op":
		return append(all, t.Op), true
	case "via":
		return append(all, t.Via), true
	}
	return all, false // a path follows links, a repository reads files
}

func changeValues(all []string, c *schema.Change, field string) ([]string, bool) {
	switch field {
	case "path":
		return append(all, c.Path), true
	case "operation":
		return append(all, c.Operation), true
	case "attribution":
		return append(all, c.Attribution), true
	}
	return all, false // a repository reads files
}

func gitValues(all []string, g *schema.GitOp, field string) ([]string, bool) {
	switch field {
	case "verb":
		return append(all, g.Verb), true
	case "source":
		return append(all, g.Source), true
	case "mutates":
		return append(all, strconv.FormatBool(g.Mutates)), true
	case "args":
		return append(all, g.Args...), true
	}
	return all, false
}

// facts answers conditions about one call. The values of a subject are collected when
// a condition first asks for them.
type facts struct {
	in *schema.Input
	of [len(subjects)]subjectValues
}

// subjectValues are the values of a subject, and the same in one letter case.
type subjectValues struct {
	collected, isFolded bool
	values, folded      []string
}

func newFacts(in *schema.Input) *facts { return &facts{in: in} }

// valuesOf returns the values of the subject with a number, with fold in one letter case.
func (f *facts) valuesOf(number int, fold bool) (values []string, known bool) {
	if number >= len(f.of) {
		return nil, false
	}
	of := &f.of[number]
	if !of.collected {
		of.values, _ = collect(f.in, subjects[number])
		of.collected = true
	}
	if !fold {
		return of.values, true
	}
	if !of.isFolded {
		of.folded, of.isFolded = folded(of.values), true
	}
	return of.folded, true
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
		number, test, n := r.int(), literalTest(r.int()), r.count()
		values, known := f.valuesOf(number, test == containsFold)
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
		number, test := r.int(), literalTest(r.int())
		if number >= len(subjects) {
			break
		}
		name := subjects[number]
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
