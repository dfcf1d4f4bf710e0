package policy

import (
	"fmt"
	"strings"
)

const codeUnreachable = "unreachable"

// conjunctSet is what must hold for a rule to fire, each conjunct as its text.
type conjunctSet struct {
	rule  *CompiledRule
	texts map[string]bool
	// own is set when a conjunct names a variable, which means something else in
	// another set.
	own bool
}

// adviseUnreachable finds rules that say nothing new: whenever they fire, an
// earlier rule that is at least as strict does. That is so when the conjuncts of
// the earlier rule are among theirs.
func adviseUnreachable(p *Policy) []Diagnostic {
	var all []Diagnostic
	var earlier []conjunctSet
	for _, action := range []Action{Block, Ask} {
		for _, set := range p.Sets {
			for _, rule := range set.Compiled() {
				if rule.Action != action || !rule.Runs() {
					continue
				}
				c, ok := conjunctsOf(rule)
				if !ok {
					continue
				}
				for _, e := range earlier {
					if e.rule.On == rule.On && (e.rule.set == set || !e.own && !c.own) && e.impliedBy(c) {
						all = append(all, rule.warn(codeUnreachable, fmt.Sprintf(
							"whenever the rule '%s' fires, '%s/%s' (%s:%s) does: one of them is needless",
							rule.Name, e.rule.set.Name, e.rule.Name, e.rule.set.Path, e.rule.Position)))
						break
					}
				}
				earlier = append(earlier, c)
			}
		}
	}
	return all
}

func conjunctsOf(r *CompiledRule) (conjunctSet, bool) {
	c := conjunctSet{rule: r, texts: map[string]bool{}}
	for _, x := range conjuncts(r.Checked.AST.Expr()) {
		text, ok := r.Checked.unparse(x)
		if !ok {
			return c, false
		}
		c.texts[text] = true
		c.own = c.own || strings.Contains(text, variablesPrefix)
	}
	return c, true
}

// impliedBy reports whether all conjuncts of e are among those of c.
func (e conjunctSet) impliedBy(c conjunctSet) bool {
	if len(e.texts) > len(c.texts) {
		return false
	}
	for text := range e.texts {
		if !c.texts[text] {
			return false
		}
	}
	return true
}
