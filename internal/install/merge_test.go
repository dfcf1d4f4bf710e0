package install

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const program = "/opt/bin/claudewatch"

// merged returns what Merge makes of text, with and without the hooks of all events but
// PreToolUse, which are all alike.
func merged(t *testing.T, source string) (string, *Edit) {
	t.Helper()
	edit, err := Merge([]byte(source), program)
	if err != nil {
		t.Fatalf("%s: %v", source, err)
	}
	if err := json.Unmarshal([]byte(strings.TrimPrefix(string(edit.Text), byteOrderMark)), new(any)); err != nil {
		t.Errorf("%s: the result is not JSON: %v\n%s", source, err, edit.Text)
	}
	again, err := Merge(edit.Text, program)
	if err != nil || again.Changed() || string(again.Text) != string(edit.Text) {
		t.Errorf("%s: a second install changes the file again: %v, %v", source, err, again)
	}
	return string(edit.Text), edit
}

// withoutOthers cuts the events behind PreToolUse out of a text.
func withoutOthers(source string) string {
	from, to := strings.Index(source, `"PostToolUse"`), strings.LastIndex(source, "SessionEnd")
	if from < 0 || to < from {
		return source
	}
	from = strings.LastIndex(source[:from], ",")
	depth := 0
	for to += strings.IndexByte(source[to:], '['); ; to++ {
		switch source[to] {
		case '[':
			depth++
		case ']':
			depth--
		}
		if depth == 0 {
			return source[:from] + source[to+1:]
		}
	}
}

