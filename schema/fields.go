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
	CallType    = types.NewObjectType("Call")
	TargetType  = types.NewObjectType("Target")
	ChangeType  = types.NewObjectType("Change")
	GitOpType   = types.NewObjectType("GitOp")
	RepoType    = types.NewObjectType("Repo")
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
	objectTypes = []*ObjectType{inputObject, commandObject, scriptObject, callObject, targetObject, changeObject, gitOpObject, repoObject}

	inputObject = &ObjectType{InputType, "one tool call", []Field{
		newField("event", types.StringType, "the hook event: PreToolUse; for rules on PostToolUse PostToolUse, or PostToolUseFailure for a call that failed",
			func(in *Input) ref.Val { return types.String(in.Event) }),
		newField("tool", types.StringType, "the tool: Bash, Write, mcp__server__name, …",
			func(in *Input) ref.Val { return types.String(in.Tool) }),
		newField("args", types.NewMapType(types.StringType, types.DynType), "tool_input as received, for tools that have no typed field",
			func(in *Input) ref.Val { return types.NewStringInterfaceMap(types.DefaultTypeAdapter, in.Args) }),
		newField("command", types.StringType, "the shell text of Bash, Monitor and PowerShell, the leading words of each command unquoted; operands keep their quoting",
			func(in *Input) ref.Val { return types.String(in.Effects().Command) }),
		newField("compound", types.BoolType, "the shell text runs more than one command",
			func(in *Input) ref.Val { return types.Bool(in.Effects().Compound) }),
		newField("parsed", types.BoolType, "false when the shell text could not be read",
			func(in *Input) ref.Val { return types.Bool(in.Effects().Parsed) }),
		newField("commands", types.NewListType(CommandType), "every simple command that would run, wherever it stands",
			func(in *Input) ref.Val { return objectList(commandObject, in.Effects().Commands) }),
		newField("scripts", types.NewListType(ScriptType), "code that the call runs in another language, or writes",
			func(in *Input) ref.Val { return objectList(scriptObject, in.Effects().Scripts) }),
		newField("reads", types.NewListType(TargetType), "files the call would read, for file tools and shell alike",
			func(in *Input) ref.Val { return objectList(targetObject, in.Effects().Reads) }),
		newField("writes", types.NewListType(TargetType), "files the call would change, for file tools and shell alike",
			func(in *Input) ref.Val { return objectList(targetObject, in.Effects().Writes) }),
		newField("git", types.NewListType(GitOpType), "git commands with the repository they act on",
			func(in *Input) ref.Val { return objectList(gitOpObject, in.Effects().Git) }),
		newField("changes", types.NewListType(ChangeType), "rules on PostToolUse: the files that the call has changed, by what is on the disk",
			func(in *Input) ref.Val { return objectList(changeObject, in.Changes) }),
		newField("path", types.StringType, "file tools: the absolute path",
			func(in *Input) ref.Val { return types.String(in.Path) }),
		newField("content", types.StringType, "file tools: the content as it would be after the call",
			func(in *Input) ref.Val { return types.String(in.Content()) }),
		newField("extension", types.StringType, "file tools: the extension of path with its dot, in lower case",
			func(in *Input) ref.Val { return types.String(in.Extension) }),
		newField("cwd", types.StringType, "the working directory of the call",
			func(in *Input) ref.Val { return types.String(in.Cwd) }),
		newField("project_dir", types.StringType, "CLAUDE_PROJECT_DIR: where the session started",
			func(in *Input) ref.Val { return types.String(in.ProjectDir) }),
		newField("home", types.StringType, "the user's home directory",
			func(in *Input) ref.Val { return types.String(in.Home) }),
		newField("session_id", types.StringType, "the session, \"\" when absent",
			func(in *Input) ref.Val { return types.String(in.SessionID) }),
		newField("tool_use_id", types.StringType, "the tool call, \"\" when absent",
			func(in *Input) ref.Val { return types.String(in.ToolUseID) }),
		newField("agent_id", types.StringType, "the subagent, \"\" on the main stream",
			func(in *Input) ref.Val { return types.String(in.AgentID) }),
		newField("agent_type", types.StringType, "the subagent's type, \"\" on the main stream",
			func(in *Input) ref.Val { return types.String(in.AgentType) }),
		newField("permission_mode", types.StringType, "default, plan, acceptEdits, bypassPermissions, …",
			func(in *Input) ref.Val { return types.String(in.PermissionMode) }),
	}}

	commandObject = &ObjectType{CommandType, "one simple command", []Field{
		newField("program", types.StringType, "base name after wrappers: git for sudo /usr/bin/git; \"\" when it cannot be known",
			func(c *Command) ref.Val { return types.String(c.Program) }),
		newField("args", stringList, "the words after the program, unquoted; a word that needs the shell keeps its source text",
			func(c *Command) ref.Val { return listOf(c.Args) }),
		newField("operands", stringList, "args that are not options; after -- everything",
			func(c *Command) ref.Val { return listOf(c.Operands) }),
		newField("flags", stringList, "options one by one: -rf is -r and -f, --force=x is --force",
			func(c *Command) ref.Val { return listOf(c.Flags()) }),
		newField("subcommand", types.StringType, "first operand after global options, for programs that have subcommands",
			func(c *Command) ref.Val { return types.String(c.Subcommand) }),
		newField("text", types.StringType, "program and args joined by one space, unquoted",
			func(c *Command) ref.Val { return types.String(c.Text) }),
		newField("source", types.StringType, "the command as written",
			func(c *Command) ref.Val { return types.String(c.Source) }),
		newField("dir", types.StringType, "the directory it runs in, after cd, pushd, git -C, env -C; \"\" when it cannot be known",
			func(c *Command) ref.Val { return types.String(c.Dir) }),
		newField("wrappers", stringList, "programs that were taken off in front: sudo, env, timeout, xargs, …",
			func(c *Command) ref.Val { return listOf(c.Wrappers) }),
		newField("env", types.NewMapType(types.StringType, types.StringType), "assignments in front of it",
			func(c *Command) ref.Val { return types.NewStringStringMap(types.DefaultTypeAdapter, c.Env) }),
		newField("piped_from", types.StringType, "the program whose output it reads",
			func(c *Command) ref.Val { return types.String(c.PipedFrom) }),
		newField("piped_to", types.StringType, "the program that reads its output",
			func(c *Command) ref.Val { return types.String(c.PipedTo) }),
		newField("remote", types.BoolType, "runs elsewhere: ssh, docker exec, kubectl exec, docker run",
			func(c *Command) ref.Val { return types.Bool(c.Remote) }),
		newField("expands", stringList, "names of the variables the shell expands in its words: TOKEN for echo \"$TOKEN\"",
			func(c *Command) ref.Val { return listOf(c.Expands) }),
		newField("redirects", stringList, "redirections, each as operator, space and unquoted word: \"> out.txt\"",
			func(c *Command) ref.Val { return listOf(c.Redirects) }),
		newField("function", types.BoolType, "program is a function that the same text defines",
			func(c *Command) ref.Val { return types.Bool(c.Function) }),
	}}

	scriptObject = &ObjectType{ScriptType, "code that a call runs in another language, or writes", []Field{
		newField("language", types.StringType, "shell, python, node, ruby, perl, php, powershell; \"\" when it is not known",
			func(s *Script) ref.Val { return types.String(s.Language) }),
		newField("content", types.StringType, "the code",
			func(s *Script) ref.Val { return types.String(s.Content) }),
		newField("extension", types.StringType, "the file's extension with its dot in lower case, or the usual one of the language",
			func(s *Script) ref.Val { return types.String(s.Extension) }),
		newField("source", types.StringType, "where the code stands: argument, heredoc or file",
			func(s *Script) ref.Val { return types.String(s.Source) }),
		newField("commands", types.NewListType(CommandType), "the commands the code would run: all of a shell script's, else the literal strings given to calls that start a process",
			func(s *Script) ref.Val { return objectList(commandObject, s.Commands()) }),
		newField("calls", types.NewListType(CallType), "the calls of functions and methods in python, node, ruby, perl and php code, and of .NET methods in powershell",
			func(s *Script) ref.Val { return CallsValue(s.Calls()) }),
		newField("imports", stringList, "full names of the modules that python and node code imports, and of what it imports of them: os, os.system",
			func(s *Script) ref.Val { return listOf(s.Imports()) }),
	}}

	callObject = &ObjectType{CallType, "a call of a function or method in a script", []Field{
		newField("name", types.StringType, "its full name, imports resolved: os.remove, fs.rmSync, new Function; a method of something that is no name is .unlink",
			func(c *Call) ref.Val { return types.String(c.Name) }),
		newField("args", stringList, "the arguments without a keyword, the items of a list one by one; unknown parts are $name, the home directory ~, what is no string is as written",
			func(c *Call) ref.Val { return listOf(c.Given().Args) }),
		newField("keywords", types.NewMapType(types.StringType, types.StringType), "keyword arguments; in node the properties of an object that is given",
			func(c *Call) ref.Val {
				return types.NewStringStringMap(types.DefaultTypeAdapter, c.Given().Keywords)
			}),
		newField("literals", types.NewListType(types.BoolType), "of each of args, whether all of it is known",
			func(c *Call) ref.Val { return types.NewDynamicList(types.DefaultTypeAdapter, c.Given().Literals) }),
		newField("literal", types.BoolType, "all arguments are known, keyword arguments too",
			func(c *Call) ref.Val { return types.Bool(c.Given().Literal) }),
		newField("receiver", types.StringType, "what a method is called on, written like an argument; \"\" for a plain function",
			func(c *Call) ref.Val { return types.String(c.Given().Receiver) }),
	}}

	targetObject = &ObjectType{TargetType, "a file that a call would read or change", []Field{
		newField("path", types.StringType, "absolute and clean, symbolic links of the existing part followed; \"\" when unresolved",
			func(t *Target) ref.Val { return types.String(t.Path()) }),
		newField("lexical", types.StringType, "absolute and clean by the text alone, no symbolic link followed; \"\" when unresolved",
			func(t *Target) ref.Val { return types.String(t.Lexical) }),
		newField("raw", types.StringType, "the path as written",
			func(t *Target) ref.Val { return types.String(t.Raw) }),
		newField("resolved", types.BoolType, "false when it cannot be known without running the command",
			func(t *Target) ref.Val { return types.Bool(t.Resolved) }),
		newField("op", types.StringType, "read, write, append, create, delete or mode",
			func(t *Target) ref.Val { return types.String(t.Op) }),
		newField("via", types.StringType, "redirect, the program, or the tool",
			func(t *Target) ref.Val { return types.String(t.Via) }),
		newField("recursive", types.BoolType, "what is beneath the path is meant too",
			func(t *Target) ref.Val { return types.Bool(t.Recursive) }),
		newField("repo", RepoType, "the repository that the path, or the link's target, lies in",
			func(t *Target) ref.Val { return newObject(repoObject, t.Repo()) }),
	}}

	changeObject = &ObjectType{ChangeType, "a file that a call has changed", []Field{
		newField("path", types.StringType, "the absolute path",
			func(c *Change) ref.Val { return types.String(c.Path) }),
		newField("operation", types.StringType, "create, modify, delete or type_change",
			func(c *Change) ref.Val { return types.String(c.Operation) }),
		newField("attribution", types.StringType, "only_this_window; shared when another call ran at the same time; outside_any_window when no call covers it",
			func(c *Change) ref.Val { return types.String(c.Attribution) }),
		newField("repo", RepoType, "the repository that the path lies in, as it is after the call",
			func(c *Change) ref.Val { return newObject(repoObject, c.Repo()) }),
	}}

	gitOpObject = &ObjectType{GitOpType, "a git command with the repository it acts on", []Field{
		newField("verb", types.StringType, "the subcommand: commit, push, …",
			func(g *GitOp) ref.Val { return types.String(g.Verb) }),
		newField("args", stringList, "the words after the subcommand",
			func(g *GitOp) ref.Val { return listOf(g.Args) }),
		newField("mutates", types.BoolType, "changes the branch, the index or the working tree past a pull request",
			func(g *GitOp) ref.Val { return types.Bool(g.Mutates) }),
		newField("updates", stringList, "remote branches that a push would update; \"*\" stands for all, \"HEAD\" for a current branch that cannot be known",
			func(g *GitOp) ref.Val { return listOf(g.Updates()) }),
		newField("dir", types.StringType, "the directory whose repository it acts on; \"\" when it cannot be known",
			func(g *GitOp) ref.Val { return types.String(g.Dir) }),
		newField("repo", RepoType, "the repository it acts on",
			func(g *GitOp) ref.Val { return newObject(repoObject, g.Repo()) }),
		newField("known", types.BoolType, "false when the repository or the branch cannot be known",
			func(g *GitOp) ref.Val { return types.Bool(g.Known()) }),
		newField("source", types.StringType, "the command as written",
			func(g *GitOp) ref.Val { return types.String(g.Source) }),
	}}

	repoObject = &ObjectType{RepoType, "the state of a git repository", []Field{
		newField("root", types.StringType, "the working tree, \"\" outside a repository",
			func(r *Repo) ref.Val { return types.String(r.Root) }),
		newField("branch", types.StringType, "the current branch, \"\" when HEAD is detached",
			func(r *Repo) ref.Val { return types.String(r.Branch) }),
		newField("detached", types.BoolType, "HEAD is on no branch",
			func(r *Repo) ref.Val { return types.Bool(r.Detached) }),
		newField("linked_worktree", types.BoolType, "a worktree that git worktree add made",
			func(r *Repo) ref.Val { return types.Bool(r.LinkedWorktree) }),
		newField("worktrees", stringList, "of a linked worktree, all working trees of its repository, the main one first; empty for others",
			func(r *Repo) ref.Val { return listOf(r.Worktrees) }),
		newField("known", types.BoolType, "false when the state cannot be read",
			func(r *Repo) ref.Val { return types.Bool(r.Known) }),
		newField("switched", types.BoolType, "the branch is that of a git switch earlier in the same text",
			func(r *Repo) ref.Val { return types.Bool(r.Switched) }),
	}}
)

func newField[T any](name string, t *types.Type, doc string, get func(*T) ref.Val) Field {
	return Field{name, t, doc, func(native any) ref.Val { return get(native.(*T)) }}
}

func listOf(list []string) ref.Val { return types.NewStringList(types.DefaultTypeAdapter, list) }

func objectList[T any](of *ObjectType, natives []*T) ref.Val {
	values := make([]ref.Val, len(natives))
	for i, native := range natives {
		values[i] = newObject(of, native)
	}
	return types.NewRefValList(types.DefaultTypeAdapter, values)
}
