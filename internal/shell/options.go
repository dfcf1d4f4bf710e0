package shell

import (
	"strings"

	"github.com/claudewatch/claudewatch/schema"
)

// grammar says how a program reads its options.
type grammar struct {
	// options lists the options that need saying, separated by spaces, each with a
	// mark that tells how it takes a value (see arity). An option that is not listed
	// takes none. Where abbreviates is set the list holds every long option.
	options string
	// words: a single dash begins one option, however many letters follow (find
	// -delete, java -jar), and not a cluster of one-letter options.
	words bool
	// stops: options end at the first operand, what follows belongs to somebody else.
	stops bool
	// abbreviates: a long option may be shortened as long as it is unambiguous.
	abbreviates bool
	// bundled: the first word is a cluster even without its dash (tar xzf a.tar).
	bundled bool
	// plus: words that begin with + are options (cargo +nightly build).
	plus bool
	// shared: the options may also stand after the subcommand.
	shared bool
	// subcommands holds the grammar behind each subcommand; it is nil for programs
	// that have none. A subcommand that is not listed has the zero grammar, and the
	// table is empty where none needs another.
	subcommands table[grammar]
}

// arity says how an option takes a value.
type arity byte

const (
	takesNone      arity = 0   // no value
	takesValue     arity = ':' // attached, or else the next word
	takesAttached  arity = '?' // attached or not at all
	takesNext      arity = '+' // always the next word; the cluster goes on
	takesTwo       arity = '%' // the next two words, of which the second counts
	takesStatement arity = ';' // all words up to ; or +  (find -exec)
)

// arityOf looks name up in a list of options.
func arityOf(options, name string) (a arity, listed bool) {
	for rest := options; rest != ""; {
		var entry string
		entry, rest, _ = strings.Cut(rest, " ")
		if !strings.HasPrefix(entry, name) || len(entry) > len(name)+1 {
			continue
		}
		mark := takesNone
		switch last := arity(entry[len(entry)-1]); last {
		case takesValue, takesAttached, takesNext, takesTwo, takesStatement:
			mark, entry = last, entry[:len(entry)-1]
		}
		if entry == name {
			return mark, true
		}
	}
	return takesNone, false
}

// option is one option found among the words of a command.
type option struct {
	schema.Option
	// valueWord is the index of the word that is the value, when it is a word of its
	// own; else -1.
	valueWord int
	// attached is the place in the option's own word where its value begins; 0 when
	// it has none there.
	attached int
}

// optionText returns the text in which a word's option is looked for. A word with an
// unknown part is its source, from which the quotes around the whole are taken off:
// "--user=$U" is an option as much as --user="$U".
func (f field) optionText() string {
	if n := len(f.text); (!f.known || f.written) && n > 2 && f.text[0] == '"' && f.text[n-1] == '"' {
		return f.text[1 : n-1]
	}
	return f.text
}

// isOption reports whether a word is an option: it begins with a dash and is more
// than one.
func (g *grammar) isOption(word string) bool {
	return len(word) > 1 && (word[0] == '-' || g.plus && word[0] == '+')
}

// option reads the option at words[i], which may be a cluster of several, and
// returns the index of the word after it and its values.
func (g *grammar) option(words []field, i int) (options []option, next int) {
	word := words[i].optionText()
	if name, _, ok := strings.Cut(word, "="); ok && (strings.HasPrefix(word, "--") || g.words) {
		return []option{{
			Option:    schema.Option{Name: g.full(name), Value: word[len(name)+1:], Index: i},
			valueWord: -1,
			attached:  len(name) + 1,
		}}, i + 1
	}
	if _, listed := arityOf(g.options, word); listed || g.words || word[0] == '+' || strings.HasPrefix(word, "--") || isNumber(word[1:]) {
		name := g.full(word)
		a, _ := arityOf(g.options, name)
		o := option{Option: schema.Option{Name: name, Index: i}, valueWord: -1}
		return g.withNext(o, a, words, i+1)
	}
	return g.cluster(word, words, i)
}

// withNext gives o the value that its arity says stands in the words at next.
func (g *grammar) withNext(o option, a arity, words []field, next int) ([]option, int) {
	switch a {
	case takesValue, takesNext, takesTwo:
		if a == takesTwo {
			next++
		}
		if next < len(words) {
			o.Value, o.valueWord = words[next].text, next
			next++
		}
	case takesStatement:
		from := next
		for next < len(words) && words[next].text != ";" && words[next].text != "+" {
			next++
		}
		o.Value = joinTexts(words[from:next])
		o.valueWord = from
		if next < len(words) {
			next++
		}
	}
	return []option{o}, min(next, len(words))
}

// cluster takes a word like -xzf apart. The letters are options until one takes
// the rest as its value; what is neither letter nor digit is the value of the
// letter before it, as is a number.
func (g *grammar) cluster(word string, words []field, i int) (options []option, next int) {
	next = i + 1
	for at := 1; at < len(word); {
		o := option{Option: schema.Option{Name: "-" + word[at:at+1], Index: i}, valueWord: -1}
		a, _ := arityOf(g.options, o.Name)
		at++
		rest := word[at:]
		switch {
		case a == takesNext, a == takesValue && rest == "":
			if next < len(words) {
				o.Value, o.valueWord = words[next].text, next
				next++
			}
		case a == takesValue, a == takesAttached, rest != "" && !isAlphanumeric(rest[0]):
			if value := strings.TrimPrefix(rest, "="); value != "" {
				o.Value, o.attached = value, len(word)-len(value)
			}
			at = len(word)
		default:
			digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
			if digits < len(rest) && !isAlphanumeric(rest[digits]) {
				digits = len(rest)
			}
			if digits > 0 {
				o.Value, o.attached = rest[:digits], at
				at += digits
			}
		}
		options = append(options, o)
	}
	return options, next
}

