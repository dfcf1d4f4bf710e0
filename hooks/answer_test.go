package hooks_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/claudewatch/claudewatch/hooks"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/google/go-cmp/cmp"
)

var (
	push = policy.Match{
		Set: "watch-git", Rule: "git push --force", Action: policy.Block, Reason: "overwrites shared remote history",
		Suggest: "git push --force-with-lease", Ref: "https://git-scm.com/docs/git-push",
	}
	remove = policy.Match{Set: "watch-files", Rule: "rm -r", Action: policy.Ask, Reason: "recursively deletes directories"}
)

// written collects what an answer writes.
type written struct {
	Stdout, Stderr string
	Exit           int
}

func answer(t *testing.T, d policy.Decision, denyExit int) written {
	t.Helper()
	var stdout, stderr bytes.Buffer
	exit, err := hooks.Answer(&stdout, &stderr, d, denyExit)
	if err != nil {
		t.Error(err)
	}
	return written{stdout.String(), stderr.String(), exit}
}

func jsonAnswer(decision, reason string) string {
	return `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"` + decision +
		`","permissionDecisionReason":"` + reason + `"}}` + "\n"
}

func TestAnswers(t *testing.T) {
	const pushLine = "BLOCKED [watch-git]: git push --force: overwrites shared remote history (instead: git push --force-with-lease) — https://git-scm.com/docs/git-push"
	for _, c := range []struct {
		name     string
		decision policy.Decision
		denyExit int
		want     written
	}{
		{"nothing to say", policy.Decision{}, 2, written{}},
		{"nothing to say, whatever else is there", policy.Decision{Matches: []policy.Match{push}, Note: "note"}, 2, written{}},
		{"deny", policy.Decision{Verdict: policy.Deny, Matches: []policy.Match{push}}, 2,
			written{jsonAnswer("deny", pushLine), pushLine + "\n", 2}},
		{"deny with exit status 0", policy.Decision{Verdict: policy.Deny, Matches: []policy.Match{push}}, 0,
			written{jsonAnswer("deny", pushLine), pushLine + "\n", 0}},
		{"deny with an exit status that does not deny", policy.Decision{Verdict: policy.Deny, Matches: []policy.Match{push}}, 1,
			written{jsonAnswer("deny", pushLine), pushLine + "\n", 2}},
		{"deny for two rules and with a note",
			policy.Decision{Verdict: policy.Deny, Matches: []policy.Match{push, remove}, Note: "run it\nalone"}, 2,
			written{
				jsonAnswer("deny", pushLine+`\nBLOCKED [watch-files]: rm -r: recursively deletes directories\nrun it alone`),
				pushLine + "\nBLOCKED [watch-files]: rm -r: recursively deletes directories (run it alone)\n", 2,
			}},
		{"ask", policy.Decision{Verdict: policy.AskVerdict, Matches: []policy.Match{remove, push}}, 2,
			written{Stdout: jsonAnswer("ask", `[watch-files] rm -r: recursively deletes directories\n`+strings.Replace(pushLine, "BLOCKED [watch-git]:", "[watch-git]", 1))}},
		{"a rule without a reason", policy.Decision{Verdict: policy.AskVerdict, Matches: []policy.Match{{Set: "s", Rule: "r"}}}, 2,
			written{Stdout: jsonAnswer("ask", `[s] r`)}},
		{"reasons of several lines, with characters of JSON and HTML",
			policy.Decision{Verdict: policy.Deny, Matches: []policy.Match{{Set: "s", Rule: "a\tb", Reason: "use <x> & \"y\"\r\n\n  then\u2028z\x1b[31m"}}}, 2,
			written{jsonAnswer("deny", `BLOCKED [s]: a b: use <x> & \"y\" then z [31m`), "BLOCKED [s]: a b: use <x> & \"y\" then z [31m\n", 2}},
		{"a reason that is not UTF-8",
			policy.Decision{Verdict: policy.Deny, Matches: []policy.Match{{Set: "s", Rule: "r", Reason: "a\xffb"}}}, 2,
			written{jsonAnswer("deny", "BLOCKED [s]: r: a\uFFFDb"), "BLOCKED [s]: r: a\uFFFDb\n", 2}},
		{"a rule that could not be evaluated",
			policy.Decision{Verdict: policy.Deny, Matches: []policy.Match{{Set: "s", Rule: "r", Reason: "why", Suggest: "this", Err: errors.New("s.yml:3:9: no such\nkey")}}}, 2,
			written{
				jsonAnswer("deny", "BLOCKED [s]: r: why (its evaluation failed, which counts as a match: s.yml:3:9: no such key) (instead: this)"),
				"BLOCKED [s]: r: why (its evaluation failed, which counts as a match: s.yml:3:9: no such key) (instead: this)\n", 2,
			}},
		{"deny without a match", policy.Decision{Verdict: policy.Deny}, 2,
			written{jsonAnswer("deny", "BLOCKED [claudewatch]: no reason given"), "BLOCKED [claudewatch]: no reason given\n", 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, answer(t, c.decision, c.denyExit)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWhatTheModelIsToldAfterACall(t *testing.T) {
	changed := policy.Match{Set: "guard-main", Rule: "generated", Action: policy.Block, Reason: "/srv/shop is on main,\nand the call changed \"a\"", Suggest: "git switch -c x"}
	context := func(event, text string) string {
		return `{"hookSpecificOutput":{"hookEventName":"` + event + `","additionalContext":"` + text + `"}}` + "\n"
	}
	const line = `[guard-main] generated: /srv/shop is on main, and the call changed \"a\" (instead: git switch -c x)`
	for _, c := range []struct {
		name, event string
		decision    policy.Decision
		want        string
	}{
		{"nothing", hooks.PostToolUse, policy.Decision{}, ""},
		{"one rule", hooks.PostToolUse, policy.Decision{Verdict: policy.Inform, Matches: []policy.Match{changed}}, context("PostToolUse", line)},
		{"after a failure", hooks.PostToolUseFailure, policy.Decision{Verdict: policy.Inform, Matches: []policy.Match{changed}}, context("PostToolUseFailure", line)},
		{"two rules", hooks.PostToolUse, policy.Decision{Verdict: policy.Inform, Matches: []policy.Match{changed, remove}},
			context("PostToolUse", line+`\n[watch-files] rm -r: recursively deletes directories`)},
		{"a decision about a call to come", hooks.PostToolUse, policy.Decision{Verdict: policy.Deny, Matches: []policy.Match{push}}, ""},
	} {
		var stdout bytes.Buffer
		if err := hooks.Inform(&stdout, c.event, c.decision); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if diff := cmp.Diff(c.want, stdout.String()); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	if err := hooks.Inform(failing{}, hooks.PostToolUse, policy.Decision{Verdict: policy.Inform}); err == nil {
		t.Error("no error when stdout cannot be written")
	}
}

func TestWhatTheModelIsToldIsBounded(t *testing.T) {
	var matches []policy.Match
	for range 500 {
		matches = append(matches, policy.Match{Set: "s", Rule: "r", Reason: strings.Repeat("é", 300)})
	}
	var stdout counting
	if err := hooks.Inform(&stdout, hooks.PostToolUse, policy.Decision{Verdict: policy.Inform, Matches: matches}); err != nil || stdout != 1 {
		t.Errorf("%d writes, %v", stdout, err)
	}
	var text bytes.Buffer
	if err := hooks.Inform(&text, hooks.PostToolUse, policy.Decision{Verdict: policy.Inform, Matches: matches}); err != nil {
		t.Fatal(err)
	}
	told := contextOf(t, text.String())
	if n := len(utf16.Encode([]rune(told))); n >= 2000 || n < 1500 || !strings.HasSuffix(told, "\n… and 494 more") {
		t.Errorf("%d UTF-16 units, %q", n, told[len(told)-40:])
	}
}

// contextOf returns what an answer after a call tells the model.
func contextOf(t *testing.T, stdout string) string {
	t.Helper()
	var a struct {
		HookSpecificOutput struct {
			AdditionalContext string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal([]byte(stdout), &a); err != nil {
		t.Fatalf("%v: %q", err, stdout)
	}
	return a.HookSpecificOutput.AdditionalContext
}

// reasonOf returns the reason in an answer.
func reasonOf(t *testing.T, stdout string) string {
	t.Helper()
	var a struct {
		HookSpecificOutput struct {
			PermissionDecisionReason string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal([]byte(stdout), &a); err != nil {
		t.Fatalf("%v: %q", err, stdout)
	}
	return a.HookSpecificOutput.PermissionDecisionReason
}

func TestAReasonStaysBelow2000Characters(t *testing.T) {
	many := func(n, size int, fill string) (matches []policy.Match) {
		for i := range n {
			matches = append(matches, policy.Match{Set: "s", Rule: fmt.Sprint("rule ", i), Reason: strings.Repeat(fill, size)})
		}
		return matches
	}
	for _, c := range []struct {
		name       string
		matches    []policy.Match
		note, want string
		lines      int
	}{
		{"one long line", many(1, 5000, "é"), "", "é…", 1},
		{"characters of two units each", many(1, 5000, "😀"), "", "😀…", 1},
		{"a long line with a note", many(1, 5000, "x"), "run it alone", "x…\nrun it alone", 2},
		{"a long note", many(1, 5000, "x"), strings.Repeat("n", 5000), "n…", 2},
		{"many lines", many(500, 100, "x"), "", "\n… and 484 more", 17},
		{"many long lines", many(500, 5000, "x"), "run it alone", "\n… and 499 more\nrun it alone", 3},
	} {
		for _, verdict := range []policy.Verdict{policy.AskVerdict, policy.Deny} {
			got := answer(t, policy.Decision{Verdict: verdict, Matches: c.matches, Note: c.note}, 2)
			reason := reasonOf(t, got.Stdout)
			if n := len(utf16.Encode([]rune(reason))); n >= 2000 || n < 1800 {
				t.Errorf("%s: %d UTF-16 units", c.name, n)
			}
			if verdict == policy.Deny && (!strings.HasPrefix(reason, "BLOCKED [s]: ") || !strings.HasSuffix(reason, c.want) || strings.Count(reason, "\n") != c.lines-1) {
				t.Errorf("%s: %d lines: %q … %q", c.name, strings.Count(reason, "\n")+1, reason[:40], reason[len(reason)-40:])
			}
			if !utf8.ValidString(reason) {
				t.Errorf("%s: not UTF-8", c.name)
			}
			if verdict == policy.Deny {
				checkStderr(t, got.Stderr, len(c.matches))
			}
		}
	}
}

// checkStderr checks that there is one line a block.
func checkStderr(t *testing.T, stderr string, blocks int) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(stderr, "\n"), "\n")
	if len(lines) != blocks {
		t.Errorf("%d lines on stderr, want %d", len(lines), blocks)
	}
	for _, line := range lines {
		if !strings.HasPrefix(line, "BLOCKED [") || !utf8.ValidString(line) || len(utf16.Encode([]rune(line))) >= 2000 {
			t.Errorf("line on stderr: %.100q (%d bytes)", line, len(line))
		}
	}
}

// failing is a writer that takes nothing.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("pipe closed") }

func TestADenyThatCannotBeWrittenStillDenies(t *testing.T) {
	d := policy.Decision{Verdict: policy.Deny, Matches: []policy.Match{push}}
	var stderr bytes.Buffer
	exit, err := hooks.Answer(failing{}, &stderr, d, 0)
	if exit != 2 || err == nil || !strings.HasPrefix(stderr.String(), "BLOCKED [watch-git]: ") {
		t.Errorf("stdout fails: exit %d, error %v, stderr %q", exit, err, stderr.String())
	}
	var stdout bytes.Buffer
	exit, err = hooks.Answer(&stdout, failing{}, d, 2)
	if exit != 2 || err == nil || !json.Valid(stdout.Bytes()) {
		t.Errorf("stderr fails: exit %d, error %v, stdout %q", exit, err, stdout.String())
	}
}

// counting counts writes.
type counting int

func (c *counting) Write(p []byte) (int, error) { *c++; return len(p), nil }

func TestEachStreamIsWrittenAtOnce(t *testing.T) {
	var stdout, stderr counting
	d := policy.Decision{Verdict: policy.Deny, Matches: []policy.Match{push, remove}, Note: "note"}
	if _, err := hooks.Answer(&stdout, &stderr, d, 2); err != nil {
		t.Fatal(err)
	}
	if stdout != 1 || stderr != 1 {
		t.Errorf("%d writes to stdout, %d to stderr", stdout, stderr)
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add(0, "set", "rule", "reason", "suggest", "ref", "note", 1)
	f.Add(2, "a]\nb", "r\xff", "two\nlines", "\x00", "https://x", "run\ralone", 3)
	f.Add(3, "guard-main", "generated", "changed \u2028 a", "", "", "", 2)
	f.Add(1, "", "", strings.Repeat("😀", 1500), "", "", "", 200)
	f.Fuzz(func(t *testing.T, verdict int, set, rule, reason, suggest, ref, note string, matches int) {
		d := policy.Decision{Verdict: policy.Verdict(verdict), Note: note}
		for range max(0, min(matches, 300)) {
			d.Matches = append(d.Matches, policy.Match{Set: set, Rule: rule, Reason: reason, Suggest: suggest, Ref: ref})
		}
		got := answer(t, d, 2)
		var stdout bytes.Buffer
		if err := hooks.Inform(&stdout, hooks.PostToolUse, d); err != nil || (stdout.Len() > 0) != (d.Verdict == policy.Inform) {
			t.Errorf("told %q, %v", stdout.String(), err)
		}
		if d.Verdict == policy.Inform {
			if told := contextOf(t, stdout.String()); len(utf16.Encode([]rune(told))) >= 2000 || strings.Count(stdout.String(), "\n") != 1 {
				t.Errorf("told %q", told)
			}
		}
		if d.Verdict != policy.AskVerdict && d.Verdict != policy.Deny {
			if got != (written{}) {
				t.Errorf("got %+v", got)
			}
			return
		}
		text := reasonOf(t, got.Stdout)
		if !utf8.ValidString(got.Stdout) || strings.Count(got.Stdout, "\n") != 1 || len(utf16.Encode([]rune(text))) >= 2000 {
			t.Errorf("stdout %q", got.Stdout)
		}
		if d.Verdict == policy.AskVerdict {
			if got.Stderr != "" || got.Exit != 0 || strings.Contains(got.Stdout, `"allow"`) && !strings.Contains(text, "allow") {
				t.Errorf("got %+v", got)
			}
			return
		}
		if got.Exit != 2 || !strings.HasPrefix(text, "BLOCKED [") {
			t.Errorf("exit %d, reason %q", got.Exit, text)
		}
		checkStderr(t, got.Stderr, max(1, len(d.Matches)))
	})
}
