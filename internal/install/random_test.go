package install

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/google/go-cmp/cmp"
)

// randomFiles is how many settings files TestInstallThenUninstall… tries;
// CLAUDEWATCH_RANDOM_SETTINGS gives another number. The n-th file is always the same.
const randomFiles = 200

// author writes a settings file as somebody might: each has habits of its own.
type author struct {
	*rand.Rand
	b                    strings.Builder
	newline, unit, colon string
	messy                bool
	ours                 bool // a hook of claudewatch was written
}

func newAuthor(seed uint64) *author {
	a := &author{Rand: rand.New(rand.NewPCG(seed, 1))}
	a.newline = pick(a, "\n", "\n", "\n", "\r\n", "")
	a.unit = pick(a, "  ", "  ", "    ", "\t", " ", "")
	a.colon = pick(a, ": ", ": ", ":", " : ", ":\t")
	a.messy = a.IntN(5) == 0
	return a
}

func pick[T any](a *author, options ...T) T { return options[a.IntN(len(options))] }

// settings returns the text of a whole file.
func (a *author) settings() string {
	switch a.IntN(20) {
	case 0:
		return pick(a, "", "\n", " \r\n\t", byteOrderMark)
	case 1:
		return pick(a, "{}", "{}\n", "{\n}\n", " { } ", byteOrderMark+"{}", "{\"hooks\":{}}", "{\"hooks\": {}}\n", "{\n  \"hooks\": {\n  }\n}\n", `{"hooks":{"Stop":[]}}`)
	}
	a.b.WriteString(pick(a, "", "", "", "", byteOrderMark))
	var members []func(int)
	for range a.IntN(7) {
		members = append(members, a.named(a.key(), func(depth int) { a.value(depth, 4) }))
	}
	if a.IntN(3) > 0 {
		hooks := a.named(pick(a, `"hooks"`, `"hooks"`, `"hooks"`, `"\u0068ooks"`), a.hooks)
		at := a.IntN(len(members) + 1)
		members = append(members[:at], append([]func(int){hooks}, members[at:]...)...)
	}
	a.container('{', '}', 0, members)
	a.b.WriteString(pick(a, "", a.newline, a.newline, a.newline+a.newline, " "))
	return a.b.String()
}

// space writes the white space before something on a line of that depth.
func (a *author) space(depth int) {
	switch {
	case a.messy:
		for range a.IntN(4) {
			a.b.WriteString(pick(a, " ", "\n", "\t", "\r\n", "  "))
		}
	case a.newline != "":
		a.b.WriteString(a.newline + strings.Repeat(a.unit, depth))
	}
}

func (a *author) container(open, end byte, depth int, elements []func(int)) {
	a.b.WriteByte(open)
	flat := a.IntN(3) == 0 && depth > 0 // short ones are often on one line
	for i, element := range elements {
		if i > 0 {
			if a.messy {
				a.space(depth)
			}
			a.b.WriteByte(',')
		}
		switch {
		case !flat:
			a.space(depth + 1)
		case i > 0:
			a.b.WriteByte(' ')
		}
		element(depth + 1)
	}
	if len(elements) > 0 && !flat || a.messy {
		a.space(depth)
	}
	a.b.WriteByte(end)
}

func (a *author) named(name string, value func(depth int)) func(int) {
	return func(depth int) {
		a.b.WriteString(name + a.colon)
		value(depth)
	}
}

func (a *author) key() string {
	return pick(a, `"model"`, `"env"`, `"permissions"`, `"statusLine"`, `"größe"`, `"\u00e9\ud83d\ude00"`, `""`, `"a/b"`, `"a\/b"`, `"Hooks"`, `"日本"`)
}

func (a *author) value(depth, levels int) {
	kind := a.IntN(8)
	if levels == 0 {
		kind %= 5
	}
	switch kind {
	case 0, 1:
		a.b.WriteString(pick(a, `"opus"`, `"\u0041\t\"x\""`, `"😀 ü\u00a0"`, `"Bash(git status:*)"`, `"{[,:]}"`, `"claudewatch hook"`, `"\\"`, `""`, "\"\u2028\""))
	case 2:
		a.b.WriteString(pick(a, "0", "-0", "1.0", "1e+5", "123456789012345678901234567890", "0.1e-7"))
	case 3:
		a.b.WriteString(pick(a, "true", "false", "null"))
	case 4:
		a.b.WriteString(pick(a, "{}", "[]", "{ }", "[ ]"))
	case 5:
		n := a.IntN(6)
		if a.IntN(20) == 0 {
			n = 400
		}
		var elements []func(int)
		for range n {
			elements = append(elements, func(depth int) { a.value(depth, min(levels-1, 400/n-1)) })
		}
		a.container('[', ']', depth, elements)
	default:
		var members []func(int)
		for range a.IntN(5) {
			members = append(members, a.named(a.key(), func(depth int) { a.value(depth, levels-1) }))
		}
		a.container('{', '}', depth, members)
	}
}

