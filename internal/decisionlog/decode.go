package decisionlog

import (
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"
)

// decode returns the record of a line, nil when it is none. Keys that are not known are
// those of later versions.
func decode(line []byte) *Record {
	record := decodePlain(line)
	if record == nil {
		record = &Record{}
		if json.Unmarshal(line, record) != nil || record.Time.IsZero() {
			return nil
		}
	}
	switch record.Decision {
	case "allow", "ask", "deny":
		return record
	}
	return nil
}

// decodePlain decodes a line as encode writes it when no text in it has to be escaped,
// as most have not: a tenth of the time of encoding/json, and logs are long. It returns
// nil for any other line.
func decodePlain(line []byte) *Record {
	if !utf8.Valid(line) {
		return nil
	}
	c := cursor{rest: string(line)}
	r := &Record{}
	at, err := time.Parse(time.RFC3339Nano, c.text(`{"ts":`))
	r.Time = at
	r.Session = c.text(`,"session":`)
	r.Cwd = c.text(`,"cwd":`)
	r.Tool = c.text(`,"tool":`)
	r.Mode = c.text(`,"mode":`)
	r.Decision = c.text(`,"decision":`)
	r.Matched = c.list(`,"matched":`)
	if c.at(`,"command_shape":`) {
		r.CommandShape = c.text(`,"command_shape":`)
	}
	if c.at(`,"path":`) {
		r.Path = c.text(`,"path":`)
	}
	if c.at(`,"tool_use_id":`) {
		r.ToolUseID = c.text(`,"tool_use_id":`)
	}
	if c.at(`,"muted":`) {
		r.Muted = c.list(`,"muted":`)
	}
	if err != nil || c.failed || c.rest != "}" || at.IsZero() {
		return nil
	}
	return r
}

// cursor is what is left of a line.
type cursor struct {
	rest   string
	failed bool
}

func (c *cursor) at(key string) bool { return strings.HasPrefix(c.rest, key) }

// text reads a key and its text, which holds neither escapes nor control characters.
func (c *cursor) text(key string) string {
	rest, ok := strings.CutPrefix(c.rest, key)
	if !ok || len(rest) == 0 || rest[0] != '"' {
		c.failed = true
		return ""
	}
	for i := 1; i < len(rest); i++ {
		switch {
		case rest[i] == '"':
			c.rest = rest[i+1:]
			return rest[1:i]
		case rest[i] == '\\' || rest[i] < ' ':
			c.failed = true
			return ""
		}
	}
	c.failed = true
	return ""
}

// list reads a key and its list of texts.
func (c *cursor) list(key string) []string {
	rest, ok := strings.CutPrefix(c.rest, key)
	if !ok || len(rest) < 2 || rest[0] != '[' {
		c.failed = true
		return nil
	}
	list := []string{}
	if rest[1] == ']' {
		c.rest = rest[2:]
		return list
	}
	c.rest = rest
	for separator := "["; !c.failed; separator = "," {
		list = append(list, c.text(separator))
		if c.at("]") {
			c.rest = c.rest[1:]
			return list
		}
	}
	return nil
}
