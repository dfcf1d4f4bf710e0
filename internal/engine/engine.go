// Package engine is the policy in force: the settings and rule files that
// internal/config finds, compiled, and the one function that judges a call by
// them. The hook, explain, test, vet and the tests of the project all use it.
package engine

import (
	"errors"
	"maps"
	"slices"

	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/mute"
	"github.com/claudewatch/claudewatch/internal/shell"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/claudewatch/claudewatch/watches"
)

// Selection is what the command line says about rule files.
type Selection struct {
	// Paths are files and folders of rule sets; when there are any only those are read.
	Paths []string
	// Only are the sets that are evaluated, on or off; all that are on when empty.
	Only []string
	// Diagnose asks for the advice of vet, which takes longer than a hook may.
	Diagnose bool
	// Stored makes use of rule files that were compiled before: those of the binary and
	// of the cache. The policy says the same; its rules have no text, so that a trace
	// compiles them first, and its sets have no tests. It is what the hook does.
	Stored bool
}

// Engine judges calls.
type Engine struct {
	Environment config.Environment
	Settings    *config.Settings
	Policy      *policy.Policy

	sources *config.Sources
	unknown []policy.Diagnostic
	written *policy.Policy // the sets as their files say; see asWritten
}

// Open reads settings and rule files and compiles them. It never fails: what is
// wrong is among the Diagnostics, and its faults deny every call.
func Open(env config.Environment, s Selection) *Engine {
	settings := config.LoadSettings(env.SettingsFile())
	settings.RefuseWrappers(shell.Knows)
	sources := &config.Sources{Environment: env, Settings: settings, Shipped: watches.FS, Given: s.Paths, Only: s.Only}
	options := policy.Options{Enabled: sources.Enabled, Diagnose: s.Diagnose}
	if len(settings.Rules) > 0 {
		options.Action = sources.Action
	}
	if s.Diagnose {
		options.Ordinary = OrdinaryInputs()
		options.Wrappers = slices.AppendSeq(shell.WrapperNames(), maps.Keys(settings.Wrappers))
	}
	e := &Engine{Environment: env, Settings: settings, sources: sources}
	if s.Stored {
		e.Policy = policy.Link(storedUnits(sources), options)
	} else {
		e.Policy = policy.Compile(sources.Files(), options)
	}
	e.unknown = sources.Unknown(e.RuleSets())
	return e
}

// SelectionError returns what is wrong with Selection.Only: a name that no set has.
// The hook denies then; other commands can say it and do nothing.
func (e *Engine) SelectionError() error {
	for _, d := range e.unknown {
		if d.Severity == policy.Fault {
			return errors.New(d.Path + ": " + d.Message)
		}
	}
	return nil
}

// RuleSets returns the sets that were loaded, on or off, in their order.
func (e *Engine) RuleSets() []*policy.RuleSet {
	sets := make([]*policy.RuleSet, len(e.Policy.Sets))
	for i, s := range e.Policy.Sets {
		sets[i] = s.RuleSet
	}
	return sets
}

// Diagnostics returns all that is wrong with settings and rule files.
func (e *Engine) Diagnostics() []policy.Diagnostic {
	return slices.Concat(e.Settings.Diagnostics, e.unknown, e.Policy.Diagnostics)
}

// Faults returns what makes the hook deny every call.
func (e *Engine) Faults() []policy.Diagnostic {
	return slices.Concat(withSeverity(policy.Fault, e.unknown), e.Policy.Faults())
}

// Warnings returns what the hook says on stderr: what is wrong and denies nothing.
func (e *Engine) Warnings() []policy.Diagnostic {
	return slices.Concat(withSeverity(policy.Error, e.Settings.Diagnostics), withSeverity(policy.Error, e.unknown), e.Policy.Warnings())
}

func withSeverity(severity policy.Severity, all []policy.Diagnostic) []policy.Diagnostic {
	var some []policy.Diagnostic
	for _, d := range all {
		if d.Severity == severity {
			some = append(some, d)
		}
	}
	return some
}

// Input returns a call as the rules see it under these settings.
func (e *Engine) Input(c call.Call) *schema.Input {
	c.Wrappers = e.Settings.Wrappers
	return c.Input()
}

// Judge evaluates a call. With trace the outcome also says how each rule came
// out; the evaluation is the same. Ask rules that are muted for the session of the call
// are among the Muted of both results.
func (e *Engine) Judge(in *schema.Input, trace bool) (*policy.Outcome, policy.Decision) {
	outcome := e.Policy.Evaluate(in, policy.EvaluateOptions{Trace: trace})
	outcome.Faults = slices.Concat(withSeverity(policy.Fault, e.unknown), outcome.Faults)
	e.mute(in.SessionID, outcome)
	return outcome, policy.Decide(outcome, e.Settings.CompoundAsk)
}

// mute silences what the user has muted for a session. Only a call that an ask rule
// matches looks for it, and finds with one look that there is nothing. What cannot be
// read mutes nothing: `claudewatch mutes` says so.
func (e *Engine) mute(session string, outcome *policy.Outcome) {
	if len(outcome.Asks) == 0 || session == "" {
		return
	}
	muted, err := mute.Store{Directory: e.Environment.Mutes()}.Session(session)
	if err != nil || len(muted.Rules) == 0 {
		return
	}
	outcome.Mute(func(set, rule string) bool { return muted.Has(set + "/" + rule) })
}