func TestWhatIsPutInLooksLikeTheRestOfTheFile(t *testing.T) {
	for name, c := range map[string]struct{ source, want string }{
		"no file": {"", `{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "*",
        "hooks": [
          {
            "type": "command",
            "command": "/opt/bin/claudewatch",
            "args": ["hook"],
            "timeout": 60,
            "onFailure": "block"
          }
        ]
      }
    ]
  }
}
`},
		"minified": {
			`{"model":"opus","env":{"A":"b"}}`,
			`{"model":"opus","env":{"A":"b"},"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"/opt/bin/claudewatch","args":["hook"],"timeout":60,"onFailure":"block"}]}]}}`,
		},
		"one line with spaces": {
			`{ "model": "opus", "hooks": { "Stop": [] } }`,
			`{ "model": "opus", "hooks": { "Stop": [{"hooks": [{"type": "command", "command": "/opt/bin/claudewatch", "args": ["hook"], "timeout": 60}]}], "PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "/opt/bin/claudewatch", "args": ["hook"], "timeout": 60, "onFailure": "block"}]}] } }`,
		},
		"tabs, line ends of Windows, no final newline, odd spacing": {
			"{\r\n\t\"model\" :  \"opus\",\r\n\r\n\t\"env\": {}\r\n}",
			"{\r\n\t\"model\" :  \"opus\",\r\n\r\n\t\"env\": {},\r\n\t\"hooks\": {\r\n\t\t\"PreToolUse\": [\r\n\t\t\t{\r\n\t\t\t\t\"matcher\": \"*\",\r\n\t\t\t\t\"hooks\": [\r\n\t\t\t\t\t{\r\n\t\t\t\t\t\t\"type\": \"command\",\r\n\t\t\t\t\t\t\"command\": \"/opt/bin/claudewatch\",\r\n\t\t\t\t\t\t\"args\": [\"hook\"],\r\n\t\t\t\t\t\t\"timeout\": 60,\r\n\t\t\t\t\t\t\"onFailure\": \"block\"\r\n\t\t\t\t\t}\r\n\t\t\t\t]\r\n\t\t\t}\r\n\t\t]\r\n\t}\r\n}",
		},
	} {
		got, _ := merged(t, c.source)
		if diff := cmp.Diff(c.want, withoutOthers(got)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestEveryByteOfTheRestIsKept(t *testing.T) {
	for _, source := range []string{
		"\xef\xbb\xbf{\n    \"caf\\u00e9\": \"\\ud83d\\ude00 \\/ ü\u00a0\",\n    \"n\": [1.0, 1e+5,-0, 12345678901234567890],\n    \"a\":1 ,\"a\" : 2\n}\n\n",
		`{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"lint"}]},null,7,"x",{"hooks":3}],"Odd":"kept"},"z":[ ]}`,
		"{\"bytes that are no UTF-8\": \"\xff\xfe\"}",
	} {
		got, _ := merged(t, source)
		at := 0
		for i := range len(got) {
			if at < len(source) && got[i] == source[at] {
				at++
			}
		}
		if at != len(source) {
			t.Errorf("%q is not within %q", source[at:], got)
		}
		back, err := Remove([]byte(got), nil)
		if err != nil || string(back.Text) != source {
			t.Errorf("taken out again: %v\n%q, want\n%q", err, back.Text, source)
		}
	}
}

// events returns settings with one group of hooks for PreToolUse, and what it should
// become.
func settingsWith(groups string) string {
	return `{"hooks": {"PreToolUse": [` + groups + `]}}`
}

func TestOlderHooksOfClaudewatchAreUpdatedInPlace(t *testing.T) {
	const current = `{"type": "command", "command": "/opt/bin/claudewatch", "args": ["hook"], "timeout": 60, "onFailure": "block"}`
	for name, c := range map[string]struct{ before, after string }{
		"another path": {
			`{"matcher": "*", "hooks": [{"type": "command", "command": "/old/claudewatch", "args": ["hook"], "timeout": 10}]}`,
			`{"matcher": "*", "hooks": [` + current + `]}`,
		},
		"another path, its own keys kept": {
			`{"hooks": [{"command": "/old/claudewatch", "type": "command", "args": [ "hook" ], "timeout": 600, "onFailure": "allow", "statusMessage": "…"}]}`,
			`{"hooks": [{"command": "/opt/bin/claudewatch", "type": "command", "args": [ "hook" ], "timeout": 600, "onFailure": "allow", "statusMessage": "…"}]}`,
		},
		"shell text": {
			`{"matcher": "*", "hooks": [{"type": "command", "command": "~/go/bin/claudewatch hook"}]}`,
			`{"matcher": "*", "hooks": [{"type": "command", "command": "/opt/bin/claudewatch", "args": ["hook"], "timeout": 60, "onFailure": "block"}]}`,
		},
		"shell text with quotes and a variable in the path": {
			`{"hooks": [{"type": "command", "command": "\"$HOME/my tools\"/claudewatch 'hook'", "timeout": 5}]}`,
			`{"hooks": [{"type": "command", "command": "/opt/bin/claudewatch", "timeout": 60, "args": ["hook"], "onFailure": "block"}]}`,
		},
		"no arguments": {
			`{"hooks": [{"type": "command", "command": "claudewatch", "args": []}]}`,
			`{"hooks": [` + strings.Replace(current, `"args": ["hook"]`, `"args": ["hook"]`, 1) + `]}`,
		},
		"a matcher that misses tools": {
			`{"matcher": "Bash", "hooks": [{"type": "command", "command": "/opt/bin/claudewatch", "args": ["hook"], "timeout": 60, "onFailure": "block"}]}`,
			`{"matcher": "*", "hooks": [` + current + `]}`,
		},
		"a matcher that misses tools and is shared": {
			`{"matcher": "Bash", "hooks": [{"type": "command", "command": "lint"}, ` + current + `]}`,
			`{"matcher": "Bash", "hooks": [{"type": "command", "command": "lint"}]}, {"matcher": "*", "hooks": [` + current + `]}`,
		},
		"several": {
			`{"matcher": "Bash", "hooks": [{"type": "command", "command": "claudewatch hook"}]}, {"matcher": "*", "hooks": [{"type": "command", "command": "lint"}, ` + current + `]}, {"matcher": "Write|Edit", "hooks": [{"type": "command", "command": "/x/claudewatch", "args": ["hook"]}]}`,
			`{"matcher": "*", "hooks": [{"type": "command", "command": "lint"}, ` + current + `]}`,
		},
		"arguments of its own": {
			`{"matcher": "Edit", "hooks": [{"type": "command", "command": "/old/claudewatch hook --only 'require-plan'", "timeout": 60, "onFailure": "block"}]}`,
			`{"matcher": "Edit", "hooks": [{"type": "command", "command": "/opt/bin/claudewatch", "timeout": 60, "onFailure": "block", "args": ["hook", "--only", "require-plan"]}]}`,
		},
	} {
		got, edit := merged(t, settingsWith(c.before))
		if !edit.Changed() {
			t.Errorf("%s: nothing was changed", name)
		}
		if diff := cmp.Diff(settingsWith(c.after), withoutOthers(got)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestShellTextThatDoesMoreIsLeftAloneAndNotDoubled(t *testing.T) {
	for _, command := range []string{
		"claudewatch hook || true", "CLAUDEWATCH_LOG=off claudewatch hook", "cd x && /b/claudewatch hook", "claudewatch hook 2>/dev/null", "claudewatch hook $RULES",
	} {
		text, _ := json.Marshal(command)
		source := settingsWith(`{"hooks": [{"type": "command", "command": ` + string(text) + `}]}`)
		got, edit := merged(t, source)
		if withoutOthers(got) != source || len(edit.Notes) != 1 || !strings.Contains(edit.Notes[0].Text, command) {
			t.Errorf("%s: %v\n%s", command, edit.Notes, got)
		}
		back, err := Remove([]byte(got), nil)
		if err != nil || string(back.Text) != source || len(back.Notes) != 1 {
			t.Errorf("%s: taken out: %v, %+v", command, err, back)
		}
	}
}

func TestHooksOfOthersAreNoneOfClaudewatch(t *testing.T) {
	for _, h := range []Handler{
		{Type: "command", Command: "/src/claudewatch/lint.sh"},
		{Type: "command", Command: "/src/claudewatch/bin/other", Args: []string{"hook"}, HasArgs: true},
		{Type: "command", Command: "claudewatch version"},
		{Type: "command", Command: "claudewatch", Args: []string{"log"}, HasArgs: true},
		{Type: "command", Command: "echo claudewatch hook"},
		{Type: "command", Command: "claudewatch-wrapper hook"},
		{Type: "command", Command: "claudewatch hook 'unfinished"},
		{Type: "prompt", Command: "claudewatch hook"},
		{Type: "command"},
	} {
		if kind := KindOf(h); kind != Foreign {
			t.Errorf("%+v: kind %d", h, kind)
		}
	}
	for _, h := range []Handler{
		{Type: "command", Command: `C:\tools\Claudewatch.exe`, Args: []string{"hook"}, HasArgs: true},
		{Type: "command", Command: "claudewatch"},
	} {
		if kind := KindOf(h); kind != Plain {
			t.Errorf("%+v: kind %d", h, kind)
		}
	}
}

func TestWhatCannotBeEditedIsRefusedWithItsPlace(t *testing.T) {
	for source, want := range map[string]string{
		"{\n  \"a\": 1,\n}":                     "3:1: not valid JSON: invalid character '}' looking for beginning of object key string",
		"{\n  // why\n}":                        "2:3: not valid JSON: invalid character '/' looking for beginning of object key string",
		"{\"a\": 1":                             "1:8: not valid JSON: unexpected end of JSON input",
		"{\"ä\": tru}":                          "1:10: not valid JSON: invalid character '}' in literal true (expecting 'e')",
		"{} {}":                                 "1:4: not valid JSON: invalid character '{' after top-level value",
		"[1]":                                   "1:1: settings are an object in braces, and this is an array",
		"\n null":                               "2:2: settings are an object in braces, and this is null",
		`{"hooks": "x"}`:                        `1:11: "hooks" is a string and must be an object; mend it, or take it out`,
		`{"hooks": null}`:                       `1:11: "hooks" is null and must be an object; mend it, or take it out`,
		"{\"hooks\": {\n\"Stop\": {}}}":         `2:9: "Stop" is an object and must be an array; mend it, or take it out`,
		"\xff\xfe{\x00}\x00":                    "1:1: not valid JSON: the file is in UTF-16; save it as UTF-8",
		strings.Repeat(`{"a":`, 20000):          "1:50001: not valid JSON: invalid character",
		"{\"a\": " + strings.Repeat("[", 20000): "1:10006: not valid JSON: invalid character",
		"{\"hooks\": [" + strings.Repeat("[", 200): "1:212: not valid JSON: unexpected end of JSON input",
	} {
		edit, err := Merge([]byte(source), program)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !strings.HasPrefix(err.Error(), want) || edit != nil {
			t.Errorf("%.40q: %v, want %s", source, err, want)
		}
	}
}

func TestDeepNestingThatIsValidIsKept(t *testing.T) {
	source := `{"a": ` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + "}"
	got, _ := merged(t, source)
	if back, err := Remove([]byte(got), nil); err != nil || string(back.Text) != source {
		t.Error(err)
	}
}

func TestOfANameThatIsThereTwiceTheLastCounts(t *testing.T) {
	source := `{"hooks": {"Stop": 1}, "\u0068ooks": {}}`
	got, _ := merged(t, source)
	if !strings.HasPrefix(got, `{"hooks": {"Stop": 1}, "\u0068ooks": {"PreToolUse": [`) {
		t.Error(got)
	}
}
