package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/suggest"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/types"
)

// valueField is a field that has one of a few values.
type valueField struct {
	of     *types.Type
	name   string
	values []string
}

// valueFields returns the fields that have one of a few values.
func valueFields() []valueField {
	return []valueField{
		{schema.TargetType, "op", []string{"read", "write", "append", "create", "delete", "mode"}},
		{schema.ScriptType, "language", []string{"shell", "python", "node", "ruby", "perl", "php", "powershell"}},
		{schema.ScriptType, "source", []string{"argument", "heredoc", "file"}},
		{schema.ChangeType, "operation", changeOperations},
		{schema.ChangeType, "attribution", changeAttributions},
	}
}

// meantValues returns the values that another word stands for.
func meantValues(word string) []string {
	switch strings.ToLower(word) {
	case "remove", "rm", "unlink", "deleted":
		return []string{"delete"}
	case "edit", "update", "overwrite", "modified", "changed":
		return []string{"write", "modify"}
	case "created", "new":
		return []string{"create"}
	case "chmod", "chown":
		return []string{"mode"}
	case "bash", "sh", "zsh":
		return []string{"shell"}
	case "py", "python3":
		return []string{"python"}
	case "javascript", "js", "typescript", "ts", "nodejs":
		return []string{"node"}
	case "rb":
		return []string{"ruby"}
	case "pl":
		return []string{"perl"}
	case "pwsh":
		return []string{"powershell"}
	case "inline":
		return []string{"argument"}
	case "stdin":
		return []string{"heredoc"}
	}
	return nil
}

// adviseValue finds comparisons of a field with a value that it never has.
func adviseValue(c *Checked) []Diagnostic {
	var all []Diagnostic
	for _, t := range c.comparedTexts() {
		if t.member || t.text == "" {
			continue
		}
		for _, f := range valueFields() {
			if !c.isField(t.operand, f.of, f.name) || slices.Contains(f.values, t.text) {
				continue
			}
			hint := suggest.Hint(t.text, f.values)
			for _, meant := range meantValues(t.text) {
				if slices.Contains(f.values, meant) {
					hint = " (did you mean '" + meant + "'?)"
				}
			}
			all = append(all, c.advise(codeNever, t.literal, fmt.Sprintf("%s is never %q%s: it is one of %s", f.name, t.text, hint, strings.Join(f.values, ", ")))...)
		}
		if c.isField(t.operand, schema.InputType, "extension") || c.isField(t.operand, schema.ScriptType, "extension") {
			if want := "." + strings.ToLower(strings.TrimPrefix(t.text, ".")); want != t.text {
				all = append(all, c.advise(codeNever, t.literal, fmt.Sprintf("an extension has its dot and is in lower case: write %q", want))...)
			}
		}
	}
	return all
}
