package changes_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/record"
)

// played counts what was played, for the log of the tests.
var played struct{ calls, hooks, killed, records atomic.Int64 }

func TestMain(m *testing.M) {
	status := runWithBinary(m)
	if testing.Verbose() {
		fmt.Printf("played: %d calls, %d hooks of which %d were killed, %d records\n", played.calls.Load(), played.hooks.Load(), played.killed.Load(), played.records.Load())
	}
	os.Exit(status)
}

// playsVariable is how many plays of each kind there are; 200 is the full number.
const playsVariable = "CLAUDEWATCH_TEST_SESSIONS"

func plays(t *testing.T, ordinary int) int {
	value := os.Getenv(playsVariable)
	if value == "" {
		return ordinary
	}
	n, err := strconv.Atoi(value)
	if err != nil {
		t.Fatalf("%s=%s: not a number", playsVariable, value)
	}
	return n
}

func TestSessionsOneEventAtATime(t *testing.T) {
	for seed := range plays(t, 4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { t.Parallel(); perform(t, uint64(seed), false, 0) })
	}
}

func TestSessionsAtTheSameTime(t *testing.T) {
	for seed := range plays(t, 4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { t.Parallel(); perform(t, uint64(seed), true, 0) })
	}
}

func TestSessionsWhoseHooksAreKilled(t *testing.T) {
	for seed := range plays(t, 4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { t.Parallel(); perform(t, uint64(seed), seed%2 == 1, 30) })
	}
}

// perform plays sessions and judges what they have left.
func perform(t *testing.T, seed uint64, free bool, kills int) {
	directory, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 1))
	p := &play{t: t, world: newWorld(t, directory, r), kills: kills, turns: newTurns(free, rand.New(rand.NewPCG(seed, 2)))}
	p.machine = newMachine(t, directory, p.world.root)
	if seed%4 >= 2 {
		p.binary = smallBinary
	}
	settings := fmt.Sprintf("size_cap: %d\n", sizeCap)
	if err := os.WriteFile(filepath.Join(p.data, "settings.yaml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}

	// A first call that nothing happens to, so that it is known what was there.
	opening := &stream{actor: actor{p, 0, r}, session: "opening", certain: true}
	p.turns.free = true
	c := opening.newCall(scanned)
	run := p.hook(opening.event("PreToolUse", shellInput(c.id, "make")), 0)
	c.pre = &run
	opening.finish(c, shellInput(c.id, "make"))
	start := c.post.ended
	p.turns.free = free

	sessions := make([]*stream, 1+r.IntN(2))
	for i := range sessions {
		sessions[i] = &stream{actor: p.actor(r), session: fmt.Sprintf("s%d", i)}
	}
	person := p.actor(r)
	for _, s := range sessions {
		p.jobs.Go(func() { defer p.turns.leave(); s.run(1 + s.r.IntN(2)) })
	}
	p.jobs.Go(func() {
		defer p.turns.leave()
		for range person.r.IntN(8) {
			person.change()
		}
	})
	p.jobs.Wait()
	p.turns.free = true
	for _, s := range sessions {
		s.stop()
	}

	// A last call that changes nothing finds nothing.
	closing := &stream{actor: actor{p, 0, r}, session: "closing", certain: true}
	c = closing.newCall(scanned)
	closing.begin(c, shellInput(c.id, "make"), true)
	closing.finish(c, shellInput(c.id, "make"))
	j := judgeOf(p, start)
	for _, r := range j.records {
		if r.Session == "closing" && len(r.Changes) > 0 {
			t.Errorf("%s: changes after the last session: %+v", r.ID, r.Changes)
		}
	}
	j.all()
	played.calls.Add(int64(len(j.play.calls)))
	played.records.Add(int64(len(j.records)))
	if t.Failed() {
		j.report()
	}
}

// report prints what happened in order.
func (j *judge) report() {
	for _, c := range j.play.calls {
		line := fmt.Sprintf("%s %s pre %s", c.id, c.kind, j.when(c.pre))
		if c.post != nil {
			line += " post " + j.when(c.post)
		}
		if r := j.byID[c.id]; r != nil {
			line += " record " + r.Basis
			if r.Window != nil {
				line += fmt.Sprintf(" [%s, %s]", j.time(r.Window.Before.To.Time), j.time(r.Window.After.To.Time))
			}
		}
		j.t.Log(line, c.path)
	}
	for _, path := range j.world.observed() {
		for i, s := range j.world.paths[path].states {
			hash := s.hash()
			j.t.Logf("%s %d: %s..%s %.8s %v %s", path, i, j.time(s.began), j.time(s.ended), hash, s.mode, s.edit)
		}
	}
	journal, _ := os.ReadFile(filepath.Join(j.data, "state", record.NewRoot(j.root).ID, "journal.jsonl"))
	j.t.Logf("the journal:\n%s", journal)
	for _, r := range j.records {
		if r.Basis == record.Unattributed {
			j.t.Logf("%s %s %d changes", r.ID, j.time(r.Time.Time), len(r.Changes))
		}
	}
}

func (j *judge) when(run *hookRun) string {
	if run == nil {
		return "-"
	}
	text := j.time(run.began) + ".." + j.time(run.ended)
	if run.killed {
		text += " killed"
	}
	return text
}

func (j *judge) time(t time.Time) string {
	return fmt.Sprintf("%.3f", float64(t.Sub(j.start).Microseconds())/1000)
}
