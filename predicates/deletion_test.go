package predicates

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/schema"
)

// remove returns the command rm with words that need no shell to read.
func remove(dir string, words ...string) *schema.Command {
	c := &schema.Command{Program: "rm", Dir: dir, Args: words}
	for i, word := range words {
		switch {
		case word == "--":
			c.Operands = append(c.Operands, words[i+1:]...)
			return c
		case isOption(word):
			c.Options = append(c.Options, schema.Option{Name: word, Index: i})
		default:
			c.Operands = append(c.Operands, word)
		}
	}
	return c
}

// holds evaluates a predicate both ways and fails when they differ.
func holds(t *testing.T, predicate string, in *schema.Input) bool {
	t.Helper()
	whole := isTrue(t, predicate+"(input)", in)
	if single := isTrue(t, "input.commands[0]."+predicate+"(input)", in); single != whole {
		t.Errorf("%s(input) = %v, for its command %v", predicate, whole, single)
	}
	return whole
}

func TestDeletionsInTheProjectTree(t *testing.T) {
	const cwd, project = "/srv/repo", "/projects/p"
	for _, test := range []struct {
		targets string
		want    bool
	}{
		{"build", true},
		{"./build", true},
		{"src/legacy/", true},
		{"a b c", true},
		{"/srv/repo/build", true},
		{"/projects/p/build", true},
		{"build /projects/p/build", true},
		{"/srv/repo//build/.", true},
		{"a..b ...", true},
		{"-- -x", true},
		{"app/(marketing)", true},
		{".github .gitignore", true},

		{"", false},
		{"/etc/foo", false},
		{"src /etc", false},
		{"../sibling", false},
		{"src/../../etc", false},
		{"src/..", false},
		{`src\..\..\etc`, false},
		{".", false},
		{"./", false},
		{"/srv/repo", false},
		{"/srv/repo/", false},
		{"/work", false},
		{"/projects/p", false},
		{"/projects", false},
		{"/", false},
		{"/srv/repository/x", false},
		{"/home/dev", false},
		{".git", false},
		{".git/refs", false},
		{"sub/.git", false},
		{"sub/.GIT/config", false},
		{"/srv/repo/.git.", false},
		{"~/Downloads/x", false},
		{"x~", false},
		{"$TMP", false},
		{"a$(b)", false},
		{"`b`", false},
		{"build/*", false},
		{"build/?", false},
		{"build/[ab]", false},
		{"{a,/etc}", false},
		{"!(keep)", false},
		{"=ls", false},
		{"<(ls)", false},
	} {
		in := bash(cwd, remove(cwd, strings.Fields("-r "+test.targets)...))
		in.ProjectDir = project
		if got := holds(t, "is_in_project_tree", in); got != test.want {
			t.Errorf("rm -r %s: %v, want %v", test.targets, got, test.want)
		}
	}
}

