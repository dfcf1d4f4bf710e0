package policy

import (
	"fmt"
	"regexp"
	"sync"

	"github.com/claudewatch/claudewatch/internal/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
)

// planned is a program that is planned at its first use, once.
type planned struct {
	once    sync.Once
	program *cel.Program
	err     error
}

// get plans the program of a checked expression. tracked says that the program
// records the values of sub-expressions; it evaluates the same nodes either way.
func (p *planned) get(e *cel.Environment, checked *Checked, tracked bool) (*cel.Program, error) {
	p.once.Do(func() {
		defer func() {
			if r := recover(); r != nil {
				p.err = fmt.Errorf("the expression cannot be planned: %v", r)
			}
		}()
		options := []interpreter.PlannerOption{sharedRegexes()}
		if tracked {
			options = append(options, interpreter.EvalStateObserver())
		}
		tree, err := checked.tree()
		if err != nil {
			p.err = err
			return
		}
		p.program, p.err = e.Plan(tree, options...)
	})
	return p.program, p.err
}

// sharedRegexes plan a constant regex to one that is compiled once in the process,
// however many rules have it, and when a text first comes to it: the rules of a set
// share its filter, and of several regexes about a text the first often decides.
var sharedRegexes = sync.OnceValue(func() interpreter.PlannerOption {
	return interpreter.CompileRegexConstants(
		&interpreter.RegexOptimization{Function: "matches", OverloadID: "matches", RegexIndex: 1, Factory: planRegex},
		&interpreter.RegexOptimization{Function: "matches", OverloadID: "matches_string", RegexIndex: 1, Factory: planRegex},
	)
})

func planRegex(call interpreter.InterpretableCall, pattern string) (interpreter.InterpretableCall, error) {
	compiled := compiledRegexes.of(pattern)
	return interpreter.NewCall(call.ID(), call.Function(), call.OverloadID(), call.Args(), func(values ...ref.Val) ref.Val {
		if len(values) != 2 {
			return types.NoSuchOverloadErr()
		}
		text, ok := values[0].(types.String)
		if !ok {
			return types.MaybeNoSuchOverloadErr(values[0])
		}
		re, err := compiled()
		if err != nil {
			return types.WrapErr(err)
		}
		return types.Bool(re.MatchString(string(text)))
	}), nil
}

// regexCache keeps compiled regexes. It grows with the constants of the rule files
// of the process and with nothing else.
type regexCache struct {
	mu  sync.Mutex
	all map[string]func() (*regexp.Regexp, error)
}

var compiledRegexes regexCache

// of returns what compiles a regex at its first call.
func (c *regexCache) of(pattern string) func() (*regexp.Regexp, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil {
		c.all = map[string]func() (*regexp.Regexp, error){}
	}
	if c.all[pattern] == nil {
		c.all[pattern] = sync.OnceValues(func() (*regexp.Regexp, error) { return regexp.Compile(pattern) })
	}
	return c.all[pattern]
}

func (c *regexCache) get(pattern string) (*regexp.Regexp, error) { return c.of(pattern)() }
