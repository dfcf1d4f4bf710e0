package tests

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
)

// workflow is what the tests read of a workflow of GitHub Actions.
type workflow struct {
	Jobs map[string]struct {
		Steps []struct {
			Name, Uses, Run, If string
		}
	}
}

func readYAML(t *testing.T, path string, v any) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return string(text)
}

// Rule sets of a sample project.
const (
	rightRules = `name: deploy
rules:
  ask:
    - name: make deploy
      when: input.commands.exists(c, c.runs("make deploy"))
      reason: goes live at once
      ref: https://wiki.example.com/deploy
tests:
  - {command: sudo make deploy, expect: ask, rule: make deploy}
  - {command: make test, expect: allow}
`
	misspeltRules = `name: deploy
rules:
  ask:
    - name: make deploy
      when: input.comands.exists(c, c.runs("make deploy"))
      reason: goes live at once
`
)

// sampleProject has a rule set of a project, below the current directory of CI.
func sampleProject(t *testing.T, rules string) string {
	t.Helper()
	project := t.TempDir()
	watches := filepath.Join(project, ".claude", "claudewatch", "watches")
	if err := errors.Join(os.MkdirAll(watches, 0o700), os.WriteFile(filepath.Join(watches, "deploy.yml"), []byte(rules), 0o600)); err != nil {
		t.Fatal(err)
	}
	return project
}

// inProject runs a program as a runner does: without a home, the built binary in PATH.
func inProject(t *testing.T, project, program string, args ...string) (output string, status int) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = project
	cmd.Env = []string{"PATH=" + filepath.Dir(binary) + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + t.TempDir()}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// runSteps runs the commands of the first job as the runner does, up to one that fails;
// the steps that install something have been run.
func runSteps(t *testing.T, w workflow, project string) (output string, failed bool) {
	t.Helper()
	run := 0
	for _, job := range w.Jobs {
		for _, step := range job.Steps {
			if step.Run == "" || strings.HasPrefix(step.Run, "go install ") || failed && step.If != "always()" {
				continue
			}
			run++
			out, status := inProject(t, project, "sh", "-e", "-c", step.Run)
			output += out
			failed = failed || status != 0
		}
	}
	if run == 0 {
		t.Fatal("the workflow runs nothing")
	}
	return output, failed
}

func TestTheWorkflowToCopyAnnotatesWhatIsWrong(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the workflow is one for Linux")
	}
	var w workflow
	readYAML(t, "../docs/ci/claudewatch.yml", &w)
	for name, c := range map[string]struct {
		rules  string
		failed bool
		want   []string
	}{
		"right":    {rightRules, false, []string{"make deploy", "2 passed, 0 failed"}},
		"misspelt": {misspeltRules, true, []string{"::error file=.claude/claudewatch/watches/deploy.yml,line=5,col=19,", "did you mean"}},
		"another verdict": {strings.Replace(rightRules, "expect: allow", "expect: block", 1), true,
			[]string{"::error file=.claude/claudewatch/watches/deploy.yml,line=10,", "1 passed, 1 failed"}},
		"advice": {strings.Replace(rightRules, "      ref: https://wiki.example.com/deploy\n", "", 1), true,
			[]string{"::warning file=.claude/claudewatch/watches/deploy.yml,line=4,"}},
	} {
		output, failed := runSteps(t, w, sampleProject(t, c.rules))
		if failed != c.failed {
			t.Errorf("%s: failed %t\n%s", name, failed, output)
		}
		for _, part := range c.want {
			if !strings.Contains(output, part) {
				t.Errorf("%s: no %q in\n%s", name, part, output)
			}
		}
	}
}

func TestThePageShowsTheWorkflowToCopy(t *testing.T) {
	page, err := os.ReadFile("../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile("../docs/ci/claudewatch.yml")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "```yaml\n"+string(file)+"```\n") {
		t.Error("docs/ci.md does not show docs/ci/claudewatch.yml as it is")
	}
}

