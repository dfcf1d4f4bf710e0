package changes_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

// play is one run of the driver: sessions with their subagents, background jobs and a
// person, who all work in one world.
type play struct {
	t     testing.TB
	world *world
	*machine
	turns *turns
	// kills is how many of a hundred hooks are killed.
	kills int

	mu    sync.Mutex
	calls []*call
	jobs  sync.WaitGroup
}

// The kinds of calls.
const (
	scanned  = "scanned"   // a shell call that is observed
	denied   = "denied"    // one that our rules deny
	onlyRead = "read-only" // one that is classified read-only
	edited   = "edited"    // a file tool
)

// call is what the driver knows of a call.
type call struct {
	id, kind, session, stream string
	pre, post                 *hookRun
	// closers are the hooks that close its window, the first one first.
	closers []hookRun
	outcome string // as its record must have it
	exit    int
	// together is set when the stream made another call before this one had ended.
	together bool

	path          string // of an edit
	before, after content
}

// actor is somebody who acts in turns.
type actor struct {
	*play
	number int
	r      *rand.Rand
}

func (p *play) actor(r *rand.Rand) actor {
	return actor{p, p.turns.join(), rand.New(rand.NewPCG(r.Uint64(), r.Uint64()))}
}

func (a actor) act(do func()) {
	if a.turns.free {
		time.Sleep(time.Duration(a.r.IntN(3000)) * time.Microsecond)
	}
	a.turns.act(a.number, do)
}

// change does something to the world, as a job or a person does.
func (a actor) change() { a.act(func() { a.world.change(a.r) }) }

// killTime returns after which time a hook is killed, 0 for never.
func (a actor) killTime() time.Duration {
	if a.r.IntN(100) >= a.kills {
		return 0
	}
	return time.Duration(1+a.r.IntN(30000)) * time.Microsecond
}

// stream is the calls of a session's main agent or of a subagent, one after the other.
type stream struct {
	actor
	session, agent string
	calls          int
	open           []*call
	left           []*call // by subagents
	// certain hooks are never killed.
	certain bool
}

func (s *stream) name() string {
	if s.agent == "" {
		return "main"
	}
	return s.agent
}

func (s *stream) event(name string, more map[string]any) map[string]any {
	e := map[string]any{
		"session_id": s.session, "transcript_path": "/nowhere/" + s.session + ".jsonl", "cwd": s.root,
		"permission_mode": "default", "hook_event_name": name,
	}
	if s.agent != "" {
		e["agent_id"], e["agent_type"] = s.agent, "general-purpose"
	}
	maps.Copy(e, more)
	return e
}

// send runs the hook with an event. With closes it closes what the stream has open.
func (s *stream) send(name string, more map[string]any, closes bool) (run hookRun) {
	kill := s.killTime()
	if s.certain {
		kill = 0
	}
	s.act(func() { run = s.hook(s.event(name, more), kill) })
	if closes {
		s.close(run)
	}
	return run
}

func (s *stream) close(run hookRun) {
	for _, c := range s.open {
		c.closers = append(c.closers, run)
	}
	if run.ok() {
		s.open = nil
	}
}

func (s *stream) newCall(kind string) *call {
	s.calls++
	c := &call{id: fmt.Sprintf("toolu_%s_%s_%02d", s.session, s.name(), s.calls), kind: kind, session: s.session, stream: s.name(), outcome: "unfinished"}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.play.calls = append(s.play.calls, c)
	return c
}

func shellInput(id, command string) map[string]any {
	return map[string]any{"tool_name": "Bash", "tool_use_id": id, "tool_input": map[string]any{"command": command, "description": "a call"}}
}

