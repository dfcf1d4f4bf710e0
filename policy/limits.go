package policy

import (
	"errors"
	"time"
)

// A hook that Claude Code gives up on lets the call through, after ten seconds in
// the configuration that is shipped. These bounds keep a rule that never ends from
// taking the others with it: what is not decided in time counts as a match, like
// any other error of an expression. Ordinary rules take microseconds.
const (
	// ruleLimit bounds one rule, with the variables that it is the first to use.
	ruleLimit = time.Second
	// callLimit bounds all rules of a call.
	callLimit = 4 * time.Second
	// interruptFrequency is how many steps of a loop pass between looks at the clock.
	interruptFrequency = 256
)

var (
	errRuleLimit = errors.New("it takes more than " + ruleLimit.String() + ", which is the limit: avoid loops inside loops")
	errCallLimit = errors.New("all rules together take more than " + callLimit.String() + ", which is the limit")
)
