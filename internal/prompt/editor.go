package prompt

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"unicode"

	"golang.org/x/term"
)

// errInterrupted is the error of a line that Ctrl-C throws away.
var errInterrupted = errors.New("interrupted")

// editor reads lines that a person edits at the terminal of the process. What it shows
// of them is drawn anew when all keys so far have been read.
type editor struct {
	// complete goes on with a line at the cursor, which is given in bytes, and returns
	// what is to be shown above it.
	complete func(line string, cursor int) (newLine string, newCursor int, shown string)
	// history are the lines so far, the oldest first.
	history []string

	out     io.Writer
	keys    keys
	prompt  string
	line    []rune
	cursor  int    // the index in line of what is behind it
	deleted []rune // last
	// browsed is the index in history of what is edited, unsent the line behind them.
	browsed int
	unsent  []rune
	search  search
	// drawn is what the terminal shows up to the cursor.
	drawn []rune
}

func newEditor(history []string) *editor {
	return &editor{out: os.Stdout, keys: keys{terminal: os.Stdin}, history: history}
}

// remember adds a line to the history, unless it is empty or the last one again.
func (e *editor) remember(line string) {
	if n := len(e.history); line != "" && (n == 0 || e.history[n-1] != line) {
		e.history = append(e.history, line)
	}
}

// readLine returns the next line without its end; errInterrupted after Ctrl-C, io.EOF
// after Ctrl-D.
func (e *editor) readLine(prompt string) (string, error) {
	restore, err := raw(int(os.Stdin.Fd()))
	if err != nil {
		return "", err
	}
	defer restore()
	e.prompt, e.drawn = prompt, nil
	e.set("")
	e.browsed, e.search = len(e.history), search{}
	for {
		if len(e.keys.pressed) == 0 {
			e.draw()
		}
		key, err := e.keys.next()
		switch {
		case err != nil:
			return "", err
		case key == '\r', key == '\n':
			e.leave("")
			return string(e.line), nil
		case key == keyInterrupt:
			e.leave("^C")
			return "", errInterrupted
		case key == keyEnd && len(e.line) == 0:
			return "", io.EOF
		}
		e.press(key)
	}
}

// raw has each key read as it is pressed, until restore is called or a signal ends the
// process.
func raw(fd int) (restore func(), err error) {
	before, err := term.GetState(fd)
	if err != nil {
		return nil, err
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGHUP, syscall.SIGTERM)
	go func() {
		for s := range signals {
			_ = term.Restore(fd, before)
			signal.Stop(signals)
			if self, err := os.FindProcess(os.Getpid()); err != nil || self.Signal(s) != nil {
				os.Exit(1)
			}
		}
	}()
	restore = func() {
		signal.Stop(signals)
		close(signals)
		_ = term.Restore(fd, before)
	}
	if _, err := term.MakeRaw(fd); err != nil {
		restore()
		return nil, err
	}
	return restore, nil
}

// press edits the line.
func (e *editor) press(key rune) {
	switch key {
	case keyStart:
		e.cursor = 0
	case keyLineEnd:
		e.cursor = len(e.line)
	case keyLeft:
		e.cursor = max(e.cursor-1, 0)
	case keyRight:
		e.cursor = min(e.cursor+1, len(e.line))
	case keyWordLeft:
		e.cursor = e.wordStart()
	case keyWordRight:
		e.cursor = e.wordEnd()
	case keyBackspace, '\b':
		e.remove(max(e.cursor-1, 0), e.cursor)
	case keyEnd, keyDelete:
		e.remove(e.cursor, min(e.cursor+1, len(e.line)))
	case keyDeleteRest:
		e.deleted = e.remove(e.cursor, len(e.line))
	case keyDeleteLine:
		e.deleted = e.remove(0, e.cursor)
	case keyDeleteWord:
		e.deleted = e.remove(e.wordStart(), e.cursor)
	case keyInsertBack:
		e.insert(e.deleted...)
	case keyExchange:
		if at := min(e.cursor, len(e.line)-1); at > 0 {
			e.line[at-1], e.line[at] = e.line[at], e.line[at-1]
			e.cursor = at + 1
		}
	case keyPrevious:
		e.browse(e.browsed - 1)
	case keyNext:
		e.browse(e.browsed + 1)
	case keySearch:
		e.set(e.search.older(e.history, string(e.line), string(e.line[:e.cursor])))
	case keyRedraw:
		e.write("\x1b[2J\x1b[H")
		e.drawn = nil
	case '\t':
		line, cursor, shown := e.complete(string(e.line), len(string(e.line[:e.cursor])))
		e.line, e.cursor = []rune(line), len([]rune(line[:cursor]))
		if shown != "" {
			e.write(e.toStart() + "\x1b[J" + strings.ReplaceAll(shown, "\n", "\r\n"))
			e.drawn = nil
		}
	default:
		if !unicode.IsControl(key) {
			e.insert(key)
		}
	}
}

