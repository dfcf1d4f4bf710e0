package history

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/claudewatch/claudewatch/internal/changes/record"
)

// Apply carries the plan out. First all that is to be written is written beside its
// place, then every file is looked at once more and put in place in one step. When
// anything goes wrong, everything is put back, and the error says so.
func (p *Plan) Apply() (err error) {
	if len(p.Refusals) > 0 {
		return errors.New("the plan is refused")
	}
	w := &writer{roots: make(map[string]*os.Root)}
	defer w.close()
	for _, a := range p.Actions {
		if err := w.prepare(a); err != nil {
			return w.giveUp(a, err)
		}
	}
	if a, err := w.write(); err != nil {
		return w.giveUp(a, err)
	}
	// What goes makes way for what comes.
	slices.SortStableFunc(w.jobs, func(a, b *job) int { return isPut(a) - isPut(b) })
	for _, j := range w.jobs {
		if err := w.commit(j); err != nil {
			return w.giveUp(j.Action, err)
		}
		w.toUndo(func() error {
			if err := j.putBack(); err != nil {
				return fmt.Errorf("%s could not be put back: %w%s", j.Absolute(), err, j.where())
			}
			return nil
		})
	}
	return w.finish()
}

// isPut is 1 for a job that puts something in its place and 0 for one that removes it.
func isPut(j *job) int {
	if j.Target.Present {
		return 1
	}
	return 0
}

// writer carries out the actions of a plan.
type writer struct {
	roots map[string]*os.Root
	jobs  []*job
	// undo are what takes back each thing that was done, in the order of what was done.
	undo []func() error
}

func (w *writer) toUndo(undo func() error) { w.undo = append(w.undo, undo) }

// job is an action under way.
type job struct {
	*Action
	root *os.Root
	// path is that of the file below root, in the form of the system.
	path string
	// written is a file beside it that holds the target, "" when there is none.
	written string
	// aside is where what stood there has been put, "" when nothing was.
	aside string
}

// temporaryPrefix begins the names of files that are only there for a moment.
const temporaryPrefix = ".claudewatch-"

// beside returns a new name in the directory of the file, or in the innermost one above it
// that stays a directory all the time.
func (j *job) beside() string {
	stays := filepath.Dir(j.path)
	if j.way != "" {
		stays = filepath.Dir(filepath.FromSlash(j.way))
	}
	return filepath.Join(stays, temporaryPrefix+rand.Text())
}

// isModeOnly reports whether the permission bits are all that is changed.
func (j *job) isModeOnly() bool {
	return j.Target.Present && j.Content == nil && j.Found.Present && j.Target.SHA256 == j.Found.SHA256
}

// prepare makes the directory of what is to be put at a path, and gives it a name beside
// that.
func (w *writer) prepare(a *Action) error {
	root := w.roots[a.Root]
	if root == nil {
		opened, reason := a.open()
		if reason != "" {
			return errors.New(reason)
		}
		root, w.roots[a.Root] = opened, opened
	}
	j := &job{Action: a, root: root, path: filepath.FromSlash(a.Path)}
	w.jobs = append(w.jobs, j)
	if !a.Target.Present || j.isModeOnly() {
		return nil
	}
	if j.blockedBy == "" {
		if err := w.directories(j); err != nil {
			return err
		}
	}
	j.written = j.beside()
	return nil
}

// writers is how many files are written at the same time. The disk is waited for once for
// many of them.
const writers = 32

// write writes what is to be put in place. Of an error it returns the action as well.
func (w *writer) write() (*Action, error) {
	var group sync.WaitGroup
	problems, free := make([]error, len(w.jobs)), make(chan struct{}, writers)
	for i, j := range w.jobs {
		if j.written != "" {
			free <- struct{}{}
			group.Go(func() {
				problems[i] = j.write()
				<-free
			})
		}
	}
	group.Wait()
	for i, err := range problems {
		if err != nil {
			return w.jobs[i].Action, err
		}
	}
	return nil, nil
}

func (j *job) write() error {
	file, err := j.root.OpenFile(j.written, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(j.Content)
	if err == nil {
		err = file.Chmod(j.mode())
	}
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// mode returns the permission bits that the file gets.
func (j *job) mode() fs.FileMode {
	switch {
	case j.Target.HasMode:
		return j.Target.Mode
	case j.Found.Present && j.Found.Kind == record.RegularFile:
		return j.Found.Mode
	}
	return 0o644
}

// directories makes the directories that the file stands in.
func (w *writer) directories(j *job) error {
	directory := path.Dir(j.Path)
	var missing []string
	for ; directory != "."; directory = path.Dir(directory) {
		if _, err := j.root.Lstat(filepath.FromSlash(directory)); err == nil {
			break
		}
		missing = append(missing, filepath.FromSlash(directory))
	}
	for i := len(missing) - 1; i >= 0; i-- {
		if err := j.root.Mkdir(missing[i], 0o777); err != nil {
			return err
		}
		w.toUndo(func() error {
			_ = j.root.Remove(missing[i]) // somebody may have put something there
			return nil
		})
	}
	return nil
}

// removeTree removes the directory that stands in the place of the file, from which the
// files have gone.
func (w *writer) removeTree(j *job) error {
	var directories []string
	err := fs.WalkDir(j.root.FS(), j.Path, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			err = fmt.Errorf("%s has been made right now", path)
		}
		directories = append(directories, filepath.FromSlash(path))
		return err
	})
	if err != nil {
		return err
	}
	for _, directory := range slices.Backward(directories) {
		info, err := j.root.Lstat(directory)
		if err == nil {
			err = j.root.Remove(directory)
		}
		if err != nil {
			return err
		}
		w.toUndo(func() error {
			return errors.Join(j.root.Mkdir(directory, 0o700), j.root.Chmod(directory, info.Mode().Perm()))
		})
	}
	return nil
}

