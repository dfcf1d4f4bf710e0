package prompt

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"golang.org/x/term"
)

const (
	firstPrompt = "cel> "
	morePrompt  = "...> " // an expression goes on
)

// Interactive reports whether a person is at the standard streams of the process.
func Interactive() bool {
	return term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stdout.Fd()))
}

// Terminal runs the lines that a person enters at the terminal of the process, which
// has the standard streams, until the end.
func (s *Session) Terminal(history History) error {
	s.spread = true
	defer func() { s.spread = false }()
	lines, err := history.Lines()
	if err != nil {
		fmt.Fprintf(s.Err, "the history cannot be read: %v\n", err)
		history = History{}
	}
	e := newEditor(lines)
	readLine := e.readLine
	if kind := os.Getenv("TERM"); kind == "dumb" || kind == "" && runtime.GOOS != "windows" { // it cannot move the cursor
		readLine = plainly(bufio.NewReader(os.Stdin))
		fmt.Fprintln(s.Out, ":help says what there is, Ctrl-D ends.")
	} else {
		fmt.Fprintln(s.Out, "Tab completes, :help says what else there is, Ctrl-D ends.")
	}
	for {
		line, err := s.enter(e, readLine)
		switch {
		case errors.Is(err, io.EOF):
			fmt.Fprintln(s.Out)
			return nil
		case err != nil:
			return err
		}
		entry := historyEntry(line)
		e.remember(entry)
		if err := history.Add(entry); err != nil {
			fmt.Fprintf(s.Err, "the history cannot be written: %v\n", err)
			history = History{}
		}
		if s.execute(line) == quit {
			return nil
		}
	}
}

// plainly returns a reader of lines that leaves editing to the terminal.
func plainly(in *bufio.Reader) func(prompt string) (string, error) {
	return func(prompt string) (string, error) {
		fmt.Fprint(os.Stdout, prompt)
		line, err := in.ReadString('\n')
		return strings.TrimRight(line, "\r\n"), err
	}
}

// enter returns the next line. What is unfinished goes on behind the next prompt, until
// an empty line; Ctrl-C throws it away.
func (s *Session) enter(e *editor, readLine func(prompt string) (string, error)) (string, error) {
	begun := ""
	e.complete = func(line string, cursor int) (string, int, string) { return s.completeAt(begun, line, cursor) }
	for {
		prompt := firstPrompt
		if begun != "" {
			prompt = morePrompt
		}
		line, err := readLine(prompt)
		switch {
		case errors.Is(err, errInterrupted):
			begun = ""
			continue
		case err != nil:
			return "", err
		}
		over := begun != "" && strings.TrimSpace(line) == ""
		line = begun + line
		if over || strings.HasPrefix(strings.TrimSpace(line), ":") || !Unfinished(line) {
			return line, nil
		}
		begun = line + "\n"
	}
}

// completeAt returns a line with what is certain in the place of the word before the
// cursor, where the cursor is then, and what else there is to say: how a function is
// called, or what can stand there, each with its type.
func (s *Session) completeAt(begun, line string, cursor int) (newLine string, newCursor int, shown string) {
	left, right := line[:cursor], line[cursor:]
	completion := s.complete(begun + left)
	start := completion.Start - len(begun)
	if start < 0 || len(completion.Items) == 0 && completion.Call == nil {
		return line, cursor, ""
	}
	columns, lines := terminalSize()
	if completion.Call != nil {
		return line, cursor, details(*completion.Call, columns)
	}
	common := commonPrefix(completion.Items)
	if len(completion.Items) == 1 && strings.HasPrefix(right, "(") {
		common = strings.TrimRight(common, "()")
	}
	if len(completion.Items) > 1 && len(common) <= cursor-start {
		return line, cursor, table(completion.Items, columns, lines)
	}
	left = left[:start] + common
	return left + right, len(left), ""
}

// terminalSize returns the size of the terminal, that of the first terminals when it
// does not tell.
func terminalSize() (columns, lines int) {
	columns, lines, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil || columns <= 0 || lines <= 0 {
		return 80, 24
	}
	return columns, lines
}