// full writes an abbreviated long option out.
func (g *grammar) full(name string) string {
	if !g.abbreviates || !strings.HasPrefix(name, "--") {
		return name
	}
	if _, listed := arityOf(g.options, name); listed {
		return name
	}
	found := ""
	for entry := range strings.FieldsSeq(g.options) {
		entry = strings.TrimRight(entry, ":?+;")
		if strings.HasPrefix(entry, name) {
			if found != "" {
				return name
			}
			found = entry
		}
	}
	if found == "" {
		return name
	}
	return found
}

// arguments is what a program makes of the words after its name.
type arguments struct {
	options    []option
	operands   []int // indexes of words
	subcommand string
	subWord    int // index of the subcommand's word; -1 when there is none
	global     int // how many of options stand in front of the subcommand
	// dashes is the index of the "--" that ended the options; -1 when there is none.
	dashes int
}

// arguments reads the words after the program's name.
func (g grammar) arguments(words []field) arguments {
	args := arguments{subWord: -1, dashes: -1}
	i := 0
	if g.bundled && len(words) > 0 && !strings.HasPrefix(words[0].text, "-") && isPlainWord(words[0].text) {
		dashed := append([]field{words[0]}, words[1:]...)
		dashed[0].text = "-" + dashed[0].text
		args.options, i = g.bundle(dashed)
	}
	current := &g
	for i < len(words) {
		word := words[i].text
		switch {
		case word == "--":
			args.dashes = i
			for i++; i < len(words); i++ {
				args.operands = append(args.operands, i)
			}
		case current.isOption(words[i].optionText()):
			var options []option
			options, i = current.option(words, i)
			args.options = append(args.options, options...)
			if args.subWord < 0 {
				args.global = len(args.options)
			}
		case args.subWord < 0 && len(current.subcommands) > 0 && current.isInFront(words[i:]):
			i++
		default:
			args.operands = append(args.operands, i)
			if current.subcommands != nil {
				if args.subWord < 0 {
					args.subWord, args.subcommand = i, word
				}
				current = current.behind(word)
			} else if current.stops {
				for i++; i < len(words); i++ {
					args.operands = append(args.operands, i)
				}
				continue
			}
			i++
		}
	}
	return args
}

// isInFront reports whether the first of the words may be nothing at all, as a variable
// that holds options, and the next one that is no option is a subcommand. The first one
// then must not be taken for it.
func (g *grammar) isInFront(words []field) bool {
	if !mayBeNothing(words[0]) {
		return false
	}
	for i := 1; i < len(words); {
		switch {
		case mayBeNothing(words[i]):
			i++
		case g.isOption(words[i].optionText()) && words[i].text != "--":
			_, i = g.option(words, i)
		default:
			_, listed := g.subcommands.find(words[i].text)
			return listed
		}
	}
	return false
}

// mayBeNothing reports whether a word that is not known is made of unquoted expansions
// alone, which are no word when they are empty.
func mayBeNothing(f field) bool {
	if f.known || f.word == nil || f.attached > 0 {
		return false
	}
	for _, part := range f.word.Parts {
		if !isSplit(part) {
			return false
		}
	}
	return true
}

// bundle reads the first word of tar, whose values are the words after it in order.
func (g *grammar) bundle(words []field) ([]option, int) {
	next := 1
	var options []option
	for _, letter := range words[0].text[1:] {
		o := option{Option: schema.Option{Name: "-" + string(letter)}, valueWord: -1}
		if a, _ := arityOf(g.options, o.Name); a == takesValue && next < len(words) {
			o.Value, o.valueWord = words[next].text, next
			next++
		}
		options = append(options, o)
	}
	return options, next
}

// behind returns the grammar of the words after a subcommand.
func (g *grammar) behind(subcommand string) *grammar {
	sub := g.subcommands.of(subcommand)
	sub.words = sub.words || g.words
	sub.abbreviates = sub.abbreviates || g.abbreviates && sub.options != ""
	if g.shared {
		sub.options += " " + g.options
	}
	return &sub
}

// get returns the last option of these names.
func (a *arguments) get(names ...string) (option, bool) {
	for i := len(a.options) - 1; i >= 0; i-- {
		if contains(names, a.options[i].Name) {
			return a.options[i], true
		}
	}
	return option{}, false
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func joinTexts(fields []field) string {
	texts := make([]string, len(fields))
	for i, f := range fields {
		texts[i] = f.text
	}
	return strings.Join(texts, " ")
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

func isAlphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// isPlainWord reports whether s means the same to a shell quoted and unquoted.
func isPlainWord(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isAlphanumeric(s[i]) && !strings.Contains("_-./:@%+,=", s[i:i+1]) {
			return false
		}
	}
	return s != ""
}
