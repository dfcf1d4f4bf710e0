package shell

import (
	"encoding/base64"
	"path"
	"strings"
	"sync"
	"unicode/utf16"

	"github.com/claudewatch/claudewatch/internal/script"
	"github.com/claudewatch/claudewatch/schema"
	"mvdan.cc/sh/v3/syntax"
)

// interpreter says which of an interpreter's arguments hold code.
type interpreter struct {
	// code names the options whose value is code; several are joined by newlines.
	code string
	// rest names the options behind which all words are code (pwsh -Command).
	rest string
	// encoded names the options whose value is base64 of UTF-16.
	encoded string
	// modules names the options that run a module as a program (python -m).
	modules string
	// subcommand is the one whose operand is code (deno eval).
	subcommand string
	// file names the options with which it runs a file or nothing, never its input.
	file string
}

// interpreters is keyed by language.
var interpreters = table[interpreter]{
	{script.Python, interpreter{code: "-c", modules: "-m", file: "-V --version -h --help"}},
	{script.Node, interpreter{code: "-e -p -pe --eval --print", subcommand: "eval", file: "-v --version -h --help -c --check --test"}},
	{script.Ruby, interpreter{code: "-e", file: "-v --version -h --help"}},
	{script.Perl, interpreter{code: "-e -E", file: "-v --version -h"}},
	{script.PHP, interpreter{code: "-r -B -R -E --run --process-code", file: "-v --version -i -m -f -S"}},
	{script.PowerShell, interpreter{rest: "-c -Command -command", encoded: "-e -ec -enc -EncodedCommand -encodedcommand", file: "-File -file -f -Version -version --version -Help"}},
}

// carriedByInterpreter returns the code that an interpreter is given.
func (w *walk) carriedByInterpreter(c *call, args arguments, language string) []nested {
	words := c.words[1:]
	of := interpreters.of(language)
	var parts []field
	for _, o := range args.options {
		switch {
		case isListed(of.code, o.Name):
			parts = append(parts, optionField(words, o.Index, o))
		case isListed(of.modules, o.Name) && o.valueWord >= 0:
			return []nested{{command: words[o.valueWord:]}}
		case isListed(of.modules, o.Name):
			command := append([]field{literalField(o.Value)}, words[o.Index+1:]...)
			return []nested{{command: command}}
		case isListed(of.rest, o.Name) && o.valueWord >= 0:
			if rest := words[o.valueWord:]; rest[0].text != "-" {
				return []nested{{code: w.join(rest, c.env), words: rest, language: language}}
			}
			return w.inputText(c, language)
		case isListed(of.encoded, o.Name):
			if text, ok := decodePowerShell(o.Value); ok {
				return []nested{{code: &code{text: text}, language: language}}
			}
		}
	}
	if len(parts) > 0 {
		whole := &code{}
		for i, f := range parts {
			separator := "\n"
			if i == 0 {
				separator = ""
			}
			whole.append(separator, w.code(f, c.env))
		}
		return []nested{{code: whole, words: parts, language: language}}
	}
	for _, o := range args.options {
		switch {
		case isListed(of.file, o.Name) && language == script.PowerShell && o.Value == "-":
			return w.inputText(c, language)
		case isListed(of.file, o.Name):
			return nil
		}
	}
	operands := args.operands
	if of.subcommand != "" && args.subcommand == of.subcommand && len(operands) > 1 {
		f := words[operands[1]]
		return []nested{{code: w.code(f, c.env), words: []field{f}, language: language}}
	}
	if len(operands) == 0 {
		return w.inputText(c, language)
	}
	f := words[operands[0]]
	if language == script.PowerShell && !strings.HasSuffix(strings.ToLower(f.text), ".ps1") && f.text != "-" {
		return []nested{{code: w.join(words[operands[0]:], c.env), words: words[operands[0]:], language: language}}
	}
	return w.fileText(c, f, language, false)
}

// decodePowerShell decodes the value of -EncodedCommand.
// https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_pwsh
func decodePowerShell(value string) (string, bool) {
	raw, err := base64.StdEncoding.DecodeString(value)
	if err != nil || len(raw)%2 != 0 {
		return "", false
	}
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = uint16(raw[2*i]) | uint16(raw[2*i+1])<<8
	}
	return string(utf16.Decode(units)), true
}

