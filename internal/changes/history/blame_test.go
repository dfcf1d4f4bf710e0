package history_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/changes/history"
	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/git/gittest"
	"github.com/google/go-cmp/cmp"
)

// blamed returns what blame says of the lines of a file: the line and its call, or
// what there is instead of one.
func (p *project) blamed(name string) []string {
	p.t.Helper()
	var list []string
	h, err := history.LoadFile(p.data, p.path(name), nil)
	p.check(err)
	for _, l := range h.Blame(p.path(name), []byte(p.read(name))) {
		by := map[history.Origin]string{history.ByNobody: "nobody", history.Unrecorded: "unrecorded", history.Older: "older", history.Unknown: "unknown"}[l.Origin]
		if l.Origin == history.ByCall {
			by = l.Step.Record.Tool
			if l.Step.Change.Attribution == record.Shared {
				by += " shared"
			}
		}
		list = append(list, l.Text+" "+by)
	}
	return list
}

func TestBlameNamesTheCallOfEachLine(t *testing.T) {
	for name, row := range map[string]struct {
		make func(p *project)
		want []string
	}{
		"two calls, and what was there": {func(p *project) {
			p.write("f", "1\n2\n3\n")
			p.edit("a", "f", "1\n2\nA\n3\n")
			p.edit("b", "f", "B\n1\nA\n3\n")
		}, []string{"B b", "1 older", "A a", "3 older"}},
		"a file that a call made": {func(p *project) {
			p.edit("a", "f", "1\n2\n")
			p.edit("b", "f", "1\n2\n3\n")
		}, []string{"1 a", "2 a", "3 b"}},
		"a person": {func(p *project) {
			p.write("f", "1\n")
			p.edit("a", "f", "1\n2\n", unattributed)
		}, []string{"1 older", "2 nobody"}},
		"two windows": {func(p *project) {
			p.write("f", "1\n")
			p.edit("a", "f", "1\n2\n", shared("b"))
		}, []string{"1 older", "2 a shared"}},
		"no record":     {func(p *project) { p.write("f", "1\n2") }, []string{"1 older", "2 older"}},
		"an empty file": {func(p *project) { p.edit("a", "f", "") }, nil},
		"changed since, its bytes kept": {func(p *project) {
			p.write("f", "1\n")
			p.edit("a", "f", "1\n2\n")
			p.keep("1\n2\n")
			p.write("f", "1\nx\n2\n")
		}, []string{"1 older", "x unrecorded", "2 a"}},
		"changed since, its bytes gone": {func(p *project) {
			p.write("f", "1\n")
			p.edit("a", "f", "1\n2\n")
			p.write("f", "1\nx\n2\n")
		}, []string{"1 unknown", "x unknown", "2 unknown"}},
		"changed between two records": {func(p *project) {
			p.edit("a", "f", "1\n")
			p.keep("1\n")
			p.write("f", "1\nx\n")
			p.edit("b", "f", "1\nx\n2\n")
		}, []string{"1 a", "x unrecorded", "2 b"}},
		"there and back": {func(p *project) {
			p.write("f", "1\n")
			p.edit("a", "f", "1\n2\n")
			p.edit("b", "f", "1\n")
			p.edit("c", "f", "1\n3\n")
		}, []string{"1 older", "3 c"}},
		"put back by nobody that is recorded": {func(p *project) {
			p.edit("a", "f", "1\n")
			p.edit("b", "f", "1\n2\n")
			p.write("f", "1\n")
		}, []string{"1 a"}},
		"deleted and made again": {func(p *project) {
			p.edit("a", "f", "1\n")
			p.call("b", []string{"f"}, func() { p.check(os.Remove(p.path("f"))) })
			p.edit("c", "f", "1\n")
		}, []string{"1 c"}},
		"its mode changed last, its bytes kept": {func(p *project) {
			p.write("f", "1\n")
			p.edit("a", "f", "1\n2\n")
			p.call("b", []string{"f"}, func() { p.check(os.Chmod(p.path("f"), 0o600)) })
			p.keep("1\n2\n")
			p.write("f", "1\nx\n2\n")
		}, []string{"1 older", "x unrecorded", "2 a"}},
		"renamed": {func(p *project) {
			p.write("old", "1\n")
			p.edit("a", "old", "1\n2\n")
			p.call("b", []string{"old", "f"}, func() { p.check(os.Rename(p.path("old"), p.path("f"))) }, func(r *record.Record) { r.Changes[1].XRenamedFrom = "old" })
			p.edit("c", "f", "1\n2\n3\n")
		}, []string{"1 older", "2 a", "3 c"}},
		"no final line feed": {func(p *project) {
			p.write("f", "1\n2")
			p.edit("a", "f", "1\n2\n3")
		}, []string{"1 older", "2 a", "3 a"}},
		"too large, its bytes kept": {func(p *project) {
			large := strings.Repeat("x", sizeCap)
			p.write("f", large+"\n")
			p.keep(large + "\n")
			p.edit("a", "f", large+"\n2\n")
		}, []string{strings.Repeat("x", sizeCap) + " older", "2 a"}},
		"too large, its bytes gone": {func(p *project) {
			p.write("f", strings.Repeat("x", sizeCap)+"\n")
			p.edit("a", "f", strings.Repeat("x", sizeCap)+"\n2\n")
			p.edit("b", "f", "2\n3\n")
		}, []string{"2 unknown", "3 unknown"}},
		"two windows saw one change, and one of them another": {func(p *project) {
			p.write("f", "1\n")
			r := p.edit("a", "f", "1\n2\n", shared("b"))
			again := *r
			again.ID, again.Tool = "b", "b"
			again.Changes = append([]record.Change{}, r.Changes...)
			again.Changes[0].Windows = []string{"b", "a"}
			p.check(record.Append(p.data, again.Session, again.Stream, &again))
			p.edit("c", "f", "1\n2\n3\n")
		}, []string{"1 older", "2 a shared", "3 c"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			row.make(p)
			if diff := cmp.Diff(row.want, p.blamed("f")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestBlameTakesFromGitWhatIsKeptNowhereElse(t *testing.T) {
	r := gittest.New(t)
	large := strings.Repeat("x", sizeCap)
	r.Commit("f", large+"\n")
	p := &project{t: t, data: t.TempDir(), root: r.Dir, now: start}
	p.edit("a", "f", large+"\n2\n")
	if diff := cmp.Diff([]string{large + " older", "2 a"}, p.blamed("f")); diff != "" {
		t.Error(diff)
	}
}

// TestBlameOfManyChangesNamesWhoWroteEachLine makes changes at random in which each
// line says who wrote it.
func TestBlameOfManyChangesNamesWhoWroteEachLine(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 0))
		p := newProject(t)
		var lines []string
		for n := range 12 {
			lines = append(lines, fmt.Sprintf("older %d", n))
		}
		write := func() string { return strings.Join(lines, "\n") + "\n" }
		p.write("f", write())
		for n := range 25 {
			id := fmt.Sprintf("call%d", n)
			for k := range 1 + random.IntN(4) {
				at := random.IntN(len(lines) + 1)
				if at < len(lines) && random.IntN(2) == 0 {
					lines = append(lines[:at], lines[at+1:]...)
					if len(lines) > 0 {
						continue
					}
					at = 0
				}
				lines = append(lines[:at], append([]string{fmt.Sprintf("%s %d", id, k)}, lines[at:]...)...)
			}
			p.edit(id, "f", write())
		}
		for i, got := range p.blamed("f") {
			by, _, _ := strings.Cut(lines[i], " ")
			if got != lines[i]+" "+by {
				t.Fatalf("seed %d, line %d: %s", seed, i+1, got)
			}
		}
	}
}
