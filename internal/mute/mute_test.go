package mute_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/mute"
	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

const session = "f81f7820-951b-49f1-b7ee-9a7f0af3c325"

func store(t *testing.T) mute.Store {
	return mute.Store{Directory: filepath.Join(t.TempDir(), "mutes")}
}

func mustMute(t *testing.T, s mute.Store, session, rule string) {
	t.Helper()
	if _, err := s.Mute(session, rule, noon); err != nil {
		t.Fatal(err)
	}
}

func rulesOf(t *testing.T, s mute.Store, session string) []string {
	t.Helper()
	found, err := s.Session(session)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, r := range found.Rules {
		names = append(names, r.Name)
	}
	return names
}

func TestARuleIsMutedInItsSessionAlone(t *testing.T) {
	s := store(t)
	for _, want := range []bool{true, false} {
		if added, err := s.Mute(session, "watch-git/git commit", noon); added != want || err != nil {
			t.Errorf("added %t, %v, want %t", added, err, want)
		}
	}
	mustMute(t, s, session, "watch-git/git push")
	mustMute(t, s, "other", "watch-files/rm -r")
	if diff := cmp.Diff([]string{"watch-git/git commit", "watch-git/git push"}, rulesOf(t, s, session)); diff != "" {
		t.Error(diff)
	}
	for _, other := range []string{"third", "", strings.Repeat("x", 1000)} {
		if got := rulesOf(t, s, other); len(got) > 0 {
			t.Errorf("session %.10q: %v", other, got)
		}
	}
}

func TestAMuteIsTakenBack(t *testing.T) {
	s := store(t)
	for _, rule := range []string{"a/1", "a/2", "a/3"} {
		mustMute(t, s, session, rule)
	}
	for _, c := range []struct {
		session, rule string
		taken         int
		left          []string
	}{
		{session, "a/9", 0, []string{"a/1", "a/2", "a/3"}},
		{"other", "a/1", 0, []string{"a/1", "a/2", "a/3"}},
		{session, "a/2", 1, []string{"a/1", "a/3"}},
		{session, "", 2, []string{}},
		{session, "", 0, []string{}},
	} {
		taken, err := s.Unmute(c.session, c.rule)
		if len(taken) != c.taken || err != nil {
			t.Errorf("%q: %v, %v, want %d", c.rule, taken, err, c.taken)
		}
		if diff := cmp.Diff(c.left, rulesOf(t, s, session)); diff != "" {
			t.Errorf("%q: %s", c.rule, diff)
		}
	}
	if sessions, err := s.All(); len(sessions) > 0 || err != nil {
		t.Errorf("%v, %v", sessions, err)
	}
}

// Session ids come from outside: from the payload of a hook, and from the command line.
var hostile = []string{
	"../../settings", "..", ".", "/etc/passwd", `..\x`, "a/b", "con", "NUL", "A", "a", "ä", "a\x00b", "a b", "-", "x" + strings.Repeat("0", 32), strings.Repeat("y", 500),
}

func TestNoSessionIdLeavesTheFolder(t *testing.T) {
	s := store(t)
	for i, id := range hostile {
		mustMute(t, s, id, fmt.Sprintf("set/%d", i))
	}
	for i, id := range hostile {
		if diff := cmp.Diff([]string{fmt.Sprintf("set/%d", i)}, rulesOf(t, s, id)); diff != "" {
			t.Errorf("%q: %s", id, diff)
		}
	}
	above, err := os.ReadDir(filepath.Dir(s.Directory))
	if err != nil || len(above) != 1 {
		t.Errorf("beside the folder: %v, %v", above, err)
	}
	inside, err := os.ReadDir(s.Directory)
	if err != nil || len(inside) != len(hostile)+1 {
		t.Errorf("%d files, %v, want one for each session and the lock", len(inside), err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for _, entry := range inside {
		if info, err := entry.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", entry.Name(), info.Mode(), err)
		}
	}
	if info, err := os.Stat(s.Directory); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder: %v, %v", info.Mode(), err)
	}
}

func TestADamagedFileMutesNothingAndIsSaid(t *testing.T) {
	s := store(t)
	mustMute(t, s, session, "a/1")
	mustMute(t, s, "other", "a/2")
	path := filepath.Join(s.Directory, "session-"+session+".json")
	for _, content := range []string{"", "{", "[]", `{"rules":[{"rule":"a/1"}]}`, `{"session":5}`, strings.Repeat(" ", 1<<20)} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Session(session); err == nil || got.Has("a/1") {
			t.Errorf("%.20q: %v, %v", content, got, err)
		}
		if sessions, err := s.All(); len(sessions) != 1 || err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%.20q: %v, %v", content, sessions, err)
		}
	}
}

func TestTheFileOfAnotherSessionMutesNothing(t *testing.T) {
	s := store(t)
	mustMute(t, s, "other", "a/1")
	if err := os.Rename(filepath.Join(s.Directory, "session-other.json"), filepath.Join(s.Directory, "session-"+session+".json")); err != nil {
		t.Fatal(err)
	}
	if got := rulesOf(t, s, session); len(got) > 0 {
		t.Errorf("got %v", got)
	}
}

func TestOldMutesGo(t *testing.T) {
	s := store(t)
	for _, id := range []string{"old", "new"} {
		mustMute(t, s, id, "a/1")
	}
	month := noon.Add(-31 * 24 * time.Hour)
	if err := os.Chtimes(filepath.Join(s.Directory, "session-old.json"), month, month); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(filepath.Join(s.Directory, "session-new.json"), noon, noon); err != nil {
		t.Fatal(err)
	}
	s.Clean(noon)
	sessions, err := s.All()
	if err != nil || len(sessions) != 1 || sessions[0].ID != "new" {
		t.Errorf("%v, %v", sessions, err)
	}
}

func TestMutesAtOneTimeLoseNothing(t *testing.T) {
	s := store(t)
	var group sync.WaitGroup
	for n := range 20 {
		group.Go(func() {
			if _, err := s.Mute(session, fmt.Sprintf("a/%d", n), noon); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if got := rulesOf(t, s, session); len(got) != 20 {
		t.Errorf("got %v", got)
	}
}

func TestThereIsABoundOfMutes(t *testing.T) {
	s := store(t)
	for n := range 100 {
		mustMute(t, s, session, fmt.Sprintf("a/%d", n))
	}
	if added, err := s.Mute(session, "a/100", noon); added || err == nil {
		t.Errorf("added %t, %v", added, err)
	}
}

func TestAStoreWithoutAPlaceSaysSo(t *testing.T) {
	if _, err := (mute.Store{}).Mute(session, "a/1", noon); err == nil {
		t.Error("muted")
	}
	if got, err := (mute.Store{}).Session(session); len(got.Rules) > 0 || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	if all, err := (mute.Store{}).All(); len(all) > 0 || err != nil {
		t.Errorf("%v, %v", all, err)
	}
}
