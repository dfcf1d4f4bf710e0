package corpus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// DefaultTimeout is how long one run of a hook may take, as in the plugin's hooks.json.
const DefaultTimeout = 10 * time.Second

// DefaultParallel is how many hooks run at the same time.
const DefaultParallel = 2

// Runner runs a hook command on the entries of corpora.
type Runner struct {
	Command Command
	// EmptyPath empties PATH for every entry: no hook needs a program.
	EmptyPath bool
	// Timeout is for one entry, DefaultTimeout when 0.
	Timeout time.Duration
	// Parallel is how many run at the same time, DefaultParallel when 0.
	Parallel int
	// Advance, when it is not nil, is told of every entry that was run, by several
	// goroutines.
	Advance func(entries int64)
}

// Result is how one entry came out.
type Result struct {
	// Path is that of the corpus.
	Path  string
	Entry Entry
	// Got is Allow, Ask or Deny; "" when the hook did what is none of them.
	Got string
	// Exit is the hook's exit status, -1 when it had none.
	Exit           int
	Stdout, Stderr string
	// Problem says what differs from the entry, "" when nothing does.
	Problem string
	Took    time.Duration
}

// Matched reports whether the hook did what the entry wants.
func (r *Result) Matched() bool { return r.Problem == "" }

// Run builds the sandbox of a corpus, runs the hook on each entry that want
// accepts (nil accepts all) and returns the results in the order of the corpus.
// The error is about the sandbox or the end of ctx; a hook that does not work is
// a problem of each result.
func (r *Runner) Run(ctx context.Context, c *Corpus, want func(*Entry) bool) ([]Result, error) {
	root, err := os.MkdirTemp("", "claudewatch-corpus-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(root)
	layout, err := Build(ctx, &c.Sandbox, root)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Path, err)
	}
	results := c.results(want)
	var group sync.WaitGroup
	free := make(chan struct{}, or(r.Parallel, DefaultParallel))
	for i := range results {
		free <- struct{}{}
		group.Go(func() {
			defer func() { <-free }()
			r.runEntry(ctx, layout, &results[i])
			if r.Advance != nil {
				r.Advance(1)
			}
		})
	}
	group.Wait()
	return results, ctx.Err()
}

// results returns a result to be filled in for each entry that want accepts.
func (c *Corpus) results(want func(*Entry) bool) []Result {
	var results []Result
	for _, e := range c.Entries {
		if want == nil || want(&e) {
			results = append(results, Result{Path: c.Path, Entry: e})
		}
	}
	return results
}

// runEntry runs the hook on one entry and fills in its result.
func (r *Runner) runEntry(ctx context.Context, l *Layout, result *Result) {
	entry := &result.Entry
	ctx, cancel := context.WithTimeout(ctx, or(r.Timeout, DefaultTimeout))
	defer cancel()
	cmd, err := r.Command.Only(entry.Hook).process(ctx)
	if err != nil {
		result.Exit, result.Problem = -1, err.Error()
		return
	}
	var stdout, stderr bytes.Buffer
	input := l.input(entry)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &stdout, &stderr
	cmd.Env = r.environment(l, entry)
	cmd.Dir = l.directory(input)
	cmd.WaitDelay = time.Second // a child that holds the pipes open does not hold us
	start := time.Now()
	err = cmd.Run()
	result.Took = time.Since(start)
	result.Stdout, result.Stderr = stdout.String(), stderr.String()
	result.Exit = -1
	if cmd.ProcessState != nil {
		result.Exit = cmd.ProcessState.ExitCode()
	}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		result.Problem = fmt.Sprintf("the hook did not end within %v", or(r.Timeout, DefaultTimeout))
	case err != nil && !errors.As(err, &exit):
		result.Problem = fmt.Sprintf("the hook cannot be run: %v", err)
	default:
		result.judge(l)
	}
}

