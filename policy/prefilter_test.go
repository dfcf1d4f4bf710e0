package policy

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/schema"
)

// needsOf returns the condition of a rule with variables "v" and "w".
func needsOf(t testing.TB, v, when string) string {
	t.Helper()
	quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
	p := mustCompile(t, "name: n\nvariables:\n  v: "+quote(v)+"\nrules:\n  block:\n    - {name: r, reason: r, when: "+quote(when)+"}\n")
	return p.Sets[0].unit.rules[0].needs
}

// filtered is a call with one command and one script.
func filtered(tool, program string, args ...string) *schema.Input {
	c := &schema.Command{Program: program, Args: args, Operands: args, Text: strings.Join(append([]string{program}, args...), " ")}
	for i, a := range args {
		if strings.HasPrefix(a, "-") {
			c.Options = append(c.Options, schema.Option{Name: a, Index: i})
		}
	}
	e := &schema.Effects{Command: c.Text, Parsed: true, Commands: []*schema.Command{c}, Scripts: []*schema.Script{{Language: "python", Content: "print('Kelvin')"}}}
	return &schema.Input{Tool: tool, Args: map[string]any{"command": c.Text}, ReadEffects: func() *schema.Effects { return e }}
}

func TestWhatARuleNeeds(t *testing.T) {
	in := filtered("Bash", "git", "push", "--force", "origin")
	for name, c := range map[string]struct {
		v, when string
		can     bool // match in
	}{
		"another tool":                          {"1", `input.tool == "Write"`, false},
		"the tool, turned around":               {"1", `"Bash" == input.tool`, true},
		"one of some tools":                     {"1", `input.tool in ["Write", "Edit"]`, false},
		"a list of a variable":                  {`["Write", "Bash"]`, `input.tool in variables.v`, true},
		"both":                                  {"1", `input.tool == "Bash" && input.tool == "Write"`, false},
		"either":                                {"1", `input.tool == "Write" || input.command.contains("push")`, true},
		"neither":                               {"1", `input.tool == "Write" || input.command.contains("pull")`, false},
		"either, and one that is not known":     {"1", `input.tool == "Write" || size(input.args) > 9`, true},
		"both, and one that fails":              {"1", `input.args["x"] == 1 && input.tool == "Write"`, false},
		"one that fails alone":                  {"1", `input.args["x"] == 1`, true},
		"not":                                   {"1", `!(input.tool == "Bash")`, true},
		"not a field":                           {"1", `!input.parsed`, false},
		"not either":                            {"1", `!(input.parsed || input.tool == "Bash")`, false},
		"not both":                              {"1", `!(input.parsed && input.tool == "Bash")`, true},
		"a program":                             {"1", `input.commands.exists(c, c.program == "git")`, true},
		"another program":                       {"1", `input.commands.exists(c, c.program == "rm")`, false},
		"a program of a variable":               {`input.commands.filter(c, c.program == "rm")`, `variables.v.size() > 0`, false},
		"no program of a variable":              {`input.commands.filter(c, c.program == "rm")`, `variables.v.size() == 0`, true},
		"more than one":                         {`input.commands.filter(c, c.program == "rm")`, `variables.v.size() > 1`, false},
		"all":                                   {`input.commands.filter(c, c.program == "rm")`, `variables.v.all(c, c.remote)`, true},
		"words":                                 {"1", `input.commands.exists(c, c.runs("git push"))`, true},
		"other words":                           {"1", `input.commands.exists(c, c.runs("git pull"))`, false},
		"an option":                             {"1", `input.commands.exists(c, c.has_flag("-f", "--force"))`, true},
		"another option":                        {"1", `input.commands.exists(c, c.has_flag(["-n", "--dry-run"]))`, false},
		"an argument":                           {"1", `input.commands.exists(c, "origin" in c.args)`, true},
		"another argument":                      {"1", `input.commands.exists(c, c.args.exists(a, a.startsWith("upstream")))`, false},
		"mapped":                                {`input.commands.filter(c, c.program == "git").map(c, c.args)`, `variables.v.flatten().exists(a, a == "x")`, true},
		"mapped to nothing":                     {`input.commands.map(c, c.args.filter(a, a == "x"))`, `variables.v.flatten().size() > 0`, false},
		"a sum":                                 {`input.commands.filter(c, c.program == "a") + input.commands.filter(c, c.program == "git")`, `variables.v.size() > 0`, true},
		"an empty sum":                          {`input.commands.filter(c, c.program == "a") + input.commands.filter(c, c.program == "b")`, `variables.v.size() > 0`, false},
		"a choice":                              {`input.tool == "Write" ? input.commands : []`, `variables.v.size() > 0`, false},
		"a choice by what may fail":             {`input.args["x"] == 1 ? input.commands : []`, `variables.v.size() > 0`, true},
		"a choice that may fail, and cannot be": {`input.tool == "Grep" && input.args["x"] == 1 ? input.commands : []`, `variables.v.size() > 0`, false},
		"a key of a map":                        {"1", `input.commands.exists(c, "PATH" in c.env || c.env.exists(e, e.startsWith("X_")))`, false},
		"a list that may fail":                  {`input.commands.filter(c, c.args[9] == "x")`, `variables.v.exists(c, c.program == "rm")`, true},
		"a predicate that may fail, and a false one": {"1", `input.commands.exists(c, c.args[9] == "x" && c.program == "rm")`, false},
		"a regex":                             {"1", `input.command.matches("^git +pu(ll|sh)")`, true},
		"another regex":                       {"1", `input.command.matches("^git +(fetch|pull)")`, false},
		"a regex in any case":                 {"1", `input.command.matches("(?i)GIT +PULL")`, false},
		"a regex in a case that is not ASCII": {"1", `input.scripts.exists(s, s.content.matches("(?i)\u212Aelvin"))`, true},
		"a regex with an option":              {"1", `input.command.matches("git( pull)?")`, true},
		"a regex of a variable":               {`"pull|fetch"`, `input.command.matches(variables.v)`, false},
		"words of a list":                     {"1", `["pull", "fetch"].exists(w, input.command.contains(w))`, false},
		"a language":                          {`input.scripts.filter(s, s.language == "ruby")`, `variables.v.exists(s, s.commands.size() > 0)`, false},
		"no file":                             {"1", `input.writes.exists(t, t.path == "/x")`, false},
		"a loop variable that hides one of the input": {"1", `["Write"].exists(input, input == "Write")`, true},
		"never":                         {"1", `false`, false},
		"always":                        {"1", `true`, true},
		"a value that differs":          {"1", `input.commands.exists(c, c.piped_to != "")`, false},
		"a value that differs from one": {"1", `input.commands.exists(c, c.program != "rm")`, true},
	} {
		f := newFacts(in)
		needs := needsOf(t, c.v, c.when)
		if got := f.hold(needs); got != c.can {
			t.Errorf("%s: %s: can match: %v", name, c.when, got)
		}
		if !c.can && f.missing(needs) == "" {
			t.Errorf("%s: no reason", name)
		}
	}
}

