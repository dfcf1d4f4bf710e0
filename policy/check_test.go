package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/cel"
)

// TestErrorsOfCELPointAtTheWord holds the messages and places of CEL errors. The
// culprit stands between ‹ and ›; several errors are listed in order.
func TestErrorsOfCELPointAtTheWord(t *testing.T) {
	for when, messages := range map[string][]string{
		`input.‹comand›.size() > 0`:                                        {"undefined field 'comand' (did you mean 'command'?)"},
		`has(input.‹comand›)`:                                              {"undefined field 'comand' (did you mean 'command'?)"},
		`input.commands.exists(c, c.‹programm› == "x")`:                    {"undefined field 'programm' (did you mean 'program'?)"},
		`input.commands[0].‹zzzzzz› == ""`:                                 {"undefined field 'zzzzzz'"},
		`input.commands.exists(c, c.‹content› == "")`:                      {"undefined field 'content'"},
		`variables.‹pushs›.size() > 0`:                                     {"undefined variable 'pushs' (did you mean 'pushes'?)"},
		`‹pushes›.size() > 0`:                                              {"undefined name 'pushes': write variables.pushes"},
		`‹command› == ""`:                                                  {"undefined name 'command': write input.command"},
		`‹imput›.tool == ""`:                                               {"undefined name 'imput' (did you mean 'input'?)"},
		`input.commands.exists(cmd, ‹cmmd›.remote)`:                        {"undefined name 'cmmd' (did you mean 'cmd'?)"},
		`input.commands.exists(c, c.‹run›("git"))`:                         {"unknown function 'run' (did you mean 'runs'?)"},
		`‹is_in_project_treee›(input)`:                                     {"unknown function 'is_in_project_treee' (did you mean 'is_in_project_tree'?)"},
		`input.commands.‹exist›(c, c.remote)`:                              {"unknown function 'exist' (did you mean 'exists'?)"},
		`input.commands.‹any›(c, c.remote && c.flag == [])`:                {"unknown function 'any': write exists(x, condition)"},
		`input.commands.‹exist›(c, c.remote) || ‹d›.remote`:                {"'exists'", "undefined name 'd'"},
		`‹len›(input.commands) > 1`:                                        {"unknown function 'len': write size()"},
		`input.command.‹toLower›().contains("x")`:                          {"unknown function 'toLower': write lowerAscii()"},
		`input.commands.‹length› > 1`:                                      {"a list has no field 'length': write size()"},
		`input.tool.‹length› > 1`:                                          {"a string has no field 'length': write size()"},
		`input.commands.‹program› == "rm"`:                                 {"a list has no field 'program': ask its elements, with input.commands.exists(x, x.program …)"},
		`input.commands.filter(c, true).‹program› == "rm"`:                 {"a list has no field 'program': ask its elements, with exists(x, x.program …)"},
		`input.tool.‹program› == "rm"`:                                     {"a string has no field 'program'"},
		`input.commands.exists(c, c.args ‹==› "rm")`:                       {"'==' cannot compare (list(string), string): to ask whether the list holds it write value in list"},
		`input.commands.exists(c, "rm" ‹!=› c.args)`:                       {"'!=' cannot compare (string, list(string)): to ask whether the list holds it write !(value in list)"},
		`input.command ‹!=› null`:                                          {"'!=' cannot compare (string, null): there is no null here, what is absent is empty"},
		`"rm" ‹in› input.command`:                                          {"for a part of a text write text.contains(part)"},
		`input.commands.exists(c, c.args.‹contains›("rm"))`:                {"it takes string.contains(string); ask the elements of the list, with exists(x, x.contains(…)), or value in list"},
		`input.commands.‹contains›("rm")`:                                  {"it takes string.contains(string); ask the elements of the list, with exists(x, …)"},
		`input.commands.‹runs›("rm")`:                                      {"it takes c.runs(string); ask the elements of the list, with exists(x, x.runs(…))"},
		`‹c›.has_flag("-f")`:                                               {"undefined name 'c': a name stands for an element of a list, as in input.commands.exists(c, …)"},
		`‹cmd›.program == "rm"`:                                            {"undefined name 'cmd': a name stands for an element of a list, as in input.commands.exists(cmd, …)"},
		`input.commands.exists(c ‹=>› c.remote)`:                           {"'exists' is used as list.exists(x, condition)"},
		`input.commands.size() ‹=>› 1`:                                     {"'=>' is no operator of CEL: write >="},
		`‹not› input.compound`:                                             {"'not' is no operator of CEL: write !"},
		`input.compound && ‹not› input.compound`:                           {"'not' is no operator of CEL: write !"},
		`input.tool ‹is› "x"`:                                              {"'is' is no operator of CEL: write =="},
		`‹if› input.compound then true`:                                    {"'if' is no word of CEL: write condition ? value : other"},
		`input.command ‹contains› "x"`:                                     {"'contains' is a method: write text.contains(…)"},
		`input.command ‹matches› "x"`:                                      {"'matches' is a method: write text.matches(…)"},
		`input.tool == ‹“›x”`:                                              {"a string stands in plain quotes, \" or '"},
		"input.tool ==‹\u00a0›\"x\"":                                       {"U+00A0 is no plain space"},
		`input.cwd.startsWith(‹/›tmp)`:                                     {"unexpected '/': a string needs quotes"},
		`input.path == ‹~›/x`:                                              {"unexpected '~': a string needs quotes"},
		`input.commands.exists(c, c.has_flag(-‹f›))`:                       {"(a string needs quotes: '-f')"},
		`input.commands.exists(c, c.has_flag(--‹force›))`:                  {"(a string needs quotes: '--force')"},
		`input.commands.exists(c, c.program == "rm" || ‹"mv"›)`:            {"a condition must be of type bool, not string: compare it too, or write value in [\"a\", \"b\"]"},
		`input.commands.all(c, c.‹program›)`:                               {"a condition must be of type bool, not string: compare it with something"},
		`input.‹commands› && input.parsed`:                                 {"a condition must be of type bool, not list(Command): ask whether it holds something, with size() > 0 or exists()"},
		`‹!›input.commands`:                                                {"it takes (bool): ask whether it holds something, with size() > 0 or exists()"},
		`input.commands.exists(c, c.program in ("rm"‹,› "mv"))`:            {"')' is missing before ',': a list stands in […]"},
		`input.commands.exists(c, c.flags‹[›"-r"])`:                        {"'[ ]' cannot be applied to (list(string), string): a list is read by number; to ask whether it holds a value write value in list"},
		`input.commands.exists(c, c.flags.‹has›("-r"))`:                    {"'has' is used as has(input.field); for an element of a list write value in list"},
		`‹has›("x")`:                                                       {"'has' is used as has(input.field)"},
		`input.writes.exists(t, t ‹==› "/a")`:                              {"'==' cannot compare (Target, string): take a field of the Target, as x.path"},
		`"/a" ‹in› input.writes`:                                           {"it takes a value and a list, or a key and a map; of a list of Target write list.exists(x, x.path == value)"},
		`input.commands.exists(c, c.‹matches›("rm"))`:                      {"string.matches(string); take a field of the Command, as x.text"},
		`input.reads.exists(t, ‹glob›(t, "**"))`:                           {"it takes glob(string, string); take a field of the Target, as x.path"},
		`input.‹tool_name› == "Bash"`:                                      {"undefined field 'tool_name' (did you mean 'tool'?)"},
		`input.‹tool_input›.command == "x"`:                                {"(did you mean 'args'?)"},
		`input.‹file_path› == "x"`:                                         {"(did you mean 'path'?)"},
		`input.‹cmd› == "x"`:                                               {"(did you mean 'command'?)"},
		`input.commands.exists(c, c.‹name› == "rm")`:                       {"undefined field 'name' (did you mean 'program'?)"},
		`input.git.‹branch› == "main"`:                                     {"a list has no field 'branch': ask its elements, with exists(x, …)"},
		`input.writes.exists(t, t.‹runs›("x"))`:                            {"'runs' cannot be applied to Target.(string): it takes c.runs(string)"},
		`input.git.exists(g, g.‹branch› == "main")`:                        {"undefined field 'branch' (did you mean 'repo.branch'?)"},
		`input.commands.exists(c, c.‹runs›)`:                               {"undefined field 'runs': it is a function, write runs(…)"},
		`input.‹is_recoverable›`:                                           {"undefined field 'is_recoverable': it is a function, write is_recoverable(input)"},
		`‹is_recoverable›`:                                                 {"undefined name 'is_recoverable': it is a function, write is_recoverable(input)"},
		`input.commands.‹size› > 1`:                                        {"a list has no field 'size': it is a function, write size(…)"},
		`‹args›.command == "x"`:                                            {"undefined name 'args': write input.args"},
		`input.scripts.exists(s, s.‹calls›("eval"))`:                       {"unknown function 'calls': it is a field, and stands without (…)"},
		`input.commands.‹first›().program == "rm"`:                         {"unknown function 'first': write list[0], behind size(list) > 0 &&"},
		`input.commands.‹exists›(c in c.program == "rm")`:                  {"'exists' is used as list.exists(x, condition)"},
		`input.commands.exists(c‹:› c.remote)`:                             {"'exists' is used as list.exists(x, condition)"},
		`input.commands.exists(c -‹>› c.remote)`:                           {"'exists' is used as list.exists(x, condition)"},
		`input.commands.exists{c‹,› c.remote}`:                             {"'exists' is used as list.exists(x, condition)"},
		`‹for› c in input.commands: c.remote`:                              {"'for' is no word of CEL: write list.exists(x, condition)"},
		`‹return› input.compound`:                                          {"'return' is no word of CEL: write the condition alone"},
		`input.compound‹;›`:                                                {"unexpected ';': a condition is one expression, without it"},
		`input.compound‹,› input.parsed`:                                   {"unexpected ',': join conditions with &&"},
		`‹#› x` + "\n        input.compound":                               {"unexpected '#': a comment begins with //"},
		"input.command.contains(‹`›rm`)":                                   {"a string stands in plain quotes"},
		`input.command ‹~› "rm"`:                                           {"'~' is no operator of CEL: write matches()"},
		`input.cwd == ‹$›HOME`:                                             {"unexpected '$': a string needs quotes"},
		`input.compound ‹AND› input.parsed`:                                {"'AND' is no operator of CEL: write &&"},
		`‹git push --force›`:                                               {"'when' is an expression in CEL: for a text of commands write it as a regex in 'pattern'"},
		`input.commands.‹exists›(true)`:                                    {"'exists' is used as list.exists(x, condition)"},
		`input.commands.exists(c, c.‹has_flag›(3))`:                        {"'has_flag' cannot be applied to Command.(int): it takes c.has_flag(string) or c.has_flag(string, string)"},
		`input.cwd.‹under›(3)`:                                             {"it takes path.under(string) or target.under(string)"},
		`input.cwd.‹startsWith›(3)`:                                        {"it takes string.startsWith(string)"},
		`input.command ‹+› 3 == ""`:                                        {"'+' cannot be applied to (string, int): use string(x) for the int"},
		`true ‹+› "x" == ""`:                                               {"'+' cannot be applied to (bool, string): use string(x) for the bool"},
		`input.command ‹+› [] == ""`:                                       {"it takes (bytes, bytes) or"},
		`input.tool == ‹Bash›`:                                             {"undefined name 'Bash' (a string needs quotes: 'Bash')"},
		`‹Bash› != input.tool`:                                             {"(a string needs quotes: 'Bash')"},
		`input.tool in [‹Bash›, "x"]`:                                      {"(a string needs quotes: 'Bash')"},
		`‹origin› in input.commands[0].args`:                               {"(a string needs quotes: 'origin')"},
		`input.commands.exists(c, c.runs(‹rm›))`:                           {"(a string needs quotes: 'rm')"},
		`input.tool == ‹cwd›`:                                              {"undefined name 'cwd': write input.cwd"},
		`input.commands.size() == ‹three›`:                                 {"undefined name 'three'"},
		`input.command.‹exists›(c, c.program == "x")`:                      {"'exists' needs a list or map, and input.command is a string (did you mean 'input.commands'?)"},
		`input.commands.exists(c, c.program.‹all›(p, true))`:               {"'all' needs a list or map, and c.program is a string"},
		`input.commands.exists(c, true) && 3.‹map›(x, x) == []`:            {"'map' needs a list or map, and this is an int"},
		`input.command ‹==› 3`:                                             {"'==' cannot compare (string, int)"},
		`3 ‹>› "x"`:                                                        {"'>' cannot compare (int, string)"},
		`input.tool ‹in› "abc"`:                                            {"'in' cannot be applied to (string, string)"},
		`input.compound ‹?› 1 : "x"`:                                       {"'? :' takes a bool"},
		`‹input.command›`:                                                  {"'when' must be of type bool, not string"},
		`‹input.commands›`:                                                 {"with size() > 0 or exists()"},
		`‹input.args.flag›`:                                                {"not dyn: its value is known only at run time"},
		`input.tool ‹=› "x"`:                                               {"syntax error: '=' is no operator of CEL: write =="},
		`input.compound ‹and› true`:                                        {"'and' is no operator of CEL: write &&"},
		`input.compound ‹@› true`:                                          {"syntax error: unexpected '@'"},
		`input.compound &&‹›`:                                              {"syntax error: the expression ends too early"},
		`input.tool == ‹"›\d"`:                                             {"write a regex as r'…'"},
		`input.tool == ‹'›abc`:                                             {"the string is not closed on its line"},
		`input.tool.startsWith‹(›"x"`:                                      {"'(' is never closed"},
		`input.command.matches(r'a‹(?=b)›c')`:                              {"lookahead (?=…)"},
		`matches(input.command, 'a\\.‹(›b')`:                               {"missing closing )"},
		`input.command.matches("""é\u0041‹[a›""")`:                         {"missing closing ]"},
		`input.‹a› == "" || input.‹b› == "" || input.‹a› == ""`:            {"undefined field 'a'", "undefined field 'b'", "undefined field 'a'"},
		`‹true || variables.pushes.size()›`:                                {"a condition must be of type bool, not int: compare it with something"},
		"input.compound\n        && input.‹comand› == ''\n        || true": {"undefined field 'comand' (did you mean 'command'?)"},
	} {
		plain := strings.NewReplacer("‹", "", "›", "").Replace(when)
		source := "name: s\nvariables: {pushes: input.commands}\nrules:\n  block:\n    - name: r\n      reason: r\n      when: |\n        " + plain + "\n"
		p := compileOne(source)
		if len(p.Diagnostics) != len(messages) {
			t.Errorf("%s: %v", when, p.Diagnostics)
			continue
		}
		pieces := strings.Split("        "+when, "‹")
		before := pieces[0]
		for i, message := range messages {
			culprit, after, _ := strings.Cut(pieces[i+1], "›")
			line := 8 + strings.Count(before, "\n")
			column := runeCount(before[strings.LastIndexByte(before, '\n')+1:]) + 1
			want := fmt.Sprintf("watches/my.yml:%d:%d: ", line, column)
			d := p.Diagnostics[i]
			if strings.HasPrefix(culprit, "true ||") {
				want = "watches/my.yml:8:" // cel-go says where
			} else if d.Width != max(1, runeCount(culprit)) {
				t.Errorf("%s: %v has width %d", when, d, d.Width)
			}
			if !strings.HasPrefix(d.String(), want) || !strings.Contains(d.Message, message) || d.Severity != Fault {
				t.Errorf("%s:\n got %v\nwant %s%s", when, d, want, message)
			}
			before += culprit + after
		}
	}
}

