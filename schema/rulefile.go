package schema

// The types below describe a rule file for its JSON Schema, which editors use for
// completion and for help: the comments of the fields are that help. Nothing else
// uses them; package policy reads rule files by itself, with the place of every
// value. The test beside this file writes the schema:
//
//go:generate go test -run TestTheSchemaOfRuleFilesIsUpToDate . -update

// RuleFile is a rule set of claudewatch: the rules about one subject, and their tests.
type RuleFile struct {
	// The set's name: the name of its file without ".yml".
	Name string `json:"name" jsonschema:"minLength=1,example=watch-git"`
	// What the set is about, in one line.
	Description string `json:"description,omitempty"`
	// Whether the set is on with no settings: on (the default) or off.
	Default Switch `json:"default,omitempty"`
	// An RE2 regex. When it does not match input.command, the rules with the target bash are skipped.
	Filter string `json:"filter,omitempty"`
	// The extensions, with their dot, of the files that rules with the target file-content look at. Letter case does not count.
	Extensions Texts `json:"extensions,omitempty"`
	// CEL expressions by name, read in rules as variables.NAME and evaluated at most once per call. One may use those above it.
	Variables map[string]string `json:"variables,omitempty"`
	// The rules. All block rules are judged before the ask rules.
	Rules RuleLists `json:"rules"`
	// Calls and what the rules of this set must say to them, for claudewatch test and claudewatch vet.
	Tests []RuleTest `json:"tests,omitempty"`
}

// RuleLists are the rules of a set by what they do when they match.
type RuleLists struct {
	// Rules that block: for what cannot be undone. No exemption applies.
	Block []BlockRule `json:"block,omitempty"`
	// Rules that ask the user: for what is lasting but recoverable, or leaves the machine.
	Ask []AskRule `json:"ask,omitempty"`
}

// BlockRule is a rule that blocks a call. It has a pattern, a condition (when) or
// both, and a reason or a message.
type BlockRule struct {
	// Names the rule in messages and settings. Unique within the set.
	Name string `json:"name" jsonschema:"minLength=1,example=git push --force"`
	// When the rule judges a call. PreToolUse (the default): before it, when it can be stopped. PostToolUse: after it, whether it failed or not; the rule sees what the call has changed in input.changes, and what it says goes to Claude.
	On string `json:"on,omitempty" jsonschema:"enum=PreToolUse,enum=PostToolUse"`
	// An RE2 regex, searched anywhere in the text: input.command for the target bash, the content of each script for the target file-content. With a condition both must hold.
	Pattern string `json:"pattern,omitempty" jsonschema:"minLength=1,example=\\brm\\s+-[a-zA-Z]*r"`
	// A CEL expression of type bool over input and variables.
	When string `json:"when,omitempty" jsonschema:"minLength=1,example=input.commands.exists(c\\, c.runs(\"git push\") && c.has_flag(\"--force\"\\, \"-f\"))"`
	// What the rule looks at. bash (the default): calls that carry a shell command. file-content: what file tools write, and every script that a call runs or writes, when its extension is among the set's. A rule with a condition and no pattern sees every call when it names no target.
	Target string `json:"target,omitempty" jsonschema:"enum=bash,enum=file-content"`
	// Why: what the call would do. Shown to the user and to Claude.
	Reason string `json:"reason,omitempty" jsonschema:"minLength=1"`
	// A CEL expression of type string that replaces the reason where the text must name what was seen.
	Message string `json:"message,omitempty" jsonschema:"minLength=1"`
	// What to do instead. Shown after the reason.
	Suggest string `json:"suggest,omitempty"`
	// The URL of a page that explains it.
	Ref string `json:"ref,omitempty"`
}

// AskRule is a rule that asks the user about a call. It has a pattern, a condition
// (when) or both, a reason or a message, and may have exemptions.
type AskRule struct {
	BlockRule
	// An RE2 regex over the text that the pattern sees. A match exempts.
	Except string `json:"except,omitempty"`
	// CEL expressions of type bool, or names of predicates (is_in_project_tree, is_ephemeral_scratch, is_recoverable). Any that is true exempts.
	Unless Texts `json:"unless,omitempty"`
	// Names of predicates; the older spelling of unless.
	UnlessCondition Texts `json:"unless_condition,omitempty"`
	// RE2 regexes over the text that the pattern sees. Any match exempts.
	UnlessRegex Texts `json:"unless_regex,omitempty"`
}

