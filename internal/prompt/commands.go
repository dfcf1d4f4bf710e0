package prompt

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/claudewatch/claudewatch/hooks"
	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/claudewatch/claudewatch/internal/safetext"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/claudewatch/claudewatch/schema"
)

// command is a line that begins with a colon.
type command struct {
	name, argument, doc string
	run                 func(s *Session, argument string) outcome // nil ends the prompt
}

func commands() []command {
	return []command{
		{"type", "EXPRESSION", "the type of an expression, which is not evaluated", (*Session).typeOf},
		{"input", "", "the fields of input that are not empty", (*Session).showInput},
		{"command", "[TEXT]", "evaluate over this shell command; without a text, print it", (*Session).setCommand},
		{"tool", "[NAME [ARGUMENTS]]", `evaluate over a call of this tool: :tool Write {"file_path": "a.sh", "content": "ls"}`, (*Session).setTool},
		{"cwd", "[DIRECTORY]", "evaluate as if the call were made in this directory", (*Session).setDirectory},
		{"json", "FILE", "evaluate over the hook event in a file", (*Session).load},
		{"help", "", "this text", (*Session).help},
		{"quit", "", "the end, as Ctrl-D", nil},
	}
}

func commandNames() []string {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return names
}

func (s *Session) typeOf(expression string) outcome {
	if expression == "" {
		return s.fail(":type takes an expression: :type input.commands")
	}
	typeName, diagnostics := policy.TypeOfExpression(expression)
	if typeName == "" {
		return s.report(diagnostics)
	}
	fmt.Fprintln(s.Out, typeName)
	return done
}

func (s *Session) showInput(string) outcome {
	fmt.Fprintln(s.Out, spread(schema.InputValue(s.Call.Input())))
	return done
}

// shells are the tools whose call is a shell command.
var shells = []string{"Bash", "Monitor", "PowerShell"}

// setCommand begins a new call: what an event said of another one is not true of it.
func (s *Session) setCommand(text string) outcome {
	if text == "" {
		command, _ := s.Call.Args["command"].(string)
		fmt.Fprintln(s.Out, command)
		return done
	}
	tool := s.Call.Tool
	if !slices.Contains(shells, tool) {
		tool = "Bash"
	}
	s.begin(tool, map[string]any{"command": text})
	return done
}

func (s *Session) setTool(argument string) outcome {
	tool, text, _ := strings.Cut(argument, " ")
	if tool == "" {
		fmt.Fprintln(s.Out, s.Call.Tool)
		return done
	}
	args := s.Call.Args
	if text = strings.TrimSpace(text); text != "" {
		args = nil
		if err := json.Unmarshal([]byte(text), &args); err != nil || args == nil {
			return s.fail(`the arguments of a tool are a JSON object, like {"file_path": "a.sh"}, not %s`, safetext.Line(text, 60))
		}
	}
	s.begin(tool, args)
	return done
}

// begin makes the call one before it runs, in the same place.
func (s *Session) begin(tool string, args map[string]any) {
	last := s.Call
	s.Call = call.Call{
		Event: hooks.PreToolUse, Tool: tool, Args: args,
		Cwd: last.Cwd, ProjectDir: last.ProjectDir, Home: last.Home, Wrappers: last.Wrappers,
		SessionID: last.SessionID, AgentID: last.AgentID, AgentType: last.AgentType, PermissionMode: last.PermissionMode,
	}
}

func (s *Session) setDirectory(argument string) outcome {
	if argument == "" {
		fmt.Fprintln(s.Out, s.Call.Cwd)
		return done
	}
	s.Call.Cwd = s.path(argument)
	return done
}

// path makes what was entered absolute: in the directory of the call, ~ at home.
func (s *Session) path(entered string) string {
	if rest, ok := strings.CutPrefix(entered, "~"); ok && s.Call.Home != "" && (rest == "" || rest[0] == '/' || rest[0] == filepath.Separator) {
		return filepath.Join(s.Call.Home, rest)
	}
	if filepath.IsAbs(entered) {
		return filepath.Clean(entered)
	}
	return filepath.Join(s.Call.Cwd, entered)
}

func (s *Session) load(path string) outcome {
	if path == "" {
		return s.fail(":json takes a file with a hook event: :json event.json")
	}
	c, err := s.Load(path)
	if err != nil {
		return s.fail("%v", err)
	}
	s.Call = c
	return done
}

func (s *Session) help(string) outcome {
	fmt.Fprintln(s.Out, `A line is a CEL expression over input, as conditions of rules are:
  input.commands.exists(c, c.runs("git push") && c.has_flag("-f"))

Tab completes fields, methods and functions, and shows how they are called.
Up goes back in the history, Ctrl-R to the last line with what you have entered, and
again to the one before it. A line that begins with a space is not kept.
Ctrl-C clears the line, Ctrl-D ends.`)
	fmt.Fprintln(s.Out)
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	for _, c := range commands() {
		fmt.Fprintf(w, ":%s\t%s\n", strings.TrimSpace(c.name+" "+c.argument), c.doc)
	}
	_ = w.Flush()
	return done
}
