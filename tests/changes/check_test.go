package changes_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/changes/textdiff"
)

// judge compares the records of a play with what the driver knows.
type judge struct {
	*play
	start   time.Time // when the first scan was over
	records []*record.Record
	byID    map[string]*record.Record
	calls   map[string]*call
}

func judgeOf(p *play, start time.Time) *judge {
	j := &judge{play: p, start: start, byID: make(map[string]*record.Record), calls: make(map[string]*call)}
	for _, c := range p.calls {
		j.calls[c.id] = c
	}
	files, err := record.Files(p.data)
	if err != nil {
		p.t.Error(err)
	}
	for _, f := range files {
		content, err := os.ReadFile(f.Path)
		if isEmpty := len(content) == 0 && p.kills > 0; err != nil || !isEmpty && !bytes.HasSuffix(content, []byte("\n")) {
			p.t.Errorf("%s: a line is torn: %v", f.Path, err) // one that is killed may have made the file alone
		}
		for r, err := range record.Read(f.Path) {
			if err != nil {
				p.t.Errorf("%v", err)
				continue
			}
			if j.byID[r.ID] != nil {
				p.t.Errorf("%s: recorded twice", r.ID)
			}
			if r.Session != f.Session || r.Stream != f.Stream {
				p.t.Errorf("%s: of %s/%s, in %s", r.ID, r.Session, r.Stream, f.Path)
			}
			j.byID[r.ID] = r
			j.records = append(j.records, r)
		}
	}
	return j
}

// all checks everything.
func (j *judge) all() {
	for _, c := range j.play.calls {
		j.call(c)
	}
	for _, r := range j.records {
		j.record(r)
	}
	for _, path := range j.world.observed() {
		j.chain(path)
	}
	j.state()
}

// call checks which records a call has.
func (j *judge) call(c *call) {
	r, late := j.byID[c.id], j.byID[c.id+"/late"]
	ended := c.post != nil
	certain := ended && c.post.ok()
	switch c.kind {
	case denied:
		if r != nil {
			j.t.Errorf("%s: a call that was denied has a record", c.id)
		}
		return
	case onlyRead:
		if certain && (r == nil || r.Basis != record.SkippedReadOnly) {
			j.t.Errorf("%s: a call that only reads has the record %+v", c.id, r)
		}
		return
	case edited:
		j.edit(c, r)
		return
	}
	if r == nil {
		if c.pre.ok() || certain {
			j.t.Errorf("%s: no record", c.id)
		}
		return
	}
	unfinished := r.Outcome.State == record.Unfinished
	if late != nil && (!unfinished || !ended) {
		j.t.Errorf("%s: a late record, and the outcome %q", c.id, r.Outcome.State)
	}
	switch {
	case unfinished && certain && !c.together && j.kills == 0:
		j.t.Errorf("%s: unfinished, and it has ended", c.id)
	case unfinished && certain && late == nil:
		j.t.Errorf("%s: unfinished, it has ended, and nothing says so", c.id)
	case unfinished && late != nil && late.Outcome.State == record.Unfinished && !certain:
	case unfinished && late != nil:
		j.outcome(c, late)
	case !unfinished:
		j.outcome(c, r)
	}
	unseen := slices.ContainsFunc(r.Gaps, func(gap string) bool { return strings.Contains(gap, "did not see it begin") })
	if unseen && slices.ContainsFunc(r.Changes, func(c record.Change) bool { return c.Attribution != record.Shared }) {
		j.t.Errorf("%s: it was not seen to begin, and changes are said to be its own: %+v", c.id, r.Changes)
	}
	if r.ChangedFiles == nil && c.pre.ok() {
		j.t.Errorf("%s: the number of changed files is not known: %q", c.id, r.Gaps)
	}
}

func (j *judge) outcome(c *call, r *record.Record) {
	got := r.Outcome
	switch {
	case got.State != c.outcome:
		j.t.Errorf("%s: outcome %q, want %q", r.ID, got.State, c.outcome)
	case c.exit < 0 && got.ExitCode != nil, c.exit >= 0 && (got.ExitCode == nil || *got.ExitCode != c.exit):
		j.t.Errorf("%s: exit code %v, want %d", r.ID, got.ExitCode, c.exit)
	}
}