// set begins to edit another line, at its end.
func (e *editor) set(line string) {
	e.line = []rune(line)
	e.cursor = len(e.line)
}

// insert inserts a text, unless the line would become longer than any expression:
// deleting and inserting could double it without end.
func (e *editor) insert(text ...rune) {
	if len(e.line)+len(text) > maxLine {
		return
	}
	e.line = slices.Insert(e.line, e.cursor, text...)
	e.cursor += len(text)
}

// remove removes a part of the line, and returns it.
func (e *editor) remove(from, to int) []rune {
	part := slices.Clone(e.line[from:to])
	e.line = slices.Delete(e.line, from, to)
	e.cursor = from
	return part
}

func (e *editor) wordStart() int {
	at := e.cursor
	for ; at > 0 && e.line[at-1] == ' '; at-- {
	}
	for ; at > 0 && e.line[at-1] != ' '; at-- {
	}
	return at
}

func (e *editor) wordEnd() int {
	at := e.cursor
	for ; at < len(e.line) && e.line[at] == ' '; at++ {
	}
	for ; at < len(e.line) && e.line[at] != ' '; at++ {
	}
	return at
}

// browse goes to a line of the history, or to the one behind them.
func (e *editor) browse(to int) {
	if to < 0 || to > len(e.history) {
		return
	}
	if e.browsed == len(e.history) {
		e.unsent = e.line
	}
	e.browsed = to
	if to < len(e.history) {
		e.set(e.history[to])
	} else {
		e.set(string(e.unsent))
	}
}

// search is what Ctrl-R looks for.
type search struct {
	text, found string
	at          int // of found in the history
}

// older returns the latest line of the history with a text in it; when the line that is
// edited was found so, the one before it with the text of then. Without one it returns
// the line that is edited.
func (s *search) older(history []string, edited, text string) string {
	if s.found == "" || edited != s.found {
		*s = search{text: text, at: len(history)}
	}
	for at := s.at - 1; at >= 0; at-- {
		if history[at] != edited && strings.Contains(history[at], s.text) {
			s.found, s.at = history[at], at
			return s.found
		}
	}
	return edited
}

func (e *editor) write(text string) { _, _ = io.WriteString(e.out, text) }

// leave ends the line on the terminal.
func (e *editor) leave(mark string) {
	e.cursor = len(e.line)
	e.draw()
	e.write(mark + "\r\n")
}

// draw shows the line in the place of what was drawn before.
func (e *editor) draw() {
	columns, lines := terminalSize()
	// Of a line that is longer than the screen, what is around the cursor.
	from, to := 0, len(e.line)
	if room := columns * max(lines-2, 1) / 2; to > room {
		from = max(e.cursor-room/2, 0)
		to = min(from+room, to)
	}
	before := append([]rune(e.prompt), e.line[from:e.cursor]...)
	all := append(slices.Clone(before), e.line[e.cursor:to]...)
	start := e.toStart()
	row, column := position(before, columns)
	last, end := position(all, columns)
	newLine := ""
	if end == 0 {
		newLine = "\r\n" // a terminal begins a line when there is something to write on it
	}
	e.write(start + string(all) + newLine + "\x1b[J" + move(last-row, 'A') + "\r" + move(column, 'C'))
	e.drawn = before
}

// toStart is what moves the cursor to where the prompt begins.
func (e *editor) toStart() string {
	columns, _ := terminalSize()
	row, _ := position(e.drawn, columns)
	return move(row, 'A') + "\r"
}

// move moves the cursor so many places up, A, or to the right, C.
func move(places int, direction rune) string {
	if places == 0 {
		return ""
	}
	return fmt.Sprintf("\x1b[%d%c", places, direction)
}

// position returns where the cursor is behind a text that begins in the first column.
func position(text []rune, columns int) (row, column int) {
	for _, r := range text {
		w := width(r)
		if column+w > columns {
			row++
			column = 0
		}
		column += w
	}
	if column >= columns {
		return row + 1, 0
	}
	return row, column
}
