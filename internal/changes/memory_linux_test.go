package changes

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// memoryVariable is set in a process that is measured: to the directory of its project.
const memoryVariable = "CHANGES_TEST_MEMORY"

// TestMemory measures hooks on a project of 100,000 small files, each in a process of its own.
func TestMemory(t *testing.T) {
	if project := os.Getenv(memoryVariable); project != "" {
		b := &bench{t: t, data: project + "-data", root: project}
		b.env.Home, b.env.ProjectDir, b.env.PluginData = project+"-home", project, b.data
		b.hook(shell(os.Getenv("CHANGES_TEST_EVENT"), "t"))
		status, err := os.ReadFile("/proc/self/status")
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(status), "VmHWM:")
		fmt.Println("peak:", strings.TrimSpace(strings.Split(rest, "kB")[0]))
		return
	}
	if testing.Short() {
		t.Skip("100,000 files")
	}
	b := newBench(t)
	peak := func(event string) (megabytes float64) {
		t.Helper()
		cmd := exec.Command(os.Args[0], "-test.run=^TestMemory$")
		cmd.Env = append(os.Environ(), memoryVariable+"="+b.root, "CHANGES_TEST_EVENT="+event)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		var kilobytes int
		if _, err := fmt.Sscanf(string(out), "peak: %d", &kilobytes); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return float64(kilobytes) / 1024
	}
	writeMany(b, 6250, "")
	time.Sleep(3 * time.Second) // files that are younger are read again by the second scan
	if got := peak("PreToolUse"); got > 30 {
		t.Errorf("the first scan takes %.1f MB", got)
	}
	writeMany(b, 625, "// changed\n")
	if got := peak("PostToolUse"); got > 40 {
		t.Errorf("after a call that changed 10,000 files: %.1f MB", got)
	}
	b.data = b.root + "-data"
	if files := b.state().status().Files; files != 100_000 {
		t.Errorf("%d files are known", files)
	}
	if r := b.record("t"); len(r.Changes) != 10_000 || r.Changes[9999].Additions != 1 {
		t.Errorf("%d changes are recorded", len(r.Changes))
	}
	b.quiet()
}

// writeMany writes small files into some directories, sixteen to each.
func writeMany(b *bench, directories int, revision string) {
	for directory := range directories {
		for file := range 16 {
			name := fmt.Sprintf("service%02d/package%02d/unit%d/file%d.go", directory/250, directory/10%25, directory%10, file)
			content := fmt.Sprintf("package unit%d\n\n// F%d returns a number.\nfunc F%d() int { return %d }\n%s", directory%10, file, file, directory*16+file, revision)
			if file == 0 {
				b.write(name, content)
			} else if err := os.WriteFile(filepath.Join(b.root, name), []byte(content), 0o644); err != nil {
				b.t.Fatal(err)
			}
		}
	}
}
