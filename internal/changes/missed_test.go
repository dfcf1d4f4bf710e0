package changes

import (
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/changes/record"
)

// blind has scans reach nothing from then on, and sighted has them reach all.
func blind(b *bench)   { b.settings("scan_timeout: 1ns\n") }
func sighted(b *bench) { b.settings("scan_timeout: 30s\n") }

func TestAChangeThatAScanDidNotReachIsOfAllWindowsSinceTheLastThatDid(t *testing.T) {
	for _, c := range []struct {
		name string
		acts []act
		want []string
	}{
		{"a call whose last scan did not reach it, and the one after it",
			[]act{pre("a", ""), write("x", "1"), blind, post("a", ""), pre("b", ""), sighted, post("b", "")},
			[]string{"a: returned partial", "b: returned partial +x(a,gap/3)"}},
		{"the first call's own changes are not lost on it when the scan before the next one reaches them",
			[]act{pre("a", ""), write("x", "1"), blind, post("a", ""), sighted, pre("b", ""), write("y", "1"), post("b", "")},
			[]string{"a: returned partial", "gap/3: partial +x(a)", "b: returned +y"}},
		{"nobody",
			[]act{pre("a", ""), post("a", ""), write("x", "1"), blind, stop, sighted, stop},
			[]string{"a: returned", "gap/4: partial +x(outside)"}},
		{"nobody before a call",
			[]act{pre("a", ""), post("a", ""), write("x", "1"), blind, pre("b", ""), sighted, post("b", "")},
			[]string{"a: returned", "b: returned partial +x(gap/3)"}},
		{"a call alone, of which a scan within did not reach it",
			[]act{pre("a", ""), write("x", "1"), blind, subagentStop, sighted, post("a", "")},
			[]string{"a: returned partial +x"}},
		{"a call within another one",
			[]act{pre("a", ""), pre("b", "agent"), write("x", "1"), blind, post("b", "agent"), sighted, post("a", "")},
			[]string{"b: returned partial", "a: returned partial +x(b)"}},
		{"only what changed after it was reached is certain again",
			[]act{pre("a", ""), blind, post("a", ""), sighted, pre("b", ""), write("x", "1"), post("b", "")},
			[]string{"a: returned partial", "b: returned +x"}},
		{"an edit says what the file was",
			[]act{pre("a", ""), blind, post("a", ""), edit("e", "x", "", "1"), sighted, pre("b", ""), write("x", "2"), post("b", "")},
			[]string{"a: returned partial", "e: returned +x", "b: returned ~x"}},
	} {
		t.Run(c.name, func(t *testing.T) { play(t, c.acts, c.want) })
	}
}

func subagentStop(b *bench) { b.hook(in("agent", Event{Name: "SubagentStop"})) }

func TestARecordSaysWhatRestsOnAScanThatDidNotReachIt(t *testing.T) {
	b := newBench(t)
	b.pre("a")
	b.write("x", "1")
	blind(b)
	b.post("a")
	b.pre("b")
	sighted(b)
	b.post("b")
	r := b.record("b")
	if r.Coverage != record.Partial || !strings.Contains(strings.Join(r.Gaps, "\n"), `did not reach these, which may have been changed earlier than between the two scans: "x"`) {
		t.Errorf("%s %q", r.Coverage, r.Gaps)
	}
	if len(r.Overlaps) != 1 || r.Overlaps[0].Capture != "a" || r.Overlaps[0].State != record.Closed {
		t.Errorf("overlaps: %+v", r.Overlaps)
	}
}

func TestWhatAScanDidNotReachIsKnownWhenTheJournalIsShort(t *testing.T) {
	b := newBench(t)
	b.pre("a")
	b.write("x", "1")
	blind(b)
	b.post("a")
	_, err := b.recorder().visit(b.state(), Event{Session: "s"}, b.wait, func(s *state) error {
		return s.journal.rewrite(s.path, s.journal.last(), func(*closing) bool { return false })
	})
	if err != nil {
		t.Fatal(err)
	}
	sighted(b)
	b.event("Stop")
	if r := b.records()[len(b.records())-1]; line(r) != "gap/3: partial +x(gap/2)" {
		t.Error(line(r))
	}
}
