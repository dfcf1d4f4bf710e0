package main

import (
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/install"
	"github.com/spf13/cobra"
)

func newUninstall(std streams, env config.Environment) *cobra.Command {
	return newSettingsCommand(std, env, &cobra.Command{
		Use:   "uninstall",
		Short: "Take the hooks out of the settings of Claude Code",
		Long: `uninstall takes the hooks of claudewatch out of a settings.json of Claude Code,
and nothing else: hooks of others stay. A file that has not been changed since the
install is afterwards what it was before it, byte for byte.`,
	}, func(f *install.File, dry bool) (*install.Result, string, error) {
		result, err := f.Uninstall(dry)
		return result, "", err
	})
}
