package main

import (
	"errors"
	"fmt"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/mute"
	"github.com/claudewatch/claudewatch/internal/suggest"
	"github.com/spf13/cobra"
)

func newUnmute(std streams, env config.Environment) *cobra.Command {
	var session string
	var all, asJSON bool
	cmd := &cobra.Command{
		Use:   "unmute SET/RULE | --all",
		Short: "Take the mute of a rule back",
		Long:  `unmute makes a rule ask again in a session, with --all every rule. The session is found as mute does.`,
		Args: func(_ *cobra.Command, args []string) error {
			if all == (len(args) > 0) {
				return errors.New("name one rule, in quotes, or give --all; claudewatch mutes prints what is muted")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			said, err := chooseSession(env, session)
			if err != nil {
				return failure{err}
			}
			store := mute.Store{Directory: env.Mutes()}
			name := ruleName(args)
			taken, err := store.Unmute(said.Session, name)
			if err != nil {
				return failure{err}
			}
			said.Rules, said.Changed = []string{}, len(taken) > 0
			for _, r := range taken {
				said.Rules = append(said.Rules, r.Name)
			}
			if !said.Changed && !all {
				return failure{notMuted(store, said, name)}
			}
			if asJSON {
				return writeJSON(std.out, said)
			}
			for _, r := range said.Rules {
				fmt.Fprintf(std.out, "%s: asks again in %s\n", whole(r), said.place())
			}
			if !said.Changed {
				fmt.Fprintf(std.out, "Nothing is muted in %s.\n", said.place())
			}
			said.printOthers(std)
			return nil
		},
	}
	cmd.Flags().StringVar(&session, "session", "", "id of the session")
	cmd.Flags().BoolVar(&all, "all", false, "take every mute of the session back")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// notMuted is the error of a rule that is not muted in a session.
func notMuted(store mute.Store, said muteJSON, name string) error {
	var names []string
	if session, err := store.Session(said.Session); err == nil {
		for _, r := range session.Rules {
			names = append(names, r.Name)
		}
	}
	return fmt.Errorf("'%s' is not muted in %s%s; claudewatch mutes prints what is", name, said.place(), suggest.Hint(name, names))
}
