package shell

import (
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// filters holds the programs whose output is made of their input in a way that can be
// told without running them. Each gets the words behind the program's name, what they
// mean, and the input; ok is false when it cannot tell.
var filters = table[func(words []field, args arguments, input string) (output string, ok bool)]{
	{"base64", func(_ []field, args arguments, input string) (string, bool) {
		if _, decodes := args.get("-d", "-D", "--decode"); !decodes || len(args.operands) > 0 {
			return "", false
		}
		return decodeBase64(input)
	}},
	{"openssl", func(words []field, _ arguments, input string) (string, bool) {
		texts := strings.Fields(joinTexts(words))
		of := len(texts) > 0 && (texts[0] == "base64" || texts[0] == "enc" && contains(texts, "-base64") || texts[0] == "enc" && contains(texts, "-a"))
		if !of || !contains(texts, "-d") || contains(texts, "-in") {
			return "", false
		}
		return decodeBase64(input)
	}},
	{"xxd", func(_ []field, args arguments, input string) (string, bool) {
		_, reverts := args.get("-r")
		_, plain := args.get("-p")
		if !reverts || !plain || len(args.operands) > 0 {
			return "", false
		}
		raw, err := hex.DecodeString(strings.Join(strings.Fields(input), ""))
		return string(raw), err == nil
	}},
	{"head", func(_ []field, args arguments, input string) (string, bool) {
		n, _, ok := countOf(args)
		lines := textLines(input)
		return strings.Join(lines[:min(n, len(lines))], ""), ok
	}},
	{"tail", func(_ []field, args arguments, input string) (string, bool) {
		n, fromStart, ok := countOf(args)
		lines := textLines(input)
		from := max(len(lines)-n, 0)
		if fromStart {
			from = min(max(n-1, 0), len(lines))
		}
		return strings.Join(lines[from:], ""), ok
	}},
	{"sort", func(_ []field, args arguments, input string) (string, bool) {
		lines := textLines(input)
		slices.Sort(lines)
		_, unique := args.get("-u", "--unique")
		if unique {
			lines = slices.Compact(lines)
		}
		if _, reverse := args.get("-r", "--reverse"); reverse {
			slices.Reverse(lines)
		}
		return strings.Join(lines, ""), len(args.operands) == 0 && !(len(lines) > 1 && len(args.options) > 1)
	}},
	{"uniq", func(_ []field, args arguments, input string) (string, bool) {
		return strings.Join(slices.Compact(textLines(input)), ""), len(args.operands)+len(args.options) == 0
	}},
	{"tac", func(_ []field, args arguments, input string) (string, bool) {
		lines := textLines(input)
		slices.Reverse(lines)
		return strings.Join(lines, ""), len(args.operands)+len(args.options) == 0
	}},
	{"rev", func(_ []field, args arguments, input string) (string, bool) {
		var b strings.Builder
		for _, line := range textLines(input) {
			runes := []rune(strings.TrimSuffix(line, "\n"))
			slices.Reverse(runes)
			b.WriteString(string(runes) + "\n")
		}
		return b.String(), len(args.operands)+len(args.options) == 0
	}},
	{"tr", translated},
	{"sed", edited},
	{"grep", func(words []field, args arguments, input string) (string, bool) {
		if len(args.operands) != 1 || len(args.options) > 0 || !isPlainText(words[args.operands[0]].text) {
			return "", false
		}
		var b strings.Builder
		for _, line := range textLines(input) {
			if strings.Contains(line, words[args.operands[0]].text) {
				b.WriteString(line)
			}
		}
		return b.String(), true
	}},
	{"cut", func(_ []field, args arguments, input string) (string, bool) {
		delimiter, given := args.get("-d", "--delimiter")
		fields, chosen := args.get("-f", "--fields")
		if !given {
			delimiter.Value = "\t"
		}
		first, open := strings.CutSuffix(fields.Value, "-")
		n, err := strconv.Atoi(first)
		if !chosen || err != nil || n < 1 || len(args.operands) > 0 || len(delimiter.Value) != 1 {
			return "", false
		}
		var b strings.Builder
		for _, line := range textLines(input) {
			pieces := strings.Split(strings.TrimSuffix(line, "\n"), delimiter.Value)
			pieces = pieces[min(n-1, len(pieces)):]
			if !open {
				pieces = pieces[:min(1, len(pieces))]
			}
			b.WriteString(strings.Join(pieces, delimiter.Value) + "\n")
		}
		return b.String(), true
	}},
}

// textLines splits a text behind its newlines.
func textLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	} else {
		lines[len(lines)-1] += "\n"
	}
	return lines
}

// decodeBase64 decodes what base64 -d does, also without padding and with characters
// in between that belong to something else.
func decodeBase64(input string) (string, bool) {
	kept := strings.Map(func(r rune) rune {
		if r < 0x80 && (isAlphanumeric(byte(r)) || r == '+' || r == '/') {
			return r
		}
		return -1
	}, input)
	decoded, err := base64.RawStdEncoding.DecodeString(kept)
	return string(decoded), err == nil
}

