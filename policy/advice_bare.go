package policy

import (
	"strings"

	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/ast"
)

// adviseBare finds places at which a rule fails on the programs and subcommands that
// it asks for, with nothing behind them. said are the places that advice has spoken of.
func adviseBare(r *CompiledRule, said map[Position]bool) []Diagnostic {
	var all []Diagnostic
	for _, command := range r.askedCommands() {
		in := bareCall(command)
		_, err := r.tried(in)
		if err == nil || said[err.Position] {
			continue
		}
		if err.Message == errRuleLimit.Error() {
			return all
		}
		// Of a call as short as this only its command is as it would be.
		if f := r.failureOf(err); f.culprit != nil && f.in.isOfCommand(f.culprit) {
			said[err.Position] = true
			all = append(all, f.advise("call", in))
		}
	}
	return all
}

// maxAsked bounds the commands that are tried.
const maxAsked = 40

// askedCommands returns the commands that a rule and the variables of its set ask for
// by name: programs, programs with their subcommands, and what runs is given.
func (r *CompiledRule) askedCommands() []string {
	var programs, subcommands, commands []string
	for _, c := range r.parts() {
		for _, t := range c.comparedTexts() {
			switch {
			case c.isProgram(t.operand):
				programs = append(programs, t.text)
			case c.isField(t.operand, schema.CommandType, "subcommand"):
				subcommands = append(subcommands, t.text)
			}
		}
		for _, literal := range c.literalArguments("runs") {
			text, _ := stringLiteral(literal)
			commands = append(commands, text)
		}
	}
	commands = append(commands, programs...)
	for _, program := range programs {
		for _, subcommand := range subcommands {
			commands = append(commands, program+" "+subcommand)
		}
	}
	return commands[:min(len(commands), maxAsked)]
}

// bareCall is a call of a command that is written as its words.
func bareCall(command string) *schema.Input {
	const cwd = "/project"
	c := &schema.Command{Text: command, Source: command, Dir: cwd}
	if words := strings.Fields(command); len(words) > 0 {
		c.Program, c.Args, c.Operands = words[0], words[1:], words[1:]
		c.Subcommand = strings.Join(words[1:min(2, len(words))], "")
	}
	effects := &schema.Effects{Command: command, Parsed: true, Commands: []*schema.Command{c}}
	return &schema.Input{
		Event: PreToolUse.String(), Tool: "Bash", Args: map[string]any{"command": command}, Cwd: cwd, ProjectDir: cwd,
		ReadEffects: func() *schema.Effects { return effects },
	}
}

// isOfCommand reports whether an expression takes an element of a field of a command.
func (c *Checked) isOfCommand(x ast.Expr) bool {
	of := operandsOf(x)
	if x.Kind() == ast.SelectKind {
		of = []ast.Expr{x.AsSelect().Operand()}
	}
	return len(of) > 0 && of[0].Kind() == ast.SelectKind && c.AST.GetType(of[0].AsSelect().Operand().ID()).IsExactType(schema.CommandType)
}
