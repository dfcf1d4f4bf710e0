package shell_test

import (
	"testing"

	"github.com/claudewatch/claudewatch/internal/shell"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/go-cmp/cmp"
)

func TestKnownHardCases(t *testing.T)                            { checkCommands(t, hardCaseRows) }
func TestACommandIsFoundInEverySyntax(t *testing.T)              { checkCommands(t, syntaxRows) }
func TestWordsAreReadAsBashReadsThem(t *testing.T)               { checkCommands(t, wordRows) }
func TestVariablesAreFoldedWhileTheirValueIsSure(t *testing.T)   { checkCommands(t, variableRows) }
func TestTheDirectoryIsKnownOrUnknown(t *testing.T)              { checkCommands(t, directoryRows) }
func TestPipesNameTheProgramOnTheOtherEnd(t *testing.T)          { checkCommands(t, pipeRows) }
func TestWrappersAreTakenOff(t *testing.T)                       { checkCommands(t, wrapperRows) }
func TestRemoteCommandsAreListedBesideTheirCarrier(t *testing.T) { checkCommands(t, remoteRows) }
func TestTextRunAsShellIsReadAgain(t *testing.T)                 { checkCommands(t, nestedRows) }

func TestSettingsAddWrappers(t *testing.T) {
	got := shell.Read("mine -x 5 git push; git push", shell.Context{Dir: "/home/dev/proj", Wrappers: map[string]int{"mine": 1}})
	if diff := cmp.Diff([]string{"git push [mine]", "git push"}, showAll(got.Commands)); diff != "" {
		t.Error(diff)
	}
}

func TestFieldsOfACommand(t *testing.T) {
	got := read(`cd /srv && A=1 sudo -u bob git -C repo push --force-with-lease=x -vf -o "$OPT" origin > out.txt 2>&1 | cat`).Commands[1]
	want := &schema.Command{
		Program:    "git",
		Args:       []string{"-C", "repo", "push", "--force-with-lease=x", "-vf", "-o", `"$OPT"`, "origin"},
		Operands:   []string{"push", "origin"},
		Subcommand: "push",
		Options: []schema.Option{
			{Name: "-C", Value: "repo", Index: 0}, {Name: "--force-with-lease", Value: "x", Index: 3},
			{Name: "-v", Index: 4}, {Name: "-f", Index: 4}, {Name: "-o", Value: `"$OPT"`, Index: 5},
		},
		Text:      `git -C repo push --force-with-lease=x -vf -o "$OPT" origin`,
		Source:    `A=1 sudo -u bob git -C repo push --force-with-lease=x -vf -o "$OPT" origin > out.txt 2>&1`,
		Dir:       "/srv/repo",
		Wrappers:  []string{"sudo"},
		Env:       map[string]string{"A": "1"},
		PipedTo:   "cat",
		Expands:   []string{"OPT"},
		Redirects: []string{"> out.txt", "2>& 1"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestExpandsNamesTheVariablesOfTheWords(t *testing.T) {
	for text, want := range map[string][]string{
		`echo $TOKEN`:                      {"TOKEN"},
		`echo "$TOKEN"`:                    {"TOKEN"},
		`echo '$TOKEN'`:                    nil,
		`echo \$TOKEN`:                     nil,
		`echo ${A:-$B} "${C[@]}" ${#D} $A`: {"A", "B", "C", "D"},
		`TOKEN=x; echo $TOKEN`:             {"TOKEN"},
		`A=$B echo`:                        {"B"},
		`echo $1 $@ $? $$`:                 nil,
		`echo $(cat $INNER)`:               nil,
		"cat <<E\n$TOKEN\nE":               {"TOKEN"},
		"cat <<'E'\n$TOKEN\nE":             nil,
		`cat <<< "$TOKEN"`:                 {"TOKEN"},
		`echo x > $FILE`:                   nil,
		`export A="$B"`:                    {"B"},
		`sudo -u $U echo`:                  {"U"},
	} {
		commands := read(text).Commands
		if diff := cmp.Diff(want, commands[0].Expands); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestRedirectsAreListedUnquoted(t *testing.T) {
	for text, want := range map[string][]string{
		`ls > a`:                        {"> a"},
		`ls 1> a 2>> "b c"`:             {"1> a", "2>> b c"},
		`ls >| a; `:                     {">| a"},
		`ls &> a`:                       {"&> a"},
		`ls &>> a`:                      {"&>> a"},
		`cat <> a < b`:                  {"<> a", "< b"},
		`ls > $X`:                       {"> $X"},
		`F=/etc/passwd; ls > $F`:        {"> /etc/passwd"},
		`ls > ~/x > "$HOME/y"`:          {"> ~/x", `> "$HOME/y"`},
		`ls 2>&1 >&-`:                   {"2>& 1", ">& -"},
		"cat <<E > a\nx\nE":             {"> a"},
		`cat <<< 'x y'`:                 {"<<< x y"},
		`{ ls > a; } 2> b`:              {"> a", "2> b"},
		`while read x; do ls; done < a`: {"< a"},
		`> a`:                           {"> a"},
		`> a ls`:                        {"> a"},
	} {
		commands := read(text).Commands
		if diff := cmp.Diff(want, commands[0].Redirects); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestSourceIsTheCommandAsWritten(t *testing.T) {
	for text, want := range map[string][]string{
		`a  'b'; sudo  c &`:         {`a  'b'`, `sudo  c`},
		`A=1 x "$(y  z)" > f | w`:   {`A=1 x "$(y  z)" > f`, "y  z", "w"},
		`bash -c 'a  "b"'`:          {`bash -c 'a  "b"'`, `a  "b"`},
		`find . -exec rm  {} \; -o`: {`find . -exec rm  {} \; -o`, "rm  {}"},
		"cat <<E | sh\na  b\nE":     {"cat <<E", "sh", "a  b"},
		`echo 'unterminated`:        {`echo 'unterminated`},
	} {
		var got []string
		for _, c := range read(text).Commands {
			got = append(got, c.Source)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestTextThatDoesNotParseIsOneRawCommand(t *testing.T) {
	for _, text := range []string{"echo 'unterminated", "if true; then", "ls $(", "a;;", "echo \"hello there"} {
		want := &schema.Effects{Command: text, Commands: []*schema.Command{{Text: text, Source: text}}}
		if diff := cmp.Diff(want, read(text)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestInnerTextThatDoesNotParseKeepsTheOuterCommands(t *testing.T) {
	for text, want := range map[string][]string{
		`bash -c "'" && ls`: {"bash -c '", "ls"},
		`eval 'if'; ls`:     {"eval if", "ls"},
		`ssh h '$('`:        {"ssh h $("},
	} {
		effects := read(text)
		if effects.Parsed {
			t.Errorf("%s: parsed", text)
		}
		if diff := cmp.Diff(want, showAll(effects.Commands)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestTextOfZshIsRead(t *testing.T) {
	effects := read("echo ${(f)\"$(git status)\"}; git push &!")
	if diff := cmp.Diff([]string{`echo ${(f)"$(git status)"}`, "git status", "git push"}, showAll(effects.Commands)); diff != "" || !effects.Parsed {
		t.Error(diff)
	}
}

func TestNothingToRun(t *testing.T) {
	for _, text := range []string{"", "\n", "# a comment", "   "} {
		if got := read(text); !got.Parsed || got.Compound || len(got.Commands) != 0 {
			t.Errorf("%q: %+v", text, got)
		}
	}
}
