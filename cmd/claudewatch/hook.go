package main

import (
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/claudewatch/claudewatch/hooks"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/decisionlog"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/claudewatch/claudewatch/predicates"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/spf13/cobra"
)

func newHook(std streams, env config.Environment) *cobra.Command {
	var only []string
	cmd := &cobra.Command{
		Use:   "hook [PATH…]",
		Short: "Answer one hook event on standard input",
		Long: `hook reads one event of Claude Code on standard input and answers it. Before a call
that is nothing, a JSON object that asks, or a JSON object and exit status 2 that
deny; after it nothing, or a JSON object with what the rules on PostToolUse have to
tell the model. Given paths of rule files or folders, only those are read. What is
wrong with the event, or with claudewatch itself, lets the call through and is said
on standard error.`,
		RunE: func(_ *cobra.Command, paths []string) error {
			return runHook(std, env, engine.Selection{Paths: paths, Only: only})
		},
	}
	cmd.Flags().StringSliceVar(&only, "only", nil, "evaluate just these sets, on or off")
	return cmd
}

// runHook answers one event. Whatever goes wrong, a panic included, ends in a
// line on stderr and exit status 0: any other status but 2 would be a hook error
// for the user, and 2 would block.
func runHook(std streams, env config.Environment, s engine.Selection) (err error) {
	// A reader that went away must not end the process before its exit status blocks.
	signal.Ignore(syscall.SIGPIPE)
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(std.err, "claudewatch: internal fault, the call goes on undecided; please report this: %v\n%s", p, debug.Stack())
			err = nil
		}
	}()
	event, err := hooks.ReadEvent(std.in)
	if err != nil {
		fmt.Fprintf(std.err, "claudewatch: the call goes on undecided: %v\n", err)
		return nil
	}
	if len(event.Oddities) > 0 {
		fmt.Fprintf(std.err, "claudewatch: %s\n", strings.Join(event.Oddities, "; "))
	}
	s.Stored = true
	switch event.Name {
	case hooks.PreToolUse:
		return decideCall(std, env, s, event)
	case hooks.PostToolUse, hooks.PostToolUseFailure:
		informOfCall(std, env, s, event)
	default:
		recordChanges(std, env, config.LoadSettings(env.SettingsFile()), event, nil)
	}
	return nil
}

// answerLimit is how long a call waits for its answer. Claude Code gives a hook ten
// seconds where nothing else is set, and lets the call go on when they are over.
const answerLimit = 8 * time.Second

// denyWhenLate denies the call when stop is not called in time, whatever the program
// does then: a regex or a type that takes too long cannot be interrupted, and a rule
// file of a project must not switch all guards off. It ends the program; stop does not
// return when that has begun.
func denyWhenLate(std streams) (stop func()) {
	late := time.AfterFunc(answerLimit, func() {
		status, _ := hooks.Answer(std.out, std.err, policy.Decision{Verdict: policy.Deny, Matches: []policy.Match{{
			Set: "claudewatch", Action: policy.Block,
			Reason:  fmt.Sprintf("the rules did not come to an answer in %v, so that the call cannot be let through", answerLimit),
			Suggest: "claudewatch vet",
		}}}, 2)
		os.Exit(status)
	})
	return func() {
		if !late.Stop() {
			select {}
		}
	}
}

// decideCall answers an event before a call with the decision of the rules.
func decideCall(std streams, env config.Environment, s engine.Selection, event *hooks.Event) error {
	inTime := denyWhenLate(std)
	e := engine.Open(env, s)
	if env.Directory() == "" {
		fmt.Fprintln(std.err, "claudewatch: neither HOME nor CLAUDEWATCH_HOME is set: your settings and rule sets are not read; set one of them")
	}
	for _, w := range e.Warnings() {
		fmt.Fprintf(std.err, "claudewatch: %v\n", w)
	}
	in := e.Input(eventCall(env, event))
	_, decision := e.Judge(in, false)
	inTime()
	status, err := hooks.Answer(std.out, std.err, decision, e.Settings.DenyExit)
	if err != nil {
		fmt.Fprintf(std.err, "claudewatch: the answer could not be written: %v\n", err)
	}
	if path := env.LogFile(e.Settings); path != "" {
		if err := decisionlog.Append(path, logRecord(in, decision)); err != nil {
			fmt.Fprintf(std.err, "claudewatch: %v\n", err)
		}
	}
	if decision.Verdict != policy.Deny { // what is denied changes nothing
		recordChanges(std, env, e.Settings, event, in.Effects)
	}
	if status != 0 {
		return exitStatus(status)
	}
	return nil
}

// logRecord is the log's record of a decision. It holds no part of the command but
// its shape.
func logRecord(in *schema.Input, d policy.Decision) decisionlog.Record {
	r := decisionlog.Record{
		Time: time.Now(), Session: in.SessionID, Cwd: in.Cwd, Tool: in.Tool, Mode: in.PermissionMode,
		Decision: verdictName(d.Verdict),
		Path:     in.Path, ToolUseID: in.ToolUseID,
	}
	if in.Path == "" { // reading the effects of a file tool would read its file
		r.CommandShape = predicates.Shape(in.Effects().Commands)
	}
	for _, m := range d.Matches {
		r.Matched = append(r.Matched, matchName(m))
	}
	for _, m := range d.Muted {
		r.Matched = append(r.Matched, matchName(m))
		r.Muted = append(r.Muted, matchName(m))
	}
	return r
}

// verdictName is how the log and replay spell verdicts: what the rules say nothing
// about is allowed.
func verdictName(v policy.Verdict) string {
	switch v {
	case policy.Deny:
		return "deny"
	case policy.AskVerdict:
		return "ask"
	}
	return "allow"
}

// matchName is SET/RULE, or SET alone for a fault of a rule file.
func matchName(m policy.Match) string {
	if m.Rule == "" {
		return m.Set
	}
	return m.Set + "/" + m.Rule
}
