package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version and commit are set by release builds:
// -ldflags "-X main.version=v1.2.3 -X main.commit=0123456789abcdef".
var version, commit string

func newVersion(std streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return writeJSON(std.out, versionJSON{buildVersion(), commit, runtime.Version(), runtime.GOOS, runtime.GOARCH})
			}
			of := ""
			if commit != "" {
				of = " (" + commit[:min(commitWidth, len(commit))] + ")"
			}
			_, err := fmt.Fprintf(std.out, "claudewatch %s%s %s %s/%s\n", buildVersion(), of, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// versionJSON is what `version --json` prints. Commit is that of a release, else the
// version tells it.
type versionJSON struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

// commitWidth is how many digits of a commit are shown.
const commitWidth = 12

// buildVersion is the release's version, else what the build recorded: the
// module version, or the commit and whether the tree was changed.
func buildVersion() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	revision, modified := "(devel)", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(commitWidth, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = "-modified"
		}
	}
	return revision + modified
}
