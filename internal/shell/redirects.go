package shell

import (
	"strings"

	"github.com/claudewatch/claudewatch/schema"
	"mvdan.cc/sh/v3/syntax"
)

// redirectTargets lists the files that the redirections of a statement open. They
// are opened before the statement runs, in the directory it begins in.
func (w *walk) redirectTargets(list []*syntax.Redirect, env *environment, p place) {
	if p.remote {
		return
	}
	for _, r := range list {
		ops := redirectOps(r)
		if ops == nil {
			continue
		}
		f := w.word(r.Word, env)
		if isProcess(f) || r.Op == syntax.DplOut && isStreamNumber(f, r.N != nil) {
			continue
		}
		for _, op := range ops {
			w.addTarget(target{op: op, via: "redirect", dir: env.dir, field: f, switches: env.switches})
		}
	}
}

// redirectOps returns what a redirection does to the file it names; nil when it
// names none.
func redirectOps(r *syntax.Redirect) []string {
	switch r.Op {
	case syntax.RdrOut, syntax.RdrClob, syntax.RdrAll, syntax.RdrAllClob:
		return []string{opWrite}
	case syntax.AppOut, syntax.AppClob, syntax.AppAll, syntax.AppAllClob:
		return []string{opAppend}
	case syntax.RdrInOut:
		return []string{opRead, opWrite}
	case syntax.RdrIn:
		return []string{opRead}
	case syntax.DplOut:
		return []string{opWrite}
	}
	return nil
}

// isStreamNumber reports whether the word behind >& is a stream: a number, with a
// dash when it is moved, or a dash alone. numbered says that a number stands in front,
// behind which a variable holds one too.
func isStreamNumber(f field, numbered bool) bool {
	if !f.known {
		return numbered
	}
	number := strings.TrimSuffix(f.text, "-")
	return number == "" || isNumber(number) || number == "p"
}

// The values of Target.Op.
const (
	opRead   = "read"
	opWrite  = "write"
	opAppend = "append"
	opCreate = "create"
	opDelete = "delete"
	opMode   = "mode"
)

// target is a Target that is being made.
type target struct {
	op, via string
	// dir is the directory that a relative path counts from.
	dir string
	// field is the word that names it.
	field     field
	recursive bool
	switches  []schema.BranchSwitch
}

// addTarget lists a target, unless it is no file.
func (w *walk) addTarget(t target) {
	list := &w.effects.Writes
	if t.op == opRead {
		list = &w.effects.Reads
	}
	if len(*list) >= maxTargets || !w.spendWord(t.dir) {
		w.effects.Parsed = false
		return
	}
	at := location{}
	if !w.isPlaceheld(t.field.path) {
		at = locate(t.dir, t.field)
	}
	if isStream(at.path) || t.field.known && t.field.text == "" && t.field.path == "" {
		return
	}
	*list = append(*list, &schema.Target{
		Lexical: at.path, Raw: t.field.text, Pattern: w.patternOf(t.dir, t.field), Resolved: at.path != "",
		Op: t.op, Via: t.via, Recursive: t.recursive && (!at.glob || at.whole) || at.deep,
		Switches: t.switches,
	})
}
