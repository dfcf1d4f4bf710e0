package learn_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/decisionlog"
	"github.com/claudewatch/claudewatch/internal/learn"
)

// work is two months of a developer with three projects, as the decision log, the
// transcripts and the change records have it. The same seed gives the same work.
type work struct {
	*rand.Rand
	log                *bufio.Writer
	projects, data     string
	session, directory string
	now                time.Time
	calls              int
	transcript         []string // lines of the session's
	withoutTranscript  bool
	withoutIDs         bool
}

// habit is a kind of call: how often it is made, and what becomes of it.
type habit struct {
	weight   int
	shape    string
	tool     string // Bash when empty
	path     string // of a file tool
	decision string
	rules    []string
	refused  int // of a hundred asks, how many the user refuses
}

var habits = []habit{
	{weight: 900, shape: "ls"}, {weight: 800, shape: "grep | head"}, {weight: 700, shape: "cat"}, {weight: 600, shape: "cd ; grep"},
	{weight: 500, shape: "sed"}, {weight: 500, shape: "git status"}, {weight: 450, shape: "git diff"}, {weight: 300, shape: "git log | head"},
	{weight: 620, shape: "go test"}, {weight: 300, shape: "cd ; go test | tail"}, {weight: 260, shape: "go build"}, {weight: 150, shape: "go vet"},
	{weight: 180, shape: "gofmt"}, {weight: 160, shape: "staticcheck"}, {weight: 120, shape: "git add"}, {weight: 60, shape: "git stash list"},
	{weight: 240, shape: "npm run"}, {weight: 180, shape: "npm test"}, {weight: 110, shape: "npx tsc"}, {weight: 90, shape: "eslint"},
	{weight: 260, shape: "python3"}, {weight: 150, shape: "python3 ; echo"}, {weight: 130, shape: "pytest"}, {weight: 70, shape: "bash"},
	{weight: 90, shape: "curl | jq"}, {weight: 80, shape: "make"}, {weight: 70, shape: "docker compose ps"}, {weight: 40, shape: "docker run"},
	{weight: 60, shape: "gh pr view"}, {weight: 50, shape: "gh pr list"}, {weight: 60, shape: "mkdir"}, {weight: 50, shape: "rm"}, {weight: 30, shape: "?"},
	{weight: 1100, tool: "Read", path: "src/%d.go"}, {weight: 900, tool: "Edit", path: "src/%d.go"}, {weight: 250, tool: "Write", path: "src/%d.go"},

	{weight: 320, shape: "git commit", decision: "ask", rules: []string{"watch-git/git commit"}},
	{weight: 90, shape: "git push", decision: "ask", rules: []string{"watch-git/git push"}, refused: 4},
	{weight: 40, shape: "npm ci", decision: "ask", rules: []string{"watch-installs/npm install"}},
	{weight: 40, shape: "npm install", decision: "ask", rules: []string{"watch-installs/npm install"}, refused: 30},
	{weight: 30, shape: "rm", decision: "ask", rules: []string{"watch-files/rm -r"}, refused: 25},
	{weight: 40, tool: "Write", path: "/home/dev/notes/%d.md", decision: "ask", rules: []string{"watch-paths/write outside the project"}},
	{weight: 25, tool: "Write", path: "/srv/other/%d.conf", decision: "ask", rules: []string{"watch-paths/write outside the project"}, refused: 40},
	{weight: 25, tool: "Read", path: "/home/dev/shop/.env", decision: "ask", rules: []string{"watch-secrets/read a secret file"}, refused: 45},
	{weight: 20, shape: "chmod", decision: "ask", rules: []string{"watch-files/chmod"}, refused: 35},

	{weight: 130, shape: "git add ; git commit", decision: "deny", rules: []string{"watch-git/git commit"}},
	{weight: 25, shape: "git push", decision: "deny", rules: []string{"watch-git/git push --force"}},
	{weight: 18, shape: "curl | bash", decision: "deny", rules: []string{"watch-installs/download | sh"}},
	{weight: 16, shape: "cat", decision: "deny", rules: []string{"watch-secrets/read a private key"}},
}