// edit checks the record of a call of a file tool.
func (j *judge) edit(c *call, r *record.Record) {
	made := c.after.present
	switch {
	case r == nil && made && c.post != nil && c.post.ok():
		j.t.Errorf("%s: an edit of %s has no record", c.id, c.path)
	case r != nil && (!made || c.post == nil):
		j.t.Errorf("%s: an edit of %s that was not made has a record", c.id, c.path)
	case r == nil:
	case r.Basis != record.RuntimeReported || len(r.Changes) != 1:
		j.t.Errorf("%s: an edit of %s has the record %+v", c.id, c.path, r)
	case r.Changes[0].Path != c.path || r.Changes[0].Before.SHA256 != c.before.hash() || r.Changes[0].After.SHA256 != c.after.hash():
		j.t.Errorf("%s: an edit of %s has the change %+v, want from %s to %s", c.id, c.path, r.Changes[0], c.before.hash(), c.after.hash())
	}
}

// record checks what one record says of the files.
func (j *judge) record(r *record.Record) {
	if r.Root == nil || r.Root.Path != j.root {
		j.t.Errorf("%s: root %+v, want %s", r.ID, r.Root, j.root)
	}
	for i := range r.Changes {
		j.form(r, &r.Changes[i])
	}
	if r.Basis != record.ToolWindow || r.Window == nil {
		return
	}
	for _, path := range j.world.observed() {
		i := indexOf(r, path)
		if i < 0 {
			j.unlisted(r, path)
			continue
		}
		j.listed(r, &r.Changes[i])
	}
	j.overlaps(r)
}

// form checks a change by itself.
func (j *judge) form(r *record.Record, c *record.Change) {
	h := j.world.paths[c.Path]
	if h == nil || c.Path == excludedPath && r.Basis != record.RuntimeReported {
		j.t.Errorf("%s: lists %s, which nobody changed or is not observed", r.ID, c.Path)
		return
	}
	if len(c.Windows) == 0 || c.Windows[0] != r.ID {
		j.t.Errorf("%s: %s: windows %q, want its own first", r.ID, c.Path, c.Windows)
	}
	if got, want := c.Attribution == record.Shared, len(c.Windows) > 1; got != want {
		j.t.Errorf("%s: %s: %s, and its windows are %q", r.ID, c.Path, c.Attribution, c.Windows)
	}
	before, beforeKnown := find(h, c.Before)
	after, afterKnown := find(h, c.After)
	if !beforeKnown || !afterKnown {
		j.t.Errorf("%s: %s: %+v became %+v, and one of them never was there", r.ID, c.Path, c.Before, c.After)
		return
	}
	secret := strings.HasPrefix(filepath.Base(c.Path), ".env") || strings.HasSuffix(c.Path, ".pem")
	if secret != c.XSecret {
		j.t.Errorf("%s: %s: secret %t", r.ID, c.Path, c.XSecret)
	}
	want := record.Available
	switch {
	case secret, before.link, after.link:
		want = record.Unavailable
	case len(before.bytes) > sizeCap, len(after.bytes) > sizeCap:
		want = record.TooLarge
	case strings.Contains(before.bytes+after.bytes, "\x00"):
		want = record.Binary
	}
	if c.Diff != want && !(j.kills > 0 && c.Diff == record.Unavailable) {
		j.t.Errorf("%s: %s: diff %s, want %s", r.ID, c.Path, c.Diff, want)
	}
	if c.Diff == record.Available {
		got, err := textdiff.Apply([]byte(before.bytes), c.Hunks)
		if err != nil || string(got) != after.bytes {
			j.t.Errorf("%s: %s: the hunks do not lead from the one to the other: %v", r.ID, c.Path, err)
		}
	}
}

// find returns the content of a path that a record means.
func find(h *history, s record.State) (content, bool) {
	for _, c := range h.states {
		if c.present == s.Present && c.hash() == s.SHA256 {
			return c, true
		}
	}
	return content{}, false
}

func matches(c content, s record.State) bool { return c.present == s.Present && c.hash() == s.SHA256 }

// unlisted checks that a window that does not list a path need not.
func (j *judge) unlisted(r *record.Record, path string) {
	h := j.world.paths[path]
	before, after := during(h, r.Window.Before), during(h, r.Window.After)
	if slices.ContainsFunc(before, func(b content) bool { return slices.ContainsFunc(after, b.equals) }) {
		return
	}
	// Edits of the runtime have their own records.
	for _, c := range h.states {
		if c.edit == "" && c.began.After(r.Window.Before.To.Time) && c.ended.Before(r.Window.After.From.Time) {
			j.t.Errorf("%s: %s was changed in its window and is not listed", r.ID, path)
			return
		}
	}
}

