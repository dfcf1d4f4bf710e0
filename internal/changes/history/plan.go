package history

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/record"
)

// Plan says which files are to be written and removed, so that they are as they were.
// It is carried out wholly or not at all.
type Plan struct {
	Actions []*Action
	// Refusals are why the plan cannot be carried out. With one of them nothing is.
	Refusals []Refusal
	// Notes are what should be known besides, sentences for people.
	Notes []string
}

// Refusal is why a file cannot be taken back.
type Refusal struct {
	// Path is the absolute path of the file, "" when it is about all of them.
	Path string `json:"path"`
	// Reason is a clause for people.
	Reason string `json:"reason"`
}

// Action is what is done to one file.
type Action struct {
	// Root is the absolute path of the directory that nothing leads out of, and Path
	// that of the file from there, with forward slashes.
	Root, Path string
	// Expected is what the records say that is there now, Target what is put there.
	Expected, Target File
	// Content are the bytes of the target.
	Content []byte
	// Found is what stands there.
	Found File

	looked bool // Found is known
	// blockedBy is the path of a file that stands where a directory of this one must be,
	// and isTree says that a directory stands where this one must be.
	blockedBy string
	isTree    bool
	// way is the path of the outermost of them that the file lies below, or is itself.
	way string
}

// File is what stands at a path.
type File struct {
	Present bool
	// Kind is record.RegularFile, record.Symlink or record.Other.
	Kind string
	// SHA256 is that of the content, and of the text of a symbolic link.
	SHA256 string
	Bytes  int64
	// Mode are the permission bits; HasMode is false when they are not known, and stay.
	Mode    fs.FileMode
	HasMode bool
}

// Absolute returns the absolute path of the file.
func (a *Action) Absolute() string { return filepath.Join(a.Root, filepath.FromSlash(a.Path)) }

func (p *Plan) refuse(path, format string, args ...any) {
	p.Refusals = append(p.Refusals, Refusal{path, fmt.Sprintf(format, args...)})
}

// Undo returns the plan that takes back what a call changed, whose records are own. The
// history has them, and all others of the files that the call changed.
func (h *History) Undo(own []*record.Record) *Plan {
	p := &Plan{}
	for _, r := range own {
		if reason := notUndone(r); reason != "" {
			p.refuse("", "%s", reason)
		}
		for _, gap := range r.Gaps {
			p.Notes = append(p.Notes, "not observed, and not taken back: "+gap)
		}
	}
	if len(p.Refusals) > 0 {
		return p
	}
	isOwn := make(map[*record.Record]bool)
	for _, r := range own {
		isOwn[r] = true
	}
	source, guard, stepsOf := newBytes(h.Data), h.newGuard(), h.stepsByFile()
	for _, file := range (&History{Records: own}).Files() {
		all := stepsOf[file]
		steps := distinct(slices.DeleteFunc(slices.Clone(all), func(s Step) bool { return !isOwn[s.Record] }))
		if reason := notUndoneStep(steps); reason != "" {
			p.refuse(file, "%s", reason)
			continue
		}
		later := slices.DeleteFunc(all, func(s Step) bool {
			return isOwn[s.Record] || !s.Record.Time.After(steps[len(steps)-1].Record.Time.Time)
		})
		p.add(source, guard, file, steps, later)
	}
	p.makeWay()
	return p
}

// notUndone returns why nothing of a record can be taken back.
func notUndone(r *record.Record) string {
	switch {
	case r.Basis == record.SkippedReadOnly:
		return "the call was classified as one that only reads, and was not observed"
	case r.ChangedFiles == nil && len(r.Changes) == 0:
		return "what the call changed is not known" + because(r.Gaps)
	}
	return ""
}

func because(gaps []string) string {
	if len(gaps) == 0 {
		return ""
	}
	return ": " + strings.Join(gaps, "; ")
}

// notUndoneStep returns why the changes of one file cannot be taken back.
func notUndoneStep(steps []Step) string {
	for i, s := range steps {
		switch {
		case s.Change.Attribution == record.Shared:
			return "the change is shared with " + strings.Join(others(s), ", ") + ", whose work would be taken back too"
		case i > 0 && !follows(steps[i-1].Change.After, s.Change.Before):
			return "something else changed it before the call was over"
		}
	}
	return ""
}

// others names the other windows that a change may have come from.
func others(s Step) []string {
	var names []string
	for _, id := range s.Change.Windows {
		if id != s.Record.ID {
			names = append(names, id)
		}
	}
	if len(names) == 0 {
		return []string{"another call"}
	}
	return names
}

// follows reports whether two states of a file may be one.
func follows(a, b record.State) bool {
	return a.Present == b.Present && (!a.Present || a.SHA256 != "" && a.SHA256 == b.SHA256)
}

