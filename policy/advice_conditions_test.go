package policy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/schema"
)

// adviseRule compiles a rule with some fields and returns what vet says.
func adviseRule(fields string) []Diagnostic {
	source := "name: s\nrules:\n  ask:\n    - name: r\n      reason: r\n      ref: u\n" + fields
	found := Compile([]File{{Path: "s.yml", Source: []byte(source)}}, Options{Diagnose: true, Wrappers: []string{"sudo", "timeout"}}).Diagnostics
	// Fragments of conditions often fit any call.
	return slices.DeleteFunc(found, func(d Diagnostic) bool { return d.Code == "prefilter" })
}

// checkAdvice holds advice about a rule against the fields of that rule, in which
// what it is about stands between ‹ and ›. Without them there must be none.
func checkAdvice(t *testing.T, fields, code string, messages ...string) {
	t.Helper()
	pieces := strings.Split(fields, "‹")
	found := adviseRule(strings.NewReplacer("‹", "", "›", "").Replace(fields))
	if len(found) != len(pieces)-1 || len(messages) != len(found) {
		t.Errorf("%s\n got %v\nwant %q", fields, found, messages)
		return
	}
	before := pieces[0]
	for i, message := range messages {
		culprit, after, _ := strings.Cut(pieces[i+1], "›")
		line := 7 + strings.Count(before, "\n")
		column := runeCount(before[strings.LastIndexByte(before, '\n')+1:]) + 1
		d := found[i]
		if want := fmt.Sprintf("s.yml:%d:%d: ", line, column); !strings.HasPrefix(d.String(), want) || d.Width != runeCount(culprit) ||
			d.Severity != Warning || d.Code != code || !strings.Contains(d.Message, message) {
			t.Errorf("%s\n got %v (width %d)\nwant %s%s [%s]", fields, d, d.Width, want, message, code)
		}
		before += culprit + after
	}
}

