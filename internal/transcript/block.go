package transcript

import (
	"strings"

	"github.com/claudewatch/claudewatch/internal/lazyregexp"
)

// Block is a hook's refusal of a tool call.
type Block struct {
	// Command is the configured command of the hook, "" when the answer does not tell.
	Command string
	// Text is what the hook said: its stderr, or the reason it gave.
	Text string
}

// hookError is how Claude Code introduces what a hook answered before a call.
var hookError = lazyregexp.New(`^PreToolUse:\S+ hook error:[ \t]*`)

const (
	// nonBlocking is what stands there when the hook itself failed; the call went on.
	nonBlocking = "Failed with non-blocking status code"
	// blockedToken begins a reason, by which some versions' bare reasons are known.
	blockedToken = "BLOCKED ["
)

// Blocked reports whether an answer is a hook's refusal, and what the hook said.
//
// It is when the answer is an error and reads, from its first character on,
// "PreToolUse:<Tool> hook error: [<command>]: <stderr>", "PreToolUse:<Tool> hook
// error: <reason>" or "BLOCKED [<set>]: …". A hook that failed with another status
// than 2, a permission rule's denial, a failing command and any output that merely
// contains these words are none. A nil result is none.
func Blocked(r *Result) (Block, bool) {
	if r == nil || !r.IsError {
		return Block{}, false
	}
	if strings.HasPrefix(r.Content, blockedToken) {
		return Block{Text: strings.TrimSpace(r.Content)}, true
	}
	prefix := hookError().FindString(r.Content)
	if prefix == "" {
		return Block{}, false
	}
	command, text := splitCommand(r.Content[len(prefix):])
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, nonBlocking) {
		return Block{}, false
	}
	return Block{Command: command, Text: text}, true
}

// splitCommand takes "[<command>]: <stderr>" apart. Brackets of the command itself
// are matched, so that "[test [a]: b]: no" is read right; where they do not match,
// the first "]: " ends the command. A text of another form is all stderr.
func splitCommand(text string) (command, stderr string) {
	if !strings.HasPrefix(text, "[") {
		return "", text
	}
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '[':
			depth++
		case ']':
			depth--
		}
		if depth == 0 {
			if rest, ok := strings.CutPrefix(text[i:], "]:"); ok {
				return text[1:i], rest
			}
			break
		}
	}
	if end := strings.Index(text, "]: "); end >= 0 {
		return text[1:end], text[end+2:]
	}
	return "", text
}