// hooks writes the hooks of others, now and then of another shape than Claude Code
// takes, and now and then an old hook of claudewatch.
func (a *author) hooks(depth int) {
	if a.IntN(12) == 0 {
		a.b.WriteString(pick(a, "null", "[]", `"x"`, "7", `[{"matcher": "*"}]`))
		return
	}
	var members []func(int)
	for _, event := range []string{"PreToolUse", "PostToolUse", "Stop", "Notification", "SessionStart", "PreCompact"} {
		if a.IntN(3) == 0 {
			members = append(members, a.named(strconv.Quote(event), a.groups))
		}
	}
	a.container('{', '}', depth, members)
}

func (a *author) groups(depth int) {
	if a.IntN(20) == 0 {
		a.b.WriteString(pick(a, "null", "{}", `"x"`))
		return
	}
	var groups []func(int)
	for range a.IntN(3) {
		groups = append(groups, func(depth int) {
			if a.IntN(12) == 0 {
				a.b.WriteString(pick(a, "null", "[]", "3", `{"hooks": "x"}`, `{"hooks": []}`, `{"matcher": "Bash"}`))
				return
			}
			hooks := a.named(`"hooks"`, func(depth int) {
				var handlers []func(int)
				for range a.IntN(3) {
					handlers = append(handlers, a.handler)
				}
				a.container('[', ']', depth, handlers)
			})
			members := []func(int){hooks}
			if a.IntN(2) == 0 {
				members = append([]func(int){a.named(`"matcher"`, func(int) { a.b.WriteString(pick(a, `"Bash"`, `"*"`, `"Write|Edit"`, `""`)) })}, members...)
			}
			a.container('{', '}', depth, members)
		})
	}
	a.container('[', ']', depth, groups)
}

func (a *author) handler(depth int) {
	text := pick(a, `"prettier --check"`, `"~/.claude/hooks/lint.sh"`, `"echo claudewatch hook"`, `"/src/claudewatch/fmt.sh"`)
	if a.IntN(25) == 0 {
		a.ours = true
		text = pick(a, `"/old/claudewatch hook"`, `"claudewatch hook --only watch-git"`)
	}
	a.container('{', '}', depth, []func(int){
		a.named(`"type"`, func(int) { a.b.WriteString(`"command"`) }),
		a.named(`"command"`, func(int) { a.b.WriteString(text) }),
		a.named(`"timeout"`, func(int) { a.b.WriteString(pick(a, "5", "60", "1e2")) }),
	})
}

// others returns the hooks that are not of claudewatch.
func others(t *testing.T, source []byte) []Hook {
	t.Helper()
	s, err := Read(source)
	if err != nil {
		t.Fatal(err)
	}
	var all []Hook
	for _, h := range s.Hooks {
		if kind := KindOf(h.Handler); kind == Foreign || kind == Mixed {
			all = append(all, h)
		}
	}
	return all
}

func TestInstallThenUninstallGivesTheFileBackByteForByte(t *testing.T) {
	files := randomFiles
	if n, err := strconv.Atoi(os.Getenv("CLAUDEWATCH_RANDOM_SETTINGS")); err == nil {
		files = n
	}
	back, refused, had := 0, 0, 0
	for seed := range files {
		a := newAuthor(uint64(seed))
		source := a.settings()
		if trimmed := strings.TrimPrefix(source, byteOrderMark); strings.TrimSpace(trimmed) != "" && !json.Valid([]byte(trimmed)) {
			t.Fatalf("file %d: the test wrote what is not JSON: %s", seed, source)
		}
		switch roundTrip(t, seed, source, a.ours) {
		case "back":
			back++
		case "refused":
			refused++
		case "had":
			had++
		}
	}
	t.Logf("%d files: %d given back byte for byte, %d refused with the reason and left alone, %d had hooks of claudewatch and came back without", files, back, refused, had)
	if back < files/2 || refused == 0 || had == 0 {
		t.Error("the files do not try what they should")
	}
}

