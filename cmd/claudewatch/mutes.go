package main

import (
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/mute"
	"github.com/spf13/cobra"
)

// mutedJSON is one mute as `mutes --json` prints it.
type mutedJSON struct {
	Session string    `json:"session"`
	Rule    string    `json:"rule"`
	Since   time.Time `json:"since"`
	// Without says why the mute has no effect, "" when it has one.
	Without string `json:"without_effect,omitempty"`
}

func newMutes(std streams, env config.Environment) *cobra.Command {
	var session string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "mutes",
		Short: "List what is muted, in which session",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			store := mute.Store{Directory: env.Mutes()}
			store.Clean(time.Now())
			sessions, problem := store.All()
			sets := loadedSets(env)
			muted := []mutedJSON{}
			for _, s := range sessions {
				for _, r := range s.Rules {
					if session != "" && s.ID != session {
						continue
					}
					m := mutedJSON{Session: s.ID, Rule: r.Name, Since: r.Since}
					if err := mutable(sets, r.Name); err != nil {
						m.Without = err.Error()
					}
					muted = append(muted, m)
				}
			}
			if err := printMutes(std, muted, asJSON); err != nil {
				return err
			}
			if problem != nil {
				return failure{problem}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&session, "session", "", "only this session")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printMutes(std streams, muted []mutedJSON, asJSON bool) error {
	if asJSON {
		return writeJSON(std.out, muted)
	}
	if len(muted) == 0 {
		fmt.Fprintln(std.out, "Nothing is muted.")
		return nil
	}
	w := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
	for _, m := range muted {
		fmt.Fprintf(w, "%s\tsession %s\t%s%s\n", whole(m.Rule), whole(m.Session), ago(time.Since(m.Since)), optional("; without effect: ", whole(m.Without)))
	}
	return w.Flush()
}
