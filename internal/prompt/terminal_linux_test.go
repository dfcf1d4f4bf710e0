package prompt

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// The test binary is a prompt of its own where these say so.
const (
	historyVariable = "PROMPT_TEST_HISTORY"
	panicVariable   = "PROMPT_TEST_PANIC" // when a completion is asked for
)

func TestMain(m *testing.M) {
	path, isPrompt := os.LookupEnv(historyVariable)
	if !isPrompt {
		os.Exit(m.Run())
	}
	s, err := New(call.Call{Event: "PreToolUse", Tool: "Bash", Args: map[string]any{"command": "ls"}, Cwd: "/srv"}, nil, os.Stdout, os.Stderr)
	if err == nil && os.Getenv(panicVariable) != "" {
		s.completer = nil
	}
	if err == nil && !Interactive() {
		err = errors.New("there is no person")
	}
	if err == nil {
		err = s.Terminal(History{Path: path})
	}
	if err != nil {
		println(err.Error())
		os.Exit(1)
	}
	os.Exit(0)
}

// person sits at a pseudo-terminal, at which a prompt runs.
type person struct {
	*testing.T
	keyboard *os.File // the end of the terminal that is not the prompt's
	terminal *os.File
	prompt   *exec.Cmd
	before   unix.Termios
	lock     sync.Mutex
	screen   screen
}

const columns = 40

func sit(t *testing.T, history string, environment ...string) *person {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals: ", err)
	}
	t.Cleanup(func() { keyboard.Close() })
	number, err := unix.IoctlGetUint32(int(keyboard.Fd()), unix.TIOCGPTN)
	if err := errors.Join(err, unix.IoctlSetPointerInt(int(keyboard.Fd()), unix.TIOCSPTLCK, 0)); err != nil {
		t.Fatal(err)
	}
	terminal, err := os.OpenFile(filepath.Join("/dev/pts", strconv.Itoa(int(number))), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { terminal.Close() })
	p := &person{T: t, keyboard: keyboard, terminal: terminal, screen: newScreen(columns)}
	p.resize(columns)
	p.before = p.mode()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p.prompt = exec.Command(self)
	p.prompt.Env = append([]string{historyVariable + "=" + history, "TERM=xterm"}, environment...)
	p.prompt.Stdin, p.prompt.Stdout, p.prompt.Stderr = terminal, terminal, terminal
	p.prompt.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := p.prompt.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.prompt.Process.Kill() })
	go func() {
		buffer := make([]byte, 4096)
		for {
			n, err := keyboard.Read(buffer)
			if err != nil {
				return
			}
			p.lock.Lock()
			p.screen.write(buffer[:n])
			p.lock.Unlock()
		}
	}()
	return p
}