var shellResponse = map[string]any{"stdout": "", "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false}

// begin sends the event before a call.
func (s *stream) begin(c *call, input map[string]any, closes bool) {
	run := s.send("PreToolUse", input, closes)
	c.pre = &run
	if c.kind == scanned || c.kind == edited {
		s.open = append(s.open, c)
	}
}

// end sends the event after a call.
func (s *stream) end(c *call, name string, input map[string]any) {
	run := s.send(name, input, false)
	c.post = &run
	c.closers = append(c.closers, run)
	if run.ok() {
		for i, o := range s.open {
			if o == c {
				s.open = append(s.open[:i:i], s.open[i+1:]...)
				break
			}
		}
	}
}

// finish sends the event after a shell call, of a random outcome.
func (s *stream) finish(c *call, input map[string]any) {
	if s.r.IntN(3) == 0 {
		c.outcome, c.exit = "failed", 1+s.r.IntN(3)
		more := maps.Clone(input)
		more["error"], more["is_interrupt"] = fmt.Sprintf("Exit code %d\nit went wrong", c.exit), false
		s.end(c, "PostToolUseFailure", more)
		return
	}
	c.outcome = "returned"
	more := maps.Clone(input)
	more["tool_response"] = shellResponse
	s.end(c, "PostToolUse", more)
}

var scannedCommands = []string{"make", "./run.sh --all", "python3 gen.py > out.txt", "go generate ./...", "npm run build && ls", "sed -i s/a/b/ a.txt"}

// shell is a shell call that is observed. It may be refused by the user, or never come
// back; then there is no event after it.
func (s *stream) shell() {
	c := s.newCall(scanned)
	input := shellInput(c.id, scannedCommands[s.r.IntN(len(scannedCommands))])
	s.begin(c, input, true)
	fate := s.r.IntN(8)
	if fate == 0 {
		return // refused by the user
	}
	for range s.r.IntN(4) {
		s.change()
	}
	if fate == 1 {
		return // nobody says how it ended
	}
	s.finish(c, input)
}

// pair is two shell calls at a time.
func (s *stream) pair() {
	first, second := s.newCall(scanned), s.newCall(scanned)
	first.together, second.together = true, true
	firstInput, secondInput := shellInput(first.id, "make one"), shellInput(second.id, "make two")
	s.begin(first, firstInput, true)
	s.change()
	s.begin(second, secondInput, true)
	s.change()
	if s.r.IntN(2) == 0 {
		s.finish(second, secondInput)
		s.change()
		s.finish(first, firstInput)
		return
	}
	s.finish(first, firstInput)
	s.change()
	s.finish(second, secondInput)
}

// background is a call that returns at once and writes on.
func (s *stream) background() {
	c := s.newCall(scanned)
	input := shellInput(c.id, "make server")
	input["tool_input"].(map[string]any)["run_in_background"] = true
	s.begin(c, input, true)
	job := s.actor.actor(s.r)
	s.jobs.Add(1)
	go func() {
		defer s.jobs.Done()
		defer job.turns.leave()
		for range 1 + job.r.IntN(3) {
			job.change()
		}
	}()
	more := maps.Clone(input)
	more["tool_response"] = map[string]any{"stdout": "", "stderr": "", "interrupted": false, "backgroundTaskId": "b1"}
	c.outcome, c.exit = "returned", -1
	s.end(c, "PostToolUse", more)
}

// denied is a call that our rules deny: it is not made.
func (s *stream) denied() {
	c := s.newCall(denied)
	run := s.send("PreToolUse", shellInput(c.id, "git push --force origin main"), false)
	c.pre = &run
	if run.ok() && run.exit != 2 {
		s.t.Errorf("%s: exit status %d, want a deny: %s", c.id, run.exit, run.stderr)
	}
}

// look is a call that is classified read-only.
func (s *stream) look() {
	c := s.newCall(onlyRead)
	input := shellInput(c.id, "ls -la && git status")
	s.begin(c, input, false)
	s.finish(c, input)
}

// turn makes a number of random calls.
func (s *stream) turn(count int) {
	for range count {
		switch s.r.IntN(14) {
		case 0:
			s.denied()
		case 1, 2:
			s.look()
		case 3:
			s.background()
		case 4:
			s.pair()
		case 5, 6, 7, 8:
			s.edit()
		case 9:
			s.subagents()
		default:
			s.shell()
		}
	}
}

// subagents starts one or two subagents and waits for them; a subagent has none.
func (s *stream) subagents() {
	if s.agent != "" {
		s.shell()
		return
	}
	var group sync.WaitGroup
	for range 1 + s.r.IntN(2) {
		s.calls++
		sub := &stream{actor: s.actor.actor(s.r), session: s.session, agent: fmt.Sprintf("a%s%03d", s.session, s.calls)}
		group.Add(1)
		go func() {
			defer group.Done()
			defer sub.turns.leave()
			sub.turn(1 + sub.r.IntN(3))
			sub.send("SubagentStop", map[string]any{"stop_hook_active": false}, true)
			sub.mu.Lock()
			s.adopt(sub)
			sub.mu.Unlock()
		}()
	}
	s.turns.leave()
	group.Wait()
	s.rejoin()
}

// adopt takes over what a subagent has left open: the end of the session closes it.
func (s *stream) adopt(sub *stream) { s.left = append(s.left, sub.open...) }

func (s *stream) rejoin() { s.number = s.turns.join() }

// run plays the main stream of a session.
func (s *stream) run(prompts int) {
	s.send("SessionStart", map[string]any{"source": "startup"}, false)
	for range prompts {
		s.send("UserPromptSubmit", map[string]any{"prompt": "go on"}, true)
		s.turn(2 + s.r.IntN(4))
		s.send("Stop", map[string]any{"stop_hook_active": false}, true)
	}
}

// stop ends the session.
func (s *stream) stop() {
	s.certain = true
	s.open = append(s.open, s.left...)
	s.send("SessionEnd", map[string]any{"reason": "other"}, true)
}
