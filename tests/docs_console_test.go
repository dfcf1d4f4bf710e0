package tests

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Where a reader of the pages is: the home of somebody with a project.
const (
	shownHome  = "/home/you"
	shownClone = shownHome + "/claudewatch"
)

// programs are what commands of the pages may run: nothing that builds, installs or
// goes to the network.
var programs = []string{"claudewatch", "cat", "cd", "cp", "echo", "git", "ls", "mkdir", "mv", "printf", "rm", "sh", "touch"}

// command is one command of a block.
type command struct {
	// text is what the shell gets.
	text string
	// written is how the page shows it, with its prompt.
	written string
	// output is what the page shows beneath it.
	output string
	// status is the exit status that it must have, -1 for any.
	status int
}

// statedStatus is a comment behind a command that says how it ends.
var statedStatus = regexp.MustCompile(`#.*\bexit status (\d+)`)

// parseConsole returns the commands of a block: in "console" those after "$ ", which go
// on in lines that begin with "> ", each with its output; in "sh" each line, which must
// end well unless its comment says otherwise.
func parseConsole(b block) ([]command, error) {
	var commands []command
	goesOn := false // the last line ends with a backslash
	for i, line := range strings.Split(strings.TrimSuffix(b.text, "\n"), "\n") {
		at := fmt.Sprintf("%s:%d", b.page, b.line+i)
		text, isCommand := strings.CutPrefix(line, "$ ")
		if b.language == "sh" {
			text, isCommand = line, !goesOn
			if !goesOn && (strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#")) {
				continue
			}
		}
		last := len(commands) - 1
		switch {
		case isCommand:
			c := command{text: text, written: line + "\n", status: -1}
			if b.language == "sh" {
				c.status = 0
			}
			if m := statedStatus.FindStringSubmatch(line); m != nil {
				c.status, _ = strconv.Atoi(m[1])
			}
			commands = append(commands, c)
		case last < 0:
			return nil, fmt.Errorf("%s: output without a command; commands begin with \"$ \"", at)
		case b.language == "sh":
			commands[last].text += "\n" + line
		case strings.HasPrefix(line, "> ") && commands[last].output == "":
			commands[last].text += "\n" + strings.TrimPrefix(line, "> ")
			commands[last].written += line + "\n"
		default:
			commands[last].output += line + "\n"
		}
		goesOn = strings.HasSuffix(line, `\`)
	}
	for i := range commands {
		c := &commands[i]
		c.text = strings.ReplaceAll(c.text, "go run ./cmd/claudewatch ", "claudewatch ")
		if strings.TrimSpace(c.output) == elided {
			return nil, fmt.Errorf("%s: of what %q prints nothing is shown, so that nothing is compared", b, c.text)
		}
		first := strings.Fields(c.text)[0]
		if !known(first) {
			return nil, fmt.Errorf("%s: the test does not run %s; mark the block as not run, with the reason", b, first)
		}
	}
	return commands, nil
}

func known(program string) bool {
	return slices.Contains(programs, program) || strings.Contains(program, "=") // an assignment in front of a command
}

// elided is what stands on a page for text that differs, or that nobody needs to read.
const elided = "…"

// shows reports whether a page that shows this output shows what was printed: a line
// with "…" alone stands for any number of lines, "…" within a line for any part of it.
// How many spaces stand between two columns makes no difference.
func shows(shown, printed string) bool {
	var pattern strings.Builder
	pattern.WriteString(`\A`)
	for _, line := range strings.SplitAfter(unaligned(shown), "\n") {
		switch {
		case line == "":
		case strings.TrimSpace(line) == elided:
			pattern.WriteString(`(?:.*\n)*`)
		default:
			parts := strings.Split(line, elided)
			for i := range parts {
				parts[i] = regexp.QuoteMeta(parts[i])
			}
			pattern.WriteString(strings.Join(parts, ".*"))
		}
	}
	pattern.WriteString(`\z`)
	return regexp.MustCompile(pattern.String()).MatchString(unaligned(printed))
}

var (
	columnGap     = regexp.MustCompile(`(\S) {2,}`)
	trailingSpace = regexp.MustCompile(`(?m) +$`)
)

func unaligned(text string) string {
	return columnGap.ReplaceAllString(trailingSpace.ReplaceAllString(text, ""), "$1  ")
}

func TestAPageShowsWhatIsPrintedWithPartsLeftOut(t *testing.T) {
	for _, c := range []struct {
		shown, printed string
		want           bool
	}{
		{"", "", true},
		{"", "a\n", false},
		{"a\n", "a\n", true},
		{"a\n", "a\nb\n", false},
		{"a\n…\n", "a\n", true},
		{"a\n…\nd\n", "a\nb\nc\nd\n", true},
		{"a\n…\nd\n", "a\nb\nc\n", false},
		{"at … o'clock\n", "at 12 o'clock\n", true},
		{"at … o'clock\n", "at 12\n o'clock\n", false},
		{"a.c\n", "abc\n", false},
		{"a    b\n", "a  b\n", true},
		{"  a\n", "    a\n", false},
	} {
		if got := shows(c.shown, c.printed); got != c.want {
			t.Errorf("shows(%q, %q) = %v", c.shown, c.printed, got)
		}
	}
}

// world is a home with a project and nothing else.
type world struct {
	t    *testing.T
	home string
	// project is a repository on the branch feat/cart; commands begin there.
	project string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t, home, filepath.Join(home, "shop")}
	for _, folder := range []string{"objects", "refs/heads"} {
		if err := os.MkdirAll(filepath.Join(w.project, ".git", folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.write("~/shop/.git/HEAD", "ref: refs/heads/feat/cart\n")
	w.write("~/shop/.git/config", "[core]\n\trepositoryformatversion = 0\n")
	return w
}

// real replaces the places that pages show by those of the test, shown the reverse.
func (w *world) real(text string) string { return strings.ReplaceAll(text, shownHome, w.home) }

func (w *world) shown(text string) string {
	text = strings.ReplaceAll(text, w.home, shownHome)
	if root, err := filepath.Abs(".."); err == nil {
		text = strings.ReplaceAll(text, root, shownClone)
	}
	for _, program := range []string{realBinary(), binary} {
		text = strings.ReplaceAll(text, program, shownHome+"/go/bin/claudewatch")
	}
	text = clock.ReplaceAllString(text, "2026-11-30 14:03:12")
	text = someTimeAgo.ReplaceAllString(text, "just now")
	return gapIDs.ReplaceAllString(text, "gap/5d41402abc4b2a76/3")
}

// realBinary is the program by the path that it gives itself.
func realBinary() string {
	if path, err := filepath.EvalSymlinks(binary); err == nil {
		return path
	}
	return binary
}

// What differs from run to run, and what pages have in its place.
var (
	clock       = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`)
	someTimeAgo = regexp.MustCompile(`\d+ minutes? ago`) // on a slow machine
	gapIDs      = regexp.MustCompile(`gap/[0-9a-f]{16}/\d`)
)

// write writes a file of the world; the path begins with "~/".
func (w *world) write(path, text string) {
	w.t.Helper()
	below, ok := strings.CutPrefix(path, "~/")
	if !ok || !filepath.IsLocal(below) {
		w.t.Fatalf("%s is no file below the home: it must begin with ~/", path)
	}
	name := filepath.Join(w.home, filepath.FromSlash(below))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(w.real(text)), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// environment is all that commands see of the machine.
func (w *world) environment() []string {
	return []string{
		"HOME=" + w.home, "USERPROFILE=" + w.home, "TZ=UTC", "LC_ALL=C",
		"CLAUDE_PROJECT_DIR=" + w.project,
		"CLAUDEWATCH_MANAGED_SETTINGS=" + filepath.Join(w.home, "managed-settings.json"),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"PATH=" + filepath.Dir(binary) + string(os.PathListSeparator) + os.Getenv("PATH"),
	}
}

type result struct {
	output string // of both streams
	status int
}

// end stands between the outputs of two commands; no command prints it.
const end = "\x01"

// shell runs commands one after the other in one shell, in the project or in the folder
// that "in" names, and returns what each printed.
func (w *world) shell(in string, commands []command) ([]result, error) {
	dir := w.project
	switch {
	case in == "the clone":
		dir = ".."
	case in != "":
		return nil, fmt.Errorf("there is no place %q, only \"the clone\"", in)
	}
	var script strings.Builder
	for _, c := range commands {
		fmt.Fprintf(&script, "%s\nprintf '%s%%d%s' $?\n", w.real(c.text), end, end)
	}
	cmd := exec.Command("sh", "-c", script.String())
	cmd.Dir, cmd.Env = dir, w.environment()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	parts := strings.Split(w.shown(out.String()), end)
	if len(parts) != 2*len(commands)+1 {
		return nil, fmt.Errorf("the shell ended early: %v\n%s", err, out.String())
	}
	results := make([]result, len(commands))
	for i := range results {
		results[i].output = parts[2*i]
		if o := results[i].output; o != "" && !strings.HasSuffix(o, "\n") {
			results[i].output += "\n"
		}
		if results[i].status, err = strconv.Atoi(parts[2*i+1]); err != nil {
			return nil, err
		}
	}
	return results, nil
}
