package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/claudewatch/claudewatch/internal/suggest"
	"github.com/claudewatch/claudewatch/predicates"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/spf13/cobra"
)

func newFunctions(std streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "functions [NAME…]",
		Short: "Print the CEL functions, with types and docs",
		RunE: func(_ *cobra.Command, names []string) error {
			functions, err := functionsNamed(names)
			if err != nil {
				fmt.Fprintf(std.err, "claudewatch: %v\n", err)
				return exitStatus(exitFindings)
			}
			if asJSON {
				return writeJSON(std.out, functionReference(functions))
			}
			for i, f := range functions {
				if i > 0 {
					fmt.Fprintln(std.out)
				}
				printFunction(std.out, f)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// functionsNamed returns the functions with these names, all for no names.
func functionsNamed(names []string) ([]predicates.Function, error) {
	all := predicates.Functions()
	if len(names) == 0 {
		return all, nil
	}
	var known []string
	for _, f := range all {
		known = append(known, f.Name)
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			return nil, fmt.Errorf("there is no function %q%s; claudewatch functions prints them", n, suggest.Hint(n, known))
		}
	}
	return slices.DeleteFunc(all, func(f predicates.Function) bool { return !slices.Contains(names, f.Name) }), nil
}

// functionJSON is a function as `functions --json` prints it.
type functionJSON struct {
	Name       string   `json:"name"`
	Signatures []string `json:"signatures"`
	Doc        string   `json:"doc"`
	Example    string   `json:"example,omitempty"`
}

func functionReference(functions []predicates.Function) []functionJSON {
	list := make([]functionJSON, 0, len(functions))
	for _, f := range functions {
		j := functionJSON{Name: f.Name, Doc: f.Doc, Example: f.Example}
		for _, o := range f.Overloads {
			j.Signatures = append(j.Signatures, o.Signature)
		}
		list = append(list, j)
	}
	return list
}

func printFunction(w io.Writer, f predicates.Function) {
	for _, o := range f.Overloads {
		fmt.Fprintln(w, o.Signature)
	}
	fmt.Fprintln(w, indent(wrap(f.Doc, 76), "    "))
	if f.Example != "" {
		fmt.Fprintf(w, "    example: %s\n", f.Example)
	}
}

func newInput(std streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "input [TYPE…]",
		Short: "Print the fields of input, with types and docs",
		RunE: func(_ *cobra.Command, names []string) error {
			types, err := typesNamed(names)
			if err != nil {
				fmt.Fprintf(std.err, "claudewatch: %v\n", err)
				return exitStatus(exitFindings)
			}
			if asJSON {
				return writeJSON(std.out, types)
			}
			for i, t := range types {
				if i > 0 {
					fmt.Fprintln(std.out)
				}
				fmt.Fprintf(std.out, "%s: %s\n", t.Name, t.Doc)
				w := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
				for _, f := range t.Fields {
					fmt.Fprintf(w, "  %s\t%s\t%s\n", f.Name, f.Type, f.Doc)
				}
				if err := w.Flush(); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// typeReference is one object type as `claudewatch input` prints it.
type typeReference struct {
	Name   string          `json:"name"`
	Doc    string          `json:"doc"`
	Fields []nameReference `json:"fields"`
}

type nameReference struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Doc  string `json:"doc"`
}

// typesNamed returns the object types with these names, all for no names.
func typesNamed(names []string) ([]typeReference, error) {
	all := fieldReference()
	if len(names) == 0 {
		return all, nil
	}
	var known []string
	for _, t := range all {
		known = append(known, t.Name)
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			return nil, fmt.Errorf("there is no type %q%s; claudewatch input prints them", n, suggest.Hint(n, known))
		}
	}
	return slices.DeleteFunc(all, func(t typeReference) bool { return !slices.Contains(names, t.Name) }), nil
}

func fieldReference() []typeReference {
	var types []typeReference
	for _, t := range schema.ObjectTypes() {
		r := typeReference{Name: t.Type.TypeName(), Doc: t.Doc}
		for _, f := range t.Fields {
			r.Fields = append(r.Fields, nameReference{f.Name, f.Type.String(), f.Doc})
		}
		types = append(types, r)
	}
	return types
}
