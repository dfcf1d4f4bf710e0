package learn

import (
	"fmt"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/decisionlog"
	"github.com/google/go-cmp/cmp"
)

func study() *Study {
	o := DefaultOptions()
	o.Location = time.UTC
	return NewStudy(o)
}

var morning = time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)

// A log may be of any length, and hold names that nobody has seen before in every line.
func TestAStudyIsBoundedWhateverTheLogIsLike(t *testing.T) {
	s := study()
	const records = 120_000
	for i := range records {
		name := fmt.Sprint(i)
		r := decisionlog.Record{
			Time: morning.Add(time.Duration(i) * time.Hour), Session: "s" + name, Tool: "t" + name, Decision: []string{"allow", "ask", "deny"}[i%3],
			Matched: []string{"set/" + name, "other/" + name}, CommandShape: "shape " + name, ToolUseID: "id" + name,
		}
		switch {
		case i%5 == 0:
			r.CommandShape, r.Decision, r.Matched = "go test", "allow", nil
		case i%7 == 0:
			r.ToolUseID = ""
		case i%11 == 0:
			r.Session = "one"
		}
		s.Add(&r)
	}
	unnamed := 0
	for _, asks := range s.unnamed {
		unnamed += len(asks)
	}
	for what, size := range map[string]int{"shapes": len(s.shapes), "rules": len(s.rules), "asks": len(s.asks)} {
		if size > maxKeys {
			t.Errorf("%d %s are kept, more than %d", size, what, maxKeys)
		}
	}
	if n := len(s.pending) + unnamed; n > maxAsks {
		t.Errorf("%d asks are kept, more than %d", n, maxAsks)
	}
	if n := s.sessions.count(); n != maxDistinct {
		t.Errorf("%d sessions are told apart, want %d", n, maxDistinct)
	}
	// What is used all the time is counted exactly nevertheless.
	if got := s.shapes["go test"]; got == nil || got.calls != records/5 {
		t.Errorf("go test: %+v", got)
	}
}

func TestTheCommandsOfAShape(t *testing.T) {
	for shape, want := range map[string][]string{
		"go test":               {"go test"},
		"cd ; go test | tail":   {"cd", "go test", "tail"},
		"git add ; git commit":  {"git add", "git commit"},
		"a ; b ; c ; d | e ; …": {"a", "b", "c", "d", "e", "…"},
		"? | ?":                 {"?", "?"},
		"docker compose ps ; [": {"docker compose ps", "["},
	} {
		if diff := cmp.Diff(want, commandsOf(shape)); diff != "" {
			t.Errorf("%q: %s", shape, diff)
		}
	}
}

func TestNothingIsProposedThatRunsWhatItIsGivenOrTakesSomethingAway(t *testing.T) {
	for _, shape := range []string{
		"", "?", "git ?", "…", "bash", "python3", "node", "sudo", "env", "xargs", "npx", "npx tsc", "npm run", "npm install", "npm ci", "npm publish",
		"pip install", "go run", "go install", "cargo run", "cargo add", "rm", "mv", "cp", "chmod", "curl", "wget", "ssh", "git push", "git reset",
		"git clean", "git checkout", "git rebase", "git", "docker", "docker run", "docker exec", "docker compose ps", "kubectl delete", "kubectl get", "terraform apply", "aws s3 rm",
		"gh repo delete", "gh api", "gh auth", "gh secret", "psql", "make", "make:*)", "a(b", "poetry run", "yarn exec", "ls", "cat", "git status", "cd",
	} {
		if isProposable(shape) {
			t.Errorf("%q would be proposed", shape)
		}
	}
	for _, shape := range []string{"go test", "go build", "go vet", "gofmt", "cargo test", "npm test", "pytest", "eslint", "tsc", "git add", "git commit", "gh pr view", "mkdir", "mvn test"} {
		if !isProposable(shape) {
			t.Errorf("%q would not be proposed", shape)
		}
	}
}

func TestPermissionsThatAllowAShapeAlready(t *testing.T) {
	for _, c := range []struct {
		permission, shape string
		want              bool
	}{
		{"Bash", "go test", true}, {"Bash(*)", "go test", true}, {"Bash(go test:*)", "go test", true}, {"Bash(go:*)", "go test", true}, {"Bash(go *)", "go test", true},
		{"Bash(go test ./...)", "go test", false}, {"Bash(go t:*)", "go test", false}, {"Bash(gofmt:*)", "go", false}, {"Read(./**)", "go test", false}, {"", "go test", false},
	} {
		if got := isAllowed([]string{c.permission}, c.shape); got != c.want {
			t.Errorf("%s allows %s: %t", c.permission, c.shape, got)
		}
	}
}

func TestAnAskOfTwoHooksCountsOnce(t *testing.T) {
	s := study()
	r := decisionlog.Record{Time: morning, Session: "s", Tool: "Bash", Decision: "ask", Matched: []string{"a/b"}, CommandShape: "x", ToolUseID: "t1"}
	s.Add(&r)
	s.Add(&r)
	s.answerTo("t1", Approved)
	s.answerTo("t1", Refused)
	if u := s.asks[askKey{"a/b", "x"}]; u.calls != 1 || u.approved != 1 || u.refused != 0 {
		t.Errorf("%+v", u)
	}
}

func TestAMutedRuleHasNotAsked(t *testing.T) {
	s := study()
	s.Add(&decisionlog.Record{Time: morning, Session: "s", Tool: "Bash", Decision: "ask", Matched: []string{"a/b", "c/d"}, Muted: []string{"c/d"}, CommandShape: "x", ToolUseID: "t1"})
	s.Add(&decisionlog.Record{Time: morning, Session: "s", Tool: "Bash", Decision: "allow", Matched: []string{"c/d"}, Muted: []string{"c/d"}, CommandShape: "y"})
	if s.asks[askKey{"a/b", "x"}] == nil || s.asks[askKey{"c/d", "x"}] != nil {
		t.Errorf("%+v", s.asks)
	}
	if u := s.shapes["y"]; u.calls != 0 {
		t.Errorf("what was let pass for a mute counts as allowed: %+v", u)
	}
}

func TestWhoeverIsBlockedAgainSoonHasTriedAgain(t *testing.T) {
	s := study()
	for _, minute := range []int{0, 5, 9, 30, 45} {
		s.Add(&decisionlog.Record{Time: morning.Add(time.Duration(minute) * time.Minute), Session: "s", Tool: "Bash", Decision: "deny", Matched: []string{"a/b"}, CommandShape: "x"})
	}
	s.Add(&decisionlog.Record{Time: morning.Add(46 * time.Minute), Session: "other", Tool: "Bash", Decision: "deny", Matched: []string{"a/b"}, CommandShape: "x"})
	if u := s.rules["a/b"]; u.calls != 6 || u.again != 2 {
		t.Errorf("%d calls, %d again", u.calls, u.again)
	}
}

func TestADayEndsAtMidnightOfItsPlace(t *testing.T) {
	berlin := time.FixedZone("CET", 3600)
	before, after := time.Date(2026, 11, 30, 22, 59, 0, 0, time.UTC), time.Date(2026, 11, 30, 23, 1, 0, 0, time.UTC)
	if dayOf(before, berlin) == dayOf(after, berlin) || dayOf(before, time.UTC) != dayOf(after, time.UTC) {
		t.Error("the days are not those of the place")
	}
}
