package learn_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/decisionlog"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/internal/learn"
	"github.com/claudewatch/claudewatch/internal/transcript"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/claudewatch/claudewatch/predicates"
	"github.com/google/go-cmp/cmp"
)

// logged is what the log has of a call.
func logged(e *engine.Engine) func(*transcript.Call) string {
	return func(c *transcript.Call) string {
		in := e.Input(call.Call{Event: "PreToolUse", Tool: c.Tool, Args: c.Input, Cwd: c.Cwd})
		if in.Path != "" {
			return in.Path
		}
		return predicates.Shape(in.Effects().Commands)
	}
}

// add adds the records of a log to a study.
func add(t testing.TB, s *learn.Study, path string) {
	t.Helper()
	reader, err := decisionlog.NewReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	for r, err := range reader.Records() {
		if err != nil {
			t.Fatal(err)
		}
		s.Add(r)
	}
}

// report is what a study of work comes to.
func report(t testing.TB, w *work, path string, known learn.Known) *learn.Report {
	t.Helper()
	e := engine.Open(config.Environment{}, engine.Selection{})
	s := learn.NewStudy(options())
	add(t, s, path)
	if err := s.ReadRecords(w.data); err != nil {
		t.Fatal(err)
	}
	if err := s.ReadTranscripts(w.projects, logged(e), func(int64) {}, func(int64) {}); err != nil {
		t.Fatal(err)
	}
	if known.Sets == nil {
		known.Sets = e.Policy.Sets
	}
	known.Settings, known.Watches, known.ClaudeSettings = "/home/dev/settings.yaml", "/home/dev/watches", "/home/dev/settings.json"
	return s.Report(known)
}

func patterns(r *learn.Report) []string {
	var list []string
	for _, a := range r.Allow {
		list = append(list, a.Pattern)
	}
	return list
}

func exemptions(r *learn.Report) []string {
	var list []string
	for _, e := range r.Exemptions {
		list = append(list, strings.TrimSuffix(e.Rule+": "+e.Condition, ": "))
	}
	return list
}

func noisy(r *learn.Report) []string {
	var list []string
	for _, n := range r.Noisy {
		list = append(list, n.Rule)
	}
	return list
}

// The proposals that somebody who did this work would agree with: tests and builds
// and linters may run; commits need no question; a folder of notes and npm ci are fine,
// what else those rules are about is not; and nothing that runs what it is given.
var (
	wantPatterns = []string{
		"Bash(go test:*)", "Bash(go build:*)", "Bash(gofmt:*)", "Bash(npm test:*)", "Bash(staticcheck:*)", "Bash(go vet:*)",
		"Bash(pytest:*)", "Bash(git add:*)", "Bash(eslint:*)", "Bash(gh pr view:*)", "Bash(mkdir:*)", "Bash(gh pr list:*)", "Bash(git stash list:*)",
	}
	wantExemptions = []string{
		"watch-git/git commit",
		`watch-installs/npm install: shape(input.commands) == "npm ci"`,
		`watch-paths/write outside the project: input.path != "" && glob(input.path, "/home/dev/notes/*")`,
	}
	wantNoisy = []string{"watch-git/git commit", "watch-git/git push --force", "watch-installs/download | sh", "watch-secrets/read a private key"}
)

// asSets compares lists whatever their order.
var asSets = cmp.Transformer("set", func(list []string) map[string]bool {
	set := map[string]bool{}
	for _, s := range list {
		set[s] = true
	}
	return set
})

func TestWhatIsProposedIsWhatAPersonWouldAgreeWith(t *testing.T) {
	for name, w := range map[string]*work{
		"by the transcripts":                                {},
		"by the transcripts, of calls without an id":        {withoutIDs: true},
		"by the change records, which know approvals alone": {withoutTranscript: true},
	} {
		t.Run(name, func(t *testing.T) {
			calls := 8_000
			w.Rand = rand.New(rand.NewPCG(7, 7))
			r := report(t, w, w.write(t, t.TempDir(), calls), learn.Known{})
			if diff := cmp.Diff(wantPatterns, patterns(r), asSets); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(wantNoisy, noisy(r), asSets); diff != "" {
				t.Error(diff)
			}
			if w.withoutTranscript {
				// One ask in four is known to have been approved: that is no proof of the others.
				if got := exemptions(r); len(got) > 0 {
					t.Errorf("proposed: %q", got)
				}
				if len(r.Unanswered) == 0 || r.Unanswered[0].Rule != "watch-git/git commit" {
					t.Errorf("unanswered: %+v", r.Unanswered)
				}
				return
			}
			if diff := cmp.Diff(wantExemptions, exemptions(r), asSets); diff != "" {
				t.Error(diff)
			}
			if len(r.Unanswered) > 0 {
				t.Errorf("unanswered: %+v", r.Unanswered)
			}
		})
	}
}