func TestAMessageThatIsPlainTextIsToldSo(t *testing.T) {
	p := compileOne("name: s\nrules:\n  block:\n    - {name: r, pattern: x, message: do not do this}\n")
	if len(p.Diagnostics) != 1 || !strings.Contains(p.Diagnostics[0].String(), "my.yml:4:38: 'message' is an expression in CEL: write plain text in 'reason'") || p.Diagnostics[0].Width != 14 {
		t.Error(p.Diagnostics)
	}
}

func TestVariablesAreTypedAndMayUseEarlierOnes(t *testing.T) {
	p := mustCompile(t, "name: s\nvariables:\n  a: input.commands.map(c, c.program)\n  b: variables.a.size()\nrules:\n  block:\n    - {name: r, when: 'variables.b > 1 && \"x\" in variables.a', reason: r}\n")
	if decide(p, bash("x;y", words("x"), words("y"))) != Deny || decide(p, bash("x", words("x"))) != None {
		t.Error("the variables have not the values they should")
	}
	for source, message := range map[string]string{
		"b: variables.a\n  a: 'true'": "undefined variable 'a': the set has none before it",
		"a: variables.a":              "undefined variable 'a'",
		"a: input.nothing":            "undefined field 'nothing'",
	} {
		p := compileOne("name: s\nvariables:\n  " + source + "\nrules:\n  block:\n    - {name: r, when: 'variables.a == variables.a', reason: r}\n    - {name: other, when: 'true', reason: r}\n")
		if len(p.Faults()) != 1 || !strings.Contains(p.Faults()[0].Message, message) {
			t.Errorf("%s: %v", source, p.Faults())
		}
		if got := decideMatches(p, "x"); !strings.Contains(got, "s/other") || !strings.Contains(source, "b:") && strings.Contains(got, "s/r") {
			t.Errorf("%s: %s", source, got)
		}
	}
}

func TestHostileExpressionsAreFaultsAndTakeBoundedTime(t *testing.T) {
	for name, when := range map[string]string{
		"deep parentheses": strings.Repeat("(", 10_000) + "true" + strings.Repeat(")", 10_000),
		"deep negation":    strings.Repeat("!", 10_000) + "true",
		"too long":         "true" + strings.Repeat(" || true", cel.MaxExpressionSize/8),
		"deep lists":       strings.Repeat("[", 5_000) + strings.Repeat("]", 5_000) + " == []",
		"nested macros":    strings.Repeat("input.commands.exists(c, ", 100) + "true" + strings.Repeat(")", 100),
	} {
		p := compileOne("name: s\nrules:\n  block:\n    - {name: r, when: '" + when + "', reason: r}\n")
		if name != "deep negation" && name != "nested macros" && len(p.Faults()) == 0 {
			t.Errorf("%s: no fault", name)
		}
		for _, d := range p.Faults() {
			if strings.Contains(d.Message, "cannot be compiled") {
				t.Errorf("%s: %s", name, d.Message)
			}
		}
	}
}
