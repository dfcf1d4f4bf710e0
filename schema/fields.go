package schema

import (
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// The CEL object types, for the declarations of variables and functions.
var (
	InputType   = types.NewObjectType("Input")
	CommandType = types.NewObjectType("Command")
	ScriptType  = types.NewObjectType("Script")
)

var stringList = types.NewListType(types.StringType)

// ObjectType describes one CEL object type: its fields in the order of the reference.
type ObjectType struct {
	Type   *types.Type
	Doc    string
	Fields []Field
}

// Field is one field of an object type. Doc is what `claudewatch input` prints.
type Field struct {
	Name string
	Type *types.Type
	Doc  string
	get  func(native any) ref.Val
}

// ObjectTypes lists the object types that rules can see, Input first.
func ObjectTypes() []*ObjectType { return objectTypes }

var (
	objectTypes = []*ObjectType{inputObject, commandObject, scriptObject}

	inputObject = &ObjectType{InputType, "one tool call", []Field{
		inputField("event", types.StringType, "the hook event: PreToolUse, PostToolUse, …",
			func(in *Input) ref.Val { return types.String(in.Event) }),
		inputField("tool", types.StringType, "the tool: Bash, Write, mcp__server__name, …",
			func(in *Input) ref.Val { return types.String(in.Tool) }),
		inputField("args", types.NewMapType(types.StringType, types.DynType), "tool_input as received, for tools that have no typed field",
			func(in *Input) ref.Val { return types.NewStringInterfaceMap(types.DefaultTypeAdapter, in.Args) }),
		inputField("command", types.StringType, "the shell text of Bash, Monitor and PowerShell, the leading words of each command unquoted; operands keep their quoting",
			func(in *Input) ref.Val { return types.String(in.Effects().Command) }),
		inputField("compound", types.BoolType, "the shell text runs more than one command",
			func(in *Input) ref.Val { return types.Bool(in.Effects().Compound) }),
		inputField("parsed", types.BoolType, "false when the shell text could not be read",
			func(in *Input) ref.Val { return types.Bool(in.Effects().Parsed) }),
		inputField("commands", types.NewListType(CommandType), "every simple command that would run, wherever it stands",
			func(in *Input) ref.Val { return commandList(in.Effects().Commands) }),
		inputField("scripts", types.NewListType(ScriptType), "code that the call runs in another language, or writes",
			func(in *Input) ref.Val { return scriptList(in.Effects().Scripts) }),
		inputField("path", types.StringType, "file tools: the absolute path",
			func(in *Input) ref.Val { return types.String(in.Path) }),
		inputField("content", types.StringType, "file tools: the content as it would be after the call",
			func(in *Input) ref.Val { return types.String(in.Content()) }),
		inputField("extension", types.StringType, "file tools: the extension of path with its dot, in lower case",
			func(in *Input) ref.Val { return types.String(in.Extension) }),
		inputField("cwd", types.StringType, "the working directory of the call",
			func(in *Input) ref.Val { return types.String(in.Cwd) }),
		inputField("project_dir", types.StringType, "CLAUDE_PROJECT_DIR: where the session started",
			func(in *Input) ref.Val { return types.String(in.ProjectDir) }),
		inputField("home", types.StringType, "the user's home directory",
			func(in *Input) ref.Val { return types.String(in.Home) }),
		inputField("session_id", types.StringType, "the session, \"\" when absent",
			func(in *Input) ref.Val { return types.String(in.SessionID) }),
		inputField("tool_use_id", types.StringType, "the tool call, \"\" when absent",
			func(in *Input) ref.Val { return types.String(in.ToolUseID) }),
		inputField("agent_id", types.StringType, "the subagent, \"\" on the main stream",
			func(in *Input) ref.Val { return types.String(in.AgentID) }),
		inputField("agent_type", types.StringType, "the subagent's type, \"\" on the main stream",
			func(in *Input) ref.Val { return types.String(in.AgentType) }),
		inputField("permission_mode", types.StringType, "default, plan, acceptEdits, bypassPermissions, …",
			func(in *Input) ref.Val { return types.String(in.PermissionMode) }),
	}}

	commandObject = &ObjectType{CommandType, "one simple command", []Field{
		commandField("program", types.StringType, "base name after wrappers: git for sudo /usr/bin/git; \"\" when it cannot be known",
			func(c *Command) ref.Val { return types.String(c.Program) }),
		commandField("args", stringList, "the words after the program, unquoted; a word that needs the shell keeps its source text",
			func(c *Command) ref.Val { return strings(c.Args) }),
		commandField("operands", stringList, "args that are not options; after -- everything",
			func(c *Command) ref.Val { return strings(c.Operands) }),
		commandField("flags", stringList, "options one by one: -rf is -r and -f, --force=x is --force",
			func(c *Command) ref.Val { return strings(c.Flags()) }),
		commandField("subcommand", types.StringType, "first operand after global options, for programs that have subcommands",
			func(c *Command) ref.Val { return types.String(c.Subcommand) }),
		commandField("text", types.StringType, "program and args joined by one space, unquoted",
			func(c *Command) ref.Val { return types.String(c.Text) }),
		commandField("source", types.StringType, "the command as written",
			func(c *Command) ref.Val { return types.String(c.Source) }),
		commandField("dir", types.StringType, "the directory it runs in, after cd, pushd, git -C, env -C; \"\" when it cannot be known",
			func(c *Command) ref.Val { return types.String(c.Dir) }),
		commandField("wrappers", stringList, "programs that were taken off in front: sudo, env, timeout, xargs, …",
			func(c *Command) ref.Val { return strings(c.Wrappers) }),
		commandField("env", types.NewMapType(types.StringType, types.StringType), "assignments in front of it",
			func(c *Command) ref.Val { return types.NewStringStringMap(types.DefaultTypeAdapter, c.Env) }),
		commandField("piped_from", types.StringType, "the program whose output it reads",
			func(c *Command) ref.Val { return types.String(c.PipedFrom) }),
		commandField("piped_to", types.StringType, "the program that reads its output",
			func(c *Command) ref.Val { return types.String(c.PipedTo) }),
		commandField("remote", types.BoolType, "runs elsewhere: ssh, docker exec, kubectl exec, docker run",
			func(c *Command) ref.Val { return types.Bool(c.Remote) }),
		commandField("expands", stringList, "names of the variables the shell expands in its words: TOKEN for echo \"$TOKEN\"",
			func(c *Command) ref.Val { return strings(c.Expands) }),
		commandField("redirects", stringList, "redirections, each as operator, space and unquoted word: \"> out.txt\"",
			func(c *Command) ref.Val { return strings(c.Redirects) }),
		commandField("function", types.BoolType, "program is a function that the same text defines",
			func(c *Command) ref.Val { return types.Bool(c.Function) }),
	}}

	scriptObject = &ObjectType{ScriptType, "code that a call runs in another language, or writes", []Field{
		scriptField("language", types.StringType, "shell, python, node, ruby, perl, powershell; \"\" when it is not known",
			func(s *Script) ref.Val { return types.String(s.Language) }),
		scriptField("content", types.StringType, "the code",
			func(s *Script) ref.Val { return types.String(s.Content) }),
		scriptField("extension", types.StringType, "the file's extension with its dot in lower case, or the usual one of the language",
			func(s *Script) ref.Val { return types.String(s.Extension) }),
		scriptField("source", types.StringType, "where the code stands: argument, heredoc or file",
			func(s *Script) ref.Val { return types.String(s.Source) }),
		scriptField("commands", types.NewListType(CommandType), "the commands the code would run: all of a shell script's, else the literal strings given to calls that start a process",
			func(s *Script) ref.Val { return commandList(s.Commands()) }),
	}}
)

func inputField(name string, t *types.Type, doc string, get func(*Input) ref.Val) Field {
	return Field{name, t, doc, func(native any) ref.Val { return get(native.(*Input)) }}
}

func commandField(name string, t *types.Type, doc string, get func(*Command) ref.Val) Field {
	return Field{name, t, doc, func(native any) ref.Val { return get(native.(*Command)) }}
}

func scriptField(name string, t *types.Type, doc string, get func(*Script) ref.Val) Field {
	return Field{name, t, doc, func(native any) ref.Val { return get(native.(*Script)) }}
}

func strings(list []string) ref.Val { return types.NewStringList(types.DefaultTypeAdapter, list) }

func commandList(commands []*Command) ref.Val {
	values := make([]ref.Val, len(commands))
	for i, c := range commands {
		values[i] = newObject(commandObject, c)
	}
	return types.NewRefValList(types.DefaultTypeAdapter, values)
}

func scriptList(scripts []*Script) ref.Val {
	values := make([]ref.Val, len(scripts))
	for i, s := range scripts {
		values[i] = newObject(scriptObject, s)
	}
	return types.NewRefValList(types.DefaultTypeAdapter, values)
}
