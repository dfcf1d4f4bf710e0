package yamlerror

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// TestTheCauseIsFound holds the mistakes that people make. What is wrong stands
// between ‹ and ›.
func TestTheCauseIsFound(t *testing.T) {
	const head = "name: x\nrules:\n  block:\n    - name: one\n"
	for name, test := range map[string]struct{ text, message string }{
		"a regex in double quotes":         {head + "      pattern: \"‹\\d›+\\s\"\n", "in double quotes a backslash starts an escape: write the regex in '…'"},
		"an escape with too few digits":    {head + "      pattern: \"a‹\\x›2g\"\n", "2 hexadecimal digits"},
		"the same between brackets":        {"rules: {ask: [{name: a, pattern: \"‹\\.›\"}]}\n", "in double quotes a backslash"},
		"the same on a second line":        {"name: \"a\n  ‹\\d›\"\n", "in double quotes a backslash"},
		"a colon in a value":               {head + "      reason: bad‹:› really bad\n", "a value with ': ' in it must be quoted"},
		"a colon at the end":               {head + "      reason: bad‹:›\n      ref: x\n", "a value with ': '"},
		"a colon behind a quoted value":    {head + "      reason: 'bad'‹:› really\n", "a value with ': '"},
		"a colon in an entry of a list":    {"a:\n  - x: y‹:› z\n", "a value with ': '"},
		"a colon between brackets":         {"rules: {ask: [{name: a, reason: bad‹:› really}]}\n", "a value with ': '"},
		"text behind double quotes":        {head + "      when: \"input.tool\" ‹==› \"Bash\"\n", "put the whole expression in '…' or use |"},
		"text behind single quotes":        {head + "      when: 'x' ‹in› input.args\n", "put the whole expression in '…' or use |"},
		"text behind quotes in brackets":   {"rules: {ask: [{when: \"a\" ‹==› \"b\"}]}\n", "put the whole expression in '…'"},
		"an apostrophe":                    {head + "      reason: 'it‹'›s bad'\n", "write it twice"},
		"an apostrophe between brackets":   {"a: {reason: 'it‹'›s bad'}\n", "write it twice"},
		"a key one space short":            {head + "     ‹pattern:› x\n", "the indentation of 5 spaces fits no line above: 6 would"},
		"a key between two levels":         {"a:\n    b: c\n  ‹d:› e\n", "the indentation of 2 spaces fits no line above: 4 or 0 would"},
		"a first key too deep":             {"  a: b\n‹c:› d\n", "the indentation of 0 spaces fits no line above: 2 would"},
		"a key one space too deep":         {head + "       ‹pattern›: x\n", "the indentation of 7 spaces makes this line a part of the value above"},
		"a key too deep behind quotes":     {"a: 'b'\n  ‹c:› d\n", "the indentation of 2 spaces fits no line above: 0 would"},
		"ragged lines of a block":          {head + "      when: |\n          a\n        ‹&&› b\n", "the indentation of 8 spaces fits no line above: 6 would"},
		"a bracket":                        {"name: bad\nrules: ‹[›\n", "the bracket [ is never closed"},
		"a bracket before more keys":       {head + "      unless: ‹[›a, b\n      reason: c\n      ref: d: e\n", "the bracket [ is never closed"},
		"a brace":                          {"rules:\n  ask:\n    - ‹{›name: a, pattern: b\n    - {name: b}\n", "the bracket { is never closed"},
		"a brace inside brackets":          {"a: [b, ‹{›c: d]\n", "the bracket { is never closed"},
		"a bracket closed by a brace":      {"a: {b: ‹[›c}\n", "the bracket [ is never closed"},
		"a closing bracket alone":          {head + "      pattern: ‹]›\n", "a value cannot begin with ]"},
		"a class of characters":            {head + "      pattern: [a-z]‹+x›\n", "a value that begins with [ and goes on so must be quoted"},
		"braces in a value in braces":      {"a: {when: x‹[›0] == 1}\n", "between brackets a value"},
		"a question mark in braces":        {"a: {when: b ‹?› c : d}\n", "between brackets a value"},
		"a tab":                            {"name: bad\nrules:\n‹\t›ask: []\n", "a tab in the indentation, where only spaces may stand"},
		"a tab behind spaces":              {"rules:\n  ‹\t›ask: []\n", "a tab in the indentation"},
		"a tab in a block":                 {head + "      when: |\n‹\t›true\n", "a tab in the indentation"},
		"a tab before a key":               {"log: off\n‹\t›deny_exit: 0\n", "a tab in the indentation"},
		"double quotes never closed":       {head + "      reason: ‹\"›bad\n      ref: x\n", "the quote is never closed"},
		"single quotes never closed":       {head + "      reason: ‹'›bad\n      ref: 'x'\n", "the quote is never closed"},
		"quotes never closed at the end":   {"reason: ‹'›bad\n", "the quote is never closed"},
		"a star":                           {head + "      pattern: ‹*›.yml\n", "a value cannot begin with *"},
		"an at":                            {head + "      reason: ‹@›alice\n", "a value cannot begin with @"},
		"a percent":                        {head + "      reason: ‹%›s\n", "a value cannot begin with %"},
		"a backtick between brackets":      {"a: [‹`›x`]\n", "a value cannot begin with `"},
		"an alternation":                   {head + "      pattern: ‹|›foo\n", "a value cannot begin with |"},
		"a negation":                       {head + "      when: ‹!›input.compound && 'x' in y\n", "a value cannot begin with !"},
		"a conjunction":                    {head + "      when: ‹&›& x\n", "a value cannot begin with &"},
		"no blank behind a colon":          {"name‹:›x\nrules: {}\n", "a blank must stand behind the colon"},
		"a key too deep behind an address": {"a: http://x\n  ‹b›: c\n", "the indentation of 2 spaces"},
		"a line without a key":             {"reason: foo\n‹bar›\nref: x\n", "this is no 'key: value'"},
		"a list behind its key":            {"a: ‹-› b\n", "a list begins on a line of its own"},
		"a list entry among keys":          {"a: b\n‹-› c\n", "a list entry where a key must stand"},
		"a key among list entries":         {"a:\n  - b\n  ‹c:› d\n", "an entry of the list above begins with '- '"},
		"a comment in a long value":        {"a: b # c\n  ‹d› e\nf: g\n", "fits no line above"},
		"in a second document":             {"a: b\n---\nc: ‹[›\n", "never closed"},
		"behind wide runes":                {"a: 日本語‹:› x\n", "a value with ': '"},
		"with carriage returns":            {"a: b\r\nc: d‹:› e\r\n", "a value with ': '"},
	} {
		t.Run(name, func(t *testing.T) {
			before, rest, _ := strings.Cut(test.text, "‹")
			culprit, after, _ := strings.Cut(rest, "›")
			text := before + culprit + after
			decoder := yaml.NewDecoder(strings.NewReader(text))
			var err error
			for err == nil {
				err = decoder.Decode(new(yaml.Node))
			}
			if !strings.HasPrefix(err.Error(), "yaml: ") {
				t.Fatalf("the text is YAML: %v", err)
			}
			cause, ok := Find(text)
			if !ok || cause.Offset != utf8.RuneCountInString(before) || cause.Width != utf8.RuneCountInString(culprit) || !strings.Contains(cause.Message, test.message) {
				t.Errorf("%v: got %+v, want %d, width %d", err, cause, utf8.RuneCountInString(before), utf8.RuneCountInString(culprit))
			}
		})
	}
}

