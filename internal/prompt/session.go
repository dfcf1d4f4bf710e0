// Package prompt is the prompt of `claudewatch eval`: expressions are entered line by
// line and evaluated over a call that can be changed between them.
//
// Its editor is its own: github.com/chzyer/readline v1.5.1 leaves copies of
// a line that is longer than the screen, and of one with a wide character that does not fit
// at the end of a row, and no setting mends either; the Terminal of golang.org/x/term v0.45.0
// counts one column for a wide character, and Ctrl-C ends it as Ctrl-D does.
package prompt

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/claudewatch/claudewatch/internal/suggest"
	"github.com/claudewatch/claudewatch/policy"
)

// Session is what the lines of a prompt share.
type Session struct {
	// Call is the call that expressions are evaluated over.
	Call call.Call
	// Load reads the call of a hook event from a file, for ":json".
	Load func(path string) (call.Call, error)
	// Out takes values, Err what is wrong with a line.
	Out, Err io.Writer

	completer *Completer
	// spread lets a value take several lines, where a person reads it.
	spread bool
	// place stands before what is wrong with a line: which of many it is.
	place string
}

// New returns a session.
func New(c call.Call, load func(path string) (call.Call, error), out, err io.Writer) (*Session, error) {
	completer, failure := NewCompleter()
	if failure != nil {
		return nil, failure
	}
	return &Session{Call: c, Load: load, Out: out, Err: err, completer: completer}, nil
}

// outcome is what became of a line.
type outcome int

const (
	done outcome = iota
	failed
	quit
)

// execute runs one line: an expression, a command, or nothing.
func (s *Session) execute(line string) outcome {
	line = strings.TrimSpace(line)
	if line == "" || strings.HasPrefix(line, "//") {
		return done
	}
	if !strings.HasPrefix(line, ":") {
		return s.evaluate(line)
	}
	name, argument, _ := strings.Cut(line[1:], " ")
	for _, c := range commands() {
		if c.name != name {
			continue
		}
		if c.run == nil {
			return quit
		}
		return c.run(s, strings.TrimSpace(argument))
	}
	return s.fail("there is no :%s%s; :help prints what there is", name, suggest.Hint(name, commandNames()))
}

// evaluate prints the value of an expression, each time over a call that is read anew.
func (s *Session) evaluate(expression string) outcome {
	value, diagnostics := policy.EvaluateExpression(expression, s.Call.Input())
	if value == nil {
		return s.report(diagnostics)
	}
	text := policy.FormatValue(value.Value)
	if s.spread {
		text = spread(value.Value)
	}
	fmt.Fprintln(s.Out, text)
	return done
}

// report prints what is wrong with an expression, as vet prints it for a rule file.
func (s *Session) report(diagnostics []policy.Diagnostic) outcome {
	for _, d := range diagnostics {
		fmt.Fprintf(s.Err, "%s%s: %s\n%s\n", s.place, d.Position, d.Message, d.Snippet())
	}
	return failed
}

func (s *Session) fail(format string, arguments ...any) outcome {
	fmt.Fprintf(s.Err, s.place+format+"\n", arguments...)
	return failed
}

// maxLine is how many bytes a line may have: more than the longest expression.
const maxLine = 1 << 20

// Lines runs the lines of a reader, each value on a line of its own, and reports
// whether all of them could be run. The error is that of the reader.
func (s *Session) Lines(in io.Reader) (fine bool, err error) {
	fine = true
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	defer func() { s.place = "" }()
	number := 1
	for ; lines.Scan(); number++ {
		s.place = fmt.Sprintf("line %d: ", number)
		line := lines.Text()
		if number == 1 {
			line = strings.TrimPrefix(line, "\ufeff") // a byte order mark
		}
		switch s.execute(line) {
		case quit:
			return fine, nil
		case failed:
			fine = false
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return fine, fmt.Errorf("line %d has more than %d bytes, and neither it nor what follows is evaluated", number, maxLine-1)
	}
	return fine, lines.Err()
}
