package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/safetext"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/fatih/color"
)

// couldMatch reports whether the condition of a rule held, though an exemption
// may have kept it from matching.
func couldMatch(t policy.RuleTrace) bool {
	held := false
	for _, p := range t.Parts {
		switch p.Kind {
		case "except", "unless_regex", "unless":
		default:
			if p.Value != "true" {
				return false
			}
			held = true
		}
	}
	return held || t.Err != nil
}

// partlyHeld reports whether something that a rule says of the call held, beyond
// that it is a command: its pattern, its condition, or a part of that.
func partlyHeld(t policy.RuleTrace) bool {
	return slices.ContainsFunc(t.Parts, func(p policy.PartTrace) bool {
		switch p.Kind {
		case "pattern", "when":
			return p.Value == "true" || slices.ContainsFunc(p.Children, func(c policy.PartTrace) bool { return c.Value == "true" })
		}
		return false
	})
}

// printRule prints how one rule came out: a line for the rule and one for each
// of its parts, every line behind prefix.
func printRule(w io.Writer, t policy.RuleTrace, prefix string) {
	outcome := "no match"
	switch {
	case t.Err != nil:
		outcome = color.RedString("match, because it failed: %s", oneLine(t.Err.Error()))
	case t.Muted:
		outcome = "match, muted for this session"
	case t.Matched && t.Action == policy.Block:
		outcome = color.RedString("match")
	case t.Matched:
		outcome = color.YellowString("match")
	case couldMatch(t):
		outcome = "exempt"
	case t.Skipped != "":
		outcome = "no match; the hook skips it: " + t.Skipped
	}
	fmt.Fprintf(w, "%s%-5s  %s  %s:%s  %s\n", prefix, t.Action, color.New(color.Bold).Sprint(oneLine(t.Set+"/"+t.Rule)), t.Path, t.Position, outcome)
	for _, p := range t.Parts {
		printPart(w, p, prefix+"  ")
	}
}

func printPart(w io.Writer, p policy.PartTrace, prefix string) {
	kind := p.Kind
	if kind != "" {
		kind = fmt.Sprintf("%-12s ", kind)
	}
	fmt.Fprintf(w, "%s%s%s  = %s\n", prefix, kind, safetext.Line(strings.Join(strings.Fields(p.Source), " "), 0), value(safetext.Line(p.Value, 0)))
	for _, c := range p.Children {
		printPart(w, c, prefix+"  ")
	}
}

func value(v string) string {
	switch {
	case v == "true":
		return color.GreenString(v)
	case strings.HasPrefix(v, "error"):
		return color.RedString(v)
	}
	return v
}
