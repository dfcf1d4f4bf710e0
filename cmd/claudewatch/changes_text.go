package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/claudewatch/claudewatch/internal/changes/history"
	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/suggest"
	"github.com/fatih/color"
)

// How the change records are put into words.

// localTime is a time of a record on the clock of the reader.
func localTime(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") }

// callOf names the call of a record, as undo takes it.
func callOf(r *record.Record) string {
	if r.Tool == "" || strings.HasSuffix(r.ID, "/late") {
		return r.ID
	}
	return r.Tool
}

// toolOf names what made the changes of a record.
func toolOf(r *record.Record) string {
	if r.Basis == record.Unattributed {
		return "(no call)"
	}
	return or(r.ToolName, "?")
}

// streamOf is the stream of the call of a record. What no call covers stands in that of
// the call whose scan found it, which says nothing about who changed it.
func streamOf(r *record.Record) string {
	if r.Basis == record.Unattributed {
		return ""
	}
	return r.Stream
}

// outcomeText says how a call ended.
func outcomeText(o *record.Outcome) string {
	if o == nil {
		return ""
	}
	text := strings.ReplaceAll(o.State, "_", " ")
	if o.ExitCode != nil && (*o.ExitCode != 0 || o.State == record.Failed) {
		text += fmt.Sprintf(" with exit status %d", *o.ExitCode)
	}
	return text
}

// attributionText says who can have made a change.
func attributionText(r *record.Record, c *record.Change) string {
	switch c.Attribution {
	case record.OnlyThisWindow:
		if r.Basis == record.RuntimeReported {
			return "by this edit"
		}
		return "by this call"
	case record.OutsideAnyWindow:
		return "by no call"
	case record.Shared:
		var others []string
		for _, id := range c.Windows {
			if id != r.ID {
				others = append(others, nameOfWindow(r, id))
			}
		}
		if len(others) == 0 {
			return "shared"
		}
		return "shared with " + strings.Join(others, ", ")
	}
	return c.Attribution
}

// nameOfWindow adds to the id of another window what is known of it.
func nameOfWindow(r *record.Record, id string) string {
	for _, o := range r.Overlaps {
		if o.Capture != id {
			continue
		}
		name := or(o.Tool, id)
		if o.Stream != r.Stream {
			return fmt.Sprintf("%s (%s, %s)", name, o.ToolName, o.Stream)
		}
		return fmt.Sprintf("%s (%s)", name, o.ToolName)
	}
	return id
}

// marks are what one must know of a record besides its counts, in few words.
func marks(r *record.Record) []string {
	var list []string
	if r.Outcome != nil && r.Outcome.State != record.Returned || r.Outcome != nil && r.Outcome.ExitCode != nil && *r.Outcome.ExitCode != 0 {
		list = append(list, outcomeText(r.Outcome))
	}
	switch {
	case r.Basis == record.SkippedReadOnly:
		list = append(list, "not observed")
	case r.ChangedFiles == nil:
		list = append(list, "not known")
	}
	if slices.ContainsFunc(r.Changes, func(c record.Change) bool { return c.Attribution == record.Shared }) {
		list = append(list, "shared")
	}
	if r.Coverage == record.Partial {
		list = append(list, "partial")
	}
	return list
}

// letterOf is the letter of git for what happened to a file; "" when it is as it was.
func letterOf(operation string) string {
	switch operation {
	case record.Create:
		return "A"
	case record.Modify:
		return "M"
	case record.Delete:
		return "D"
	case record.TypeChange:
		return "T"
	}
	return ""
}

// counts are the lines of a change, or why there are none.
func counts(c *record.Change) string {
	switch c.Diff {
	case record.Available:
		return plusMinus(c.Additions, c.Deletions)
	case record.Binary:
		return fmt.Sprintf("binary, %s", sizes(c))
	case record.TooLarge:
		return fmt.Sprintf("large, %s", sizes(c))
	}
	if c.XSecret {
		return fmt.Sprintf("secret, %s", sizes(c))
	}
	return fmt.Sprintf("no diff, %s", sizes(c))
}

func sizes(c *record.Change) string {
	switch {
	case !c.Before.Present:
		return byteCount(c.After.Bytes)
	case !c.After.Present:
		return byteCount(c.Before.Bytes)
	}
	return byteCount(c.Before.Bytes) + " to " + byteCount(c.After.Bytes)
}

// byteCount is a size in bytes for people.
func byteCount(n int64) string {
	const units = "KMGTPE"
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	value, unit := float64(n)/1024, 0
	for value >= 1024 && unit < len(units)-1 {
		value /= 1024
		unit++
	}
	return fmt.Sprintf("%.1f %ciB", value, units[unit])
}

func plusMinus(additions, deletions int) string {
	var parts []string
	if additions > 0 {
		parts = append(parts, fmt.Sprintf("+%d", additions))
	}
	if deletions > 0 {
		parts = append(parts, fmt.Sprintf("-%d", deletions))
	}
	return strings.Join(parts, " ")
}

// paintCounts colours the + and - of counts.
func paintCounts(text string) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		switch {
		case strings.HasPrefix(word, "+"):
			words[i] = color.GreenString(word)
		case strings.HasPrefix(word, "-"):
			words[i] = color.RedString(word)
		}
	}
	return strings.Join(words, " ")
}

// modeText says what became of the permission bits and the type of a file; "" when
// nothing did.
func modeText(c *record.Change) string {
	var parts []string
	if c.XType != nil && c.XType.Before != c.XType.After && c.XType.Before != "" && c.XType.After != "" {
		parts = append(parts, c.XType.Before+" to "+c.XType.After)
	} else if c.XType != nil {
		parts = append(parts, or(c.XType.After, c.XType.Before))
	}
	if c.XMode != nil {
		if c.XMode.Before != "" && c.XMode.After != "" {
			parts = append(parts, fmt.Sprintf("mode %s to %s", c.XMode.Before, c.XMode.After))
		} else {
			parts = append(parts, "mode "+or(c.XMode.After, c.XMode.Before))
		}
	}
	if c.XRenamedFrom != "" {
		parts = append(parts, "renamed from "+c.XRenamedFrom)
	}
	return oneLine(strings.Join(parts, ", "))
}

// table prints rows with aligned columns. A cell is text that is padded and then
// painted, so that colours do not count.
type table struct {
	rows  [][]cell
	right []bool // columns that are aligned at their right
}

type cell struct {
	text  string
	paint func(string) string
}

func (t *table) add(cells ...cell) { t.rows = append(t.rows, cells) }

func plain(text string) cell { return cell{text: text} }

func faint(text string) cell {
	return cell{text, colored(color.Faint)}
}

func (t *table) print(w io.Writer) {
	var widths []int
	for _, row := range t.rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(c.text))
		}
	}
	for _, row := range t.rows {
		var b strings.Builder
		for i, c := range row {
			padding := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c.text))
			text := c.text
			if c.paint != nil && text != "" {
				text = c.paint(text)
			}
			if i < len(t.right) && t.right[i] {
				text = padding + text
			} else {
				text += padding
			}
			if i > 0 {
				b.WriteString("  ")
			}
			b.WriteString(text)
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}

// hintOfCall proposes a call that has a record and a name like the one that has none.
func hintOfCall(data, id string) string {
	h, err := history.Load(data, history.Filter{Lean: true}, nil)
	if err != nil {
		return ""
	}
	var ids []string
	for _, r := range h.Records {
		ids = append(ids, callOf(r))
	}
	return suggest.Hint(id, ids)
}
