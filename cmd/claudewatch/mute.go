package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/decisionlog"
	"github.com/claudewatch/claudewatch/internal/mute"
	"github.com/claudewatch/claudewatch/internal/settingsedit"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/spf13/cobra"
)

// muteJSON is what mute and unmute say with --json.
type muteJSON struct {
	Session string   `json:"session"`
	How     string   `json:"how"`
	Others  []string `json:"other_sessions"`
	Changed bool     `json:"changed"`
	Rules   []string `json:"rules"`
}

func newMute(std streams, env config.Environment) *cobra.Command {
	var session string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "mute SET/RULE",
		Short: "Silence an ask rule for one session",
		Long: `mute silences a rule that asks, for one session: it matches as before, and the log
says so, but nobody is asked. A rule that blocks cannot be muted, and a muted rule that
is later set to block blocks. claudewatch set changes a rule for good.

The session is that of --session, else that of CLAUDE_CODE_SESSION_ID, where Claude
Code sets it for the commands of a session, else the one that the decision log last
saw in this directory.`,
		Example: `  claudewatch mute 'watch-git/git commit'
  claudewatch mute 'watch-git/git commit' --session f81f7820-951b-49f1-b7ee-9a7f0af3c325`,
		Args:              atLeastARule,
		ValidArgsFunction: completeRules(env, func(r *policy.CompiledRule) bool { return r.Action == policy.Ask }),
		RunE: func(_ *cobra.Command, args []string) error {
			name := ruleName(args)
			if err := mutable(loadedSets(env), name); err != nil {
				return failure{err}
			}
			said, err := chooseSession(env, session)
			if err != nil {
				return failure{err}
			}
			store := mute.Store{Directory: env.Mutes()}
			store.Clean(time.Now())
			said.Rules = []string{name}
			if said.Changed, err = store.Mute(said.Session, name, time.Now()); err != nil {
				return failure{err}
			}
			if asJSON {
				return writeJSON(std.out, said)
			}
			already := ""
			if !said.Changed {
				already = " already"
			}
			fmt.Fprintf(std.out, "%s: muted%s in %s\n", whole(name), already, said.place())
			said.printOthers(std)
			return nil
		},
	}
	cmd.SetFlagErrorFunc(orQuote(errMute))
	cmd.Flags().StringVar(&session, "session", "", "id of the session")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

var errMute = errors.New("name one rule, in quotes: claudewatch mute 'watch-git/git push'")

func atLeastARule(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return errMute
	}
	return nil
}

// mutable returns why a rule cannot be muted, nil when it can.
func mutable(sets []*policy.Set, name string) error {
	set, rule, err := settingsedit.File{Sets: sets}.Rule(name)
	switch {
	case err != nil:
		return err
	case rule.Action == policy.Block && rule.Listed == policy.Ask:
		return fmt.Errorf("'%s' blocks by your settings, and blocks cannot be muted; to be asked again: claudewatch set '%s' default", name, name)
	case rule.Action == policy.Block:
		return fmt.Errorf("'%s' blocks, and blocks cannot be muted: they are for what cannot be undone; to be asked instead, for good: claudewatch set '%s' ask", name, name)
	case rule.Action == policy.Off, !set.Enabled:
		return fmt.Errorf("'%s' is off: there is nothing to mute", name)
	}
	return nil
}

// otherSessions is how far back sessions are told that may be meant, too.
const otherSessions = time.Hour

// chooseSession finds the session that mutes are about.
func chooseSession(env config.Environment, given string) (muteJSON, error) {
	switch {
	case given != "":
		return muteJSON{Session: given, How: "--session", Others: []string{}}, nil
	case env.SessionID != "":
		return muteJSON{Session: env.SessionID, How: "the session that this command runs in", Others: []string{}}, nil
	}
	const advice = "give its id with --session; Claude Code prints it at /status"
	directory, err := os.Getwd()
	if err != nil {
		return muteJSON{}, fmt.Errorf("the current directory is not known, so that the session is not: %s", advice)
	}
	path := env.LogFile(config.LoadSettings(env.SettingsFile()))
	if path == "" {
		return muteJSON{}, fmt.Errorf("the decision log is off, so that the session is not known: %s", advice)
	}
	sessions, err := decisionlog.Sessions(path, directory)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return muteJSON{}, fmt.Errorf("the session is not known, since the decision log cannot be read: %w; %s", err, advice)
	case len(sessions) == 0:
		return muteJSON{}, fmt.Errorf("the decision log knows no session in %s: %s", directory, advice)
	}
	last := sessions[0]
	said := muteJSON{Session: last.ID, How: fmt.Sprintf("the last one in %s, %s", last.Cwd, ago(time.Since(last.Time))), Others: []string{}}
	for _, other := range sessions[1:] {
		if last.Time.Sub(other.Time) < otherSessions {
			said.Others = append(said.Others, other.ID)
		}
	}
	return said, nil
}

// place names the session, and how it was found.
func (m muteJSON) place() string {
	return fmt.Sprintf("session %s (%s)", whole(m.Session), whole(m.How))
}

// printOthers names sessions that may be meant, too.
func (m muteJSON) printOthers(std streams) {
	if len(m.Others) == 0 {
		return
	}
	fmt.Fprintf(std.out, "note: %s worked here within an hour of it; --session chooses:\n", plural(len(m.Others), "other session"))
	for _, id := range m.Others {
		fmt.Fprintf(std.out, "  %s\n", whole(id))
	}
}

// ago says how long ago something was.
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return plural(int(d.Minutes()), "minute") + " ago"
	case d < 48*time.Hour:
		return plural(int(d.Hours()), "hour") + " ago"
	}
	return plural(int(d.Hours()/24), "day") + " ago"
}