// TestARuleThatFailsIsNotSkipped: an evaluation that fails is a match.
func TestARuleThatFailsIsNotSkipped(t *testing.T) {
	for _, when := range []string{
		`input.args["x"] == 1 && input.tool == "Bash"`,
		`input.commands.filter(c, c.args[9] == "x").exists(c, c.program == "rm")`,
		`input.commands.exists(c, c.args[9] == "x" || c.program == "rm")`,
		`(input.tool == "Bash" && input.args["x"] == 1 ? [] : ["a"]).exists(a, a == "b")`,
		`(input.args["x"] == 1 ? [] : ["a"]).exists(a, a == "b")`,
		`input.commands.map(c, c.args[9]).exists(a, a == "b")`,
		`input.commands.map(c, [c.args[9]]).flatten().exists(a, a == "b")`,
		`!(input.args["x"] == 1)`,
	} {
		quoted := "'" + when + "'"
		p := mustCompile(t, "name: n\nrules:\n  block:\n    - {name: r, reason: r, when: "+quoted+"}\n")
		if o := p.Evaluate(filtered("Bash", "git"), EvaluateOptions{}); len(o.Blocks) != 1 || o.Blocks[0].Err == nil {
			t.Errorf("%s: %+v", when, o.Blocks)
		}
	}
}

// holdsFor tests clauses as a condition does.
func holdsFor(clauses []clause, text string) bool {
	for _, c := range clauses {
		searched, found := text, false
		if c.fold {
			searched = foldCase(text)
		}
		for _, l := range c.literals {
			found = found || strings.Contains(searched, l)
		}
		if !found {
			return false
		}
	}
	return true
}

