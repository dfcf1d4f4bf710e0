package changes_test

import (
	"math/rand/v2"
	"slices"
	"sync"
)

// turns lets actors act one at a time, in an order that a seed gives: a play that went
// wrong can be played again. With free set everybody acts when he likes.
type turns struct {
	free bool
	r    *rand.Rand

	mu      sync.Mutex
	changed *sync.Cond
	live    int
	waiting []int // the actors that want to act
	turn    int   // who may act, 0 for nobody
	last    int
}

func newTurns(free bool, r *rand.Rand) *turns {
	t := &turns{free: free, r: r}
	t.changed = sync.NewCond(&t.mu)
	return t
}

// join returns the number of a new actor. The play waits for him from now on.
func (t *turns) join() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.live++
	t.last++
	return t.last
}

// leave is for an actor who does not act any more, or waits for others to leave.
func (t *turns) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.live--
	t.next()
}

// act lets an actor do something when it is his turn.
func (t *turns) act(actor int, do func()) {
	if t.free {
		do()
		return
	}
	t.mu.Lock()
	t.waiting = append(t.waiting, actor)
	t.next()
	for t.turn != actor {
		t.changed.Wait()
	}
	t.mu.Unlock()
	do()
	t.mu.Lock()
	t.turn = 0
	t.next()
	t.mu.Unlock()
}

// next gives the turn to somebody when everybody has said what he wants. The lock is held.
func (t *turns) next() {
	if t.free || t.turn != 0 || len(t.waiting) == 0 || len(t.waiting) < t.live {
		return
	}
	slices.Sort(t.waiting)
	i := t.r.IntN(len(t.waiting))
	t.turn = t.waiting[i]
	t.waiting = slices.Delete(t.waiting, i, i+1)
	t.changed.Broadcast()
}
