package policy

import (
	"fmt"
	"strings"

	"github.com/claudewatch/claudewatch/internal/suggest"
	"github.com/claudewatch/claudewatch/predicates"
)

const (
	codeCEL       = "cel"
	codePredicate = "predicate"
)

// PartKind says what a part of a lowered rule is.
type PartKind string

// The kinds of parts, in the order in which they stand.
const (
	PartGuard       PartKind = "guard"
	PartFilter      PartKind = "filter"
	PartExtension   PartKind = "extension"
	PartPattern     PartKind = "pattern"
	PartWhen        PartKind = "when"
	PartExcept      PartKind = "except"
	PartUnlessRegex PartKind = "unless_regex"
	PartUnless      PartKind = "unless"
)

// Part is a stretch of a lowered rule's text that comes from one place of the file.
// What lies between parts is glue: operators and parentheses.
type Part struct {
	Kind PartKind
	// Start and End are the stretch, in runes of Lowered.Text.
	Start, End int
	// Scalar is the value the part comes from; nil for a guard or extension.
	Scalar *Scalar
	// Verbatim is set when the stretch is the scalar's text as it is, so that
	// offset Start+i of the one is offset i of the other.
	Verbatim bool
}

// Lowered is one rule as the text of one CEL expression of type bool.
type Lowered struct {
	Text  string
	Parts []Part
}

// PartAt returns the part an offset in runes lies in, nil for glue.
func (l *Lowered) PartAt(offset int) *Part {
	for i := range l.Parts {
		if p := &l.Parts[i]; offset >= p.Start && offset < p.End {
			return p
		}
	}
	return nil
}

// lowering lowers the rules of one set; what they share is prepared once.
type lowering struct {
	set          *RuleSet
	filter       *Regex
	filterFaulty bool
	// diagnostics are those of the set, not of one of its rules.
	diagnostics []Diagnostic
}

func newLowering(set *RuleSet) *lowering {
	l := &lowering{set: set}
	if set.Filter != nil {
		l.filter, l.diagnostics = ParseRegex(set.Filter, false)
		l.filterFaulty = hasFault(l.diagnostics)
	}
	return l
}

// rule returns the CEL expression of a rule. It is nil when a fault stands in the
// way; the diagnostics name it.
func (l *lowering) rule(r *Rule) (*Lowered, []Diagnostic) {
	if r.faulty || l.filterFaulty && r.Target == TargetBash {
		return nil, nil
	}
	b := &lowered{set: l.set, rule: r}
	switch r.Target {
	case TargetBash:
		b.conjunct(func() { b.part(PartGuard, nil, `input.tool in ["Bash", "Monitor"]`) })
		if l.filter != nil {
			b.conjunct(func() { b.matches(PartFilter, l.filter, "input.command") })
		}
		if r.Pattern != nil {
			b.conjunct(func() { b.regex(PartPattern, r.Pattern, "input.command") })
		}
		b.condition()
		b.exemptions("input.command")
	case TargetFileContent:
		b.conjunct(b.scripts)
		b.condition()
		b.exemptions("")
	default:
		b.condition()
		b.exemptions("")
	}
	if hasFault(b.diagnostics) {
		return nil, b.diagnostics
	}
	return &Lowered{Text: b.text.String(), Parts: b.parts}, b.diagnostics
}

// lowered collects the text of one rule.
type lowered struct {
	set         *RuleSet
	rule        *Rule
	text        strings.Builder
	runes       int // of text
	parts       []Part
	diagnostics []Diagnostic
	conjuncts   int
}

func (b *lowered) glue(s string) {
	b.text.WriteString(s)
	b.runes += runeCount(s)
}

// part writes a stretch that is CEL of this package's making.
func (b *lowered) part(kind PartKind, from *Scalar, s string) {
	start := b.runes
	b.glue(s)
	b.parts = append(b.parts, Part{Kind: kind, Start: start, End: b.runes, Scalar: from})
}

// conjunct writes one operand of the rule's conjunction, each on a line of its own.
func (b *lowered) conjunct(write func()) {
	if b.conjuncts > 0 {
		b.glue("\n  && ")
	}
	b.conjuncts++
	write()
}

// regex writes the match of a regex of the rule.
func (b *lowered) regex(kind PartKind, s *Scalar, operand string) {
	re, diagnostics := ParseRegex(s, b.rule.Target == TargetFileContent)
	b.diagnostics = append(b.diagnostics, diagnostics...)
	if re != nil {
		b.matches(kind, re, operand)
	}
}

