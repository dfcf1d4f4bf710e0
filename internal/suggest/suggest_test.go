package suggest

import "testing"

func TestNearest(t *testing.T) {
	fields := []string{"command", "commands", "compound", "content", "cwd", "tool"}
	for name, want := range map[string]string{
		"comand":   "command",
		"commnads": "commands",
		"Tool":     "tool",
		"cdw":      "cwd",
		"zebra":    "",
		"":         "",
		"contents": "content",
	} {
		if got := Nearest(name, fields); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestHint(t *testing.T) {
	if got := Hint("sugest", []string{"reason", "suggest"}); got != " (did you mean 'suggest'?)" {
		t.Errorf("got %q", got)
	}
	if got := Hint("xyzzy", []string{"reason", "suggest"}); got != "" {
		t.Errorf("got %q", got)
	}
}