// script lists a script that a command runs, and the commands it would start.
func (w *walk) script(c *code, language string, env *environment, p place) {
	if c == nil {
		return
	}
	source := "argument"
	if c.heredoc {
		source = "heredoc"
	}
	program := script.Read(language, c.text)
	w.addScript(newScript(program, c.text, language, script.Extension(language), source, w.context))
	if language == script.PowerShell {
		w.powershell(c.text, env, p)
	}
	p.quoted = true // what a script starts does not make the call compound
	for _, text := range program.ShellTexts() {
		w.read(&code{text: text}, env.process(nil), p, "")
	}
}

func (r *reader) addScript(s *schema.Script) {
	if len(r.effects.Scripts) >= maxCommands {
		r.effects.Parsed = false
		return
	}
	r.effects.Scripts = append(r.effects.Scripts, s)
}

// ScriptOf returns the script that a file's content is. The language is told by
// the extension (with its dot, in lower case), or else by a #! line; source is
// "file", "heredoc" or "argument".
func ScriptOf(content, extension, source string, ctx Context) *schema.Script {
	language := script.LanguageOf(extension, content)
	if extension == "" {
		extension = script.Extension(language)
	}
	return newScript(script.Read(language, content), content, language, extension, source, ctx)
}

func newScript(program *script.Program, content, language, extension, source string, ctx Context) *schema.Script {
	return &schema.Script{
		Language: language, Content: content, Extension: extension, Source: source,
		ReadCommands: sync.OnceValue(func() []*schema.Command { return commandsOfScript(program, content, language, ctx) }),
		ReadCalls:    sync.OnceValue(func() []*schema.Call { return callsOf(program) }),
		ReadImports:  sync.OnceValue(program.Imports),
	}
}

// commandsOfScript returns the commands that code would run.
func commandsOfScript(program *script.Program, content, language string, ctx Context) []*schema.Command {
	ctx.Dir = "" // nobody knows where a script will run
	switch language {
	case script.Shell:
		ctx.script = true
		return Read(content, ctx).Commands
	case "":
		return nil
	}
	r := newReader(ctx)
	w := &walk{reader: r}
	env := newEnvironment("")
	if language == script.PowerShell {
		w.powershell(content, env, place{})
	}
	for _, text := range program.ShellTexts() {
		w.read(&code{text: text}, env.process(nil), place{}, "")
	}
	return r.effects.Commands
}

// writtenScript lists the script that a statement writes: literal text that is
// redirected into a file with the extension of a known language.
func (w *walk) writtenScript(stmt *syntax.Stmt, redirects []string, env *environment, p place) {
	for _, r := range stmt.Redirs {
		if !writesOutput(r) || r.Op == syntax.DplOut {
			continue
		}
		extension := scriptExtension(w.word(r.Word, env))
		if extension == "" {
			continue
		}
		w.writes(w.redirected(stmt, env, p), extension)
	}
}

// teed lists the scripts that tee writes.
func (w *walk) teed(c *call, cmd *schema.Command, args arguments) {
	if cmd.Program != "tee" {
		return
	}
	_, more := args.get("-a", "--append")
	for _, i := range args.operands {
		f := c.words[1+i]
		if extension := scriptExtension(f); extension != "" {
			w.writes(c.place.input, extension)
		}
		if name := join(c.env.dir, located(&f)); name != "" {
			w.keep(c.env, name, c.place.input, more)
		}
	}
}

// writes lists literal text that is written to a script file.
func (w *walk) writes(c *code, extension string) {
	if c == nil || c.text == "" {
		return
	}
	source := "argument"
	if c.heredoc {
		source = "heredoc"
	}
	w.addScript(ScriptOf(c.text, extension, source, w.context))
}

// scriptExtension returns the extension of a file name when it is that of a
// language, else "".
func scriptExtension(f field) string {
	extension := strings.ToLower(path.Ext(f.text))
	if strings.ContainsAny(extension, "\"'$`") || script.LanguageOf(extension, "") == "" {
		return ""
	}
	return extension
}
