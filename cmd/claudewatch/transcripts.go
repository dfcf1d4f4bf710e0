package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/corpus"
	"github.com/claudewatch/claudewatch/internal/progress"
	"github.com/claudewatch/claudewatch/internal/transcript"
	"github.com/spf13/cobra"
)

func newTranscripts(std streams, env config.Environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "transcripts",
		Short: "Read the transcripts of past sessions",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newBlocks(std, env), newReplay(std, env))
	return cmd
}

func newBlocks(std streams, env config.Environment) *cobra.Command {
	return &cobra.Command{
		Use:   "blocks [PATH…]",
		Short: "Print the calls that a hook blocked, as entries of a corpus",
		Long: `blocks prints the tool calls that a hook really blocked, one JSON object a line in
the format of a corpus. The paths are transcripts or folders of them, by default
those of Claude Code under the home directory.`,
		RunE: func(_ *cobra.Command, paths []string) error {
			encoder := json.NewEncoder(std.out)
			encoder.SetEscapeHTML(false)
			entries := corpus.NewExtract()
			return walkTranscripts(std, env, paths, nil, func(c *transcript.Call) error {
				block, ok := transcript.Blocked(c.Result)
				if !ok {
					return nil
				}
				return encoder.Encode(entries.Entry(c, block))
			})
		},
	}
}

// walkTranscripts calls each for every call of the transcripts at paths. What could
// not be read is said on stderr at the end and makes the exit status that of a
// usage error; the rest has been read. The bar, which may be nil, counts bytes.
func walkTranscripts(std streams, env config.Environment, paths []string, bar *progress.Bar, each func(*transcript.Call) error) error {
	if len(paths) == 0 {
		if env.Home == "" && env.ClaudeConfig == "" {
			return fmt.Errorf("the home directory is not known: set HOME, or give the paths of transcripts")
		}
		paths = []string{filepath.Join(claudeDirectory(env), "projects")}
	}
	files, unreadable := transcript.Files(paths)
	var total int64
	for _, f := range files {
		total += f.Size
	}
	bar.Start(total)
	skipped, err := transcript.Walk(files, bar.Advance, each)
	bar.Clear()
	if skipped.Lines > 0 {
		fmt.Fprintf(std.err, "claudewatch: %s:%d: not JSON, or too long; %s of the transcripts could not be read and had to be passed over\n",
			whole(skipped.Path), skipped.Line, plural(skipped.Lines, "line"))
	}
	if unreadable == nil {
		return err
	}
	if err != nil {
		fmt.Fprintf(std.err, "claudewatch: %v\n", err)
	}
	return fmt.Errorf("%w; give paths of transcripts or of folders of them", unreadable)
}
