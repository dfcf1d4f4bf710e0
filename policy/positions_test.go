package policy

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// valueNode parses a file with the one key "k" and returns the value's scalar.
func valueNode(t testing.TB, file string) (*Scalar, bool) {
	t.Helper()
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(file), &document); err != nil {
		return nil, false
	}
	root := &document
	for root.Kind == yaml.DocumentNode || root.Kind == yaml.MappingNode {
		if len(root.Content) == 0 {
			return nil, false
		}
		root = root.Content[len(root.Content)-1]
	}
	if root.Kind != yaml.ScalarNode {
		return nil, false
	}
	return newScalar(newSource("test.yml", file), root), true
}

// runeAt returns the rune of a file at a shown place, '\n' for the end of a line.
func runeAt(file string, at Position) rune {
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(file), "\n")
	if at.Line < 1 || at.Line > len(lines) {
		return -1
	}
	line := []rune(lines[at.Line-1])
	if at.Column < 1 || at.Column > len(line)+1 {
		return -1
	}
	if at.Column == len(line)+1 {
		return '\n'
	}
	return line[at.Column-1]
}

func TestPlacesOfRunesInEveryScalarStyle(t *testing.T) {
	for name, test := range map[string]struct {
		file, value string
		at          map[int]Position
	}{
		"plain":                         {"k: abc", "abc", map[int]Position{0: {1, 4}, 2: {1, 6}, 3: {1, 7}, 99: {1, 7}}},
		"plain, folded":                 {"k: ab\n   cd\n\n\n   ef", "ab cd\n\nef", map[int]Position{0: {1, 4}, 2: {1, 6}, 3: {2, 4}, 6: {4, 1}, 7: {5, 4}, 8: {5, 5}}},
		"plain, with an anchor":         {"k: &a !!str\n  # note\n  ab", "ab", map[int]Position{0: {3, 3}, 1: {3, 4}}},
		"single-quoted":                 {"k: 'a''b'", "a'b", map[int]Position{0: {1, 5}, 1: {1, 6}, 2: {1, 8}, 3: {1, 9}}},
		"single-quoted, folded":         {"k: 'a  \n  b\n\n  c'", "a b\nc", map[int]Position{1: {1, 8}, 2: {2, 3}, 3: {3, 1}, 4: {4, 3}}},
		"double-quoted, escapes":        {`k: "\x41\u00e9\U0001F600\tz\\"`, "Aé😀\tz\\", map[int]Position{0: {1, 5}, 1: {1, 9}, 2: {1, 15}, 3: {1, 25}, 4: {1, 27}, 5: {1, 28}, 6: {1, 30}}},
		"double-quoted, escaped break":  {"k: \"ab\\\n   cd\\\n\n   ef\"", "abcd\nef", map[int]Position{1: {1, 6}, 2: {2, 4}, 5: {4, 4}}},
		"double-quoted, kept space":     {"k: \"a \\\n  \\ b\"", "a  b", map[int]Position{0: {1, 5}, 1: {1, 6}, 2: {2, 3}, 3: {2, 5}}},
		"literal":                       {"k: |\n  ab\n    cd\n\n  ef\n", "ab\n  cd\n\nef\n", map[int]Position{0: {2, 3}, 2: {2, 5}, 3: {3, 3}, 5: {3, 5}, 7: {3, 7}, 8: {4, 1}, 9: {5, 3}}},
		"literal, indentation named":    {"k: |2-  # note\n    ab\n  cd\n", "  ab\ncd", map[int]Position{0: {2, 3}, 2: {2, 5}, 5: {3, 3}, 7: {3, 5}}},
		"literal, keep":                 {"k: |+\n  a\n\n\n", "a\n\n\n", map[int]Position{0: {2, 3}, 1: {2, 4}, 2: {3, 1}, 3: {4, 1}}},
		"literal, after empty lines":    {"k: |\n\n\n  a\n", "\n\na\n", map[int]Position{0: {2, 1}, 2: {4, 3}}},
		"folded":                        {"k: >\n  ab\n  cd\n\n  ef\n   gh\n  ij\n", "ab cd\nef\n gh\nij\n", map[int]Position{0: {2, 3}, 2: {2, 5}, 3: {3, 3}, 6: {5, 3}, 9: {6, 3}, 10: {6, 4}, 13: {7, 3}}},
		"folded, strip":                 {"k: >-\n  ab\n  cd", "ab cd", map[int]Position{3: {3, 3}, 5: {3, 5}}},
		"carriage returns":              {"k: >\r\n  ab\r\n  cd\r\n", "ab cd\n", map[int]Position{0: {2, 3}, 3: {3, 3}}},
		"wide runes count one":          {"k: '日本x'", "日本x", map[int]Position{0: {1, 5}, 2: {1, 7}}},
		"a line separator is no line":   {"k: 'a\u2028b'\nj: 'c'", "c", map[int]Position{0: {2, 5}}},
		"a tab inside":                  {"k: 'a\tb'", "a\tb", map[int]Position{1: {1, 6}, 2: {1, 7}}},
		"flow mapping":                  {"{j: 1, k: ab}", "ab", map[int]Position{0: {1, 11}}},
		"a block with a tag and anchor": {"k: !!str &x |\n  ab\n", "ab\n", map[int]Position{0: {2, 3}}},
	} {
		t.Run(name, func(t *testing.T) {
			s, ok := valueNode(t, test.file)
			if !ok || s.Text != test.value {
				t.Fatalf("the file has not the value %q: %+v", test.value, s)
			}
			for offset, want := range test.at {
				if got := s.At(offset); got != want {
					t.Errorf("rune %d is at %v, want %v", offset, got, want)
				}
			}
		})
	}
}