// commit looks at what stands at the path once more, and puts the target there.
func (w *writer) commit(j *job) error {
	found := j.Found
	if _, reason := j.lookIn(j.root); reason != "" {
		return errors.New(reason)
	}
	if j.Found != found {
		return errors.New("it is being changed right now")
	}
	if j.blockedBy != "" && j.Target.Present {
		return errors.New(noDirectory(j.blockedBy))
	}
	if j.isTree && j.Target.Present {
		if err := w.removeTree(j); err != nil {
			return err
		}
	}
	if j.written != "" {
		if err := w.directories(j); err != nil {
			return err
		}
	}
	switch {
	case j.isModeOnly():
		if err := j.root.Chmod(j.path, j.mode()); err != nil {
			return err
		}
	case !j.Target.Present:
		if j.Found.Present {
			name := j.beside()
			if err := j.root.Rename(j.path, name); err != nil {
				return err
			}
			j.aside = name
		}
	case !j.Found.Present:
		// A link does not replace a file that somebody has made in the meantime.
		if err := j.root.Link(j.written, j.path); err == nil {
			_ = j.root.Remove(j.written)
		} else if errors.Is(err, fs.ErrExist) {
			return errors.New("it was created right now")
		} else if err := j.root.Rename(j.written, j.path); err != nil {
			return err
		}
		j.written = ""
	default:
		name := j.beside()
		if err := j.root.Link(j.path, name); err != nil {
			if err := j.root.Rename(j.path, name); err != nil { // a file system without links
				return err
			}
		}
		j.aside = name
		if err := j.root.Rename(j.written, j.path); err != nil {
			return errors.Join(err, j.putBack())
		}
		j.written = ""
	}
	return nil
}

// putBack puts what stood at the path back there.
func (j *job) putBack() error {
	var err error
	switch {
	case j.aside != "":
		err = j.root.Rename(j.aside, j.path)
		// Both may be links of one file by now, which a rename leaves alone.
		_ = j.root.Remove(j.aside)
	case j.isModeOnly():
		err = j.root.Chmod(j.path, j.Found.Mode)
	case !j.Found.Present && j.Target.Present:
		err = j.root.Remove(j.path)
	}
	if err == nil {
		j.aside = ""
	}
	return err
}

// giveUp puts everything back and returns the error, with what could not be put back.
func (w *writer) giveUp(a *Action, cause error) error {
	err := fmt.Errorf("%s: %w; nothing was changed", a.Absolute(), cause)
	for _, j := range w.jobs {
		if j.written != "" {
			_ = j.root.Remove(j.written)
		}
	}
	var left []error
	for _, undo := range slices.Backward(w.undo) {
		if problem := undo(); problem != nil {
			left = append(left, problem)
		}
	}
	if len(left) > 0 {
		return fmt.Errorf("%s: %w; most was put back, but not all: %w", a.Absolute(), cause, errors.Join(left...))
	}
	return err
}

// where says where what stood at the path is.
func (j *job) where() string {
	if j.aside == "" {
		return ""
	}
	return "; it is kept in " + filepath.Join(j.Root, j.aside)
}

// finish removes what was put aside, when everything is in its place.
func (w *writer) finish() error {
	var problems []error
	synced := make(map[string]bool)
	for _, j := range w.jobs {
		if j.aside != "" {
			if err := j.root.Remove(j.aside); err != nil {
				problems = append(problems, fmt.Errorf("everything is in its place, but %s is left over: %w; remove it", filepath.Join(j.Root, j.aside), err))
			}
		}
		if directory := filepath.Dir(j.Absolute()); !synced[directory] {
			synced[directory] = true
			syncDirectory(j.root, filepath.Dir(j.path))
		}
	}
	return errors.Join(problems...)
}

// syncDirectory makes the names in a directory durable, where that can be asked for.
func syncDirectory(root *os.Root, path string) {
	if directory, err := root.Open(path); err == nil {
		_ = directory.Sync()
		_ = directory.Close()
	}
}

func (w *writer) close() {
	for _, root := range w.roots {
		_ = root.Close()
	}
}