// distinct leaves out what several records say of one change.
func distinct(steps []Step) []Step {
	var list []Step
	for _, s := range steps {
		i := slices.IndexFunc(list, func(o Step) bool { return isSeenTwice(o, s) })
		switch {
		case i < 0:
			list = append(list, s)
		case list[i].Change.Attribution == record.Shared && s.Change.Attribution != record.Shared:
			list[i] = s
		}
	}
	return list
}

// newAction returns an action on the file of a change, at an absolute path.
func newAction(file string, r *record.Record, c *record.Change) *Action {
	if r.Root == nil {
		return &Action{Root: filepath.Dir(file), Path: filepath.Base(file)}
	}
	return &Action{Root: r.Root.Path, Path: c.Path}
}

// add plans to take back steps of a file, which follow on one another. later are the
// changes after them, which tell who else has been at it.
func (p *Plan) add(source *bytesOf, guard *guard, file string, steps, later []Step) {
	first, last := steps[0], steps[len(steps)-1]
	a := newAction(file, first.Record, first.Change)
	a.Expected = fileOf(last.Change.After, kindOf(last.Change, false))
	a.Target = fileOf(first.Change.Before, kindOf(first.Change, true))
	a.Expected.Mode, a.Expected.HasMode = modeOf(last.Change, false)
	a.Target.Mode, a.Target.HasMode = modeOf(first.Change, true)
	for _, s := range steps {
		if mode, ok := modeOf(s.Change, true); ok && !a.Target.HasMode {
			a.Target.Mode, a.Target.HasMode = mode, ok
		}
	}
	for _, s := range slices.Backward(steps) {
		if mode, ok := modeOf(s.Change, false); ok && !a.Expected.HasMode {
			a.Expected.Mode, a.Expected.HasMode = mode, ok
		}
	}
	if reason := guard.forbids(file, first.Record, a.Target); reason != "" {
		p.refuse(file, "%s", reason)
		return
	}
	content, reason := a.look()
	if reason != "" {
		if a.isReached() {
			reason += ", and is what it was before"
		} else if len(later) > 0 {
			reason += " (last recorded change: " + describe(later[len(later)-1].Record) + ")"
		}
		p.refuse(file, "%s", reason)
		return
	}
	if reason := a.fill(source, steps, content); reason != "" {
		p.refuse(file, "%s", reason)
		return
	}
	p.Actions = append(p.Actions, a)
}

// isReached reports whether what is there is already the target. That a directory
// above it is another one now, or that it cannot be read, leaves Found as it was.
func (a *Action) isReached() bool {
	if !a.looked || a.Found.Present != a.Target.Present {
		return false
	}
	return !a.Found.Present ||
		a.Found.Kind == a.Target.Kind && a.Found.SHA256 == a.Target.SHA256 && (!a.Target.HasMode || a.Found.Mode == a.Target.Mode)
}

// fill finds the bytes of the target, where content is what the file holds now.
func (a *Action) fill(source *bytesOf, steps []Step, content []byte) string {
	first := steps[0]
	switch {
	case !a.Target.Present || a.Target.SHA256 == a.Found.SHA256 && a.Found.Present && a.Target.Kind == a.Found.Kind:
		return "" // it is removed, or its mode alone is another one
	case a.Target.Kind == record.Other:
		return "it was no file but a pipe, a socket or a device"
	case a.Target.Kind == record.Symlink:
		return "it was a symbolic link, and none is made by what a record says"
	case a.Target.SHA256 == "":
		return "what it held before is not known"
	}
	a.Content = content
	for _, s := range slices.Backward(steps) {
		a.Content = source.before(s, a.Content)
	}
	if a.Content == nil || hashOf(a.Content) != a.Target.SHA256 {
		a.Content = source.find(first, first.Change.Before)
	}
	switch {
	case a.Content != nil:
		return ""
	case first.Change.XSecret:
		return "it may hold secrets, so that its bytes are never kept"
	case first.Change.Diff == record.TooLarge:
		return "what it held before was too large to be kept"
	}
	return "the bytes that it held before are no longer kept"
}

func fileOf(s record.State, kind string) File {
	return File{Present: s.Present, Kind: kind, SHA256: s.SHA256, Bytes: s.Bytes}
}

// kindOf returns what stood at the path of a change before or after it.
func kindOf(c *record.Change, before bool) string {
	kind := ""
	if c.XType != nil {
		kind = c.XType.After
		if before {
			kind = c.XType.Before
		}
	}
	if kind == "" {
		return record.RegularFile
	}
	return kind
}

