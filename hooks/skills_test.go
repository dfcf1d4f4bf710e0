package hooks_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/ruletest"
	"github.com/claudewatch/claudewatch/policy"
	"gopkg.in/yaml.v3"
)

// skills returns the text of each skill by its name.
func skills(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("skills/*/SKILL.md")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, path := range files {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(filepath.Dir(path))] = string(content)
	}
	for _, name := range []string{"help", "learn", "mute", "rules"} {
		if all[name] == "" {
			t.Errorf("no skill %s", name)
		}
	}
	return all
}

func TestSkillsHaveTheFrontMatterThatTheyAreFoundBy(t *testing.T) {
	for name, text := range skills(t) {
		front, body, ok := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
		if !ok || !strings.HasPrefix(text, "---\n") || strings.TrimSpace(body) == "" {
			t.Errorf("%s: no front matter, or nothing behind it", name)
			continue
		}
		var matter struct {
			Name        string `yaml:"name"`
			Description string `yaml:"description"`
			Argument    string `yaml:"argument-hint"`
			UserOnly    bool   `yaml:"disable-model-invocation"`
		}
		decoder := yaml.NewDecoder(strings.NewReader(front))
		decoder.KnownFields(true)
		if err := decoder.Decode(&matter); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if matter.Name != name || !pluginName.MatchString(name) || matter.Description == "" || len(matter.Description) > 1024 {
			t.Errorf("%s: %+v", name, matter)
		}
		// What takes guards away is for the user to begin.
		if only := name == "mute" || name == "learn"; matter.UserOnly != only {
			t.Errorf("%s: disable-model-invocation is %v", name, matter.UserOnly)
		}
		if lines := strings.Count(body, "\n"); lines > 80 {
			t.Errorf("%s: %d lines, which nobody reads", name, lines)
		}
	}
}

func TestTheRuleSetThatASkillShowsPassesItsTests(t *testing.T) {
	_, rest, _ := strings.Cut(skills(t)["rules"], "```yaml\n")
	source, _, _ := strings.Cut(rest, "```")
	p := policy.Compile([]policy.File{{Path: "deploy.yml", Scope: policy.Given, Source: []byte(source)}}, policy.Options{Diagnose: true})
	for _, d := range p.Diagnostics {
		t.Errorf("%s\n%s", d, d.Snippet())
	}
	if len(p.Sets) != 1 || len(p.Sets[0].Tests) == 0 {
		t.Fatal("not one set with tests")
	}
	for _, test := range p.Sets[0].Tests {
		if r := ruletest.Run(p, p.Sets[0].RuleSet, test, nil); !r.Passed() {
			t.Errorf("%s: %s", test.Name, r.Problem)
		}
	}
}

var (
	namedCommand   = regexp.MustCompile("claudewatch\"? ([a-z]+)|`(unmute)`")
	existingCmd    = regexp.MustCompile(`Use:\s+"([a-z]+)`)
	wordsOfNoSkill = []string{"is", "made", "can", "when", "below", "refuses"} // "claudewatch is a hook"
)

func TestSkillsNameCommandsThatExist(t *testing.T) {
	sources, err := filepath.Glob("../cmd/claudewatch/*.go")
	if err != nil || len(sources) == 0 {
		t.Fatal(err)
	}
	var commands []string
	for _, path := range sources {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range existingCmd.FindAllSubmatch(content, -1) {
			commands = append(commands, string(match[1]))
		}
	}
	named := 0
	for name, text := range skills(t) {
		_, body, _ := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
		for _, match := range namedCommand.FindAllStringSubmatch(body, -1) {
			command := match[1] + match[2]
			if slices.Contains(wordsOfNoSkill, command) {
				continue
			}
			named++
			if !slices.Contains(commands, command) {
				t.Errorf("%s: there is no command %s", name, command)
			}
		}
	}
	if named < 15 {
		t.Errorf("%d commands are named: the pattern misses them", named)
	}
}
