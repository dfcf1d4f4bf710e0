package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/claudewatch/claudewatch/internal/changes/textdiff"
)

// Encode returns the line of a record, with its line feed. The record is not changed.
func Encode(r *Record) ([]byte, error) {
	var line bytes.Buffer
	err := write(&line, r, slices.Values(r.Changes))
	return line.Bytes(), err
}

// noChanges is the list of changes of a record without any. In no string of a line is there
// a quotation mark without a backslash before it.
const noChanges = `"changes":[]`

// write writes the line of a record with changes in the place of its own.
func write(w io.Writer, r *Record, changes iter.Seq[Change]) error {
	head := complete(*r)
	head.Changes = []Change{}
	line, err := encode(head)
	if err != nil {
		return err
	}
	before, after, _ := bytes.Cut(line, []byte(noChanges))
	if _, err := fmt.Fprintf(w, "%s%s", before, strings.TrimSuffix(noChanges, "]")); err != nil {
		return err
	}
	separator := ""
	for c := range changes {
		text, err := encode(completeChange(c))
		if err == nil {
			_, err = fmt.Fprintf(w, "%s%s", separator, bytes.TrimSuffix(text, []byte("\n")))
		}
		if err != nil {
			return err
		}
		separator = ","
	}
	_, err = fmt.Fprintf(w, "]%s", after)
	return err
}

// encode returns a value as it stands in a line, with a line feed.
func encode(v any) ([]byte, error) {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return line.Bytes(), nil
}

// complete fills in what every record has besides its changes.
func complete(r Record) *Record {
	r.Schema = Schema
	if r.CapturedBy == "" {
		r.CapturedBy = CapturedBy
	}
	if r.Policy != nil && r.Policy.Expanded == nil {
		policy := *r.Policy
		policy.Expanded = []string{}
		r.Policy = &policy
	}
	r.XCommand = cut(r.XCommand, MaxCommand)
	return &r
}

// completeChange fills in what every change has.
func completeChange(c Change) Change {
	if c.Windows == nil {
		c.Windows = []string{}
	}
	if c.Hunks == nil {
		c.Hunks = []textdiff.Hunk{}
	}
	if slices.ContainsFunc(c.Hunks, func(h textdiff.Hunk) bool { return h.Lines == nil }) {
		c.Hunks = slices.Clone(c.Hunks)
		for i := range c.Hunks {
			c.Hunks[i].Lines = append([]string{}, c.Hunks[i].Lines...)
		}
	}
	return c
}

// cut returns at most limit bytes of a text, and no part of a character.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}
