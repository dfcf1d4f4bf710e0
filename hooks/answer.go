package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/claudewatch/claudewatch/internal/safetext"
	"github.com/claudewatch/claudewatch/policy"
)

// maxReason is the length in UTF-16 units, which is how Claude Code counts, that
// a reason stays below. Longer ones are cut by some versions.
const maxReason = 2000

// maxNote is how much of a reason the note may take.
const maxNote = maxReason / 2

// cut stands at the end of a text that was shortened.
const cut = "…"

// blockingExit is the exit status that blocks the call whatever stands on stdout.
const blockingExit = 2

// answer is what a PreToolUse hook prints, as the hooks reference documents it.
type answer struct {
	HookSpecificOutput struct {
		HookEventName            string `json:"hookEventName"`
		PermissionDecision       string `json:"permissionDecision"`
		PermissionDecisionReason string `json:"permissionDecisionReason"`
	} `json:"hookSpecificOutput"`
}

// Answer writes the answer to a PreToolUse event and returns the exit status.
//
// When there is nothing to say nothing is written. An ask is one JSON object on
// stdout. A deny is the same on stdout and one line per block on stderr, because
// each of the two is the only text that some version of Claude Code reads. Allow
// is never written: it would skip the user's own prompts.
//
// denyExit is the exit status of a deny, 2 or 0; other values count as 2. The
// error is that of the writers; when stdout cannot be written a deny exits with
// 2 whatever denyExit says, which blocks without it.
func Answer(stdout, stderr io.Writer, d policy.Decision, denyExit int) (exit int, err error) {
	note := shorten(fold(d.Note), maxNote)
	switch d.Verdict {
	case policy.AskVerdict:
		return 0, writeDecision(stdout, "ask", reason(lines(d, askLine), note))
	case policy.Deny:
	default:
		return 0, nil
	}
	blocks := lines(d, blockLine)
	exit = blockingExit
	outErr := writeDecision(stdout, "deny", reason(blocks, note))
	if denyExit == 0 && outErr == nil {
		exit = 0
	}
	if note != "" {
		last := len(blocks) - 1
		note = " (" + note + ")"
		blocks[last] = shorten(blocks[last], maxReason-1-length(note)) + note
	}
	_, errErr := io.WriteString(stderr, strings.Join(blocks, "\n")+"\n")
	return exit, errors.Join(outErr, errErr)
}

// context is what a hook after a call prints, as the hooks reference documents it for
// PostToolUse and PostToolUseFailure.
type context struct {
	HookSpecificOutput struct {
		HookEventName     string `json:"hookEventName"`
		AdditionalContext string `json:"additionalContext"`
	} `json:"hookSpecificOutput"`
}

// Inform writes what the model is told about a call that is over: one JSON object on
// stdout, or nothing when there is nothing to say. event is the event that is answered,
// PostToolUse or PostToolUseFailure. The exit status is 0 in any case; the error is that
// of the writer.
func Inform(stdout io.Writer, event string, d policy.Decision) error {
	if d.Verdict != policy.Inform {
		return nil
	}
	var c context
	c.HookSpecificOutput.HookEventName = event
	c.HookSpecificOutput.AdditionalContext = reason(lines(d, askLine), shorten(fold(d.Note), maxNote))
	return write(stdout, c)
}

func writeDecision(w io.Writer, decision, reason string) error {
	var a answer
	a.HookSpecificOutput.HookEventName = PreToolUse
	a.HookSpecificOutput.PermissionDecision = decision
	a.HookSpecificOutput.PermissionDecisionReason = reason
	return write(w, a)
}

func write(w io.Writer, a any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(a); err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	if _, err := w.Write(text.Bytes()); err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	return nil
}

// lines returns one line per match, at least one.
func lines(d policy.Decision, form func(policy.Match) string) []string {
	matches := d.Matches
	if len(matches) == 0 {
		matches = []policy.Match{{Set: "claudewatch", Reason: "no reason given"}}
	}
	list := make([]string, len(matches))
	for i, m := range matches {
		list[i] = shorten(form(m), maxReason-1)
	}
	return list
}

// blockLine is the form that readers of transcripts look for.
func blockLine(m policy.Match) string { return "BLOCKED [" + fold(m.Set) + "]: " + about(m) }

// askLine is for the person who is asked, and for the model after a call.
func askLine(m policy.Match) string { return "[" + fold(m.Set) + "] " + about(m) }

// about says which rule matched, why it is there and what to do instead.
func about(m policy.Match) string {
	var b strings.Builder
	text := fold(m.Reason)
	if m.Rule != "" {
		b.WriteString(fold(m.Rule))
		if text != "" {
			b.WriteString(": ")
		}
	}
	b.WriteString(text)
	if m.Err != nil {
		b.WriteString(" (its evaluation failed, which counts as a match: " + fold(m.Err.Error()) + ")")
	}
	if suggest := fold(m.Suggest); suggest != "" {
		b.WriteString(" (instead: " + suggest + ")")
	}
	if ref := fold(m.Ref); ref != "" {
		b.WriteString(" — " + ref)
	}
	return b.String()
}

// reason joins lines and the note to one text below maxReason. Lines that do not
// fit are counted instead; the note is kept.
func reason(lines []string, note string) string {
	if note != "" {
		note = "\n" + note
	}
	room := maxReason - 1 - length(note)
	if text := strings.Join(lines, "\n"); length(text) <= room {
		return text + note
	}
	more := func(n int) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprintf("\n… and %d more", n)
	}
	room -= length(more(len(lines)))
	kept, used := 0, 0
	for kept < len(lines) && used+length(lines[kept])+1 <= room {
		used += length(lines[kept]) + 1
		kept++
	}
	if kept == 0 {
		return shorten(lines[0], room) + more(len(lines)-1) + note
	}
	return strings.Join(lines[:kept], "\n") + more(len(lines)-kept) + note
}

// fold puts text on one line: runs of white space, line ends and control
// characters become one space, bytes that are not UTF-8 become U+FFFD.
func fold(s string) string {
	fields := strings.FieldsFunc(strings.ToValidUTF8(s, string(unicode.ReplacementChar)), func(r rune) bool {
		return unicode.IsSpace(r) || safetext.Unsafe(r)
	})
	return strings.Join(fields, " ")
}

// length counts UTF-16 units.
func length(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// shorten cuts s to at most limit UTF-16 units, the mark of the cut included.
func shorten(s string, limit int) string {
	if len(s) <= limit || length(s) <= limit {
		return s
	}
	room := limit - length(cut)
	for i, r := range s {
		if room -= utf16.RuneLen(r); room < 0 {
			return strings.TrimRight(s[:i], " ") + cut
		}
	}
	return s
}
