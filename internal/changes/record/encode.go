package record

import (
	"bytes"
	"encoding/json"
	"slices"
	"unicode/utf8"

	"github.com/claudewatch/claudewatch/internal/changes/textdiff"
)

// Encode returns the line of a record, with its line feed. The record is not changed.
func Encode(r *Record) ([]byte, error) { return encode(complete(*r)) }

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

// complete fills in what every record has.
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
	changes := make([]Change, len(r.Changes))
	copy(changes, r.Changes)
	for i := range changes {
		c := &changes[i]
		if c.Windows == nil {
			c.Windows = []string{}
		}
		if c.Hunks == nil {
			c.Hunks = []textdiff.Hunk{}
		}
		if slices.ContainsFunc(c.Hunks, func(h textdiff.Hunk) bool { return h.Lines == nil }) {
			c.Hunks = slices.Clone(c.Hunks)
			for j := range c.Hunks {
				c.Hunks[j].Lines = append([]string{}, c.Hunks[j].Lines...)
			}
		}
	}
	r.Changes = changes
	r.XCommand = cut(r.XCommand, MaxCommand)
	return &r
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
