package policy

import (
	"fmt"

	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
)

const (
	codeCost = "cost"

	// costBudget is the most an expression may be estimated to cost on a large call,
	// in CEL's units, of which a step is one. A loop over the words of two commands
	// each for all commands costs more; a regex over a source file costs less.
	costBudget = 10_000_000
)

// adviseCost finds expressions that may take long: loops inside loops.
func adviseCost(r *CompiledRule) []Diagnostic {
	estimate, err := checker.Cost(r.Checked.AST, sizes{})
	if err != nil || estimate.Max <= costBudget {
		return nil
	}
	at := r.warn(codeCost, fmt.Sprintf("the rule '%s' may cost %d steps on a large call, more than %d: avoid loops inside loops", r.Name, estimate.Max, costBudget))
	if r.When != nil {
		d := r.When.diagnostic(Warning, codeCost, 0, 1, at.Message)
		return []Diagnostic{d}
	}
	return []Diagnostic{at}
}

// sizes tells the cost estimator how large the fields of a large but real call are:
// the most commands of a script of one screen, a long command line, a source file.
type sizes struct{}

var fieldSizes = map[string]uint64{
	"commands": 50, "reads": 50, "writes": 50, "git": 20, "changes": 200, "updates": 4, "scripts": 4, "args": 40, "operands": 40, "flags": 20, "wrappers": 4, "env": 8, "expands": 16, "redirects": 4,
	"calls": 100, "imports": 20, "keywords": 8, "literals": 8, "receiver": 60, "name": 40,
	"command": 4_000, "content": 20_000, "text": 1_000, "source": 1_000, "path": 200, "dir": 200, "cwd": 200, "project_dir": 200, "home": 100,
}

// elementSizes are the sizes of lists that are no field, by what they hold: those of
// the fields that such lists are made of.
var elementSizes = map[string]uint64{"Command": 50, "Script": 4, "Call": 8, "Target": 50, "Change": 200, "GitOp": 20, "string": 40}

// otherSize is the size of everything else: words and names.
const otherSize = 100

// EstimateSize implements checker.CostEstimator.
func (sizes) EstimateSize(node checker.AstNode) *checker.SizeEstimate {
	size := uint64(otherSize)
	if t := node.Type(); t.Kind() == types.ListKind && len(t.Parameters()) == 1 {
		if s, ok := elementSizes[t.Parameters()[0].TypeName()]; ok {
			size = s
		}
	}
	if path := node.Path(); len(path) > 0 {
		if s, ok := fieldSizes[path[len(path)-1]]; ok {
			size = s
		}
	}
	return &checker.SizeEstimate{Min: 0, Max: size}
}

// listSizes are the sizes of the lists that functions return: the calls of a few
// names in a script.
var listSizes = map[string]uint64{"calls_to": 8, "calls_with": 8}

// EstimateCallCost implements checker.CostEstimator. A regex takes time linear in
// the text, whatever its own length, and so do the functions of the language's
// extensions, but for those that compare each element of a list with the others.
// Other calls cost what cel-go says, which knows nothing of the sizes that
// functions of this module return.
func (e sizes) EstimateCallCost(function, _ string, target *checker.AstNode, args []checker.AstNode) *checker.CallEstimate {
	if size, ok := listSizes[function]; ok {
		return callCost(atMost(fieldSizes["calls"]), atMost(size))
	}
	if target == nil && function == "matches" && len(args) > 0 {
		target = &args[0]
	}
	if target == nil {
		return nil
	}
	size := e.sizeOf(*target)
	switch function {
	case "matches":
		return &checker.CallEstimate{CostEstimate: checker.CostEstimate{Min: 1, Max: size.Max}}
	case "split", "slice", "flatten", "replace", "substring", "lowerAscii", "upperAscii", "trim", "reverse":
		return callCost(size, size)
	case "sort", "@sortByAssociatedKeys", "distinct":
		return callCost(size.Multiply(size), size)
	case "join":
		size = size.Multiply(atMost(otherSize))
		return callCost(size, size)
	}
	return nil
}

// callCost is the estimate of a call with what it returns.
func callCost(cost, size checker.SizeEstimate) *checker.CallEstimate {
	return &checker.CallEstimate{CostEstimate: checker.CostEstimate{Min: 1, Max: cost.Max}, ResultSize: &size}
}

func atMost(size uint64) checker.SizeEstimate { return checker.SizeEstimate{Min: 0, Max: size} }

func (e sizes) sizeOf(node checker.AstNode) checker.SizeEstimate {
	if size := node.ComputedSize(); size != nil {
		return *size
	}
	return *e.EstimateSize(node)
}
