package predicates

import (
	"testing"

	"github.com/claudewatch/claudewatch/schema"
)

func TestRuns(t *testing.T) {
	push := &schema.Command{Program: "git", Subcommand: "push", Operands: []string{"push", "origin", "main"}}
	compose := &schema.Command{Program: "docker", Subcommand: "compose", Operands: []string{"compose", "exec", "web", "sh"}}
	cargo := &schema.Command{Program: "cargo", Subcommand: "build", Operands: []string{"+nightly", "build", "x"}}
	remove := &schema.Command{Program: "rm", Operands: []string{"push"}}
	unknown := &schema.Command{Operands: []string{"push"}}
	for _, test := range []struct {
		command *schema.Command
		words   string
		want    bool
	}{
		{push, "git", true},
		{push, "git push", true},
		{push, "  git   push ", true},
		{push, "git push origin", true},
		{push, "git push main", false},
		{push, "git push origin main more", false},
		{push, "git pull", false},
		{push, "git pus", false},
		{push, "push", false},
		{compose, "docker compose exec", true},
		{compose, "docker exec", false},
		{cargo, "cargo build", true},
		{cargo, "cargo +nightly", false},
		{remove, "rm", true},
		{remove, "rm push", true},
		{unknown, "", false},
		{unknown, "push", false},
		{push, "", false},
	} {
		if got := Runs(test.command, test.words); got != test.want {
			t.Errorf("%s %v runs %q = %v, want %v", test.command.Program, test.command.Operands, test.words, got, test.want)
		}
	}
}
