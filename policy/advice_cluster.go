package policy

import (
	"fmt"
	"strings"

	"github.com/claudewatch/claudewatch/internal/lazyregexp"
	"github.com/claudewatch/claudewatch/schema"
)

// cluster is what looks like several options of one letter in one word.
var cluster = lazyregexp.New(`^-[A-Za-z]{2,3}$`)

// adviseCluster finds clusters of options that are looked for among the flags,
// where they stand one by one.
func adviseCluster(c *Checked) []Diagnostic {
	var all []Diagnostic
	for _, t := range c.comparedTexts() {
		if !t.member || !c.isField(t.operand, schema.CommandType, "flags") || !cluster().MatchString(t.text) {
			continue
		}
		var asked []string
		for _, letter := range t.text[1:] {
			asked = append(asked, fmt.Sprintf("c.has_flag(%q)", "-"+string(letter)))
		}
		all = append(all, c.advise(codeNever, t.literal, fmt.Sprintf("c.flags has the options of a word like %s one by one: use %s", t.text, strings.Join(asked, " && ")))...)
	}
	return all
}
