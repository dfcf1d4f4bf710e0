package shell

import (
	"sync"

	"github.com/claudewatch/claudewatch/internal/script"
	"github.com/claudewatch/claudewatch/schema"
)

// callsOf returns the calls of a program as rules see them.
func callsOf(program *script.Program) []*schema.Call {
	calls := program.Calls()
	list := make([]*schema.Call, len(calls))
	for i, c := range calls {
		list[i] = &schema.Call{
			Name:         c.Name,
			ReadGiven:    sync.OnceValue(func() *schema.Given { return givenTo(c) }),
			ReadKeywords: c.Keywords,
		}
	}
	return list
}

// givenTo returns what a call is given. The entries of an object stand behind the
// object itself, which is an argument.
func givenTo(c script.Call) *schema.Given {
	given := &schema.Given{Literal: true, Keywords: map[string]string{}}
	for _, a := range c.Arguments() {
		given.Literal = given.Literal && a.Literal
		switch {
		case a.Name != "":
			given.Keywords[a.Name] = a.Value
		case a.Items != nil:
			for _, item := range a.Items {
				given.Args, given.Literals = append(given.Args, item.Value), append(given.Literals, item.Literal)
			}
		default:
			given.Args, given.Literals = append(given.Args, a.Value), append(given.Literals, a.Literal)
		}
	}
	if receiver, ok := c.Receiver(); ok {
		given.Receiver = receiver.Value
	}
	return given
}