func TestAdviceAboutConditionsThatCanNeverHold(t *testing.T) {
	const sudo = "sudo is no program when it runs a command: "
	for when, messages := range map[string][]string{
		`input.commands.exists(c, c.program == ‹"git push"›)`:            {`a program name has no space: use c.runs("git push")`},
		`input.commands.exists(c, ‹"git push"› != c.program)`:            {"has no space"},
		`input.commands.exists(c, c.program in ["a", ‹"b c"›, ‹"d e"›])`: {`c.runs("b c")`, `c.runs("d e")`},
		`input.commands.exists(c, c.program == ‹"/bin/rm"›)`:             {`a program has no directory here: write "rm"`},
		`input.commands.exists(c, c.program == "git")`:                   nil,
		`input.commands.exists(c, c.text == "git push")`:                 nil,
		`input.tool == ‹"bash"›`:                                         {`there is no tool "bash": write "Bash"`},
		`input.tool in [‹'webfetch'›, "Write"]`:                          {`write "WebFetch"`},
		`input.tool in ["Bash", "mcp__x__y", "anything"]`:                nil,
		`input.commands.exists(c, c.program == ‹"sudo"›)`:                {sudo + `ask for "sudo" in c.wrappers`},
		`input.commands.exists(c, c.program in ["su", ‹"timeout"›])`:     {"timeout is no program"},
		`input.commands.exists(c, c.runs(‹"sudo rm"›))`:                  {sudo + `use c.runs("rm"), and "sudo" in c.wrappers if that matters`},
		`input.commands.exists(c, c.runs("sudo") || c.runs("rm sudo"))`:  nil,
		`input.commands.exists(c, "sudo" in c.wrappers)`:                 nil,
		`input.commands.exists(c, c.has_flag(‹"f"›))`:                    {`an option starts with -: did you mean "-f"?`},
		`input.commands.exists(c, c.has_flag("-r", ‹"force"›))`:          {`did you mean "--force"?`},
		`input.commands.exists(c, c.has_flag([‹"dry-run"›, "-n"]))`:      {`did you mean "--dry-run"?`},
		`input.commands.exists(c, c.has_flag("-f", "--x", "/s", "of"))`:  nil,
		`input.commands.exists(c, ‹"-rf"› in c.flags)`:                   {`one by one: use c.has_flag("-r") && c.has_flag("-f")`},
		`input.commands.exists(c, c.flags.exists(f, f == ‹"-xdf"›))`:     {`c.has_flag("-x") && c.has_flag("-d") && c.has_flag("-f")`},
		`input.commands.exists(c, "-f" in c.flags || "-rf" in c.args)`:   nil,
		`input.commands.exists(c, c.text.matches(‹"\bgit"›))`:            {`a backspace, which no command has: write the regex as r'…'`},
		`input.commands.exists(c, c.text.matches(r"\bgit"))`:             nil,
		`input.commands.exists(c, c.runs(‹"rm -rf"›))`:                   {`runs compares no options: use c.runs("rm") && c.has_flag("-r") && c.has_flag("-f")`},
		`input.commands.exists(c, c.runs(‹"git push --force=x -u"›))`:    {`use c.runs("git push") && c.has_flag("--force") && c.has_flag("-u")`},
		`input.commands.exists(c, c.runs(‹"find . -delete"›))`:           {`use c.runs("find .") && c.has_flag("-delete")`},
		`input.commands.exists(c, c.runs(‹"/bin/rm x"›))`:                {`a program has no directory here: write "rm x"`},
		`input.commands.exists(c, c.runs("tar -") || c.runs(""))`:        nil,
		`input.commands.exists(c, c.subcommand == ‹"push origin"›)`:      {`a subcommand is one word: use c.runs("PROGRAM push origin")`},
		`input.git.exists(g, g.verb == ‹"git push"›)`:                    {`a verb is one word: write "push"`},
		`input.git.exists(g, g.verb in ["push", ‹"stash pop"›])`:         {`a verb is one word: write "stash", and ask for the others in g.args`},
		`input.commands.exists(c, c.piped_to == ‹"bash -s"›)`:            {`a program name has no space: write "bash"`},
		`input.commands.exists(c, c.piped_from == ‹"/bin/cat"›)`:         {`a program has no directory here: write "cat"`},
		`input.commands.exists(c, c.has_flag(‹"-r -f"›))`:                {`this is one option with a space: ask for each, as c.has_flag("-r", "-f") for any of them`},
		`input.commands.exists(c, c.option(‹"name"›) != "")`:             {`an option starts with -: did you mean "--name"?`},
		`input.commands.exists(c, c.option_values(‹"n"›) != [])`:         {`did you mean "-n"?`},
		`input.commands.exists(c, ‹"--force=x"› in c.flags)`:             {`c.flags has options without their values: write "--force", and c.option("--force") for the value`},
		`input.writes.exists(t, t.op == ‹"remove"›)`:                     {`op is never "remove" (did you mean 'delete'?): it is one of read, write, append, create, delete, mode`},
		`input.writes.exists(t, t.op in ["delete", ‹"writes"›, ""])`:     {`(did you mean 'write'?)`},
		`input.scripts.exists(s, s.language == ‹"bash"›)`:                {`(did you mean 'shell'?)`},
		`input.scripts.exists(s, s.source != ‹"x"›)`:                     {`source is never "x": it is one of argument, heredoc, file`},
		`input.commands.exists(c, c.source == "x" || c.program == "x")`:  nil,
		`input.extension == ‹"py"› || input.extension in [‹".JS"›]`:      {`an extension has its dot and is in lower case: write ".py"`, `write ".js"`},
		`input.extension == "" || input.extension == ".tar.gz"`:          nil,
		`input.path == ‹"src/a.go"›`:                                     {`paths are absolute here: write text.endsWith("/src/a.go")`},
		`input.path.startsWith(‹"src/"›)`:                                {`paths are absolute here: write path.contains("/src/")`},
		`input.writes.exists(t, t.path == ‹"~/.ssh/id_rsa"›)`:            {`paths are absolute here, and ~ is none: write input.home + "/.ssh/id_rsa"`},
		`input.writes.exists(t, glob(t.lexical, ‹"~/.ssh/**"›))`:         {`write input.home + "/.ssh/**"`},
		`input.reads.exists(t, glob(t.path, ‹"src/**"›))`:                {`write glob(path, "**/src/**")`},
		`input.reads.exists(t, t.under(‹"src"›))`:                        {`write input.project_dir + "/src"`},
		`input.reads.exists(t, glob(‹"**/*.go"›, t.path))`:               {`glob takes the path first, then the pattern`},
		`input.reads.exists(t, t.may_be(‹"**/x[[:digit:]]"›))`:           {`write its characters, as [a-z0-9]`},
		`input.reads.exists(t, t.path == "/a" || t.path == "" || t.raw == "a" || t.path.startsWith("C:/") || glob(t.path, "**/a") || glob(t.path, "{/a,/b}/*") || glob(t.raw, "a") || t.may_be("~/a") || t.path.endsWith("a"))`: nil,
	} {
		checkAdvice(t, "      when: |-\n        "+when+"\n", codeNever, messages...)
		if strings.Contains(when, "commands.exists(c, c.program") && len(messages) == 1 {
			// The same in a variable is found once.
			plain := strings.NewReplacer("‹", "", "›", "").Replace(when)
			p := Compile([]File{{Path: "s.yml", Source: []byte("name: s\nvariables:\n  v: |-\n    " + plain + "\nrules:\n  ask:\n    - {name: a, when: variables.v, reason: r, ref: u}\n")}},
				Options{Diagnose: true, Wrappers: []string{"sudo", "timeout"}})
			if len(p.Diagnostics) != 1 || p.Diagnostics[0].Line != 4 {
				t.Errorf("%s in a variable: %v", plain, p.Diagnostics)
			}
		}
	}
	checkAdvice(t, "      pattern: \"a‹\\b›c\"\n", codeNever, `in double quotes \b is a backspace`)
	checkAdvice(t, "      pattern: a\n      unless_regex: ['x\\b', \"‹\\b›y\"]\n", codeNever, `is a backspace`)
	checkAdvice(t, "      pattern: '\\bgit'\n", codeNever)
	checkAdvice(t, "      pattern: '‹/rm -rf/ig›'\n", codeNever, "a regex has no slashes around it: write '(?i)rm -rf'")
	checkAdvice(t, "      pattern: '/usr/local/s'\n", codeNever)
	checkAdvice(t, "      pattern: '/tmp/'\n", codeNever)
}