func TestRequiredLiterals(t *testing.T) {
	for pattern, want := range map[string]string{
		`abc`:            `abc`,
		`a.c`:            `a & c`,
		`a(b|c)d`:        `abd|acd`,
		`(foo|bar.*baz)`: `foo|bar`,
		`(?i)Abc`:        `~abc`,
		`x*`:             ``,
		`x+y`:            `x & y`,
		`(ab){2,}`:       `ab & ab`,
		`^git\s+push\b`:  `git & push`,
		`a?b`:            `b|ab`,
		`[xy]z`:          `xz|yz`,
		`[a-z]z`:         `z`,
		`(a|)b`:          `ab|b`,
		`(x|.)`:          ``,
		`\x{fffd}`:       ``,
		`(`:              ``,
	} {
		var parts []string
		for _, c := range requiredLiterals(pattern) {
			part := strings.Join(c.literals, "|")
			if c.fold {
				part = "~" + part
			}
			parts = append(parts, part)
		}
		if got := strings.Join(parts, " & "); got != want {
			t.Errorf("%s: %s, want %s", pattern, got, want)
		}
	}
}

// FuzzRequiredLiterals: what a regex matches has what the regex requires.
func FuzzRequiredLiterals(f *testing.F) {
	lines, err := os.ReadFile(filepath.Join("testdata", "regexes.txt"))
	if err != nil {
		f.Fatal(err)
	}
	for _, line := range strings.Split(string(lines), "\n") {
		f.Add(line, "git push --force")
	}
	f.Add(`(?i)k`, "\u212A")
	f.Add(`(?i:S)t`, "\u017Ft")
	f.Add("a\\x{fffd}", "a\xff")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		re, err := regexp.Compile(pattern)
		if err != nil {
			return
		}
		parsed, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		for _, candidate := range []string{text, sample(parsed.Simplify(), 0), strings.ToUpper(sample(parsed, 0)), text + sample(parsed, 1)} {
			if re.MatchString(candidate) && !holdsFor(requiredLiterals(pattern), candidate) {
				t.Errorf("%q matches %q but for %v", pattern, candidate, requiredLiterals(pattern))
			}
		}
	})
}

// sample writes a text that a regex probably matches.
func sample(re *syntax.Regexp, choice int) string {
	var b strings.Builder
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		if len(re.Rune) > 0 {
			return string(re.Rune[len(re.Rune)-1])
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "x"
	case syntax.OpAlternate:
		return sample(re.Sub[choice%len(re.Sub)], choice)
	case syntax.OpQuest, syntax.OpStar:
		if choice == 0 {
			return ""
		}
		return sample(re.Sub[0], choice)
	case syntax.OpRepeat:
		for range min(re.Min, 8) {
			b.WriteString(sample(re.Sub[0], choice))
		}
	default:
		for _, sub := range re.Sub {
			b.WriteString(sample(sub, choice))
		}
	}
	return b.String()
}

// A condition that cannot be read holds: the rule is evaluated.
func FuzzFactsHold(f *testing.F) {
	f.Add("")
	f.Add(needsOf(f, "1", `input.tool == "Write" || input.commands.exists(c, c.runs("git pull"))`))
	f.Add(needsOf(f, "1", `input.changes.exists(c, c.operation == "create" && c.path.endsWith("x"))`))
	f.Fuzz(func(t *testing.T, encoded string) {
		facts := newFacts(filtered("Bash", "git"))
		if !facts.hold(encoded) {
			_ = facts.missing(encoded)
		}
	})
}

func BenchmarkPrefilterOf1000Rules(b *testing.B) {
	var rules strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&rules, "    - {name: r%d, reason: r, when: 'input.commands.exists(c, c.runs(\"tool%d destroy\") && c.has_flag(\"--force\"))'}\n", i, i)
	}
	p := mustCompile(b, "name: n\nrules:\n  block:\n"+rules.String())
	in := filtered("Bash", "git", "status")
	b.ReportAllocs()
	for b.Loop() {
		p.Evaluate(in, EvaluateOptions{})
	}
}

// The table of subjects holds what collect knows, of all fields that there are.
func TestSubjectsAreWhatCollectKnows(t *testing.T) {
	fields := []string{"", "word", "option"}
	for _, o := range schema.ObjectTypes() {
		for _, f := range o.Fields {
			fields = append(fields, f.Name)
		}
	}
	for _, object := range []string{"", "command", "script", "call", "read", "write", "git", "change", "repo"} {
		for _, field := range fields {
			name := objectSubject + object
			if object == "" {
				name = field
			} else if field != "" {
				name = object + "." + field
			}
			if _, known := collect(&schema.Input{}, name); known != slices.Contains(subjects[:], name) {
				t.Errorf("%q: known %v", name, known)
			}
		}
	}
	for i, name := range subjects {
		if _, known := collect(&schema.Input{}, name); !known || slices.Index(subjects[:], name) != i {
			t.Errorf("%q", name)
		}
	}
}