func TestThePageShowsHowSARIFIsWritten(t *testing.T) {
	page, err := os.ReadFile("../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile(`run: (claudewatch vet --format sarif .*) > (\S+)`).FindStringSubmatch(string(page))
	if shown == nil {
		t.Fatal("docs/ci.md shows no command for SARIF")
	}
	out, status := inProject(t, sampleProject(t, misspeltRules), binary, strings.Fields(shown[1])[1:]...)
	var report struct{ Runs []struct{ Results []any } }
	if err := json.Unmarshal([]byte(out), &report); err != nil || len(report.Runs) != 1 || len(report.Runs[0].Results) == 0 || status != 1 {
		t.Errorf("exit status %d, %v\n%s", status, err, out)
	}
	if !strings.Contains(string(page), "sarif_file: "+shown[2]) {
		t.Errorf("another file than %s is uploaded", shown[2])
	}
}

// preCommitHook is a hook as https://pre-commit.com/#new-hooks describes them.
type preCommitHook struct {
	ID, Name, Description, Entry, Language, Files string
	RequireSerial                                 bool `yaml:"require_serial"`
}

func TestHooksOfPreCommitCheckTheRuleFilesOfACommit(t *testing.T) {
	var hooks []preCommitHook
	readYAML(t, "../.pre-commit-hooks.yaml", &hooks)
	ids := map[string]preCommitHook{}
	for _, h := range hooks {
		ids[h.ID] = h
		if h.Language != "golang" || h.Name == "" || h.Description == "" {
			t.Errorf("%+v", h)
		}
		files := regexp.MustCompile(h.Files)
		for path, want := range map[string]bool{
			".claude/claudewatch/watches/deploy.yml": true,
			"watches/deploy.yml":                     true,
			"watches/deploy.yml.disabled":            false,
			"watches/inner/deploy.yml":               false,
			"stopwatches/deploy.yml":                 false,
			".github/workflows/deploy.yml":           false,
		} {
			if files.MatchString(path) != want {
				t.Errorf("%s: %s is taken: %t", h.ID, path, !want)
			}
		}
	}
	for name, c := range map[string]struct {
		id, rules string
		status    int
		want      string
	}{
		"vet of right rules":      {"claudewatch-vet", rightRules, 0, "no findings"},
		"vet of misspelt rules":   {"claudewatch-vet", misspeltRules, 1, "deploy.yml:5:19: undefined field 'comands'"},
		"test of right rules":     {"claudewatch-test", rightRules, 0, "2 passed, 0 failed"},
		"test of another verdict": {"claudewatch-test", strings.Replace(rightRules, "expect: allow", "expect: block", 1), 1, "1 passed, 1 failed"},
	} {
		hook, ok := ids[c.id]
		if !ok {
			t.Errorf("there is no hook %s", c.id)
			continue
		}
		entry := strings.Fields(hook.Entry)
		if entry[0] != "claudewatch" {
			t.Errorf("%s runs %s, which go install does not make", c.id, entry[0])
		}
		out, status := inProject(t, sampleProject(t, c.rules), binary, append(entry[1:], ".claude/claudewatch/watches/deploy.yml")...)
		if status != c.status || !strings.Contains(out, c.want) {
			t.Errorf("%s: exit status %d\n%s", name, status, out)
		}
	}
}

func TestTheTaskOfVSCodeReadsWhatVetPrints(t *testing.T) {
	page, err := os.ReadFile("../docs/editors.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(page), "`.vscode/tasks.json`:\n\n```json\n")
	block, _, _ = strings.Cut(block, "```")
	var file struct {
		Tasks []struct {
			Command        string
			Args           []string
			ProblemMatcher struct {
				Pattern struct {
					Regexp                            string
					File, Line, Column, Message, Code int
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(block), &file); err != nil || len(file.Tasks) != 1 || file.Tasks[0].Command != "claudewatch" {
		t.Fatalf("%v in\n%s", err, block)
	}
	pattern := file.Tasks[0].ProblemMatcher.Pattern
	matcher := regexp.MustCompile(pattern.Regexp)
	advised := strings.Replace(rightRules, "      ref: https://wiki.example.com/deploy\n", "", 1)
	for rules, want := range map[string][]string{
		misspeltRules: {"deploy.yml", "5", "19", "undefined field 'comands' (did you mean 'commands'?)", "cel"},
		advised:       {"deploy.yml", "4", "13", "the rule 'make deploy' has no ref: add the page that explains the danger", "ref"},
	} {
		out, _ := inProject(t, sampleProject(t, rules), binary, file.Tasks[0].Args...)
		var found [][]string
		for line := range strings.Lines(out) {
			if m := matcher.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
				found = append(found, []string{filepath.Base(m[pattern.File]), m[pattern.Line], m[pattern.Column], m[pattern.Message], m[pattern.Code]})
			}
		}
		if !slices.ContainsFunc(found, func(f []string) bool { return cmp.Equal(f, want) }) {
			t.Errorf("%q in\n%s", found, out)
		}
	}
}
