package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/internal/reference"
	"github.com/google/renameio/v2/maybe"
	"github.com/spf13/cobra"
)

func newDocs(std streams) *cobra.Command {
	return &cobra.Command{
		Use:   "docs [FOLDER]",
		Short: "Write the references of rules, functions and input as Markdown",
		Long:  `docs writes rules.md, functions.md and input.md of the shipped rule sets into a folder (docs by default).`,
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			folder := "docs"
			if len(args) > 0 {
				folder = args[0]
			}
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return fmt.Errorf("%w; name a folder that can be written: claudewatch docs FOLDER", err)
			}
			shipped := engine.Open(config.Environment{}, engine.Selection{})
			pages := reference.Pages(shipped.RuleSets())
			for _, name := range slices.Sorted(maps.Keys(pages)) {
				path := filepath.Join(folder, name)
				if err := maybe.WriteFile(path, pages[name], 0o644); err != nil {
					return fmt.Errorf("%s cannot be written: %w", path, err)
				}
				if _, err := fmt.Fprintf(std.out, "%s was written\n", path); err != nil {
					return err
				}
			}
			return nil
		},
	}
}