// roundTrip installs into a file of that text and uninstalls again, and returns how it
// came out.
func roundTrip(t *testing.T, seed int, source string, ours bool) string {
	t.Helper()
	directory := t.TempDir()
	m := Machine{Environment: config.Environment{ClaudeConfig: directory}}
	path := filepath.Join(directory, settingsName)
	if err := os.WriteFile(path, []byte(source), 0o640); err != nil {
		t.Fatal(err)
	}
	file, err := m.File(User)
	if err != nil {
		t.Fatal(err)
	}
	result, err := file.Install(program, false)
	if err != nil {
		now, _ := os.ReadFile(path)
		if !errors.As(err, new(*SyntaxError)) || string(now) != source {
			t.Errorf("file %d: %v; the file is %q", seed, err, now)
		}
		return "refused"
	}
	installed, _ := os.ReadFile(path)
	checkInstalled(t, seed, source, installed)
	if again, err := file.Install(program, false); err != nil || again.Changed() {
		t.Errorf("file %d: a second install: %v, %+v", seed, err, again)
	}
	if backup, err := os.ReadFile(result.Backup); err != nil || string(backup) != source {
		t.Errorf("file %d: the backup: %v, %q", seed, err, backup)
	}
	if _, err := file.Uninstall(false); err != nil {
		t.Errorf("file %d: uninstall: %v", seed, err)
	}
	now, err := os.ReadFile(path)
	switch {
	case err != nil:
		t.Errorf("file %d: %v", seed, err)
	case ours:
		if hasHooks(now) {
			t.Errorf("file %d: hooks of claudewatch are left: %s", seed, now)
		}
		if diff := cmp.Diff(others(t, []byte(source)), others(t, now)); diff != "" {
			t.Errorf("file %d: hooks of others: %s", seed, diff)
		}
		return "had"
	case string(now) != source:
		t.Errorf("file %d: is\n%q and was\n%q", seed, now, source)
	}
	return "back"
}

// checkInstalled checks a file with the hooks in it.
func checkInstalled(t *testing.T, seed int, source string, installed []byte) {
	t.Helper()
	s, err := Read(installed)
	if err != nil {
		t.Fatalf("file %d: %v\n%s", seed, err, installed)
	}
	runs := map[string]int{}
	for _, h := range s.Hooks {
		if kind := KindOf(h.Handler); kind == Plain || kind == Custom {
			runs[h.Event]++
		}
	}
	for _, e := range Events {
		if runs[e.Name] == 0 || runs[e.Name] > 1 && !strings.Contains(source, "--only") {
			t.Errorf("file %d: %s runs claudewatch %d times\n%s", seed, e.Name, runs[e.Name], installed)
		}
	}
	if diff := cmp.Diff(others(t, []byte(source)), others(t, installed)); diff != "" {
		t.Errorf("file %d: hooks of others: %s", seed, diff)
	}
}

func TestHooksCanBeTakenOutWhenTheFileWasEditedMeanwhile(t *testing.T) {
	tried := 0
	for seed := range randomFiles {
		a := newAuthor(uint64(seed))
		source := a.settings()
		edit, err := Merge([]byte(source), program)
		if err != nil || a.ours || !strings.Contains(source, `"`) {
			continue
		}
		// The user puts something in front, and keeps the rest.
		meanwhile := func(s []byte) []byte {
			return []byte(strings.Replace(string(s), "{", `{"put in": [1, {"a": null}],`, 1))
		}
		got, err := Remove(meanwhile(edit.Text), []byte(source))
		if err != nil {
			t.Errorf("file %d: %v", seed, err)
			continue
		}
		tried++
		// An empty container may have had white space in it.
		if want := string(meanwhile([]byte(source))); withoutGaps(string(got.Text)) != withoutGaps(want) {
			t.Errorf("file %d: is\n%s\nand should be\n%s", seed, got.Text, want)
		}
	}
	if tried < randomFiles/2 {
		t.Errorf("only %d files", tried)
	}
}

// withoutGaps takes the white space out of empty containers.
func withoutGaps(s string) string {
	for _, brackets := range []string{"{}", "[]"} {
		parts := strings.Split(s, brackets[:1])
		for i, p := range parts[1:] {
			if trimmed := strings.TrimLeft(p, " \t\r\n"); strings.HasPrefix(trimmed, brackets[1:]) {
				parts[i+1] = trimmed
			}
		}
		s = strings.Join(parts, brackets[:1])
	}
	return s
}

func FuzzMergeAndRemove(f *testing.F) {
	for seed := range uint64(40) {
		if source := newAuthor(seed).settings(); len(source) < 300 {
			f.Add(source)
		}
	}
	f.Add(`{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"claudewatch hook"},{"type":"command","command":"/x/claudewatch","args":[]}]}]}}`)
	f.Fuzz(func(t *testing.T, source string) {
		edit, err := Merge([]byte(source), program)
		if err != nil {
			return
		}
		again, err := Merge(edit.Text, program)
		if err != nil || again.Changed() {
			t.Fatalf("a second install: %v, %+v", err, again)
		}
		back, err := Remove(edit.Text, []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		if !hasHooks([]byte(source)) && string(back.Text) != source {
			t.Fatalf("taken out again: %q, was %q", back.Text, source)
		}
		if hasHooks(back.Text) {
			t.Fatalf("hooks are left: %s", back.Text)
		}
		if diff := cmp.Diff(fmt.Sprint(others(t, []byte(source))), fmt.Sprint(others(t, back.Text))); diff != "" {
			t.Fatalf("hooks of others: %s", diff)
		}
	})
}