func TestARuleAboutFilesNeedsExtensions(t *testing.T) {
	const rule = "rules:\n  ask:\n    - {name: a, target: file-content, pattern: x, reason: r, ref: u}\n"
	if got := advice(t, "name: s\n"+rule); !slices.Equal(got, []string{"4:14 never"}) {
		t.Error(got)
	}
	if got := advice(t, "name: s\nextensions: [.go]\n"+rule); got != nil {
		t.Error(got)
	}
}

func TestTheValuesOfFieldsAreThoseOfTheReference(t *testing.T) {
	for _, f := range valueFields() {
		for _, object := range schema.ObjectTypes() {
			for _, field := range object.Fields {
				if object.Type != f.of || field.Name != f.name {
					continue
				}
				for _, value := range f.values {
					if !strings.Contains(field.Doc, value) && value != "php" {
						t.Errorf("%s: %s is no value of %q", f.name, value, field.Doc)
					}
				}
			}
		}
	}
}

func TestAdviceAboutArgumentsThatACallMayNotHave(t *testing.T) {
	for when, messages := range map[string][]string{
		`input.args.‹foo› == "a"`: {"a call without 'foo' makes this an error, which counts as a match: write has(input.args.foo) && …"},
		`input.tool == "X" && input.args.‹foo› == "a" && input.args.foo != "b"`:            {"has(input.args.foo)"},
		`input.args.‹foo› == "a" || input.args.‹bar› == "b"`:                               {"'foo'", "'bar'"},
		`has(input.args.foo) && input.args.‹bar› == "b"`:                                   {"'bar'"},
		`has(input.args.foo) || input.args.‹foo› == "b"`:                                   {"'foo'"},
		`!(has(input.args.foo) && input.compound) || input.args.foo == "b"`:                nil,
		`input.args.‹foo›.size() > 0 && input.compound`:                                    {"'foo'"},
		`has(input.args.foo) && input.args.foo == "a"`:                                     nil,
		`input.tool == "X" && has(input.args.foo) && (input.args.foo == "a" || 1 > 2)`:     nil,
		`"foo" in input.args && input.args.foo == "a" && input.args["foo"] != "b"`:         nil,
		`!has(input.args.foo) || input.args.foo == "a"`:                                    nil,
		`has(input.args.foo) ? input.args.foo == "a" : input.compound`:                     nil,
		`has(input.args.foo) && input.commands.exists(c, c.program == input.args.foo)`:     nil,
		`has(input.args.foo) && has(input.args.foo.bar) && input.args.foo.bar == "a"`:      nil,
		`has(input.args.foo) && input.compound && !(input.args.foo in ["a", "b"])`:         nil,
		`input.args.size() > 3 && input.args.exists(k, k == "x") && "a" in input.args`:     nil,
		`input.commands.exists(c, c.env.exists(k, k == "A") && c.args.exists(a, a == ""))`: nil,
	} {
		checkAdvice(t, "      when: |-\n        "+when+"\n", codeArgs, messages...)
	}
	found := adviseRule("      when: input.args[\"a-b\"] == 1\n")
	if len(found) != 1 || !strings.Contains(found[0].Message, `write "a-b" in input.args && …`) {
		t.Errorf("%v", found)
	}
	if found := adviseRule("      pattern: x\n      unless: ['input.args.foo == \"a\"']\n"); len(found) != 0 {
		t.Errorf("an exemption that fails does not hold: %v", found)
	}
}

