package shell

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/claudewatch/claudewatch/internal/lazyregexp"
)

// makefileTexts returns the shell texts of makefile text: recipes and $(shell …).
func makefileTexts(text string) []nested {
	var inner []nested
	for _, found := range makeCommand.Compiled().FindAllStringSubmatch(text, maxRounds) {
		recipe := strings.TrimLeft(found[1]+found[2]+found[3], "@-+ \t")
		inner = append(inner, nested{code: &code{text: strings.ReplaceAll(recipe, "$$", "$")}})
	}
	return inner
}

var makeCommand = lazyregexp.Pattern(`(?m)^\t(.+)$|\$\(shell\s+([^()]*)\)|^[^\t#=\n][^=\n]*:[^=\n;]*;(.+)$`)

// carriedByMake returns what make runs of the makefile text that it is given.
func (w *walk) carriedByMake(c *call, args arguments) []nested {
	var inner []nested
	for _, o := range args.options {
		if o.Name == "--eval" || o.Name == "-E" {
			inner = append(inner, makefileTexts(o.Value)...)
		}
	}
	for _, text := range w.givenTexts(c, args, "-f --file --makefile", "-C --directory", "GNUmakefile", "makefile", "Makefile") {
		inner = append(inner, makefileTexts(text)...)
	}
	return w.once(inner, "make -f")
}

// once gives texts a name, and returns none within texts of that name: a recipe that runs
// make would be read again within itself without an end.
func (w *walk) once(inner []nested, name string) []nested {
	if contains(w.expanding, name) {
		return nil
	}
	for i := range inner {
		inner[i].named = name
	}
	return inner
}

// givenTexts returns the texts, as far as they are known, of the files that options name,
// or else of that with one of the names in the directory that another option names.
func (w *walk) givenTexts(c *call, args arguments, files, dirs string, names ...string) []string {
	words := c.words[1:]
	var texts []string
	env, named := c.env.fork(), false
	for _, o := range args.options {
		if isListed(dirs, o.Name) {
			f := optionField(words, o.Index, o)
			env.dir = join(env.dir, located(&f))
		}
	}
	for _, o := range args.options {
		if !isListed(files, o.Name) {
			continue
		}
		named = true
		f := optionField(words, o.Index, o)
		text := c.place.input
		if !isInput(f.text) { // counts from the directory to make, not to just
			text = cmp.Or(w.textOfFile(f, env), w.textOfFile(f, c.env))
		}
		if text != nil {
			texts = append(texts, text.text)
		}
	}
	if named {
		return texts
	}
	for _, name := range names {
		if text := w.textOfFile(literalField(name), env); text != nil {
			return []string{text.text}
		}
	}
	return nil
}

// carriedByJust returns what just runs of the file that it is given: the lines of
// recipes, which begin with blanks.
func (w *walk) carriedByJust(c *call, args arguments) []nested {
	var inner []nested
	for _, text := range w.givenTexts(c, args, "-f --justfile", "-d --working-directory", "justfile", ".justfile", "Justfile") {
		for line := range strings.SplitSeq(text, "\n") {
			if recipe := strings.TrimLeft(line, " \t"); recipe != line && len(inner) < maxRounds {
				inner = append(inner, nested{code: &code{text: strings.TrimLeft(recipe, "@-")}})
			}
		}
	}
	return w.once(inner, "just -f")
}

// carriedByScripts returns the scripts of a package.json that the same text writes, as far
// as npm and its like run them.
func (w *walk) carriedByScripts(c *call, args arguments) []nested {
	words := c.words[1:]
	if len(args.operands) == 0 {
		return nil
	}
	name := words[args.operands[0]].text
	switch name {
	case "run", "run-script":
		if len(args.operands) < 2 {
			return nil
		}
		name = words[args.operands[1]].text
	case "t", "tst":
		name = "test"
	case "i", "ci", "add":
		name = "install"
	}
	var inner []nested
	for _, text := range w.givenTexts(c, args, "", "-C --prefix --cwd --dir", "package.json") {
		var file struct{ Scripts map[string]string }
		if json.Unmarshal([]byte(text), &file) != nil {
			continue
		}
		for _, script := range []string{"pre" + name, name, "post" + name} {
			if text := file.Scripts[script]; text != "" {
				inner = append(inner, nested{code: &code{text: text}})
			}
		}
	}
	return w.once(inner, "npm run "+name)
}
