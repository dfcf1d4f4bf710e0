package policy

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"
)

const codeRegex = "regex"

// maxRegexInstructions bounds the program of a regex. cel-go has a limit of its
// own, which panics on counted repeats. Hand-written rules stay below a thousand.
const maxRegexInstructions = 20_000

// maxRegexLength bounds the text of a regex, in bytes.
const maxRegexLength = 20_000

// Regex is a regex of a rule file in the form RE2 runs.
type Regex struct {
	// Scalar is the regex as the author wrote it.
	Scalar *Scalar
	// Conjuncts are RE2 regexes. The author's regex matches a text exactly when all
	// of them do. Most regexes have one, which is the author's text.
	Conjuncts []string
	// Rewritten is set when the author's text is not what runs.
	Rewritten bool
}

// checkRE2 reports what RE2 finds wrong in a regex: where, in runes, how long, and what.
func checkRE2(text string) *regexError {
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		// RE2 names the culprit; the reader of the older dialect says where it is.
		p, alternatives, bad := parseRegexTree(text)
		switch {
		case bad != nil:
			return bad
		case p.looks:
			return p.lookError(p.firstLookIn(alternatives))
		}
		return re2Error(text, err)
	}
	if n := instructions(tree); n > maxRegexInstructions {
		return tooLarge(text, n)
	}
	return nil
}

func tooLarge(text string, n int) *regexError {
	return &regexError{0, runeCount(text), fmt.Sprintf("the regex is too large: it takes %d instructions, more than %d; make its counted repeats smaller", n, maxRegexInstructions)}
}

// regexError is a fault of a regex with its place in it, in runes.
type regexError struct {
	offset, width int
	message       string
}

func (e *regexError) Error() string { return e.message }

// re2Error finds the culprit of an error of regexp/syntax in the text.
func re2Error(text string, err error) *regexError {
	var parse *syntax.Error
	if !errors.As(err, &parse) {
		return &regexError{0, runeCount(text), err.Error()}
	}
	e := &regexError{0, max(runeCount(parse.Expr), 1), "bad regex: " + parse.Code.String()}
	if parse.Expr != "" && parse.Expr != text {
		e.message += fmt.Sprintf(": '%s'", parse.Expr)
	}
	if i := strings.Index(text, parse.Expr); i > 0 {
		e.offset = runeCount(text[:i])
	}
	return e
}

// instructions estimates the size of a regex's program without compiling it.
func instructions(re *syntax.Regexp) int {
	n := 1
	for _, sub := range re.Sub {
		n += instructions(sub)
	}
	switch re.Op {
	case syntax.OpLiteral:
		n += len(re.Rune)
	case syntax.OpRepeat:
		times := re.Max
		if times < 0 {
			times = re.Min + 1
		}
		n *= max(times, 1)
	}
	return n
}

// ParseRegex turns a regex of a rule file into the form RE2 runs, with the same
// verdict on every text. It is nil when that cannot be done; the diagnostics say
// why. trailing says that the text may end with newlines, past which Python's $
// looks and RE2's does not: the content of a file, which unlike a command keeps them.
func ParseRegex(s *Scalar, trailing bool) (*Regex, []Diagnostic) {
	conjuncts, err := rewriteRegex(s.Text, trailing)
	if err != nil {
		return nil, []Diagnostic{s.diagnostic(Fault, codeRegex, err.offset, err.width, err.message)}
	}
	return &Regex{Scalar: s, Conjuncts: conjuncts, Rewritten: len(conjuncts) > 1 || conjuncts[0] != s.Text}, nil
}

// rewriteRegex returns the RE2 regexes that all match a text exactly when a regex
// of the older dialect does.
func rewriteRegex(text string, trailing bool) ([]string, *regexError) {
	if len(text) > maxRegexLength {
		return nil, &regexError{0, 1, fmt.Sprintf("the regex is too long: %d bytes, more than %d", len(text), maxRegexLength)}
	}
	p, alternatives, err := parseRegexTree(text)
	if err != nil {
		return nil, err
	}
	conjuncts := []string{text}
	if p.looks || trailing && len(p.ends) > 0 {
		p.trailing = trailing
		if conjuncts, err = p.rewrite(alternatives); err != nil {
			return nil, err
		}
	}
	for _, conjunct := range conjuncts {
		tree, parseErr := syntax.Parse(conjunct, syntax.Perl)
		if parseErr != nil {
			return nil, re2Error(text, parseErr)
		}
		if n := instructions(tree); n > maxRegexInstructions {
			return nil, tooLarge(text, n)
		}
	}
	return conjuncts, nil
}