// modeOf returns the permission bits before or after a change, when the record has
// them. A file that was deleted had those of 0644 when it says nothing.
func modeOf(c *record.Change, before bool) (fs.FileMode, bool) {
	text := ""
	if c.XMode != nil {
		text = c.XMode.After
		if before {
			text = c.XMode.Before
		}
	}
	if bits, err := strconv.ParseUint(text, 8, 32); err == nil {
		return fs.FileMode(bits) & fs.ModePerm, true
	}
	if c.XMode == nil && c.Operation == record.Delete && before {
		return 0o644, true
	}
	return 0, false
}

// describe names the call of a record.
func describe(r *record.Record) string {
	if r.Basis == record.Unattributed {
		return "something that no call covers"
	}
	if r.Tool == "" {
		return r.ID
	}
	return r.Tool
}

// Restore returns the plan that makes a file, or all recorded files of a directory,
// what they were at a time. The records are those of these files.
func (h *History) Restore(path string, at time.Time) *Plan {
	p := &Plan{}
	source, guard, stepsOf := newBytes(h.Data), h.newGuard(), h.stepsByFile()
	files := h.Files()
	if len(files) == 0 {
		p.refuse(path, "there is no record of it")
	}
	for _, file := range files {
		steps := timesOf(stepsOf[file])
		i := 0
		for i < len(steps) && !steps[i].to.After(at) {
			i++
		}
		later := steps[i:]
		switch {
		case len(later) == 0:
			p.unchanged(file, steps[len(steps)-1].Step)
			continue
		case later[0].from.Before(at):
			p.refuse(file, "it was being changed at that time, by %s: give a time before %s or from %s on",
				describe(later[0].Record), stamp(later[0].from), stamp(later[0].to))
			continue
		case i > 0 && !follows(steps[i-1].Change.After, later[0].Change.Before):
			p.refuse(file, "what it was at that time is not recorded: something changed it between %s and %s", stamp(steps[i-1].to), stamp(later[0].from))
			continue
		}
		if i == 0 {
			if begin := h.begin(later[0]); begin.After(at) {
				p.refuse(file, "the records begin at %s, and what it was before that is not known", stamp(begin))
				continue
			}
		}
		undone := make([]Step, len(later))
		for j, s := range later {
			undone[j] = s.Step
		}
		p.add(source, guard, file, undone, nil)
	}
	p.makeWay()
	return p
}

// unchanged notes that a file was already what it is now, unless it is not what the
// last record says.
func (p *Plan) unchanged(file string, last Step) {
	a := newAction(file, last.Record, last.Change)
	a.Expected = fileOf(last.Change.After, kindOf(last.Change, false))
	a.Target = a.Expected
	if _, reason := a.look(); reason != "" {
		p.refuse(file, "%s, after the last record of it", reason)
		return
	}
	p.Notes = append(p.Notes, file+" has not changed since")
}

// begin returns from when on something is known of the root of a change: the beginning
// of its first record.
func (h *History) begin(first timedStep) time.Time {
	begin := first.from
	root := first.Record.Root
	if root == nil {
		return begin
	}
	if known, ok := h.begins[root.Path]; ok {
		return known
	}
	all, err := Load(h.Data, Filter{Roots: []string{root.Path}, Lean: true}, nil)
	if err != nil {
		return begin
	}
	for _, r := range all.Records {
		from := r.Time.Time
		if r.Window != nil {
			from = r.Window.Before.From.Time
		}
		if r.Root.Path == root.Path && from.Before(begin) {
			begin = from
		}
	}
	if h.begins == nil {
		h.begins = make(map[string]time.Time)
	}
	h.begins[root.Path] = begin
	return begin
}

func stamp(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05.000") }

// timedStep is a change and the time between which it happened.
type timedStep struct {
	Step
	from, to time.Time
}

// timesOf puts changes in their order in time. What several windows saw of one change
// happened while all of them were open.
func timesOf(steps []Step) []timedStep {
	var list []timedStep
	for _, s := range steps {
		t := timedStep{s, s.Record.Time.Time, s.Record.Time.Time}
		if w := s.Record.Window; w != nil {
			t.from = w.Before.From.Time
		}
		i := slices.IndexFunc(list, func(o timedStep) bool {
			return isSeenTwice(o.Step, s) && o.from.Before(t.to) && t.from.Before(o.to)
		})
		if i < 0 {
			list = append(list, t)
			continue
		}
		if t.from.After(list[i].from) {
			list[i].from = t.from
		}
		if t.to.Before(list[i].to) {
			list[i].to = t.to
		}
	}
	slices.SortStableFunc(list, func(a, b timedStep) int { return a.to.Compare(b.to) })
	return list
}
