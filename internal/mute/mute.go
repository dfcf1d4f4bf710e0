// Package mute keeps which ask rules the user has silenced for a session, until the
// session is over.
//
// A session has one small file, in a directory for the owner alone. The hook reads it
// only when an ask rule has matched; a rule that blocks is never looked up.
package mute

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/claudewatch/claudewatch/internal/ownfile"
	"github.com/claudewatch/claudewatch/internal/regular"
)

const (
	// maxSize bounds the file of a session in bytes.
	maxSize = 256 << 10
	// maxRules bounds the rules of a session.
	maxRules = 100
	// maxSession is the length of the longest session id in bytes; those of Claude Code
	// are UUIDs.
	maxSession = 512
	// lockWait is how long another change is waited for.
	lockWait = 5 * time.Second
	// lasts is how long after its last change the file of a session stays, when nobody
	// has taken the mutes back. A session can be resumed for as long.
	lasts = 30 * 24 * time.Hour
)

const (
	filePrefix = "session-"
	fileSuffix = ".json"
)

// Store is the mutes of all sessions, in a directory that is made at the first one;
// "" is a store without any.
type Store struct{ Directory string }

// Session is what is muted in one session.
type Session struct {
	ID    string `json:"session"`
	Rules []Rule `json:"rules"`
}

// Rule is a muted rule.
type Rule struct {
	// Name is SET/RULE.
	Name string `json:"rule"`
	// Since is when it was muted, in UTC.
	Since time.Time `json:"since"`
}

// Has reports whether a rule, as SET/RULE, is muted in the session.
func (s Session) Has(rule string) bool {
	return slices.ContainsFunc(s.Rules, func(r Rule) bool { return r.Name == rule })
}

// Session returns what is muted in a session. A file that cannot be used is an error,
// and mutes nothing.
func (s Store) Session(id string) (Session, error) {
	if s.Directory == "" || id == "" || len(id) > maxSession {
		return Session{ID: id}, nil
	}
	session, err := read(s.path(id))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Session{ID: id}, nil
	case err == nil && session.ID != id: // of a file system to which two ids are one name
		return Session{ID: id}, nil
	case err != nil:
		return Session{ID: id}, err
	}
	return session, nil
}

func read(path string) (Session, error) {
	content, err := regular.ReadFile(path, maxSize)
	if err != nil {
		return Session{}, err
	}
	var session Session
	if err := json.Unmarshal(content, &session); err != nil || session.ID == "" {
		return Session{}, fmt.Errorf("%s is damaged, and mutes nothing; delete it", path)
	}
	return session, nil
}

// path is the file of a session. The id comes from outside: what is not a plain name
// is told by its hash.
func (s Store) path(id string) string {
	plain := !strings.ContainsFunc(id, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' })
	if !plain || id == "" || len(id) > 64 {
		id = fmt.Sprintf("x%x", sha256.Sum256([]byte(id)))[:33]
	}
	return filepath.Join(s.Directory, filePrefix+id+fileSuffix)
}

// Mute mutes a rule, as SET/RULE, in a session from now on, and reports whether it was
// not muted before.
func (s Store) Mute(id, rule string, now time.Time) (added bool, err error) {
	err = s.change(id, func(session *Session) error {
		if added = !session.Has(rule); !added {
			return nil
		}
		if len(session.Rules) >= maxRules {
			return fmt.Errorf("%d rules are muted in the session, which is the limit; claudewatch unmute --all", maxRules)
		}
		session.Rules = append(session.Rules, Rule{rule, now.UTC().Truncate(time.Second)})
		return nil
	})
	return added && err == nil, err
}

// Unmute takes the mute of a rule back, of every rule when rule is "", and returns
// those that were muted.
func (s Store) Unmute(id, rule string) (taken []Rule, err error) {
	if _, err := os.Lstat(s.path(id)); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	err = s.change(id, func(session *Session) error {
		taken = nil
		session.Rules = slices.DeleteFunc(session.Rules, func(r Rule) bool {
			if rule != "" && r.Name != rule {
				return false
			}
			taken = append(taken, r)
			return true
		})
		return nil
	})
	return taken, err
}

// change rewrites the file of a session under the lock of the store; one without rules
// is deleted.
func (s Store) change(id string, edit func(*Session) error) error {
	switch {
	case s.Directory == "":
		return errors.New("there is no place for mutes: neither HOME nor CLAUDEWATCH_HOME is set; set one of them")
	case id == "" || len(id) > maxSession:
		return errors.New("that is no session id; give the one that Claude Code prints with --session")
	}
	unlock, err := ownfile.Lock(filepath.Join(s.Directory, ".lock"), lockWait)
	if err != nil {
		return err
	}
	defer unlock()
	session, err := s.Session(id)
	if err != nil {
		return err
	}
	had := len(session.Rules)
	if err := edit(&session); err != nil || had == len(session.Rules) {
		return err
	}
	if len(session.Rules) == 0 {
		return os.Remove(s.path(id))
	}
	content, err := json.Marshal(session)
	if err != nil {
		return err
	}
	return ownfile.Replace(s.path(id), append(content, '\n'))
}

// All returns the sessions with mutes, the one that was changed last first. The error
// joins what could not be read; the rest is returned with it.
func (s Store) All() ([]Session, error) {
	files, err := s.files()
	var sessions []Session
	problems := []error{err}
	for _, f := range files {
		session, err := read(filepath.Join(s.Directory, f.Name()))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			problems = append(problems, err)
		default:
			sessions = append(sessions, session)
		}
	}
	slices.SortStableFunc(sessions, func(a, b Session) int { return cmp.Or(latest(b).Compare(latest(a)), strings.Compare(a.ID, b.ID)) })
	return sessions, errors.Join(problems...)
}

func latest(s Session) time.Time {
	var last time.Time
	for _, r := range s.Rules {
		if r.Since.After(last) {
			last = r.Since
		}
	}
	return last
}

// Clean deletes the mutes of sessions that were last changed thirty days before now.
func (s Store) Clean(now time.Time) {
	files, err := s.files()
	if err != nil {
		return
	}
	for _, f := range files {
		if info, err := f.Info(); err == nil && now.Sub(info.ModTime()) > lasts {
			os.Remove(filepath.Join(s.Directory, f.Name()))
		}
	}
}

func (s Store) files() ([]fs.DirEntry, error) {
	if s.Directory == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(s.Directory)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return !strings.HasPrefix(e.Name(), filePrefix) || !strings.HasSuffix(e.Name(), fileSuffix)
	}), err
}
