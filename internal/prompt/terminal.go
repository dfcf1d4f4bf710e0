package prompt

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/peterh/liner"
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
	before, err := liner.TerminalMode()
	if err != nil {
		return err
	}
	editor := liner.NewLiner()
	defer editor.Close()
	editing, err := liner.TerminalMode()
	if err != nil {
		return err
	}
	editor.SetCtrlCAborts(true)
	editor.SetBeep(false)
	lines, err := history.Lines()
	if err != nil {
		fmt.Fprintf(s.Err, "the history cannot be read: %v\n", err)
		history = History{}
	}
	for _, line := range lines {
		editor.AppendHistory(line)
	}
	fmt.Fprintln(s.Out, "Tab completes, :help says what else there is, Ctrl-D ends.")
	for {
		// What is evaluated can be ended by Ctrl-C as any program.
		if err := editing.ApplyMode(); err != nil {
			return err
		}
		line, err := s.enter(editor)
		if modeErr := before.ApplyMode(); err == nil {
			err = modeErr
		}
		switch {
		case errors.Is(err, io.EOF):
			fmt.Fprintln(s.Out)
			return nil
		case err != nil:
			return err
		}
		entry := historyEntry(line)
		if entry != "" {
			editor.AppendHistory(entry)
		}
		if err := history.Add(entry); err != nil {
			fmt.Fprintf(s.Err, "the history cannot be written: %v\n", err)
			history = History{}
		}
		if s.execute(line) == quit {
			return nil
		}
	}
}

// enter returns the next line. What is unfinished goes on behind the next prompt, until
// an empty line; Ctrl-C throws it away.
func (s *Session) enter(editor *liner.State) (string, error) {
	begun := ""
	for {
		prompt := firstPrompt
		if begun != "" {
			prompt = morePrompt
		}
		editor.SetWordCompleter(func(line string, cursor int) (string, []string, string) { return s.completeAt(begun, line, cursor) })
		line, err := editor.Prompt(prompt)
		switch {
		case errors.Is(err, liner.ErrPromptAborted):
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

// completeAt is the completer of the line editor, which counts the cursor in runes. One
// candidate takes the place of the word; several are printed above the line, with what
// they have in common as the only candidate: so each is shown with its type.
func (s *Session) completeAt(begun, line string, cursor int) (head string, candidates []string, tail string) {
	runes := []rune(line)
	left, right := string(runes[:cursor]), string(runes[cursor:])
	completion := s.complete(begun + left)
	start := completion.Start - len(begun)
	if start < 0 || len(completion.Items) == 0 && completion.Call == nil {
		return left, nil, right
	}
	head, word := left[:start], left[start:]
	columns, lines := terminalSize()
	if completion.Call != nil {
		s.show(details(*completion.Call, columns))
		return head, []string{word}, right
	}
	common := commonPrefix(completion.Items)
	if len(completion.Items) == 1 && strings.HasPrefix(right, "(") {
		common = strings.TrimRight(common, "()")
	}
	if len(completion.Items) > 1 && len(common) <= len(word) {
		s.show(table(completion.Items, columns, lines))
		return head, []string{word}, right
	}
	return head, []string{common}, right
}

// show prints text between the line that is edited and its next drawing.
func (s *Session) show(text string) { fmt.Fprint(s.Out, "\n"+text) }

// terminalSize returns the size of the terminal, that of the first terminals when it
// does not tell.
func terminalSize() (columns, lines int) {
	columns, lines, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil || columns <= 0 || lines <= 0 {
		return 80, 24
	}
	return columns, lines
}
