package git

import "strings"

// parseCore returns the values of section core in a configuration file, by key in
// lower case; the last of several counts (git-config(1), "Syntax"). It reads the
// plain form that git writes: quotes around a value and comments are taken off,
// a key without = is "true". Lines that go on in the next one are not read.
func parseCore(text string) map[string]string {
	values := make(map[string]string)
	inCore := false
	for line := range strings.Lines(text) {
		line = strings.Trim(line, white)
		if strings.HasPrefix(line, "[") {
			name, rest, ok := strings.Cut(line[1:], "]")
			inCore = ok && strings.EqualFold(strings.Trim(name, white), "core")
			line = strings.Trim(rest, white)
		}
		if !inCore || line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			key, _, _ = strings.Cut(line, "#")
			value = "true"
		}
		values[strings.ToLower(strings.Trim(key, white))] = plainValue(value)
	}
	return values
}

// plainValue returns a value without a comment behind it and without its quotes.
func plainValue(value string) string {
	var b strings.Builder
	quoted := false
	value = strings.Trim(value, white)
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && i+1 < len(value):
			i++
			b.WriteByte(value[i])
		case !quoted && (c == '#' || c == ';'):
			return strings.TrimRight(b.String(), white)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// isTrue reads a value as a boolean, as git does.
func isTrue(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}
