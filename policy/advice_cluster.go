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
// where they stand one by one, and options with their values, which stand there without.
func adviseCluster(c *Checked) []Diagnostic {
	var all []Diagnostic
	for _, t := range c.comparedTexts() {
		if !t.member || !c.isField(t.operand, schema.CommandType, "flags") {
			continue
		}
		if name, _, ok := strings.Cut(t.text, "="); ok && strings.HasPrefix(name, "-") {
			all = append(all, c.advise(codeNever, t.literal, fmt.Sprintf("c.flags has options without their values: write %q, and c.option(%[1]q) for the value", name))...)
		}
		if !cluster().MatchString(t.text) {
			continue
		}
		all = append(all, c.advise(codeNever, t.literal, fmt.Sprintf("c.flags has the options of a word like %s one by one: use %s", t.text, strings.Join(askedFlags(t.text), " && ")))...)
	}
	return all
}

// askedFlags returns how the options of a word are asked for.
func askedFlags(word string) []string {
	if !cluster().MatchString(word) {
		name, _, _ := strings.Cut(word, "=")
		return []string{fmt.Sprintf("c.has_flag(%q)", name)}
	}
	var asked []string
	for _, letter := range word[1:] {
		asked = append(asked, fmt.Sprintf("c.has_flag(%q)", "-"+string(letter)))
	}
	return asked
}
