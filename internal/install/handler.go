package install

import (
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Event is a hook event of Claude Code that claudewatch answers.
type Event struct {
	Name string
	// OfTools is set for events about a tool call, where a matcher names tools. Other
	// events have none.
	OfTools bool
}

// Events are all of them, in the order in which they are put into settings.
var Events = []Event{
	{"PreToolUse", true},
	{"PostToolUse", true},
	{"PostToolUseFailure", true},
	{"Stop", false},
	{"SubagentStop", false},
	{"UserPromptSubmit", false},
	{"SessionStart", false},
	{"SessionEnd", false},
}

// preToolUse is the event whose hook decides.
const preToolUse = "PreToolUse"

const (
	// Timeout is how many seconds the hook is given: reading a large project's files
	// after a call may take thirty.
	Timeout = 60
	// OnFailure is what Claude Code makes of a hook before a call that fails. Versions
	// before 2.1.295 ignore it.
	OnFailure = "block"
	// hookWord is the subcommand that is the hook.
	hookWord = "hook"
)

// Handler is one hook of settings.
type Handler struct {
	// Type is command, or one of the other kinds of hook: prompt, agent, http.
	Type string
	// Command is a program, or text for a shell when HasArgs is false.
	Command string
	Args    []string
	HasArgs bool
	// Timeout is in seconds, 0 when none is given.
	Timeout float64
	// OnFailure is "" when it is not given.
	OnFailure string
	// Async is set for a hook that Claude Code does not wait for; If is the condition
	// under which it runs, "" when it always does.
	Async bool
	If    string
}

// String returns the command as a person would type it.
func (h Handler) String() string {
	return strings.Join(append([]string{h.Command}, h.Args...), " ")
}

// Kind is what a handler is to claudewatch.
type Kind int

// The kinds of handlers.
const (
	// Foreign is somebody else's.
	Foreign Kind = iota
	// Mixed is shell text that runs the hook of claudewatch and does something else as
	// well: it sets a variable, or swallows the exit status. Nobody but its author
	// knows what it should become.
	Mixed
	// Custom is the hook of claudewatch with arguments, such as --only.
	Custom
	// Plain is the hook of claudewatch and nothing else.
	Plain
)

// KindOf says what a handler is.
func KindOf(h Handler) Kind {
	kind, _ := classify(h)
	return kind
}

// classify says what a handler is and, of one that is Custom or Plain, with which
// arguments it runs claudewatch.
func classify(h Handler) (Kind, []string) {
	if h.Type != "command" || h.Command == "" {
		return Foreign, nil
	}
	if h.HasArgs {
		if isClaudewatch(h.Command) {
			return kindOfArgs(h.Args)
		}
		return Foreign, nil
	}
	return classifyText(h.Command)
}

// kindOfArgs says what claudewatch with these arguments is.
func kindOfArgs(args []string) (Kind, []string) {
	switch {
	case len(args) == 0:
		return Plain, []string{hookWord}
	case args[0] != hookWord:
		return Foreign, nil
	case len(args) == 1:
		return Plain, args
	}
	return Custom, args
}

// classifyText says what a handler that is shell text is.
func classifyText(command string) (Kind, []string) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), "")
	if err != nil {
		return Foreign, nil
	}
	if call := onlyCall(file); call != nil && runsHook(call) {
		words, literal := wordsOf(call.Args)
		if kind, args := kindOfArgs(words[1:]); kind == Plain || kind == Custom && literal {
			return kind, args
		}
		return Mixed, nil
	}
	kind := Foreign
	syntax.Walk(file, func(node syntax.Node) bool {
		if call, ok := node.(*syntax.CallExpr); ok && runsHook(call) {
			kind = Mixed
		}
		return true
	})
	return kind, nil
}

// runsHook reports whether a call is that of claudewatch's hook.
func runsHook(call *syntax.CallExpr) bool {
	words, _ := wordsOf(call.Args)
	if len(words) == 0 || !isClaudewatch(words[0]) {
		return false
	}
	kind, _ := kindOfArgs(words[1:])
	return kind != Foreign
}

// onlyCall returns the one command that shell text is when it is nothing else.
func onlyCall(file *syntax.File) *syntax.CallExpr {
	if len(file.Stmts) != 1 {
		return nil
	}
	s := file.Stmts[0]
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || s.Negated || s.Background || s.Coprocess || len(s.Redirs) > 0 || len(call.Assigns) > 0 {
		return nil
	}
	return call
}

// wordsOf returns the text of words without their quotes; literal is false when a
// word has a part, such as a variable, whose value the text does not tell.
func wordsOf(words []*syntax.Word) (texts []string, literal bool) {
	literal = true
	for i, w := range words {
		text, ok := textOf(w.Parts)
		texts = append(texts, text)
		// Of the program the last part of its path is enough.
		literal = literal && (ok || i == 0)
	}
	return texts, literal
}

func textOf(parts []syntax.WordPart) (text string, literal bool) {
	var b strings.Builder
	literal = true
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			b.WriteString(unescaped(p.Value))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
			literal = literal && !p.Dollar
		case *syntax.DblQuoted:
			inner, ok := textOf(p.Parts)
			b.WriteString(inner)
			literal = literal && ok && !p.Dollar
		default:
			b.WriteString("$")
			literal = false
		}
	}
	return b.String(), literal
}

// unescaped takes away the backslashes of shell text, but not those that separate the
// parts of a path of Windows.
func unescaped(text string) string {
	if filepath.Separator == '\\' {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// isClaudewatch reports whether a program is claudewatch by its name.
func isClaudewatch(program string) bool {
	name := strings.ToLower(program[strings.LastIndexAny(program, `/\`)+1:])
	return slices.Contains(programNames, name)
}

// programNames are the names of the binary: by them the hook is found again when it is
// brought up to date or taken out.
var programNames = []string{"claudewatch", "claudewatch.exe"}

// ProgramOf returns the program that a hook of claudewatch runs, as it is written: a
// path, or a name that is looked up. ok is false when the text does not tell, or is
// not a call of claudewatch and nothing else.
func ProgramOf(h Handler) (program string, ok bool) {
	if kind := KindOf(h); kind != Plain && kind != Custom {
		return "", false
	}
	if h.HasArgs {
		return h.Command, true
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(h.Command), "")
	if err != nil {
		return "", false
	}
	return textOf(onlyCall(file).Args[0].Parts)
}
