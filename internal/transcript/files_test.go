package transcript

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tree writes files, given as name and content in turn, and returns their folder.
func tree(t *testing.T, files ...string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(files); i += 2 {
		path := filepath.Join(dir, files[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestTranscriptsOfAFolderComeInOrderAndOnce(t *testing.T) {
	dir := tree(t, "b/s2.jsonl", "x", "a/s1.jsonl", "", "a/s1/subagents/agent-1.jsonl", "", "a/notes.txt", "", "odd.log", "y")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	files, err := Files([]string{link, filepath.Join(dir, "odd.log"), filepath.Join(dir, "a", "s1.jsonl")})
	if err != nil {
		t.Fatal(err)
	}
	want := []File{
		{filepath.Join(dir, "a/s1/subagents/agent-1.jsonl"), 0}, {filepath.Join(dir, "a/s1.jsonl"), 0},
		{filepath.Join(dir, "b/s2.jsonl"), 1}, {filepath.Join(dir, "odd.log"), 1},
	}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Error(diff)
	}
}

func TestAPathThatIsNotThereIsNamedAndTheOthersAreRead(t *testing.T) {
	dir := tree(t, "s.jsonl", "")
	missing := filepath.Join(dir, "missing")
	files, err := Files([]string{missing, dir})
	if len(files) != 1 || err == nil || !strings.Contains(err.Error(), missing) {
		t.Errorf("got %v, %v", files, err)
	}
}

func TestACopiedCallComesOnce(t *testing.T) {
	call := use("t1", "Bash", `{"command":"ls"}`)
	dir := tree(t,
		"s1.jsonl", call+answer("t1", `"x"`, false),
		"s2.jsonl", strings.Replace(call, `"s1"`, `"s2"`, 1)+use("t1", "Bash", `{"command":"pwd"}`)+use("", "Bash", `{}`)+use("", "Bash", `{}`))
	files, err := Files([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	var bytes, size int64
	skipped, err := Walk(files, func(n int64) { bytes += n }, func(c *Call) error {
		got = append(got, c.Session+" "+c.ID)
		return nil
	})
	if err != nil || skipped.Lines != 0 {
		t.Fatal(skipped, err)
	}
	for _, f := range files {
		size += f.Size
	}
	// The second call of s2 has the id of the first while that one waits for its answer.
	if diff := cmp.Diff([]string{"s1 t1", "s1 ", "s1 "}, got); diff != "" {
		t.Error(diff)
	}
	if bytes != size {
		t.Errorf("told of %d bytes of %d", bytes, size)
	}
}

func TestAWalkEndsWithTheErrorOfItsFunction(t *testing.T) {
	dir := tree(t, "s1.jsonl", use("t1", "Bash", `{}`)+use("t2", "Bash", `{}`), "s2.jsonl", use("t3", "Bash", `{}`))
	files, _ := Files([]string{dir})
	enough := errors.New("enough")
	calls := 0
	_, err := Walk(files, nil, func(*Call) error { calls++; return enough })
	if !errors.Is(err, enough) || calls != 1 {
		t.Errorf("%d calls, %v", calls, err)
	}
}

func TestAFileThatIsGoneIsNamedAndTheOthersAreRead(t *testing.T) {
	dir := tree(t, "s1.jsonl", use("t1", "Bash", `{}`))
	gone := filepath.Join(dir, "gone.jsonl")
	calls := 0
	_, err := Walk([]File{{gone, 1}, {filepath.Join(dir, "s1.jsonl"), 1}}, nil, func(*Call) error { calls++; return nil })
	if calls != 1 || err == nil || !strings.Contains(err.Error(), gone) {
		t.Errorf("%d calls, %v", calls, err)
	}
}

func TestRecordedTranscriptsHoldOneBlock(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "shared", "payloads", "projects")
	files, err := Files([]string{folder})
	if err != nil {
		t.Skip("the recorded transcripts are not here: ", err)
	}
	calls := 0
	var blocked []string
	skipped, err := Walk(files, nil, func(c *Call) error {
		calls++
		if b, ok := Blocked(c.Result); ok {
			blocked = append(blocked, c.ID+" "+b.Command+" "+b.Text)
		}
		if c.Result == nil || c.Session == "" || c.PermissionMode == "" && !c.Sidechain {
			t.Errorf("half read: %+v", c)
		}
		return nil
	})
	if err != nil || skipped.Lines != 0 || calls < 10 {
		t.Errorf("%d calls, %v lines skipped, %v", calls, skipped, err)
	}
	if diff := cmp.Diff([]string{"toolu_0016 /home/dev/guard.sh BLOCKED [demo]: not allowed here"}, blocked); diff != "" {
		t.Error(diff)
	}
}