func TestWhatIsProposedWorks(t *testing.T) {
	w, path := ordinary(t)
	r := report(t, w, path, learn.Known{})
	var files []policy.File
	texts := map[string]string{}
	for _, s := range r.Snippets {
		texts[s.File] = s.Text
		if strings.HasPrefix(s.File, "/home/dev/watches/") {
			files = append(files, policy.File{Path: s.File, Scope: policy.User, Source: []byte(s.Text)})
		}
	}
	if len(files) != 2 {
		t.Fatalf("%d rule files are proposed: %+v", len(files), r.Snippets)
	}
	settings := config.ParseSettings("settings.yaml", []byte(texts["/home/dev/settings.yaml"]))
	var off []string
	for _, rule := range settings.Rules {
		off = append(off, rule.Set+"/"+rule.Rule+" "+rule.Action.String())
	}
	want := []string{"watch-git/git commit off", "watch-installs/npm install off", "watch-paths/write outside the project off"}
	if diff := cmp.Diff(want, off, asSets); diff != "" || len(settings.Diagnostics) > 0 {
		t.Errorf("%s%v\n%s", diff, settings.Diagnostics, texts["/home/dev/settings.yaml"])
	}
	p := policy.Compile(files, policy.Options{})
	if len(p.Diagnostics) > 0 {
		t.Fatalf("%v\n%s", p.Diagnostics, files[0].Source)
	}
	e := engine.Open(config.Environment{}, engine.Selection{})
	for _, c := range []struct {
		tool string
		args map[string]any
		want policy.Verdict
	}{
		{"Bash", map[string]any{"command": "npm ci"}, policy.None},
		{"Bash", map[string]any{"command": "npm install left-pad"}, policy.AskVerdict},
		{"Bash", map[string]any{"command": "npm ci && npm install left-pad"}, policy.Deny},
		{"Write", map[string]any{"file_path": "/home/dev/notes/a.md", "content": "x"}, policy.None},
		{"Write", map[string]any{"file_path": "/home/dev/notes/deep/a.md", "content": "x"}, policy.AskVerdict},
		{"Write", map[string]any{"file_path": "/srv/other/a.conf", "content": "x"}, policy.AskVerdict},
		{"Bash", map[string]any{"command": "echo x > /srv/other/a.conf"}, policy.AskVerdict},
	} {
		in := e.Input(call.Call{Event: "PreToolUse", Tool: c.tool, Args: c.args, Cwd: "/home/dev/shop", ProjectDir: "/home/dev/shop", Home: "/home/dev"})
		if got := policy.Decide(p.Evaluate(in, policy.EvaluateOptions{}), policy.Deny); got.Verdict != c.want {
			t.Errorf("%v: %s, want %s", c.args, got.Verdict, c.want)
		}
	}
}

func TestWhatIsSetUpIsNotProposedAgain(t *testing.T) {
	w, path := ordinary(t)
	home := t.TempDir()
	writeFile(t, home+"/settings.yaml", "rules: {watch-git/git commit: off, watch-installs/npm install: block}\ndisable: [watch-paths]\n")
	r := report(t, w, path, learn.Known{
		Sets:        engine.Open(config.Environment{ClaudewatchHome: home}, engine.Selection{}).Policy.Sets,
		Permissions: []string{"Bash(go:*)", "Bash(npm test)", "Bash(gh pr *)", "Read", "Bash(mkdir:*)"},
	})
	for _, p := range patterns(r) {
		if strings.HasPrefix(p, "Bash(go ") || strings.HasPrefix(p, "Bash(gh ") || p == "Bash(mkdir:*)" {
			t.Errorf("proposed again: %s", p)
		}
	}
	if got := exemptions(r); len(got) > 0 {
		t.Errorf("proposed again: %q", got)
	}
}

func BenchmarkLearn(b *testing.B) {
	w := &work{Rand: rand.New(rand.NewPCG(7, 7))}
	path := w.write(b, b.TempDir(), 100_000)
	b.Run("log", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s := learn.NewStudy(options())
			add(b, s, path)
		}
	})
	b.Run("log and transcripts", func(b *testing.B) {
		for b.Loop() {
			report(b, w, path, learn.Known{})
		}
	})
}
