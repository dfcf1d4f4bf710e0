package main

import (
	"github.com/claudewatch/claudewatch/policy"
	"github.com/claudewatch/claudewatch/schema"
)

// explanation is what `explain --json` prints: the same as the text.
type explanation struct {
	Event    string            `json:"event"`
	Tool     string            `json:"tool"`
	Cwd      string            `json:"cwd"`
	Path     string            `json:"path,omitempty"`
	Command  string            `json:"command,omitempty"`
	Parsed   bool              `json:"parsed"`
	Compound bool              `json:"compound"`
	Commands []commandJSON     `json:"commands"`
	Scripts  []scriptJSON      `json:"scripts"`
	Reads    []targetJSON      `json:"reads"`
	Writes   []targetJSON      `json:"writes"`
	Git      []gitJSON         `json:"git"`
	Changes  []changedFileJSON `json:"changes,omitempty"`
	Rules    []ruleJSON        `json:"rules"`
	Decision decisionJSON      `json:"decision"`
}

type commandJSON struct {
	Program    string            `json:"program"`
	Args       []string          `json:"args"`
	Subcommand string            `json:"subcommand,omitempty"`
	Flags      []string          `json:"flags,omitempty"`
	Operands   []string          `json:"operands,omitempty"`
	Source     string            `json:"source"`
	Dir        string            `json:"dir"`
	Wrappers   []string          `json:"wrappers,omitempty"`
	Env        map[string]string `json:"env,omitempty"`
	PipedFrom  string            `json:"piped_from,omitempty"`
	PipedTo    string            `json:"piped_to,omitempty"`
	Remote     bool              `json:"remote,omitempty"`
	Expands    []string          `json:"expands,omitempty"`
	Redirects  []string          `json:"redirects,omitempty"`
	Function   bool              `json:"function,omitempty"`
}

type scriptJSON struct {
	Language  string        `json:"language"`
	Extension string        `json:"extension"`
	Source    string        `json:"source"`
	Commands  []commandJSON `json:"commands"`
}

type targetJSON struct {
	Path      string   `json:"path"`
	Raw       string   `json:"raw"`
	Resolved  bool     `json:"resolved"`
	Op        string   `json:"op"`
	Via       string   `json:"via"`
	Recursive bool     `json:"recursive,omitempty"`
	Repo      repoJSON `json:"repo"`
}

type gitJSON struct {
	Verb    string   `json:"verb"`
	Args    []string `json:"args"`
	Mutates bool     `json:"mutates"`
	Updates []string `json:"updates,omitempty"`
	Repo    repoJSON `json:"repo"`
	Source  string   `json:"source"`
}

type repoJSON struct {
	Root     string `json:"root"`
	Branch   string `json:"branch"`
	Detached bool   `json:"detached,omitempty"`
	Known    bool   `json:"known"`
}

type ruleJSON struct {
	Set     string     `json:"set"`
	Rule    string     `json:"rule"`
	Path    string     `json:"path"`
	Line    int        `json:"line"`
	Column  int        `json:"column"`
	Action  string     `json:"action"`
	Matched bool       `json:"matched"`
	Muted   bool       `json:"muted,omitempty"`
	Skipped string     `json:"skipped,omitempty"`
	Error   string     `json:"error,omitempty"`
	Parts   []partJSON `json:"parts"`
}

type partJSON struct {
	Kind     string     `json:"kind,omitempty"`
	Source   string     `json:"source"`
	Value    string     `json:"value"`
	Children []partJSON `json:"children,omitempty"`
}

type decisionJSON struct {
	Verdict string      `json:"verdict"`
	Note    string      `json:"note,omitempty"`
	Matches []matchJSON `json:"matches"`
	// Muted are rules that matched and that the user has silenced for the session.
	Muted []string `json:"muted,omitempty"`
}

type matchJSON struct {
	Set     string `json:"set"`
	Rule    string `json:"rule"`
	Action  string `json:"action"`
	Reason  string `json:"reason"`
	Suggest string `json:"suggest,omitempty"`
	Ref     string `json:"ref,omitempty"`
}

func explanationOf(in *schema.Input, o *policy.Outcome, d policy.Decision, all bool) explanation {
	effects := in.Effects()
	e := explanation{
		Event: in.Event, Tool: in.Tool, Cwd: in.Cwd, Path: in.Path, Command: effects.Command, Parsed: effects.Parsed, Compound: effects.Compound,
		Commands: commandsJSON(effects.Commands),
		Scripts:  []scriptJSON{}, Rules: []ruleJSON{},
		Reads: targetsJSON(effects.Reads), Writes: targetsJSON(effects.Writes), Git: []gitJSON{}, Changes: changedFilesJSON(in.Changes),
		Decision: decisionJSON{Verdict: d.Verdict.String(), Note: d.Note, Matches: []matchJSON{}},
	}
	for _, s := range effects.Scripts {
		e.Scripts = append(e.Scripts, scriptJSON{s.Language, s.Extension, s.Source, commandsJSON(s.Commands())})
	}
	for _, g := range effects.Git {
		e.Git = append(e.Git, gitJSON{g.Verb, append([]string{}, g.Args...), g.Mutates, g.Updates(), repoOf(g.Repo()), g.Source})
	}
	for _, t := range tracesToShow(o, all) {
		r := ruleJSON{
			Set: t.Set, Rule: t.Rule, Path: t.Path, Line: t.Position.Line, Column: t.Position.Column,
			Action: t.Action.String(), Matched: t.Matched, Muted: t.Muted, Skipped: t.Skipped, Parts: partsJSON(t.Parts),
		}
		if t.Err != nil {
			r.Error = t.Err.Error()
		}
		e.Rules = append(e.Rules, r)
	}
	for _, m := range d.Muted {
		e.Decision.Muted = append(e.Decision.Muted, matchName(m))
	}
	for _, m := range d.Matches {
		e.Decision.Matches = append(e.Decision.Matches, matchJSON{m.Set, m.Rule, m.Action.String(), m.Reason, m.Suggest, m.Ref})
	}
	return e
}

func commandsJSON(commands []*schema.Command) []commandJSON {
	list := make([]commandJSON, 0, len(commands))
	for _, c := range commands {
		list = append(list, commandJSON{
			Program: c.Program, Args: append([]string{}, c.Args...), Subcommand: c.Subcommand, Flags: c.Flags(), Operands: c.Operands,
			Source: c.Source, Dir: c.Dir, Wrappers: c.Wrappers, Env: c.Env, PipedFrom: c.PipedFrom, PipedTo: c.PipedTo,
			Remote: c.Remote, Expands: c.Expands, Redirects: c.Redirects, Function: c.Function,
		})
	}
	return list
}

func targetsJSON(targets []*schema.Target) []targetJSON {
	list := make([]targetJSON, 0, len(targets))
	for _, t := range targets {
		list = append(list, targetJSON{t.Path(), t.Raw, t.Resolved, t.Op, t.Via, t.Recursive, repoOf(t.Repo())})
	}
	return list
}

func repoOf(r *schema.Repo) repoJSON { return repoJSON{r.Root, r.Branch, r.Detached, r.Known} }

func partsJSON(parts []policy.PartTrace) []partJSON {
	list := make([]partJSON, 0, len(parts))
	for _, p := range parts {
		list = append(list, partJSON{p.Kind, p.Source, p.Value, partsJSON(p.Children)})
	}
	return list
}