// process returns the command ready to be started. Programs are looked up by the
// PATH of this process, not by that of the entry.
func (c Command) process(ctx context.Context) (*exec.Cmd, error) {
	if c.Program != "" {
		return exec.CommandContext(ctx, c.Program, c.Args...), nil
	}
	shell, err := exec.LookPath("sh")
	if err != nil {
		return nil, fmt.Errorf("the hook command is shell text and there is no shell: %w", err)
	}
	return exec.CommandContext(ctx, shell, "-c", c.Shell), nil
}

// environment is what the hook of an entry finds: that of this process without
// what is the user's own, and the entry's.
func (r *Runner) environment(l *Layout, e *Entry) []string {
	environ := append(without(os.Environ(), isForeign),
		"HOME="+l.Home, "USERPROFILE="+l.Home, "CLAUDEWATCH_HOME="+l.claudewatchHome(), "CLAUDEWATCH_LOG=off")
	if r.EmptyPath {
		environ = set(environ, "PATH", "")
	}
	for name, value := range e.Env {
		environ = set(environ, name, l.fill(value, inText))
	}
	return environ
}

// set returns the environment with one value for a variable.
func set(environ []string, name, value string) []string {
	return append(without(environ, func(n string) bool { return n == name }), name+"="+value)
}

// input is what the hook reads.
func (l *Layout) input(e *Entry) string {
	if e.Stdin != nil {
		return l.fill(*e.Stdin, inText)
	}
	return l.fill(string(e.Event), inJSON)
}

// directory is where the hook is started: in the session's working directory, as
// Claude Code does, or in the root where that does not exist.
func (l *Layout) directory(input string) string {
	var event struct {
		Cwd string `json:"cwd"`
	}
	if json.Unmarshal([]byte(input), &event) == nil && event.Cwd != "" {
		if info, err := os.Stat(event.Cwd); err == nil && info.IsDir() {
			return event.Cwd
		}
	}
	return l.Root
}

// judge compares what the hook did with what the entry wants.
func (r *Result) judge(l *Layout) {
	got, reason, oddity := answerOf(r.Exit, r.Stdout)
	r.Got = got
	want := r.Entry.Verdict
	switch {
	case got == "":
		r.Problem = fmt.Sprintf("want %s, got none: the hook %s", want, oddity)
		return
	case want == Block && got == Deny && r.Exit != 2:
		r.Problem = fmt.Sprintf("want exit status 2, got %d", r.Exit)
		return
	case want != got && (want != Block || got != Deny):
		r.Problem = fmt.Sprintf("want %s, got %s", want, got)
		return
	}
	// A rule file that does not compile denies too: the set itself must have.
	if prefix := "BLOCKED [" + r.Entry.Hook + "]: "; got == Deny && r.Entry.Hook != "" && !strings.Contains("\n"+r.Stderr, "\n"+prefix) {
		r.Problem = fmt.Sprintf("want a line on stderr that begins with %q", prefix)
		return
	}
	text := r.Stderr
	if got == Ask {
		text += reason
	}
	for _, part := range r.Entry.StderrContains {
		if part = l.fill(part, inText); !strings.Contains(text, part) {
			r.Problem = fmt.Sprintf("want %q in its text", part)
			return
		}
	}
}

// answerOf reads a hook's answer to a PreToolUse event as Claude Code does. verdict
// is "" for one that claudewatch never gives, and oddity then says what it is.
func answerOf(exit int, stdout string) (verdict, reason, oddity string) {
	if exit == 2 {
		return Deny, "", ""
	}
	if exit != 0 {
		return "", "", fmt.Sprintf("exits with %d, which lets every call through", exit)
	}
	if strings.TrimSpace(stdout) == "" {
		return Allow, "", ""
	}
	var answer struct {
		Output struct {
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal([]byte(stdout), &answer); err != nil {
		return "", "", fmt.Sprintf("prints what is no JSON: %.80q", stdout)
	}
	if decision := answer.Output.Decision; slices.Contains([]string{Ask, Deny}, decision) {
		return decision, answer.Output.Reason, ""
	}
	return "", "", fmt.Sprintf("prints a decision that is neither ask nor deny: %.80q", stdout)
}

// or returns a unless it is 0.
func or[T time.Duration | int](a, otherwise T) T {
	if a == 0 {
		return otherwise
	}
	return a
}
