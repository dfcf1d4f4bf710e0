package shell

import (
	"github.com/claudewatch/claudewatch/internal/script"
	"github.com/claudewatch/claudewatch/schema"
)

// ReadPowerShell says what a PowerShell text would run: the text is a script, and
// the simple commands in it are listed as far as they can be read.
func ReadPowerShell(text string, ctx Context) *schema.Effects {
	r := newReader(ctx)
	r.effects.Command = text
	if len(text) > maxTextBytes {
		return unreadable(text)
	}
	w := &walk{reader: r, text: text}
	w.script(&code{text: text}, script.PowerShell, newEnvironment(ctx.Dir), place{})
	r.effects.Compound = len(script.Statements(text)) > 1
	return r.effects
}

// powershell lists the simple commands of a PowerShell text.
func (w *walk) powershell(text string, env *environment, p place) {
	statements := script.Statements(text)
	programs := make([]string, len(statements))
	for i, s := range statements {
		if len(s.Words) > 0 {
			programs[i] = programName(literalField(s.Words[0]))
		}
	}
	for _, s := range statements {
		if len(s.Words) == 0 {
			continue
		}
		at := p
		if s.PipedFrom >= 0 && s.PipedFrom < len(programs) {
			at.pipedFrom = programs[s.PipedFrom]
		}
		if s.PipedTo >= 0 && s.PipedTo < len(programs) {
			at.pipedTo = programs[s.PipedTo]
		}
		words := make([]field, len(s.Words))
		for j, word := range s.Words {
			words[j] = literalField(word)
		}
		w.cmdletRedirects(s, env, at)
		w.run(&call{words: words, source: s.Source, redirects: s.Redirects, expands: s.Expands, env: env, place: at, cmdlet: true})
		w.cmdletLocation(s, text, env)
	}
}