func TestNothingIsWrongWithTextsThatAreYAML(t *testing.T) {
	var texts []string
	files, _ := filepath.Glob("../../watches/*.yml")
	if len(files) < 10 {
		t.Fatalf("%d rule sets", len(files))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	page, err := os.ReadFile("../../docs/writing-rules.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		texts = append(texts, m[1])
	}
	texts = append(texts, validTexts...)
	for _, text := range texts {
		if err := yaml.Unmarshal([]byte(text), new(yaml.Node)); err != nil {
			t.Errorf("not YAML: %v\n%s", err, text)
		}
		if cause, ok := Find(text); ok {
			t.Errorf("%+v in\n%s", cause, text)
		}
	}
}

var validTexts = []string{
	"", "a", "# only\n", "a: b\n", "- a\n- b\n", "a:\n- b\n- c\nd: e\n", "a:\n  - b\n  -\n    c: d\n    e: f\n  - - g\n    - h\n",
	"a: b\n  c\n\n  d # e\nf: g\n", "a:\n  b c\n  d\ne: f\n", "a: \"x\\\n  y\\x41\\u00e9\\U0001F600\\\"\"\nb: c\n", "a: 'x''y\n\n  z' # c\n",
	"a: |\n  x: y: z\n   [\n\n  w\nb: >-2\n      x\n    y\n# c\nc: |+\n\n\n  x\n", "a: |\n\n  \nb: c\n", "a: &x b\nc: *x\nd: !!str e\n&k f: g\n",
	"{a: [b, 'c', \"d\"], \"e\":f, g: {h: i}, j: k:l,\n m: n\n o}\n", "a: [\n  b, # c\n  d,\n]\n", "---\na: b\n...\n", "--- a\n", "%YAML 1.1\n---\na: b\n",
	"a: b \t# c\nd: {e: f \"g\",\n \"h\": i}\n", "\"a\": b\n'c' : d\n[e]: f\n", "? a\n: b\n", "a: b#c\nd: -e\nf: ?g\nh: :i\n", "a: http://x:80/y\n", "a:\r\n  - b\r\n  - c\r\n",
	"a: -1\nb: <<\nc: ~\n", "- a: b\n  c: d\n- e\n", "a:\n    b:\n        c: d\n    e: f\ng: h\n", "a: \"b\"\n\n# c\n  # d\ne: f\n", "'a\n  b'\n", "[a,\nb]\n",
}

func FuzzFind(f *testing.F) {
	for _, text := range validTexts {
		f.Add(text)
	}
	f.Add("a: [b: c: 'd\n  - \"\\q\" e\n\t|\n &&")
	f.Fuzz(func(t *testing.T, text string) {
		cause, ok := Find(text)
		if n := utf8.RuneCountInString(text); ok && (cause.Offset < 0 || cause.Offset > n || cause.Width < 1 || cause.Message == "") {
			t.Fatalf("%+v in %q", cause, text)
		}
	})
}