// write writes a log of so many calls and returns its path.
func (w *work) write(t testing.TB, directory string, calls int) string {
	t.Helper()
	path := filepath.Join(directory, "decisions.jsonl")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w.log = bufio.NewWriter(file)
	w.projects, w.data = filepath.Join(directory, "projects"), filepath.Join(directory, "changes")
	w.now = time.Date(2026, 10, 1, 8, 0, 0, 0, time.UTC)
	fmt.Fprintln(w.log, `{"schema":2}`)
	total := 0
	for _, h := range habits {
		total += h.weight
	}
	perSession := 250
	for w.calls < calls {
		w.begin()
		for range perSession/2 + w.IntN(perSession) {
			n := w.IntN(total)
			for _, h := range habits {
				if n -= h.weight; n < 0 {
					w.call(t, h)
					break
				}
			}
		}
		w.end(t)
	}
	if err := w.log.Flush(); err != nil {
		t.Fatal(err)
	}
	return path
}

// begin begins a session. Six of them are a day.
func (w *work) begin() {
	w.session = fmt.Sprintf("%08x-0000-4000-8000-%012x", w.Uint32(), w.Uint64()&0xffffffffffff)
	w.directory = "/home/dev/" + []string{"shop", "api", "site"}[w.IntN(3)]
	w.now = w.now.Add(3 * time.Hour)
	w.transcript = nil
}

// call makes a call, and has it decided, answered and recorded.
func (w *work) call(t testing.TB, h habit) {
	w.calls++
	w.now = w.now.Add(time.Duration(2+w.IntN(40)) * time.Second)
	r := decisionlog.Record{
		Time: w.now, Session: w.session, Cwd: w.directory, Tool: h.tool, Mode: "default", Decision: h.decision,
		Matched: append([]string{}, h.rules...), CommandShape: h.shape, ToolUseID: fmt.Sprintf("toolu_%016x", w.Uint64()),
	}
	if r.Tool == "" {
		r.Tool = "Bash"
	}
	if h.path != "" {
		r.Path = h.path
		if strings.Contains(h.path, "%d") {
			r.Path = fmt.Sprintf(h.path, w.IntN(400))
		}
		if !filepath.IsAbs(r.Path) {
			r.Path = w.directory + "/" + r.Path
		}
	}
	if r.Decision == "" {
		r.Decision = "allow"
	}
	id := r.ToolUseID
	if w.withoutIDs {
		r.ToolUseID = ""
	}
	line, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(w.log, "%s\n", line)
	w.answer(t, h, &r, id)
}

// answer writes what became of a call into the transcript, or into a change record.
func (w *work) answer(t testing.TB, h habit, r *decisionlog.Record, id string) {
	if r.Decision == "deny" {
		return
	}
	refused := r.Decision == "ask" && w.IntN(100) < h.refused
	if w.withoutTranscript {
		if !refused && r.Decision == "ask" && w.IntN(4) == 0 {
			change := record.Record{
				ID: id, Session: w.session, Stream: "main", Tool: id, ToolName: r.Tool, Basis: record.ToolWindow,
				Outcome: &record.Outcome{State: record.Returned},
			}
			if err := record.Append(w.data, w.session, "main", &change); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	input := map[string]any{"command": strings.ReplaceAll(h.shape, " ; ", " && ")}
	if r.Path != "" {
		input = map[string]any{"file_path": r.Path, "content": "x"}
	}
	content, isError := "ok", false
	if refused {
		content, isError = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. …)", true
	} else if w.IntN(10) == 0 {
		content, isError = "Exit code 1\nno", true
	}
	add := func(kind string, part map[string]any, at time.Time) {
		line, err := json.Marshal(map[string]any{
			"type": kind, "sessionId": w.session, "cwd": w.directory, "timestamp": at.Format(time.RFC3339Nano),
			"message": map[string]any{"role": kind, "content": []any{part}},
		})
		if err != nil {
			t.Fatal(err)
		}
		w.transcript = append(w.transcript, string(line))
	}
	add("assistant", map[string]any{"type": "tool_use", "id": id, "name": r.Tool, "input": input}, r.Time.Add(-time.Second))
	add("user", map[string]any{"type": "tool_result", "tool_use_id": id, "content": content, "is_error": isError}, r.Time.Add(time.Second))
}

// end writes the transcript of the session.
func (w *work) end(t testing.TB) {
	t.Helper()
	if len(w.transcript) == 0 {
		return
	}
	folder := filepath.Join(w.projects, strings.ReplaceAll(w.directory, "/", "-"))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, w.session+".jsonl"), []byte(strings.Join(w.transcript, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// options are the default ones, in UTC.
func options() learn.Options {
	o := learn.DefaultOptions()
	o.Location = time.UTC
	return o
}
