package main

import (
	"os"
	"path/filepath"

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
				return err
			}
			shipped := engine.Open(config.Environment{}, engine.Selection{})
			for name, page := range reference.Pages(shipped.RuleSets()) {
				if err := maybe.WriteFile(filepath.Join(folder, name), page, 0o644); err != nil {
					return err
				}
			}
			return nil
		},
	}
}