// listed checks a change of a window: from what stood there at its first scan to what
// stood there at its last.
func (j *judge) listed(r *record.Record, c *record.Change) {
	h := j.world.paths[c.Path]
	stands := slices.ContainsFunc(during(h, r.Window.Before), func(s content) bool { return matches(s, c.Before) })
	for i, s := range h.states {
		stands = stands || matches(s, c.Before) && j.unreported(h, i, r.Window.Before)
	}
	if !stands {
		j.t.Errorf("%s: %s: another content before, %+v", r.ID, c.Path, c.Before)
	}
	if !slices.ContainsFunc(during(h, r.Window.After), func(s content) bool { return matches(s, c.After) }) {
		j.t.Errorf("%s: %s: another content after, %+v", r.ID, c.Path, c.After)
	}
	for _, s := range h.states {
		if s.edit != "" || !s.began.After(r.Window.Before.To.Time) || !s.ended.Before(r.Window.After.From.Time) {
			continue
		}
		for _, other := range j.play.calls {
			if other.id == callID(r.ID) || other.kind != scanned || !j.surelyOpen(other, s.began, s.ended) {
				continue
			}
			if o := j.byID[other.id]; o != nil && o.Window != nil && indexOf(o, c.Path) < 0 {
				continue // what came back in its window nobody may have seen
			}
			if !slices.Contains(c.Windows, other.id) {
				j.t.Errorf("%s: %s: %s was open too when it was changed, and is not named: %q", r.ID, c.Path, other.id, c.Windows)
			}
		}
	}
	for _, id := range c.Windows[1:] {
		if other := j.calls[callID(id)]; other != nil && !j.maybeOpen(other, r.Window.Before.From.Time, r.Window.After.To.Time) {
			j.t.Errorf("%s: %s: %s is named, and was not open", r.ID, c.Path, id)
		}
	}
}

// indexOf returns which change of a record is of a path, -1 for none.
func indexOf(r *record.Record, path string) int {
	return slices.IndexFunc(r.Changes, func(c record.Change) bool { return c.Path == path })
}

// callID is the id of the call of a record.
func callID(id string) string { return strings.TrimSuffix(id, "/late") }

// overlaps checks which other windows a record names.
func (j *judge) overlaps(r *record.Record) {
	for _, other := range j.play.calls {
		if other.id == callID(r.ID) || other.kind != scanned || other.pre == nil {
			continue
		}
		named := slices.ContainsFunc(r.Overlaps, func(o record.Overlap) bool { return callID(o.Capture) == other.id })
		from, to := r.Window.Before.To.Time, r.Window.After.From.Time
		if other.pre.ended.After(from) {
			from = other.pre.ended
		}
		if close := firstClose(other); close.Before(to) {
			to = close
		}
		switch {
		case !named && other.pre.ok() && other.pre.exit == 0 && from.Before(to):
			j.t.Errorf("%s: %s was open in its window, and is not named", r.ID, other.id)
		case named && !j.maybeOpen(other, r.Window.Before.From.Time, r.Window.After.To.Time):
			j.t.Errorf("%s: %s is named, and was not open in its window", r.ID, other.id)
		}
	}
}

// surelyOpen reports whether a window was open for all of a time.
func (j *judge) surelyOpen(c *call, from, to time.Time) bool {
	return c.pre != nil && c.pre.ok() && c.pre.exit == 0 && c.pre.ended.Before(from) && to.Before(firstClose(c))
}

// maybeOpen reports whether a window can have been open at some time between two.
func (j *judge) maybeOpen(c *call, from, to time.Time) bool {
	if c.pre == nil || c.pre.began.After(to) {
		return false
	}
	for _, run := range c.closers {
		if run.ok() && run.ended.Before(from) {
			// What the call does after it was given up is another window.
			return c.post != nil && c.post.began.Before(to) && (from.Before(c.post.ended) || !c.post.ok())
		}
	}
	return true
}

// firstClose returns when a window can first have been closed.
func firstClose(c *call) time.Time {
	first := time.Now()
	for _, run := range c.closers {
		if run.began.Before(first) {
			first = run.began
		}
	}
	return first
}

func during(h *history, s record.Span) []content { return h.during(s.From.Time, s.To.Time) }

// state checks that nothing is left open.
func (j *judge) state() {
	root := record.NewRoot(j.root)
	entries, err := os.ReadDir(filepath.Join(j.data, "state", root.ID, "windows"))
	if err != nil && !os.IsNotExist(err) {
		j.t.Error(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") { // a temporary file of a killed process
			j.t.Errorf("%s is left", e.Name())
		}
	}
	if log, err := os.ReadFile(filepath.Join(j.data, "log", "plugin.log")); err == nil && len(log) > 0 {
		j.t.Errorf("the log says:\n%s", log)
	}
}
