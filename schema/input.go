// Package schema declares the typed input that rules judge: one tool call of
// Claude Code, the commands its shell text would run and the scripts it carries.
// The Go types come first, the CEL object types over them stand in cel.go and
// fields.go, the JSON Schema of the rule files in rulefile.go.
//
// schema is the ground floor: it imports no other package of this module.
package schema

import "sync"

// Input is one tool call as rules see it (CEL type Input, variable "input").
//
// Plain fields are filled in when the call is decoded. Content and Effects cost
// work (reading a file, parsing the command): ReadContent and ReadEffects, which
// the maker of the Input wraps in sync.OnceValue, compute them at first use and
// at most once. A nil function stands for a call that has none.
type Input struct {
	// Event is the hook event: PreToolUse, PostToolUse, …
	Event string
	// Tool is the tool's name: Bash, Write, mcp__server__name, …
	Tool string
	// Args is tool_input as received, decoded by encoding/json: objects are
	// map[string]any, arrays []any, numbers float64.
	Args map[string]any

	// Path is the absolute, clean path a file tool acts on; "" for other tools.
	Path string
	// Extension is the extension of Path with its dot, in lower case.
	Extension string

	// Changes are the files that a call which is over has changed, as the recorder saw
	// it; none before a call.
	Changes []*Change

	// Cwd is the payload's working directory, "" when it is absent.
	Cwd string
	// ProjectDir is CLAUDE_PROJECT_DIR, "" when it is unset.
	ProjectDir string
	// Home is the user's home directory, "" when it is unknown.
	Home string

	SessionID      string
	ToolUseID      string
	AgentID        string
	AgentType      string
	PermissionMode string

	// ReadContent and ReadEffects compute what Content and Effects return.
	ReadContent func() string
	ReadEffects func() *Effects
}

// Effects is what a call would do, as far as its text tells.
type Effects struct {
	// Command is the shell text with the leading words of each command (program
	// and subcommand) unquoted, and trailing newlines removed. Text patterns see it.
	Command string
	// Compound reports that the text runs more than one command: a pipe, a list of
	// two or more, a subshell, an unquoted substitution, a process substitution.
	Compound bool
	// Parsed is false when the shell text, or text that it runs as shell, could
	// not be read. It is true for calls without shell text.
	Parsed bool
	// Commands holds every simple command that would run, in source order.
	Commands []*Command
	// Scripts holds the code that the call runs in another language or writes.
	Scripts []*Script
	// Reads and Writes are the files that the call would read or change.
	Reads, Writes []*Target
	// Git holds the git commands of the call with the repositories they act on.
	Git []*GitOp
}

// Effects returns what the call would run, read and write; never nil.
func (in *Input) Effects() *Effects {
	if in.ReadEffects == nil {
		return &Effects{Parsed: true}
	}
	return in.ReadEffects()
}

// Content returns the content of a file tool's file as it would be after the
// call, "" for other tools.
func (in *Input) Content() string {
	if in.ReadContent == nil {
		return ""
	}
	return in.ReadContent()
}

// Command is one simple command (CEL type Command).
type Command struct {
	// Program is the base name of the program after wrappers were taken off:
	// "git" for /usr/bin/git and for sudo git. It is "" when it cannot be known.
	Program string
	// Args are the words after the program, unquoted. A word that needs the
	// shell at run time keeps its source text, and its variables are in Expands.
	Args []string
	// Operands are the args that are neither options nor values of options that
	// are known to take one; after "--" all of them. The subcommand is one.
	Operands []string
	// Options are the options in order, clusters taken apart, abbreviations that
	// the program would accept written out.
	Options []Option
	// Subcommand is the first operand after the global options, for programs
	// that have subcommands; "" for others.
	Subcommand string
	// Text is the program and its args joined by one space, unquoted.
	Text string
	// Source is the command as written, wrappers, assignments and redirections included.
	Source string
	// Dir is the absolute directory the command runs in; "" when it cannot be known.
	Dir string
	// Wrappers are the programs that were taken off in front, outermost first.
	Wrappers []string
	// Env holds the assignments in front of the command, also those given to env.
	Env map[string]string
	// PipedFrom and PipedTo are the programs on the other ends of the command's
	// pipes; "" where there is no pipe or its program is not known.
	PipedFrom, PipedTo string
	// Remote is true when the command runs elsewhere: ssh, docker exec, kubectl exec, docker run.
	Remote bool
	// Expands names the variables, in order and once each, that the shell expands
	// in the command's words: TOKEN for echo "$TOKEN", nothing for echo '$TOKEN'.
	Expands []string
	// Redirects are the command's redirections, each as operator, a space and the
	// unquoted word: "> out.txt", "2>> log", "2>& 1", "< in". Heredocs are left out.
	Redirects []string
	// Function is true when Program is a function that the same text defines.
	Function bool
}

// Option is one option of a command.
type Option struct {
	// Name is the option with its dashes: "-f", "--force", "-delete".
	Name string
	// Value is the value it was given, as "--name=value", "-nvalue" or, for options
	// known to take one, as the next word.
	Value string
	// Index is the place in Args of the word that holds the option.
	Index int
}

// Script is code in another language that a call runs, or code that it writes (CEL type Script).
type Script struct {
	// Language is "shell", "python", "node", "ruby", "perl", "powershell", or "" when it is not known.
	Language string
	// Content is the code.
	Content string
	// Extension is the extension of the file with its dot in lower case; for code
	// without a file the usual one of its language (".py").
	Extension string
	// Source says where the code stands: "argument", "heredoc" or "file".
	Source string
	// ReadCommands, ReadCalls and ReadImports compute what Commands, Calls and Imports
	// return; their maker wraps them in sync.OnceValue.
	ReadCommands func() []*Command
	ReadCalls    func() []*Call
	ReadImports  func() []string

	indexOnce sync.Once
	calls     callIndex
	words     words
}

// Commands returns the commands the code would run: all of a shell script's, and
// for other languages the literal strings given to calls that start a process.
func (s *Script) Commands() []*Command {
	if s.ReadCommands == nil {
		return nil
	}
	return s.ReadCommands()
}

// Flags returns the names of the command's options in order, once each.
func (c *Command) Flags() []string {
	var names []string
	seen := make(map[string]bool, len(c.Options))
	for _, o := range c.Options {
		if !seen[o.Name] {
			seen[o.Name] = true
			names = append(names, o.Name)
		}
	}
	return names
}
