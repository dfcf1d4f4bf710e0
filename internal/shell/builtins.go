package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// assigns gives the variables that read, mapfile and printf -v assign to the values
// that the text tells, and makes them unknown where it does not.
func (w *walk) assigns(c *call) {
	words := c.words[1:]
	texts := []string{c.words[0].text}
	for _, f := range words {
		texts = append(texts, f.text)
	}
	for _, name := range assignedNames(texts) {
		c.env.forget(name)
	}
	switch c.words[0].text {
	case "printf":
		if len(words) < 3 || words[0].text != "-v" || !syntax.ValidName(words[1].text) {
			return
		}
		if out := w.outputOfPrintf(words[2:], c.env); out != nil && len(out.walked) == 0 {
			c.env.assign(words[1].text, literalValue(out.text), len(out.text) <= maxVariableBytes)
		}
	case "read":
		w.reads(c, words)
	case "mapfile", "readarray":
		w.readsAll(c, words)
	}
}

// reads is the builtin read: a line of the input, split into words of which the last
// variable gets the rest.
func (w *walk) reads(c *call, words []field) {
	how := grammar{options: "-a: -d: -i: -n: -N: -p: -t: -u:", stops: true}
	args := how.arguments(words)
	input := c.place.input
	_, other := args.get("-n", "-N", "-u")
	if len(c.place.found) == 1 && len(args.operands) == 1 && !other {
		c.env.describe(words[args.operands[0]].text, c.place.found[0], "")
		return
	}
	if other || input == nil || len(input.walked) > 0 || len(input.text) > maxVariableBytes {
		return
	}
	end := "\n"
	if d, given := args.get("-d"); given {
		end = d.Value + "\x00"
		end = end[:1]
	}
	line, _, _ := strings.Cut(input.text, end)
	if _, raw := args.get("-r"); !raw {
		line = unescape(line)
	}
	separators := c.env.separators()
	if own, given := c.assigned["IFS"]; given {
		separators = own
	}
	if a, given := args.get("-a"); given {
		var b builder
		b.split(literalValue(line), separators)
		c.env.setWords(a.Value, b.fields())
		return
	}
	var names []string
	for _, i := range args.operands {
		if !syntax.ValidName(words[i].text) {
			return
		}
		names = append(names, words[i].text)
	}
	if len(names) == 0 {
		c.env.assign("REPLY", literalValue(line), true)
		return
	}
	blanks := strings.Map(func(r rune) rune {
		if isBlank(r) {
			return r
		}
		return -1
	}, separators)
	for i, name := range names {
		line = strings.Trim(line, blanks)
		piece := line
		if at := strings.IndexAny(line, separators); i < len(names)-1 {
			line = ""
			if at >= 0 {
				piece, line = piece[:at], piece[at+1:]
			}
		}
		c.env.assign(name, literalValue(piece), true)
	}
}

// readsAll is the builtin mapfile: every line of the input is an element.
func (w *walk) readsAll(c *call, words []field) {
	how := grammar{options: "-C: -c: -d: -n: -O: -s: -u:", stops: true}
	args := how.arguments(words)
	input := c.place.input
	if _, other := args.get("-d", "-n", "-O", "-s", "-u"); other || input == nil || len(input.walked) > 0 {
		return
	}
	name := "MAPFILE"
	if len(args.operands) > 0 {
		name = words[args.operands[0]].text
	}
	lines := strings.SplitAfterN(input.text, "\n", maxFieldsPerWord+2)
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	_, trimmed := args.get("-t")
	var fields []field
	for _, line := range lines {
		if trimmed {
			line = strings.TrimSuffix(line, "\n")
		}
		fields = append(fields, literalField(line))
	}
	c.env.setWords(name, fields)
}

// setWords makes a variable an array of words.
func (e *environment) setWords(name string, words []field) {
	if !syntax.ValidName(name) || len(words) > maxFieldsPerWord {
		return
	}
	values := make([]value, len(words))
	for i, f := range words {
		values[i] = f.value
	}
	e.set(name, variable{array: listed(values)})
}
