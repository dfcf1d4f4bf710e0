// Command bench times the built hook as a whole process, from exec to exit, and
// prints each figure as a ratio to a reference measured in the same run:
//
//	go run ./tests/bench [-n RUNS] [-run REGEXP]
//
// The commands of a run are interleaved, so that a machine whose speed drifts
// slows them alike. A figure is the median of the pairwise ratios, with its
// quartiles. Nothing here decides a test.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

func main() {
	runs := flag.Int("n", 40, "counted runs of each command")
	rows := flag.String("run", "", "measure only the rows whose name this regular expression matches")
	flag.Parse()
	wanted, err := regexp.Compile(*rows)
	if err == nil {
		err = run(*runs, wanted)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// A sample is one command to time.
type sample struct {
	program string
	args    []string
	payload []byte
	home    string
}

// A measure is one row of the table: a command, and the one it is divided by.
type measure struct {
	name, reference string
	of, by          sample
	// before is called before each run of the command; nil for nothing to do.
	before func() error
}

func run(runs int, wanted *regexp.Regexp) error {
	dir, err := os.MkdirTemp("", "claudewatch-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	hook, reader, err := build(dir)
	if err != nil {
		return err
	}
	meter := filepath.Join(dir, "meter")
	if err := compile(meter, "github.com/claudewatch/claudewatch/tests/bench/meter"); err != nil {
		return err
	}
	measures, err := table(dir, hook, reader)
	if err != nil {
		return err
	}
	if wanted.String() == "" || wanted.MatchString("scan") { // they make 100,000 files
		scans, err := scanRows(dir)
		if err != nil {
			return err
		}
		measures = append(measures, scans...)
	}
	measures = slices.DeleteFunc(measures, func(m measure) bool { return !wanted.MatchString(m.name) })
	fmt.Printf("%s/%s, %d processors, %s, %d runs of each command\n\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(), runs)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "measure\treference\tratio\tquartiles\tmedian\treference median\tpeak memory")
	for _, m := range measures {
		if err := report(w, m, runs, meter); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return w.Flush()
}

// table lists the rows that the shipped sets, rules of a user and a large file make;
// homes are folders below dir.
func table(dir, hook, reader string) ([]measure, error) {
	homes := map[int]string{}
	for _, rules := range []int{0, 10, 1000, 10_000} {
		homes[rules] = filepath.Join(dir, fmt.Sprintf("home-%d", rules))
		if err := writeRules(homes[rules], rules, 0); err != nil {
			return nil, err
		}
	}
	upgraded := filepath.Join(dir, "home-upgraded")
	if err := writeRules(upgraded, 1000, 0); err != nil {
		return nil, err
	}
	// A rule file that changed within two seconds before it was compiled is compared by its
	// content for a while; the rows are about files at rest.
	time.Sleep(3 * time.Second)
	quiet, plain := bash("git status"), homes[0]
	large := event("Write", map[string]any{"file_path": "/srv/a.py", "content": strings.Repeat("x = 1  # one line of a large file\n", 1<<20/34)})
	hooked := func(payload []byte, home string) sample {
		return sample{program: hook, args: []string{"hook"}, payload: payload, home: home}
	}
	// The same program as another file is another build to the cache.
	former := hooked(quiet, upgraded)
	former.program = filepath.Join(dir, "claudewatch-before")
	if err := copyFile(former.program, hook); err != nil {
		return nil, err
	}
	read := func(payload []byte) sample { return sample{program: reader, payload: payload, home: plain} }
	return []measure{
		{name: "no rule can match (git status)", reference: "reads stdin and exits", of: hooked(quiet, plain), by: read(quiet)},
		{name: "a rule matches (git push --force origin main)", reference: "reads stdin and exits", of: hooked(bash("git push --force origin main"), plain), by: read(quiet)},
		{name: "a file is read, no rule matches (Read)", reference: "reads stdin and exits", of: hooked(event("Read", map[string]any{"file_path": "/srv/src/a.go"}), plain), by: read(quiet)},
		{name: "a file is read, no rule matches (sed -n 1,20p src/a.go)", reference: "reads stdin and exits", of: hooked(bash("sed -n 1,20p src/a.go"), plain), by: read(quiet)},
		{name: "1,000 user rules added, no match", reference: "the same call without them", of: hooked(quiet, homes[1000]), by: hooked(quiet, plain)},
		{name: "10,000 user rules added, no match", reference: "the same call without them", of: hooked(quiet, homes[10_000]), by: hooked(quiet, plain)},
		firstCall(dir, "after a rule file changed (10 rules)", 10, hooked(quiet, homes[10]), false),
		firstCall(dir, "after a rule file changed (1,000 rules)", 1000, hooked(quiet, homes[1000]), false),
		firstCall(dir, "without a cache (1,000 rules)", 1000, hooked(quiet, homes[1000]), true),
		{
			name: "first call after an upgrade of the program (1,000 rules)", reference: "the same call, warm", of: hooked(quiet, upgraded), by: hooked(quiet, homes[1000]),
			before: func() error { _, err := former.time(); return err },
		},
		{name: "Write of a 1 MB file, .py", reference: "reads the payload alone", of: hooked(large, plain), by: read(large)},
	}, nil
}

// firstCall is the row of a call whose rules must be compiled: one of them has been
// changed, or nothing is kept of any.
func firstCall(dir, when string, rules int, warm sample, uncached bool) measure {
	first := warm
	first.home = filepath.Join(dir, fmt.Sprintf("home-first-%d-%v", rules, uncached))
	edition := 0
	return measure{
		name: "first call " + when, reference: "the same call, warm", of: first, by: warm,
		before: func() error {
			edition++
			if uncached {
				if err := os.RemoveAll(filepath.Join(first.home, ".claude", "claudewatch", "cache")); err != nil {
					return err
				}
			}
			return writeRules(first.home, rules, edition)
		},
	}
}

func copyFile(to, from string) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, content, 0o755)
}

// writeRules gives a home directory a rule file with n generated rules, of which the
// first is another one in each edition.
func writeRules(home string, n, edition int) error {
	watches := filepath.Join(home, ".claude", "claudewatch", "watches")
	if err := os.MkdirAll(watches, 0o700); err != nil || n == 0 {
		return err
	}
	return os.WriteFile(filepath.Join(watches, "many.yml"), manyRules(n, edition), 0o600)
}

func manyRules(n, edition int) []byte {
	var b bytes.Buffer
	b.WriteString("name: many\ndescription: generated\nrules:\n  block:\n")
	for i := range n {
		tool := fmt.Sprintf("tool%d", i)
		if i == 0 {
			tool += fmt.Sprintf("-%d", edition)
		}
		fmt.Fprintf(&b, "    - name: rule %d\n      when: input.commands.exists(c, c.runs(\"%s destroy\") && c.has_flag(\"--force\", \"-f\"))\n      reason: generated\n", i, tool)
	}
	return b.Bytes()
}

func bash(command string) []byte { return event("Bash", map[string]any{"command": command}) }

func event(tool string, input map[string]any) []byte {
	b, err := json.Marshal(map[string]any{
		"hook_event_name": "PreToolUse", "session_id": "bench", "cwd": "/srv", "tool_name": tool, "tool_input": input, "tool_use_id": "t",
	})
	if err != nil {
		panic(err) // maps of strings always marshal
	}
	return b
}

func build(dir string) (hook, reader string, err error) {
	hook, reader = filepath.Join(dir, "claudewatch"), filepath.Join(dir, "reader")
	for output, pkg := range map[string]string{
		hook:   "github.com/claudewatch/claudewatch/cmd/claudewatch",
		reader: "github.com/claudewatch/claudewatch/tests/bench/reader",
	} {
		if err := compile(output+"-linked", pkg); err != nil {
			return "", "", err
		}
		// Programs come to a machine as copies. What the linker has written stays in the
		// page cache in small pieces, from which a start takes a seventh longer.
		if err := copyFile(output, output+"-linked"); err != nil {
			return "", "", err
		}
	}
	return hook, reader, nil
}

func compile(output, pkg string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", output, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", pkg, err, out)
	}
	return nil
}

func report(w *tabwriter.Writer, m measure, runs int, meter string) error {
	var of, by, ratios []float64
	var peak int64
	for range 2 { // which also warm up
		if m.before != nil {
			if err := m.before(); err != nil {
				return err
			}
		}
		memory, err := m.of.memory(meter)
		if err != nil {
			return err
		}
		peak = max(peak, memory)
	}
	for range runs {
		if m.before != nil {
			if err := m.before(); err != nil {
				return err
			}
		}
		a, err := m.of.time()
		if err != nil {
			return err
		}
		b, err := m.by.time()
		if err != nil {
			return err
		}
		of, by, ratios = append(of, a), append(by, b), append(ratios, a/b)
	}
	fmt.Fprintf(w, "%s\t%s\t%.2f×\t%.2f–%.2f\t%.2f ms\t%.2f ms\t%s\n", m.name, m.reference,
		quantile(ratios, 0.5), quantile(ratios, 0.25), quantile(ratios, 0.75),
		quantile(of, 0.5)*1e3, quantile(by, 0.5)*1e3, megabytes(peak))
	return nil
}

// time runs the sample once and returns its wall time in seconds. Exit status 2 is a
// verdict.
func (s sample) time() (seconds float64, err error) {
	cmd := s.command(s.program, s.args...)
	start := time.Now()
	err = cmd.Run()
	seconds = time.Since(start).Seconds()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 2 {
		err = nil
	}
	return seconds, err
}

// memory runs the sample once and returns its peak memory in bytes, 0 where the system
// does not tell.
func (s sample) memory(meter string) (int64, error) {
	out, err := s.command(meter, append([]string{s.program}, s.args...)...).Output()
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
}

func (s sample) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Stdin = bytes.NewReader(s.payload)
	cmd.Env = []string{"HOME=" + s.home, "USERPROFILE=" + s.home, "PATH=" + os.Getenv("PATH")}
	return cmd
}

func quantile(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[int(q*float64(len(sorted)-1)+0.5)]
}

func megabytes(n int64) string {
	if n == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