// distinctText returns random text in which no rune stands twice but blanks and
// newlines, so that a rune tells its place.
func distinctText(random *rand.Rand) string {
	var b strings.Builder
	next := 'A'
	for range 1 + random.IntN(25) {
		switch random.IntN(8) {
		case 0:
			b.WriteByte(' ')
		case 1:
			b.WriteByte('\n')
		case 2:
			b.WriteString(string('日' + next))
			next++
		default:
			if next == '\\' || next == '`' || next == '|' {
				next++
			}
			b.WriteRune(next)
			next++
		}
	}
	return b.String()
}

// styles emit a text as the value of "k", broken over lines where the style lets them.
var styles = map[string]func(random *rand.Rand, text string) string{
	"literal": func(random *rand.Rand, text string) string {
		indent := strings.Repeat(" ", 1+random.IntN(4))
		return fmt.Sprintf("k: |%d%s\n%s", len(indent), pick(random, "", "-", "+"), indented(text, indent))
	},
	"folded": func(random *rand.Rand, text string) string {
		indent := strings.Repeat(" ", 1+random.IntN(4))
		text = strings.ReplaceAll(text, " ", pick(random, " ", "\n", " "))
		return fmt.Sprintf("k: >%d%s\n%s", len(indent), pick(random, "", "-", "+"), indented(text, indent))
	},
	"single-quoted": func(random *rand.Rand, text string) string {
		return "k: '" + broken(random, strings.ReplaceAll(text, "A", "''")) + "'"
	},
	"double-quoted": func(random *rand.Rand, text string) string {
		var b strings.Builder
		for _, r := range text {
			switch {
			case r == '"' || r == '\\':
				b.WriteString(`\` + string(r))
			case r == '\n':
				b.WriteString(pick(random, `\n`, "\n\n  ", `\n`))
			case random.IntN(6) == 0:
				fmt.Fprintf(&b, pick(random, `\u%04x`, `\U%08x`), r)
			case random.IntN(12) == 0:
				b.WriteString("\\\n    " + string(r))
			default:
				b.WriteRune(r)
			}
		}
		return `k: "` + b.String() + `"`
	},
	"plain": func(random *rand.Rand, text string) string { return "k: " + broken(random, "x"+text) },
}

func indented(text, indent string) string {
	return indent + strings.ReplaceAll(text, "\n", "\n"+indent) + "\n"
}

// broken writes newlines of a flow scalar as an empty line, and some blanks as a line break.
func broken(random *rand.Rand, text string) string {
	return strings.NewReplacer("\n", "\n\n  ", " ", pick(random, " ", "\n   ", "  \n\n  ")).Replace(text)
}

// checkPlaces holds every rune of a value against the rune the file has at its place.
func checkPlaces(t testing.TB, file string, s *Scalar) {
	t.Helper()
	last := Position{}
	value := []rune(s.Text)
	for i, r := range value {
		at := s.At(i)
		got := runeAt(file, at)
		switch {
		case got == '\\', got == r:
		case (r == ' ' || r == '\n') && (got == '\n' || got == '\r'):
		default:
			t.Fatalf("%q: rune %d of %q is %q, at %v stands %q", file, i, s.Text, r, at, got)
		}
		if at.Line < last.Line || at.Line == last.Line && at.Column <= last.Column {
			t.Fatalf("%q: rune %d of %q is at %v, the one before at %v", file, i, s.Text, at, last)
		}
		last = at
	}
}

func TestEveryRuneOfARandomScalarIsWhereTheFileHasIt(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for style, emit := range styles {
		t.Run(style, func(t *testing.T) {
			checked := 0
			for range 2000 {
				file := emit(random, distinctText(random))
				if random.IntN(4) == 0 {
					file = strings.ReplaceAll(file, "\n", "\r\n")
				}
				if s, ok := valueNode(t, file); ok {
					checked++
					checkPlaces(t, file, s)
				}
			}
			if checked < 800 {
				t.Errorf("only %d of 2000 files were YAML", checked)
			}
		})
	}
}

func FuzzScalarPlaces(f *testing.F) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, emit := range styles {
		for range 5 {
			f.Add(emit(random, distinctText(random)))
		}
	}
	f.Fuzz(func(t *testing.T, file string) {
		if len(file) > 500 {
			return
		}
		file = strings.ToValidUTF8(file, "?")
		s, ok := valueNode(t, file)
		if !ok {
			return
		}
		last := Position{}
		for i := range runeCount(s.Text) + 1 {
			at := s.At(i)
			if at.Line < last.Line || at.Line == last.Line && at.Column < last.Column || at.Column < 1 {
				t.Fatalf("%q: rune %d is at %v, the one before at %v", file, i, at, last)
			}
			last = at
		}
	})
}