// matches writes that all conjuncts of a regex match.
func (b *lowered) matches(kind PartKind, re *Regex, operand string) {
	calls := make([]string, len(re.Conjuncts))
	for i, conjunct := range re.Conjuncts {
		calls[i] = operand + ".matches(" + celString(conjunct) + ")"
	}
	text := strings.Join(calls, " && ")
	if len(calls) > 1 {
		text = "(" + text + ")"
	}
	b.part(kind, re.Scalar, text)
}

// condition writes the rule's when.
func (b *lowered) condition() {
	if b.rule.When != nil {
		b.conjunct(func() { b.verbatim(PartWhen, b.rule.When) })
	}
}

// verbatim writes a piece of the author's CEL in parentheses.
func (b *lowered) verbatim(kind PartKind, s *Scalar) {
	shape := scanCEL(s.Text)
	if shape.problem != "" {
		b.diagnostics = append(b.diagnostics, s.diagnostic(Fault, codeCEL, shape.offset, 1, "syntax error: "+shape.problem))
	}
	b.glue("(")
	start := b.runes
	b.glue(strings.TrimRight(s.Text, " \n"))
	b.parts = append(b.parts, Part{Kind: kind, Start: start, End: b.runes, Scalar: s, Verbatim: true})
	if shape.comment {
		b.glue("\n") // the comment ends here and not behind the parenthesis
	}
	b.glue(")")
}

// scripts writes the part of a rule about file content that is judged for each
// script by itself.
func (b *lowered) scripts() {
	b.glue("input.scripts.exists(s, ")
	quoted := make([]string, len(b.set.Extensions))
	for i, e := range b.set.Extensions {
		quoted[i] = celString(e)
	}
	b.part(PartExtension, nil, "s.extension in ["+strings.Join(quoted, ", ")+"]")
	if b.rule.Pattern != nil {
		b.glue(" && ")
		b.regex(PartPattern, b.rule.Pattern, "s.content")
	}
	if b.rule.Except != nil || len(b.rule.UnlessRegex) > 0 {
		b.glue(" && !(")
		b.exemptingRegexes("s.content")
		b.glue(")")
	}
	b.glue(")")
}

// exemptingRegexes writes except and unless_regex, joined by ||, and reports
// whether there were any.
func (b *lowered) exemptingRegexes(operand string) bool {
	any := false
	write := func(kind PartKind, s *Scalar) {
		if any {
			b.glue(" || ")
		}
		any = true
		b.regex(kind, s, operand)
	}
	if b.rule.Except != nil {
		write(PartExcept, b.rule.Except)
	}
	for _, s := range b.rule.UnlessRegex {
		write(PartUnlessRegex, s)
	}
	return any
}

// exemptions writes the exemptions of the whole rule. The regexes among them are
// about operand; "" when they are written elsewhere or there is no text for them.
func (b *lowered) exemptions(operand string) {
	r := b.rule
	regexes := operand != "" && (r.Except != nil || len(r.UnlessRegex) > 0)
	if r.Target == TargetEverything && (r.Except != nil || len(r.UnlessRegex) > 0) {
		// A rule about every call has no text of its own: its regexes are about the command.
		regexes, operand = true, "input.command"
	}
	if !regexes && len(r.Unless) == 0 {
		return
	}
	b.conjunct(func() {
		b.glue("!(")
		any := regexes && b.exemptingRegexes(operand)
		for _, e := range r.Unless {
			if any {
				b.glue(" || ")
			}
			any = true
			b.exemption(e)
		}
		b.glue(")")
	})
}

// exemption writes one entry of unless or unless_condition.
func (b *lowered) exemption(e Exemption) {
	name := strings.TrimSpace(e.Text)
	switch {
	case isIdentifier(name) && predicates.IsPredicate(name):
		b.part(PartUnless, e.Scalar, name+"(input)")
	case isIdentifier(name):
		b.diagnostics = append(b.diagnostics, e.diagnostic(Fault, codePredicate, 0, runeCount(e.Text),
			fmt.Sprintf("unknown predicate '%s'%s: the predicates are %s", name,
				suggest.Hint(name, predicates.Predicates()), strings.Join(predicates.Predicates(), ", "))))
	case e.NameOnly:
		b.diagnostics = append(b.diagnostics, e.diagnostic(Fault, codePredicate, 0, runeCount(e.Text),
			"'unless_condition' takes names of predicates only: put an expression under 'unless'"))
	default:
		b.verbatim(PartUnless, e.Scalar)
	}
}

// celString returns a CEL literal of a string: raw where that is readable, so that
// a regex looks as its author wrote it.
func celString(s string) string {
	plain := strings.IndexFunc(s, func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' }) < 0
	prefix := ""
	if strings.Contains(s, `\`) {
		prefix = "r"
	}
	switch {
	case plain && !strings.Contains(s, `"`):
		return prefix + `"` + s + `"`
	case plain && !strings.Contains(s, "'"):
		return prefix + "'" + s + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