func TestRootsOfTheProject(t *testing.T) {
	for name, test := range map[string]struct {
		cwd, project, dir, target string
		want                      bool
	}{
		"cwd":                               {"/w/r", "", "/w/r", "x", true},
		"project_dir from another cwd":      {"/scratch", "/w/r", "/scratch", "/w/r/x", true},
		"both, the target is cwd":           {"/w/r/sub", "/w/r", "/w/r/sub", "/w/r/sub", false},
		"both, the target holds cwd":        {"/w/r/sub/deep", "/w/r", "/w/r/sub/deep", "/w/r/sub", false},
		"both, the target is beside cwd":    {"/w/r/sub", "/w/r", "/w/r/sub", "/w/r/other", true},
		"no cwd":                            {"", "", "", "x", false},
		"no cwd, absolute":                  {"", "/w/r", "", "/w/r/x", true},
		"a relative cwd":                    {"w/r", "", "w/r", "x", false},
		"the root of the file system":       {"/", "", "/", "etc", false},
		"the root, spelt longer":            {"//.", "/", "/", "/etc/x", false},
		"home":                              {"/home/dev", "", "/home/dev", "x", false},
		"home with a slash":                 {"/home/dev/", "", "/home/dev", "x", false},
		"home as cwd of a project":          {"/home/dev", "/home/dev/p", "/home/dev", "p/x", true},
		"above home, the target holds home": {"/home", "", "/home", "dev", false},
		"above home, another one":           {"/home", "", "/home", "guest", true},
		"an unclean cwd":                    {"/w/./r/", "", "/w/r", "/w/r/x", true},
		"an unknown directory":              {"/w/r", "", "", "x", false},
		"an unknown directory, absolute":    {"/w/r", "", "", "/w/r/x", true},
		"a directory outside":               {"/w/r", "", "/etc", "x", false},
		"a directory inside":                {"/w/r", "", "/w/r/sub", "x", true},
		"a directory in .git":               {"/w/r", "", "/w/r/.git", "refs", false},
		"cwd in other letters":              {"/w/r/sub", "/w", "/w/r/sub", "/w/R/Sub", false},
		"cwd as seen from below":            {"/w/r", "", "/w/r/sub", "/w/r", false},
	} {
		in := bash(test.cwd, remove(test.dir, "-r", test.target))
		in.ProjectDir = test.project
		if got := holds(t, "is_in_project_tree", in); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

func TestScratch(t *testing.T) {
	for _, test := range []struct {
		cwd, targets string
		want         bool
	}{
		{"", ".playwright-mcp", true},
		{"", "/anywhere/__pycache__", true},
		{"/w", "/anywhere/__pycache__/", true},
		{"/w", ".pytest_cache .mypy_cache a/.ruff_cache", true},
		{"", "", false},
		{"", ".playwright-mcp /etc/foo", false},
		{"", "/w/.playwright-mcp/traces", false},
		{"", "playwright-mcp", false},
		{"", "*/.playwright-mcp", false},
		{"", "~/__pycache__", false},
		{"", "../__pycache__", false},
		{"", "$X/__pycache__", false},
		{"", ".git/__pycache__", false},
		{"/w/.git", "__pycache__", false},
		{"/w/__pycache__", "/w/__pycache__", false},
	} {
		in := bash(test.cwd, remove(test.cwd, strings.Fields("-rf "+test.targets)...))
		if got := holds(t, "is_ephemeral_scratch", in); got != test.want {
			t.Errorf("rm -rf %s in %q: %v, want %v", test.targets, test.cwd, got, test.want)
		}
	}
}

func TestOnlyAPlainRemoveIsExempt(t *testing.T) {
	change := func(f func(c *schema.Command)) *schema.Command {
		c := remove("/w", "-r", "__pycache__")
		f(c)
		return c
	}
	for name, test := range map[string]struct {
		command *schema.Command
		want    bool
	}{
		"plain":             {change(func(*schema.Command) {}), true},
		"errors thrown out": {change(func(c *schema.Command) { c.Redirects = []string{"2> /dev/null", "> /dev/null", "2>& 1", "< in"} }), true},
		"closed output":     {change(func(c *schema.Command) { c.Redirects = []string{">& -"} }), true},
		"piped to":          {change(func(c *schema.Command) { c.PipedTo = "cat" }), true},

		"another program":    {change(func(c *schema.Command) { c.Program = "rmdir" }), false},
		"an unknown program": {change(func(c *schema.Command) { c.Program = "" }), false},
		"sudo":               {change(func(c *schema.Command) { c.Wrappers = []string{"sudo"} }), false},
		"xargs":              {change(func(c *schema.Command) { c.Wrappers = []string{"xargs"} }), false},
		"an assignment":      {change(func(c *schema.Command) { c.Env = map[string]string{"FOO": "1"} }), false},
		"a function":         {change(func(c *schema.Command) { c.Function = true }), false},
		"elsewhere":          {change(func(c *schema.Command) { c.Remote = true }), false},
		"a redirection":      {change(func(c *schema.Command) { c.Redirects = []string{"> log"} }), false},
		"an appended one":    {change(func(c *schema.Command) { c.Redirects = []string{"2> /dev/null", "2>> log"} }), false},
		"both outputs":       {change(func(c *schema.Command) { c.Redirects = []string{">& log"} }), false},
		"read and written":   {change(func(c *schema.Command) { c.Redirects = []string{"<> log"} }), false},
		"a clobbered file":   {change(func(c *schema.Command) { c.Redirects = []string{">| 1"} }), false},
	} {
		for _, predicate := range []string{"is_in_project_tree", "is_ephemeral_scratch"} {
			if got := holds(t, predicate, bash("/w", test.command)); got != test.want {
				t.Errorf("%s: %s = %v, want %v", name, predicate, got, test.want)
			}
		}
	}
	in := bash("/w", remove("/w", "-r", "__pycache__"))
	in.Tool = "PowerShell"
	if holds(t, "is_in_project_tree", in) {
		t.Error("rm of PowerShell is exempt")
	}
}

func TestACompoundCommandIsJudgedCommandByCommand(t *testing.T) {
	in := bash("/w", remove("/w", "-r", "build"), remove("/w", "-r", "/etc"), &schema.Command{Program: "echo"})
	for expression, want := range map[string]bool{
		"is_in_project_tree(input)":                                              false,
		"input.commands[0].is_in_project_tree(input)":                            true,
		"input.commands[1].is_in_project_tree(input)":                            false,
		"input.commands[2].is_in_project_tree(input)":                            false,
		"input.commands.exists(c, c.runs('rm') && !c.is_in_project_tree(input))": true,
		"input.commands.exists(c, c.is_recoverable(input))":                      false,
	} {
		if got := isTrue(t, expression, in); got != want {
			t.Errorf("%s = %v", expression, got)
		}
	}
}

func TestACallThatIsNotOneCommandIsNotExempt(t *testing.T) {
	one := remove("/w", "-r", "build")
	for name, effects := range map[string]*schema.Effects{
		"no command":    {Parsed: true},
		"not parsed":    {Commands: []*schema.Command{one}},
		"compound":      {Parsed: true, Compound: true, Commands: []*schema.Command{one}},
		"with an inner": {Parsed: true, Commands: []*schema.Command{one, {Program: "ls"}}},
	} {
		in := &schema.Input{Tool: "Bash", Cwd: "/w", ReadEffects: func() *schema.Effects { return effects }}
		if isTrue(t, "is_in_project_tree(input)", in) {
			t.Errorf("%s: exempt", name)
		}
	}
	if isTrue(t, "is_in_project_tree(input)", &schema.Input{Tool: "Write", Cwd: "/w", Path: "/w/x"}) {
		t.Error("a call without shell text is exempt")
	}
}

// Whatever the operands are, an exempt target lies under the project and is
// none of the directories that must stay.
func FuzzPlainDeletion(f *testing.F) {
	for _, operand := range []string{"build", "../x", "/w/r", "/w/r/.git/x", "~", `a\..\b`, "x/./y//", "/w/rx", "\xff", "(a)"} {
		f.Add("/w/r", "/w/r", "/home/dev", operand, "/w/r/sub")
	}
	f.Fuzz(func(t *testing.T, cwd, project, home, operand, dir string) {
		in := bash(cwd, remove(dir, operand))
		in.ProjectDir, in.Home = project, home
		d, ok := plainDeletion(in, in.Effects().Commands[0])
		if !ok {
			return
		}
		for _, target := range d.targets {
			if slices.Contains(segments(target.operand), "..") || hasGitSegment(target.path) {
				t.Errorf("%q was not refused", target.operand)
			}
			if target.path != "" && (!filepath.IsAbs(target.path) || filepath.Clean(target.path) != target.path) {
				t.Errorf("the path %q of %q is not absolute and clean", target.path, target.operand)
			}
		}
		if !inProjectTree(d) {
			return
		}
		path := d.targets[0].path
		for _, keep := range []string{"/", cwd, project, home} {
			if filepath.IsAbs(keep) && filepath.Clean(keep) == path {
				t.Errorf("%q deletes %q", operand, keep)
			}
		}
		if !isUnder(path, filepath.Clean(cwd)) && !isUnder(path, filepath.Clean(project)) {
			t.Errorf("%q is %q, outside %q and %q", operand, path, cwd, project)
		}
	})
}