func TestAdviceAboutValuesThatYAMLCutsOff(t *testing.T) {
	const message = "YAML takes this for a comment"
	for fields, messages := range map[string][]string{
		"      pattern: foo ‹#bar›\n":                                         {message},
		"      pattern: 'x'\n      except: foo  ‹# bar›\n":                    {message},
		"      pattern: 'x'\n      unless_regex: ['a', b, c ‹#]›\n       ]\n": {message},
		"      when: input.compound\n        || true == input.parsed ‹#x›\n":  {message},
		"      pattern: 'foo' # bar\n":                                        nil,
		"      pattern: foo#bar\n":                                            nil,
		"      when: | # bar\n        input.compound\n":                       nil,
		"      pattern: foo\n      # bar\n":                                   nil,
	} {
		checkAdvice(t, fields, codeComment, messages...)
	}
}

func TestAdviceAboutASetUnlikeItsFile(t *testing.T) {
	for path, want := range map[string]int{"s.yml": 0, "a/b/s.yaml": 0, "s.yml.disabled": 0, "t.yml": 1, "s.d.yml": 1} {
		p := Compile([]File{{Path: path, Source: []byte("description: x\nname: s\nrules: {}\n")}}, Options{Diagnose: true})
		if len(p.Diagnostics) != want || want == 1 && (p.Diagnostics[0].Position != Position{2, 7} || p.Diagnostics[0].Severity != Warning || !strings.Contains(p.Diagnostics[0].Message, "rename the file to s.yml")) {
			t.Errorf("%s: %v", path, p.Diagnostics)
		}
	}
}

func TestAnErrorOfARuleComesBeforeAdvice(t *testing.T) {
	for name, fields := range map[string]string{
		"a fault":          "{name: r, when: input.x, reason: r}",
		"an unknown key":   "{name: r, pattern: x, reason: r, patern: y}",
		"no reason":        "{name: r, pattern: x}",
		"a bad regex":      "{name: r, pattern: 'x(', reason: r}",
		"a failing string": "{name: r, pattern: x, message: 'input.commands'}",
	} {
		p := Compile([]File{{Path: "s.yml", Source: []byte("name: s\nrules:\n  ask:\n    - " + fields + "\n")}}, Options{Diagnose: true})
		all := append(p.Diagnostics, AdviseTests(p.Sets[0], nil)...)
		if len(all) != 1 || all[0].Severity == Warning {
			t.Errorf("%s: %v", name, all)
		}
	}
	p := mustCompile(t, "name: s\nrules:\n  ask: [{name: a, pattern: x, reason: r}]\n  block: [{name: b, pattern: x, reason: r}]\n")
	for name, test := range map[string]struct {
		run  TestRun
		want []string
	}{
		"a failed test of a rule":    {TestRun{Test: Test{Rule: "a"}, Failed: true}, []string{"b"}},
		"a failed test of an ask":    {TestRun{Test: Test{Expect: ExpectAsk}, Failed: true}, []string{"b"}},
		"a failed test of an allow":  {TestRun{Test: Test{Expect: ExpectAllow}, Matched: []string{"b"}, Failed: true}, []string{"a"}},
		"a passed test of no rule":   {TestRun{Test: Test{Expect: ExpectAllow}}, []string{"b", "a"}},
		"a failed test of a block":   {TestRun{Test: Test{Expect: ExpectBlock}, Failed: true}, []string{"a"}},
		"a passed test of an absent": {TestRun{Test: Test{Rule: "c"}}, []string{"b", "a"}},
	} {
		var got []string
		for _, d := range AdviseTests(p.Sets[0], []TestRun{test.run}) {
			_, rest, _ := strings.Cut(d.Message, "'")
			rule, _, _ := strings.Cut(rest, "'")
			got = append(got, rule)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: advice about %v, want %v", name, got, test.want)
		}
	}
}
