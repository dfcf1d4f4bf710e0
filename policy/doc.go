// Package policy turns rule files into programs and programs into decisions.
//
// The steps stand apart, one file each, and each can be tested without the next:
//
//	Load      YAML to a RuleSet, every value with its place in the file
//	lower     one rule to the text of one CEL expression, with a map back to the file
//	Check     the text to a typed expression (cel.Ast)
//	plan      the typed expression to a program, at its first evaluation
//	Evaluate  the programs of a Policy over one call to an Outcome
//	Decide    an Outcome to a Decision
//
// CompileUnit runs the first three over one file, and Link makes a policy of units
// and of what settings say. EncodeUnits and DecodeUnits store units and read them
// back (image.go); what a call must have for a rule to match is derived from the
// typed expression and stored with it (prefilter.go), so that Evaluate plans few.
// The package knows nothing of hooks, of the shell, or of where rule files come from.
package policy
