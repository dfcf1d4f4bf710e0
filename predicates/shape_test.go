package predicates

import (
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/schema"
)

func TestShape(t *testing.T) {
	command := func(program, subcommand string, operands ...string) *schema.Command {
		return &schema.Command{Program: program, Subcommand: subcommand, Operands: operands}
	}
	cat := &schema.Command{Program: "cat", Operands: []string{"/etc/passwd"}, PipedTo: "wc"}
	wc := &schema.Command{Program: "wc", PipedFrom: "cat"}
	for _, test := range []struct {
		commands []*schema.Command
		want     string
	}{
		{nil, ""},
		{[]*schema.Command{command("rm", "", "build")}, "rm"},
		{[]*schema.Command{command("git", "push", "push", "origin", "main")}, "git push"},
		{[]*schema.Command{command("git", "stash", "stash", "drop", "stash@{1}")}, "git stash drop"},
		{[]*schema.Command{command("git", "stash", "stash")}, "git stash"},
		{[]*schema.Command{command("git", "remote", "remote", "https://token@host/x")}, "git remote ?"},
		{[]*schema.Command{command("aws", "s3", "s3", "rm", "s3://bucket")}, "aws s3 rm"},
		{[]*schema.Command{command("docker", "compose", "compose", "exec", "web", "sh")}, "docker compose exec"},
		{[]*schema.Command{command("docker", "run", "run", "secret")}, "docker run"},
		{[]*schema.Command{command("git", "$(cat token)", "$(cat token)")}, "git ?"},
		{[]*schema.Command{command("", "")}, "?"},
		{[]*schema.Command{command("$X", "")}, "?"},
		{[]*schema.Command{command("../run", "")}, "?"},
		{[]*schema.Command{command("sk-live-0123456789abcdef0123456789", "")}, "?"},
		{[]*schema.Command{command("[", ""), command("g++", ""), command("python3.12", "")}, "[ ; g++ ; python3.12"},
		{[]*schema.Command{cat, wc}, "cat | wc"},
		{[]*schema.Command{cat, command("ls", ""), wc}, "cat ; ls ; wc"},
		{[]*schema.Command{{PipedTo: ""}, {PipedFrom: ""}}, "? ; ?"},
	} {
		if got := Shape(test.commands); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestShapeOfManyCommandsEnds(t *testing.T) {
	many := make([]*schema.Command, 5000)
	for i := range many {
		many[i] = &schema.Command{Program: "ls"}
	}
	if got, want := Shape(many), strings.Repeat("ls ; ", maxShapes)+"…"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSubcommandGroupsAreNames(t *testing.T) {
	for program, groups := range subcommandGroups {
		for _, group := range append(groups, program) {
			if group != "*" && !isName(group) {
				t.Errorf("%s: %q", program, group)
			}
		}
	}
}

func FuzzShape(f *testing.F) {
	f.Add("git", "stash", "drop", "PASSWORD=x", 3)
	f.Add("a b", "\n", "|", "…", 20)
	f.Fuzz(func(t *testing.T, program, subcommand, operand, secret string, n int) {
		c := &schema.Command{
			Program: program, Subcommand: subcommand, Operands: []string{subcommand, operand, secret},
			Args: []string{secret}, Text: secret, Source: secret, Env: map[string]string{secret: secret}, Wrappers: []string{secret},
		}
		commands := make([]*schema.Command, max(0, min(n, 100)))
		for i := range commands {
			commands[i] = c
		}
		got := Shape(commands)
		if len(got) > maxShapes*(3*maxName+6) {
			t.Errorf("a shape of %d bytes", len(got))
		}
		for _, word := range strings.Fields(got) {
			fixed := word == "?" || word == "|" || word == ";" || word == "…"
			if !fixed && (!isName(word) || word != program && word != subcommand && word != operand) {
				t.Errorf("%q in %q", word, got)
			}
		}
	})
}
