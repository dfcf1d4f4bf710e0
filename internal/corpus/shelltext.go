package corpus

import (
	"cmp"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// expansion collects what Command.Expand writes out in shell text.
type expansion struct {
	source string
	places map[string]string
	edits  []replacement
	// quoted tells, for each node that the walk is in, whether double quotes stand around it.
	quoted []bool
}

func (x *expansion) walk(file *syntax.File) {
	syntax.Walk(file, func(node syntax.Node) bool {
		if node == nil {
			x.quoted = x.quoted[:len(x.quoted)-1]
			return true
		}
		inQuotes := len(x.quoted) > 0 && x.quoted[len(x.quoted)-1]
		switch n := node.(type) {
		case *syntax.DblQuoted:
			inQuotes = true
		case *syntax.CmdSubst:
			inQuotes = false
		case *syntax.ParamExp:
			x.variable(n, inQuotes)
		case *syntax.Word:
			x.tilde(n)
		case *syntax.CallExpr:
			x.program(n)
		}
		x.quoted = append(x.quoted, inQuotes)
		return true
	})
}

// variable writes out $NAME and ${NAME}; other forms stay.
func (x *expansion) variable(n *syntax.ParamExp, inQuotes bool) {
	if n.Param == nil {
		return
	}
	name := n.Param.Value
	value, ok := x.places[name]
	if text := x.source[n.Pos().Offset():n.End().Offset()]; !ok || text != "$"+name && text != "${"+name+"}" {
		return
	}
	if inQuotes {
		value = escaper.Replace(value)
	} else {
		value = quoted(value)
	}
	x.edits = append(x.edits, replacement{n.Pos().Offset(), n.End().Offset(), value})
}

// escaper escapes what double quotes do not protect.
var escaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`")

func (x *expansion) tilde(n *syntax.Word) {
	text, ok := n.Parts[0].(*syntax.Lit)
	if home := x.places["HOME"]; ok && home != "" && (text.Value == "~" || strings.HasPrefix(text.Value, "~/")) {
		at := text.Pos().Offset()
		x.edits = append(x.edits, replacement{at, at + 1, quoted(home)})
	}
}

// program writes out where a program lies: claudewatch where PATH finds it, and one
// that is named by a relative path. The hook runs in another directory.
func (x *expansion) program(n *syntax.CallExpr) {
	if len(n.Args) == 0 || !isLiteral(n.Args[0]) {
		return
	}
	name := literal(n.Args[0])
	named := strings.ContainsRune(name, '/')
	if filepath.IsAbs(name) || !named && !isClaudewatch(name) {
		return
	}
	path, err := exec.LookPath(name)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err == nil {
		x.edits = append(x.edits, replacement{n.Args[0].Pos().Offset(), n.Args[0].End().Offset(), quoted(path)})
	}
}

// isLiteral reports whether the shell expands nothing in a word.
func isLiteral(word *syntax.Word) bool {
	literal := true
	syntax.Walk(word, func(node syntax.Node) bool {
		switch n := node.(type) {
		case *syntax.Word, *syntax.SglQuoted, *syntax.DblQuoted, nil:
		case *syntax.Lit:
			literal = literal && !strings.HasPrefix(n.Value, "~")
		default:
			literal = false
		}
		return literal
	})
	return literal
}

// replacement puts text in the place of the source between two byte offsets.
type replacement struct {
	start, end uint
	text       string
}

// replaced returns source with the replacements, which do not overlap.
func replaced(source string, edits []replacement) string {
	slices.SortFunc(edits, func(a, b replacement) int { return cmp.Compare(a.start, b.start) })
	var b strings.Builder
	at := uint(0)
	for _, e := range edits {
		b.WriteString(source[at:e.start])
		b.WriteString(e.text)
		at = e.end
	}
	b.WriteString(source[at:])
	return b.String()
}

func parse(text string) (*syntax.File, error) {
	return syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
}

// callsOf returns the simple commands of shell text, none when it cannot be parsed.
func callsOf(text string) []*syntax.CallExpr {
	file, err := parse(text)
	if err != nil {
		return nil
	}
	var calls []*syntax.CallExpr
	syntax.Walk(file, func(node syntax.Node) bool {
		if call, ok := node.(*syntax.CallExpr); ok && len(call.Args) > 0 {
			calls = append(calls, call)
		}
		return true
	})
	return calls
}

// literal returns the unquoted text of a word; what the shell expands is left out,
// so that "$HOME/bin/claudewatch" still ends in the program's name.
func literal(word *syntax.Word) string {
	var b strings.Builder
	var add func(parts []syntax.WordPart)
	add = func(parts []syntax.WordPart) {
		for _, part := range parts {
			switch p := part.(type) {
			case *syntax.Lit:
				b.WriteString(p.Value)
			case *syntax.SglQuoted:
				b.WriteString(p.Value)
			case *syntax.DblQuoted:
				add(p.Parts)
			}
		}
	}
	add(word.Parts)
	return b.String()
}

// quoted returns text as one word of the shell.
func quoted(text string) string {
	word, err := syntax.Quote(text, syntax.LangPOSIX)
	if err != nil { // a NUL byte, which no word can hold
		return text
	}
	return word
}