func (p *person) resize(columns uint16) {
	p.Helper()
	if err := unix.IoctlSetWinsize(int(p.keyboard.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: columns, Row: 24}); err != nil {
		p.Fatal(err)
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	p.screen.columns = int(columns)
}

func (p *person) mode() unix.Termios {
	p.Helper()
	mode, err := unix.IoctlGetTermios(int(p.terminal.Fd()), unix.TCGETS)
	if err != nil {
		p.Fatal(err)
	}
	return *mode
}

// sees waits until the last lines of the screen are these, the cursor being |, and a key
// would be read as it is pressed.
func (p *person) sees(lines ...string) {
	p.Helper()
	want := "\n" + strings.Join(lines, "\n")
	p.waits(want, func(seen string) bool { return strings.HasSuffix("\n"+seen, want) && p.mode().Lflag&unix.ICANON == 0 })
}

// waits waits until the screen is fine.
func (p *person) waits(want string, fine func(seen string) bool) {
	p.Helper()
	var seen string
	for range 1000 {
		p.lock.Lock()
		seen = p.screen.String()
		p.lock.Unlock()
		if fine(seen) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	p.Fatalf("the screen is\n%s\nand should have%s", seen, want)
}

// types presses keys at a time, as a paste does.
func (p *person) types(keys string) {
	p.Helper()
	if _, err := p.keyboard.WriteString(keys); err != nil {
		p.Fatal(err)
	}
}

// leaves waits for the end of the prompt, and looks whether the terminal is as it was.
func (p *person) leaves() *os.ProcessState {
	p.Helper()
	over := time.AfterFunc(10*time.Second, func() { _ = p.prompt.Process.Kill() })
	_ = p.prompt.Wait()
	if !over.Stop() {
		p.Fatal("the prompt does not end")
	}
	if diff := cmp.Diff(p.before, p.mode()); diff != "" {
		p.Errorf("the terminal is left in another mode: %s", diff)
	}
	return p.prompt.ProcessState
}

const (
	ctrlA, ctrlD, ctrlK, ctrlU = "\x01", "\x04", "\x0b", "\x15"
	up, down, right, left      = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
	enter, tab, backspace      = "\r", "\t", "\x7f"
	escape, interrupt, end     = "\x1b", "\x03", "\x1b[4~"
)

func TestAPersonAtATerminal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "home", "eval_history")
	if err := (History{path}).Add("'an earlier session'"); err != nil {
		t.Fatal(err)
	}
	p := sit(t, path)
	p.sees("Tab completes, :help says what else ther", "e is, Ctrl-D ends.", "cel> |")
	p.types("1 + 1" + enter)
	p.sees("cel> 1 + 1", "2", "cel> |")

	// Tab writes what is certain, and shows the rest above the line.
	p.types("input.to" + tab)
	p.sees("cel> input.tool|")
	p.types(" + input.agent" + tab)
	p.sees("cel> input.tool + input.agent_|")
	p.types(tab)
	p.sees("  agent_id: string    the subagent, \"\"…", "  agent_type: string  the subagent's t…", "cel> input.tool + input.agent_|")

	// Ctrl-C throws away the line, and what is typed behind it counts.
	p.types(left + left + interrupt + "2 + 2" + enter)
	p.sees("cel> input.tool + input.agent_^C", "cel> 2 + 2", "4", "cel> |")

	// An expression goes on behind the next prompt.
	p.types("[1," + enter)
	p.sees("cel> [1,", "...> |")
	p.types("2]" + enter)
	p.sees("cel> [1,", "...> 2]", "[1, 2]", "cel> |")
	p.types("[1," + enter)
	p.sees("...> |")
	p.types(interrupt)
	p.sees("...> ^C", "cel> |")

	// The lines so far, those of earlier sessions as well.
	p.types(up)
	p.sees("cel> [1, 2]|")
	p.types(up + up + up)
	p.sees("cel> 'an earlier session'|")
	p.types("\x1bOA" + down)
	p.sees("cel> 1 + 1|")
	p.types(down + down + down)
	p.sees("cel> |")
	p.types("2\x12")
	p.sees("cel> [1, 2]|")
	p.types("\x12")
	p.sees("cel> 2 + 2|")
	p.types("\x12\x12")
	p.sees("cel> 2 + 2|")

	// Lines are edited as in a shell, and keys without a meaning do nothing.
	p.types("\x0c")
	p.sees("cel> 2 + 2|")
	p.types(ctrlU + "1 + 20" + "\x1bb" + "3" + ctrlK + end + "0 - 1" + "\x1b[1~" + "9" + "\x1bOF" + escape + "\x7f" + "4" + "\x1b[15~\x1b[<0;1;1M\x16\x07" + ctrlA + "8" + right + "7")
	p.sees("cel> 897|1 + 30 - 4")
	p.types(enter)
	p.sees("8997", "cel> |")
	p.types("\x1b[3~\x00" + escape)
	p.types("x11" + enter)
	p.sees("cel> 11", "11", "cel> |")
	p.types("\x1b[;;" + interrupt + "\x1b[1;" + interrupt + "12" + enter)
	p.sees("cel> [;;^C", "cel> [1;^C", "cel> 12", "12", "cel> |")

	// A line may take several of the screen.
	long := "[" + strings.Repeat("1, ", 20) + "2]"
	p.types(long)
	p.sees("cel> [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1", ", 1, 1, 1, 1, 1, 1, 1, 1, 2]|")
	p.types(ctrlA + right + "0, ")
	p.sees("cel> [0, |1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1", ", 1, 1, 1, 1, 1, 1, 1, 1, 1, 2]")
	p.types(up)
	p.sees("cel> 12|")
	p.types(down + interrupt)
	p.sees(", 1, 1, 1, 1, 1, 1, 1, 1, 1, 2]^C", "cel> |")

	// A terminal that is made wider is seen at the next key.
	p.resize(80)
	p.types("'" + strings.Repeat("x", 50) + "'.size()" + enter)
	p.sees("cel> '"+strings.Repeat("x", 50)+"'.size()", "50", "cel> |")
	p.types(ctrlD)
	if state := p.leaves(); !state.Success() {
		t.Errorf("%v\n%s", state, p.screen.String())
	}
	want := []string{"'an earlier session'", "1 + 1", "2 + 2", "[1, 2]", "8971 + 30 - 4", "11", "12", "'" + strings.Repeat("x", 50) + "'.size()"}
	if diff := cmp.Diff(want, linesOf(t, History{path})); diff != "" {
		t.Error(diff)
	}
}

