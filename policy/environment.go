package policy

import (
	"fmt"
	"sync"

	"github.com/claudewatch/claudewatch/internal/cel"
	"github.com/claudewatch/claudewatch/predicates"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/decls"
	"github.com/google/cel-go/common/types"
)

// variablesPrefix stands in front of a set's variables where a rule reads them.
// To CEL "variables.pushes" is one qualified name, not a field of an object: a
// misspelt one is an error of the checker, and each has a type of its own.
const variablesPrefix = "variables."

// baseEnvironment returns what the rules of every set can name: the variable
// "input", what the language has, and the functions of package predicates.
var baseEnvironment = sync.OnceValues(func() (*cel.Environment, error) {
	registry, err := types.NewRegistry()
	if err != nil {
		return nil, err
	}
	return cel.New(schema.Provider{Base: registry}, predicates.Library(), decls.NewVariable("input", schema.InputType))
})

// Environment is what the expressions of one rule set can name.
type Environment struct {
	env *cel.Environment
	// Variables are the set's variables, checked, in the order of the file.
	Variables []CheckedVariable

	faulty  map[string]bool // the variables that could not be checked
	changes map[string]bool // the variables that look at input.changes
}

// CheckedVariable is a variable of a rule set with its type.
type CheckedVariable struct {
	Variable
	Checked *Checked
}

// NewEnvironment checks the variables of a set and returns the environment of its
// rules. A variable sees those before it. A faulty one is reported once; rules
// that use it are then not reported as well.
func NewEnvironment(set *RuleSet) (*Environment, []Diagnostic) {
	base, err := baseEnvironment()
	if err != nil {
		return nil, []Diagnostic{set.source.diagnostic(Fault, codeCEL, Position{}, 1, fmt.Sprintf("the CEL environment cannot be made: %v", err))}
	}
	e := &Environment{env: base, faulty: map[string]bool{}, changes: map[string]bool{}}
	var diagnostics []Diagnostic
	for _, v := range set.Variables {
		declared := types.DynType
		checked, found := e.CheckScalar(v.Expression)
		diagnostics = append(diagnostics, found...)
		if checked != nil {
			declared = checked.outputType()
			e.Variables = append(e.Variables, CheckedVariable{v, checked})
			e.changes[v.Name] = len(e.lookingAtChanges(checked)) > 0
		} else {
			e.faulty[v.Name] = true
		}
		extended, err := e.env.With(decls.NewVariable(variablesPrefix+v.Name, declared))
		if err != nil {
			diagnostics = append(diagnostics, set.source.diagnostic(Fault, codeCEL, v.Position, runeCount(v.Name), err.Error()))
			continue
		}
		e.env = extended
	}
	return e, diagnostics
}
