package policy

import (
	"fmt"
	"strings"

	"github.com/claudewatch/claudewatch/schema"
)

// knownTools are tools of Claude Code.
// https://docs.claude.com/en/docs/claude-code/settings#tools-available-to-claude
var knownTools = []string{
	"Agent", "Bash", "BashOutput", "Edit", "ExitPlanMode", "Glob", "Grep", "KillShell", "Monitor", "MultiEdit", "NotebookEdit",
	"PowerShell", "Read", "Skill", "SlashCommand", "Task", "TodoWrite", "WebFetch", "WebSearch", "Write",
}

// adviseTool finds names of tools in the wrong case, which no call has.
func adviseTool(c *Checked) []Diagnostic {
	var all []Diagnostic
	for _, t := range c.comparedTexts() {
		if t.member || !c.isField(t.operand, schema.InputType, "tool") {
			continue
		}
		for _, tool := range knownTools {
			if strings.EqualFold(tool, t.text) && tool != t.text {
				all = append(all, c.advise(codeNever, t.literal, fmt.Sprintf("there is no tool %q: write %q", t.text, tool))...)
			}
		}
	}
	return all
}