func TestALineThatIsLongerThanTheScreen(t *testing.T) {
	p := sit(t, "")
	p.sees("cel> |")
	for rest := "'" + strings.Repeat("x", 20000) + "yz'.size()"; rest != ""; {
		n := min(len(rest), 1000)
		p.types(rest[:n])
		rest = rest[n:]
	}
	p.sees(strings.Repeat("x", 15) + "yz'.size()|")
	p.types(ctrlA + right)
	p.sees("cel> '|"+strings.Repeat("x", 34), strings.Repeat("x", 40), strings.Repeat("x", 40), strings.Repeat("x", 40), strings.Repeat("x", 40), strings.Repeat("x", 40), strings.Repeat("x", 40), strings.Repeat("x", 40), strings.Repeat("x", 40), strings.Repeat("x", 40), strings.Repeat("x", 40), strings.Repeat("x", 5))
	p.types("é" + enter)
	p.sees("20003", "cel> |")
	p.types(":quit" + enter)
	if state := p.leaves(); !state.Success() {
		t.Error(state)
	}
}

func TestCharactersOfEveryWidth(t *testing.T) {
	p := sit(t, "")
	p.sees("cel> |")
	p.types("'日本語日本語'" + left + backspace)
	p.sees("cel> '日本語日本|'")
	p.types(left + left + left + "x" + up)
	p.sees("cel> '日本x|語日本'")
	p.types(ctrlU + ctrlK)
	p.sees("cel> |")
	p.types("'" + strings.Repeat("語", 20) + "'")
	p.sees("cel> '"+strings.Repeat("語", 17), "語語語'|")
	p.types(ctrlA + right + "e\u0301")
	p.sees("cel> 'e|"+strings.Repeat("語", 16), "語語語語'")
	p.types(enter)
	p.sees("cel> |")

	// Half a character, and what is none.
	p.types("'\xe6\x97")
	p.types("\xa5\xff\xc3'.size()" + enter)
	p.sees("cel> '日'.size()", "1", "cel> |")
	p.types(ctrlD)
	p.leaves()
}

func TestATerminalThatCannotMoveItsCursor(t *testing.T) {
	for _, kind := range []string{"dumb", ""} {
		p := sit(t, "", "TERM="+kind)
		shows := func(want string) {
			t.Helper()
			p.waits(want, func(seen string) bool { return strings.HasSuffix(seen, want) })
		}
		shows("\ncel> |")
		p.types("[1,\n")
		shows("\n...> |")
		p.types("2]\n")
		shows("\n[1, 2]\ncel> |")
		p.types(ctrlD)
		if state := p.leaves(); !state.Success() {
			t.Error(state)
		}
	}
}

func TestTheTerminalIsRestoredOnEveryWayOut(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		p := sit(t, "")
		p.sees("cel> |")
		p.types("1 +")
		p.sees("cel> 1 +|")
		if err := p.prompt.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if status := p.leaves().Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != signal {
			t.Errorf("%v: %v", signal, p.prompt.ProcessState)
		}
	}
	p := sit(t, "", panicVariable+"=1")
	p.sees("cel> |")
	p.types("input." + tab)
	if state := p.leaves(); state.ExitCode() != 2 {
		t.Errorf("a panic: %v", state)
	}
	p.waits(" a panic", func(seen string) bool { return strings.Contains(seen, "panic: ") })
}
