package decisionlog_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/decisionlog"
	"github.com/google/go-cmp/cmp"
)

func TestTheSessionsOfADirectory(t *testing.T) {
	path, root := logPath(t), t.TempDir()
	at := func(minute int, session string, directory ...string) {
		mustAppend(t, path, decisionlog.Record{
			Time: time.Date(2026, 11, 30, 12, minute, 0, 0, time.UTC), Session: session, Decision: "allow",
			Cwd: filepath.Join(append([]string{root}, directory...)...),
		})
	}
	at(1, "above")
	at(2, "moved", "shop")
	at(3, "inside", "shop", "web")
	at(4, "here", "shop")
	at(5, "beside", "shop2")
	at(6, "moved", "other")
	at(7, "", "shop")
	mustAppend(t, path, decisionlog.Record{Time: time.Date(2026, 11, 30, 13, 0, 0, 0, time.UTC), Session: "nowhere", Decision: "allow"})
	for _, c := range []struct {
		directory []string
		want      []string
	}{
		{[]string{"shop"}, []string{"here", "inside", "moved"}},
		{[]string{"shop", "web"}, []string{"inside"}},
		{[]string{"shop", "web", "src"}, []string{"here", "inside", "moved", "above"}},
		{[]string{"third"}, []string{"above"}},
		{nil, []string{"moved", "beside", "here", "inside", "above"}},
	} {
		found, err := decisionlog.Sessions(path, filepath.Join(append([]string{root}, c.directory...)...))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range found {
			got = append(got, s.ID)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%v: %s", c.directory, diff)
		}
	}
}
