package policy

// RuleSet is one rule file as Load read it: values with their places, nothing
// compiled. What was faulty in the file is left out and reported beside it.
type RuleSet struct {
	// Path is the file as it was given to Load.
	Path string
	// Name is the set's name; the file's base name without ".yml" when the file has none.
	Name string
	// NamePosition is where the name stands, the start of the file when it has none.
	NamePosition Position
	Description  string
	// DefaultOn is whether the set is on with no settings.
	DefaultOn bool
	// Filter is an RE2 regex, nil when there is none. When it does not match
	// input.command, the rules with target bash are skipped.
	Filter *Scalar
	// Extensions are the file extensions that rules with target file-content look
	// at: in lower case, with their dot.
	Extensions []string
	// Variables are in the order of the file. A variable may use earlier ones. A set of
	// an image has neither these nor Rules.
	Variables []Variable
	// Rules are the block rules, then the ask rules, each in the order of the file.
	Rules []*Rule
	// Tests are the entries of tests: that could be read.
	Tests []Test

	source *source
	// unit is set for a set of an image, whose text is read when somebody asks for it.
	unit *Unit
}

// RuleNames returns the names of the rules, in the order of Rules.
func (s *RuleSet) RuleNames() []string {
	var names []string
	if s.unit != nil {
		for _, h := range s.unit.heads {
			names = append(names, h.name)
		}
		return names
	}
	for _, r := range s.Rules {
		names = append(names, r.Name)
	}
	return names
}

// Variable is one entry of variables:.
type Variable struct {
	Name     string
	Position Position
	// Expression is the variable's CEL text.
	Expression *Scalar
}

// Target says which text a rule's patterns are about.
type Target int

const (
	// TargetBash: the shell text of Bash and Monitor calls.
	TargetBash Target = iota
	// TargetFileContent: the content of each script of input.scripts.
	TargetFileContent
	// TargetEverything: a rule with a condition and neither pattern nor target sees every call.
	TargetEverything
)

// String returns the target as rule files spell it, "" for TargetEverything.
func (t Target) String() string {
	return [...]string{"bash", "file-content", ""}[t]
}

// Rule is one entry of rules: as it stands in the file.
type Rule struct {
	// Name is unique within the set.
	Name string
	// Position is where the rule's name stands, its entry when it has none.
	Position Position
	// Listed is the list the rule stands in: Block or Ask.
	Listed Action
	// On is the event that the rule judges.
	On Event
	// Pattern is an RE2 regex or nil.
	Pattern *Scalar
	// When is a CEL expression of type bool, or nil.
	When   *Scalar
	Target Target
	// Except and UnlessRegex are regexes over the pattern's text, any match of
	// which exempts. Ask rules only, like Unless.
	Except      *Scalar
	UnlessRegex []*Scalar
	// Unless are CEL expressions of type bool or bare names of predicates:
	// the entries of unless and unless_condition in the order of the file.
	Unless []Exemption
	// Reason is what the user reads; "" when only Message is given.
	Reason string
	// Message is a CEL expression of type string that replaces Reason, or nil.
	Message *Scalar
	Suggest string
	Ref     string

	// faulty is set when some part of the rule could not be read: it does not
	// run, and its fault denies.
	faulty bool
	// flawed is set when something about the rule was reported that vet calls an error.
	flawed bool
}

// Exemption is one entry of unless or unless_condition.
type Exemption struct {
	*Scalar
	// NameOnly is set for entries of unless_condition.
	NameOnly bool
}

// Expectation is what a test expects: the strongest action of the rules that match.
type Expectation int

const (
	// ExpectAllow: no rule matches.
	ExpectAllow Expectation = iota
	// ExpectAsk: an ask rule matches and no block rule does.
	ExpectAsk
	// ExpectBlock: a block rule matches.
	ExpectBlock
)

// String returns the expectation as rule files spell it.
func (e Expectation) String() string { return [...]string{"allow", "ask", "block"}[e] }

// Test is one entry of tests:, brought into the form of a tool call.
type Test struct {
	// Position is where the entry stands.
	Position Position
	// Name is the entry's own name, else a short form of the call.
	Name string
	// Tool and Args are the call: Bash and {"command": …} for "command", Write,
	// Edit and Read for "write", "edit" and "read".
	Tool string
	Args map[string]any
	// Before is the file's content before an edit; nil when the entry gives none.
	Before *string
	// Cwd, ProjectDir and Home are nil where the entry says nothing.
	Cwd, ProjectDir, Home *string
	// Env are further environment variables of the call.
	Env map[string]string
	// Repo is a git repository that the call finds; nil when the entry gives none.
	Repo *TestRepo
	// On is the event on which the call is judged: PostToolUse for an entry that says
	// what the call changed.
	On Event
	// Changes are the files that the call has changed, their paths as written.
	Changes []TestChange
	// Expect is what must come out; Rule, when not "", must be among the matched rules.
	Expect Expectation
	Rule   string
	// RulePosition is where Rule stands.
	RulePosition Position
}

// TestChange is a file that the call of a test has changed.
type TestChange struct{ Path, Operation, Attribution string }

// TestRepo is a git repository of a test. It is on no disk.
type TestRepo struct {
	// Root is its working tree, "" for the working directory of the call. A relative
	// path counts from there.
	Root string
	// Branch is the current branch, "" when HEAD is detached.
	Branch string
	// Files are its files: their content by their path from the root.
	Files map[string]string
}

// Diagnostic makes a finding about a place in the set's file, for checks that
// need more than the file: running its tests.
func (s *RuleSet) Diagnostic(severity Severity, code string, at Position, width int, message string) Diagnostic {
	if s.source == nil && s.unit != nil {
		if compiled := s.unit.compiled(); compiled != nil && compiled.set != nil {
			return compiled.set.Diagnostic(severity, code, at, width, message)
		}
		return Diagnostic{Path: s.Path, Position: at, Width: max(width, 1), Severity: severity, Code: code, Message: message}
	}
	return s.source.diagnostic(severity, code, at, width, message)
}
