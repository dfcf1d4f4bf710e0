package main

import (
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/settingsedit"
	"github.com/spf13/cobra"
)

func newDisable(std streams, env config.Environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "disable SET…",
		Short: "Switch rule sets off",
		Long: `disable switches rule sets off in settings.yaml: it takes them out of enable, and puts
those into disable that are on by default. Everything else in the file stays as it is,
comments included.`,
		ValidArgsFunction: completeSets(env),
	}
	return editSettings(std, env, cmd, settingsedit.File.Disable)
}