// RuleTest is a call and what the rules of the set must say to it. The call is one
// of command, write, edit, read, or any tool with its args.
type RuleTest struct {
	// Names the test. Without it the call does.
	Name string `json:"name,omitempty"`
	// A shell command, of the tool Bash unless tool names another one.
	Command string `json:"command,omitempty"`
	// A file that the tool Write writes.
	Write *WriteCall `json:"write,omitempty"`
	// A file that the tool Edit changes.
	Edit *EditCall `json:"edit,omitempty"`
	// A file that the tool Read reads.
	Read *ReadCall `json:"read,omitempty"`
	// The tool that is called, with args; or the shell tool that runs command: Bash, Monitor or PowerShell.
	Tool string `json:"tool,omitempty" jsonschema:"minLength=1"`
	// The tool_input of the call, as Claude Code sends it.
	Args map[string]any `json:"args,omitempty"`
	// The working directory of the call.
	Cwd string `json:"cwd,omitempty"`
	// CLAUDE_PROJECT_DIR of the call.
	ProjectDir string `json:"project_dir,omitempty"`
	// The user's home directory.
	Home string `json:"home,omitempty"`
	// Further environment variables of the call.
	Env map[string]string `json:"env,omitempty"`
	// A git repository that the call finds. It is on no disk.
	Repo *RuleTestRepo `json:"repo,omitempty"`
	// The files that the call has changed. With them, also with none ([]), the call is judged by the rules on PostToolUse.
	Changes []RuleTestChange `json:"changes,omitempty"`
	// The strongest action of the rules that match: block, ask, or allow when none does.
	Expect string `json:"expect" jsonschema:"enum=block,enum=ask,enum=allow"`
	// A rule that must be among those that match.
	Rule string `json:"rule,omitempty"`
}

// RuleTestRepo is the git repository of a test: on a branch, or detached.
type RuleTestRepo struct {
	// Its working tree. Without it the working directory of the call; a relative path counts from there.
	Root string `json:"root,omitempty"`
	// The current branch.
	Branch string `json:"branch,omitempty" jsonschema:"minLength=1"`
	// Whether HEAD is on no branch.
	Detached bool `json:"detached,omitempty"`
	// Its files: their content by their path from the root.
	Files map[string]string `json:"files,omitempty"`
}

// RuleTestChange is a file that the call of a test has changed.
type RuleTestChange struct {
	// The file. A relative path counts from cwd.
	Path string `json:"path" jsonschema:"minLength=1"`
	// What was done with it; modify when it is not given.
	Operation string `json:"operation,omitempty" jsonschema:"enum=modify,enum=create,enum=delete,enum=type_change"`
	// Whose change it is: of this call alone (the default), of this call or another that ran at the same time, or of no call.
	Attribution string `json:"attribution,omitempty" jsonschema:"enum=only_this_window,enum=shared,enum=outside_any_window"`
}

// WriteCall is a call of the tool Write.
type WriteCall struct {
	// The file. A relative path counts from cwd.
	Path string `json:"path"`
	// What is written.
	Content string `json:"content"`
}

// EditCall is a call of the tool Edit.
type EditCall struct {
	// The file. A relative path counts from cwd.
	Path string `json:"path"`
	// The text that is replaced.
	OldString string `json:"old_string"`
	// What replaces it.
	NewString string `json:"new_string"`
	// Whether every occurrence is replaced, not only the first.
	ReplaceAll bool `json:"replace_all,omitempty"`
	// The content of the file before the call. Without it there is no such file, and new_string alone is judged.
	Before string `json:"before,omitempty"`
}

// ReadCall is a call of the tool Read.
type ReadCall struct {
	// The file. A relative path counts from cwd.
	Path string `json:"path"`
}

// Switch is on or off, which YAML also spells true and false.
type Switch string

// Texts is one text or a list of them.
type Texts []string
