package policy

import "crypto/sha256"

// packedExpression is an expression of a rule file in the form in which an image holds
// it (wire_ast.go): a tenth of the memory, and nothing to do when it is stored.
type packedExpression struct {
	content string
	// check checks the expression of the rule file once more, for its places and types.
	check func() *Checked
}

// packed returns an expression packed, and as it is when that cannot be done.
func packed(c *Checked, check func() *Checked) *Checked {
	if c == nil {
		return nil
	}
	content, err := encodeAST(c.AST)
	if err != nil {
		return c
	}
	return &Checked{Lowered: c.Lowered, packed: &packedExpression{string(content), check}}
}

// content returns the expression in the form of an image.
func (c *Checked) content() ([]byte, error) {
	switch {
	case c.AST != nil:
		return encodeAST(c.AST)
	case c.packed != nil:
		return []byte(c.packed.content), nil
	}
	content, err := c.stored.unit.image.read(c.stored.at)
	return []byte(content), err
}

// packing is how the rules of a unit are compiled that will be stored.
type packing struct {
	earlier *Unit                // nil when there is none
	rules   map[string]*ruleHead // of earlier, by their identity
	set     string               // what the rules of the set share, in their identities
}

// identitySize is the length of an identity.
const identitySize = 16

// newPacking prepares to take rules from an earlier unit, nil when there is none. It
// is to be called when the variables of u are known.
func newPacking(u, earlier *Unit) *packing {
	var w writer
	for _, v := range u.environment.Variables {
		w.string(v.Name)
		w.string(v.Expression.Text)
	}
	p := &packing{set: string(w.bytes)}
	if earlier == nil || earlier.image == nil {
		return p
	}
	identities, err := earlier.image.read(earlier.image.identities)
	if err != nil || len(identities) != earlier.image.count*identitySize {
		return p
	}
	p.earlier, p.rules = earlier, make(map[string]*ruleHead, earlier.image.count)
	for i, h := range earlier.heads {
		if identity := identities[i*identitySize:][:identitySize]; identity != noIdentity {
			head := *h
			p.rules[identity] = &head
		}
	}
	return p
}

// noIdentity is stored for a rule that has none.
const noIdentity = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// identity tells expressions of a set that check alike from others: two rules have the
// same one only if everything that checking them looks at is the same. What a rule
// looks like besides, its place and its texts, is not part of it.
func (p *packing) identity(lowered *Lowered, r *Rule) string {
	var w writer
	w.string(p.set)
	w.int(int(r.On))
	w.int(int(r.Target))
	w.string(lowered.Text)
	for _, part := range lowered.Parts {
		w.string(string(part.Kind))
		w.int(part.Start)
		w.int(part.End)
		w.bool(part.Verbatim)
	}
	if r.Message != nil {
		w.string(r.Message.Text)
	}
	sum := sha256.Sum256(w.bytes)
	return string(sum[:identitySize])
}

// take gives a rule what the earlier unit has of one with its identity, and reports
// whether there is such a rule, undamaged.
func (p *packing) take(r *unitRule, lowered *Lowered, environment *Environment) bool {
	head := p.rules[r.identity]
	if head == nil {
		return false
	}
	content, err := p.earlier.image.readBody(head)
	if err != nil {
		return false
	}
	body, err := p.earlier.decodeBody(content, 0, head)
	if err != nil || body.checked == nil || (body.message == nil) != (r.rule.Message == nil) {
		return false
	}
	expression, err := body.checked.content()
	if err != nil {
		return false
	}
	if body.message != nil {
		message, err := body.message.content()
		if err != nil {
			return false
		}
		r.message = &Checked{Lowered: wholeScalar(r.rule.Message), packed: &packedExpression{string(message), r.checkMessage(environment)}}
	}
	r.checked = &Checked{Lowered: lowered, packed: &packedExpression{string(expression), r.checkRule(environment, lowered)}}
	r.checks, r.needs = true, head.needs
	return true
}

// pack packs the expressions of a compiled rule.
func (r *unitRule) pack(lowered *Lowered, environment *Environment) {
	r.checked = packed(r.checked, r.checkRule(environment, lowered))
	r.message = packed(r.message, r.checkMessage(environment))
}

func (r *unitRule) checkRule(environment *Environment, lowered *Lowered) func() *Checked {
	return func() *Checked {
		c, _ := environment.Check(lowered)
		return c
	}
}

func (r *unitRule) checkMessage(environment *Environment) func() *Checked {
	return func() *Checked {
		c, _ := environment.CheckMessage(r.rule.Message)
		return c
	}
}