// countOf returns the number of lines that head and tail are asked for: -n 3, -3, and
// for tail those from a line on with +3.
func countOf(args arguments) (n int, fromStart, ok bool) {
	if len(args.operands) > 0 {
		return 0, false, false
	}
	n = 10
	for _, o := range args.options {
		text := o.Value
		switch {
		case o.Name == "-n" || o.Name == "--lines":
		case isNumber(strings.TrimPrefix(o.Name, "-")):
			text = o.Name[1:]
		default:
			return 0, false, false
		}
		text, fromStart = strings.CutPrefix(text, "+")
		var err error
		if n, err = strconv.Atoi(text); err != nil || n < 0 {
			return 0, false, false
		}
	}
	return n, fromStart, true
}

// translated is tr with sets of plain characters, ranges and the classes of letters.
func translated(words []field, args arguments, input string) (string, bool) {
	var sets []string
	for _, i := range args.operands {
		set, ok := characters(words[i].text)
		if !ok {
			return "", false
		}
		sets = append(sets, set)
	}
	_, deletes := args.get("-d", "--delete")
	switch {
	case deletes && len(sets) == 1 && len(args.options) == 1:
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(sets[0], r) {
				return -1
			}
			return r
		}, input), true
	case len(sets) != 2 || len(args.options) > 0 || sets[1] == "":
		return "", false
	}
	to := []rune(sets[1])
	table := make(map[rune]rune)
	for i, r := range []rune(sets[0]) {
		table[r] = to[min(i, len(to)-1)]
	}
	return strings.Map(func(r rune) rune {
		if with, ok := table[r]; ok {
			return with
		}
		return r
	}, input), true
}

// characters writes a set of tr out.
func characters(set string) (string, bool) {
	set = strings.ReplaceAll(set, "[:upper:]", "A-Z")
	set = strings.ReplaceAll(set, "[:lower:]", "a-z")
	set = strings.ReplaceAll(set, "[:space:]", " \t\n\v\f\r")
	if strings.Contains(set, "[:") || strings.Contains(set, "[=") {
		return "", false
	}
	set = decodeEscapes(set, printfEscapes)
	var b strings.Builder
	for i := 0; i < len(set); i++ {
		if i+2 < len(set) && set[i+1] == '-' && set[i] <= set[i+2] {
			for c := int(set[i]); c <= int(set[i+2]); c++ {
				b.WriteByte(byte(c))
			}
			i += 2
			continue
		}
		b.WriteByte(set[i])
	}
	return b.String(), true
}

// edited is sed with one substitution of plain text.
func edited(words []field, args arguments, input string) (string, bool) {
	program := ""
	switch {
	case len(args.options) == 0 && len(args.operands) == 1:
		program = words[args.operands[0]].text
	case len(args.options) == 1 && args.options[0].Name == "-e" && len(args.operands) == 0:
		program = args.options[0].Value
	}
	if len(program) < 4 || program[0] != 's' || isAlphanumeric(program[1]) {
		return "", false
	}
	parts := strings.Split(program[2:], program[1:2])
	if len(parts) != 3 || !isPlainText(parts[0]) || strings.ContainsAny(parts[1], "\\&\n") || parts[2] != "" && parts[2] != "g" {
		return "", false
	}
	var b strings.Builder
	n := 1
	if parts[2] == "g" {
		n = -1
	}
	for _, line := range textLines(input) {
		if b.Len() > maxVariableBytes {
			return "", false
		}
		b.WriteString(strings.Replace(line, parts[0], parts[1], n))
	}
	return b.String(), true
}

// isPlainText reports whether s means itself as a regular expression.
func isPlainText(s string) bool {
	return s != "" && !strings.ContainsAny(s, `\.*[]^$+?(){}|`)
}

// filtered returns what a filter writes; nil when that is not known.
func (w *walk) filtered(words []field, input *code) *code {
	filter := filters.of(programName(words[0]))
	if filter == nil || input == nil || len(input.walked) > 0 || len(input.text) > maxVariableBytes {
		return nil
	}
	for _, f := range words {
		if !f.known {
			return nil
		}
	}
	text, ok := filter(words[1:], grammarOf(programName(words[0])).arguments(words[1:]), input.text)
	if !ok || !w.spend(len(text)) {
		return nil
	}
	return &code{text: text, heredoc: input.heredoc}
}

// conversion is the part of a printf format behind a %.
var conversion = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([-0 +#]*)(\d{0,3})(?:\.(\d{0,3}))?([sbqdci%])`)
})

// padded applies the width and precision of a conversion to a text.
func padded(text string, found []string) string {
	if n, err := strconv.Atoi(found[3]); err == nil && n < len(text) && found[4] != "d" {
		text = text[:n]
	}
	n, _ := strconv.Atoi(found[2])
	if n <= len(text) {
		return text
	}
	fill := strings.Repeat(" ", n-len(text))
	if strings.Contains(found[1], "-") {
		return text + fill
	}
	return fill + text
}
