package policy

import (
	"errors"
	"fmt"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
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
)

// maxVariableSize bounds the value of a variable, in bytes of a string and entries
// of a list or map: variables that double each other would fill the memory.
const maxVariableSize = 64 << 20

var (
	errVariableSize = fmt.Errorf("its value is larger than %d, which is the limit", maxVariableSize)
	errRuleLimit    = errors.New("it takes more than " + ruleLimit.String() + ", which is the limit: avoid loops inside loops")
	errCallLimit    = errors.New("all rules together take more than " + callLimit.String() + ", which is the limit: avoid loops inside loops")
)

// sizeOf returns the bytes of a string and the entries of a list or map, else 1.
func sizeOf(value ref.Val) int64 {
	if text, ok := value.(types.String); ok {
		return int64(len(text))
	}
	if sizer, ok := value.(traits.Sizer); ok {
		if n, ok := sizer.Size().(types.Int); ok {
			return int64(n)
		}
	}
	return 1
}
