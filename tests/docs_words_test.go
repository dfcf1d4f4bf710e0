package tests

import (
	"encoding/json"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/engine"
)

var (
	fencedBlock = regexp.MustCompile("(?ms)^ *(```+|~~~+).*?^ *(```+|~~~+) *$")
	inlineCode  = regexp.MustCompile("`([^`\n]+)`")
	link        = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading     = regexp.MustCompile(`(?m)^#+ +(.+)$`)
)

// prose is a page without its blocks.
func (p *page) prose() string { return fencedBlock.ReplaceAllString(p.text, "") }

func TestEveryLinkOfThePagesLeadsSomewhere(t *testing.T) {
	pages := documentation(t)
	anchors := map[string][]string{}
	for _, p := range pages {
		for _, m := range heading.FindAllStringSubmatch(p.prose(), -1) {
			anchors[p.path] = append(anchors[p.path], anchor(m[1]))
		}
	}
	links := 0
	for _, p := range pages {
		for _, m := range link.FindAllStringSubmatch(p.prose(), -1) {
			target, err := url.Parse(m[1])
			if err != nil {
				t.Errorf("%s: %v", p.path, err)
				continue
			}
			if target.Scheme != "" {
				continue // somebody else's page: no test asks the network
			}
			links++
			file := p.path
			if target.Path != "" {
				file = filepath.ToSlash(filepath.Join(filepath.Dir(p.path), target.Path))
			}
			if _, err := os.Stat(filepath.Join("..", file)); err != nil {
				t.Errorf("%s: the link %s leads nowhere", p.path, m[1])
			} else if target.Fragment != "" && !slices.Contains(anchors[file], target.Fragment) {
				t.Errorf("%s: the link %s: %s has no such heading, only %q", p.path, m[1], file, anchors[file])
			}
		}
	}
	if links < 50 {
		t.Errorf("only %d links", links)
	}
}

func TestTheIndexNamesEveryPage(t *testing.T) {
	pages := documentation(t)
	var index string
	for _, p := range pages {
		if p.path == "docs/README.md" {
			index = p.text
		}
	}
	for _, p := range pages {
		name, isPage := strings.CutPrefix(p.path, "docs/")
		if isPage && name != "README.md" && !strings.Contains(index, "]("+name+")") {
			t.Errorf("docs/README.md does not link to %s", name)
		}
	}
}

var notInAnchor = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// anchor is the name that a heading can be linked by.
func anchor(heading string) string {
	return strings.ReplaceAll(notInAnchor.ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
}

func TestEveryCommandThatThePagesNameIsThere(t *testing.T) {
	helps := map[string]string{}
	named := 0
	for _, p := range documentation(t) {
		for _, m := range inlineCode.FindAllStringSubmatch(p.prose(), -1) {
			words := strings.Fields(m[1])
			if len(words) < 2 || words[0] != "claudewatch" {
				continue
			}
			named++
			help := commandHelp(t, helps, words[1:])
			if help == "" {
				t.Errorf("%s: there is no command `%s`", p.path, m[1])
				continue
			}
			for _, flag := range words {
				name, _, _ := strings.Cut(flag, "=")
				if isFlag.MatchString(flag) && !regexp.MustCompile(`(?m)(^|[ ,])`+regexp.QuoteMeta(name)+`\b`).MatchString(help) {
					t.Errorf("%s: `%s`: there is no flag %s", p.path, m[1], flag)
				}
			}
		}
	}
	if named < 40 {
		t.Errorf("only %d commands are named", named)
	}
}

var isFlag = regexp.MustCompile(`^--?[a-z]`)

// commandHelp returns what a command and its parents say of themselves, "" when there is
// no such command. Words after the command are its arguments.
func commandHelp(t *testing.T, helps map[string]string, words []string) string {
	t.Helper()
	var all string
	path := ""
	for _, word := range words {
		if !regexp.MustCompile(`^[a-z]+$`).MatchString(word) {
			break
		}
		parent := path
		path = strings.TrimSpace(path + " " + word)
		help, ok := helps[path]
		if !ok && parent != "" && !strings.Contains(helps[parent], "Available Commands:") {
			break // an argument
		}
		if !ok {
			cmd := exec.Command(binary, append([]string{"help"}, strings.Fields(path)...)...)
			cmd.Env = newWorld(t).environment()
			out, err := cmd.CombinedOutput()
			if help = string(out); err != nil || !strings.Contains(help, "\n  claudewatch "+path) {
				help = ""
			}
			helps[path] = help
		}
		if help == "" {
			return ""
		}
		all += help
	}
	return all
}

func TestEveryRuleThatThePagesNameIsThere(t *testing.T) {
	rules := map[string]bool{}
	for _, set := range engine.Open(config.Environment{}, engine.Selection{}).RuleSets() {
		rules[set.Name] = true
		for _, rule := range set.Rules {
			rules[set.Name+"/"+rule.Name] = true
		}
	}
	named := map[string]bool{}
	for _, p := range documentation(t) {
		for _, m := range ruleName.FindAllStringSubmatch(p.text, -1) {
			if named[m[1]] = true; !rules[m[1]] {
				t.Errorf("%s: there is no %s", p.path, m[1])
			}
		}
	}
	if len(named) < 6 {
		t.Errorf("only %q are named", slices.Sorted(maps.Keys(named)))
	}
}

// ruleName is the name of a shipped set or of a rule in it, in quotes of any kind.
var ruleName = regexp.MustCompile("['`\"]((?:watch-[a-z]+|guard-main|require-plan)(?:/[a-zA-Z][^'`\"*]*)?)['`\"]")

// codes are how the checks of vet are named in policy/.
var codes = regexp.MustCompile(`code[A-Z]\w* += "([a-z-]+)"|\.warn\("([a-z-]+)"`)

func TestEveryCodeOfVetIsExplained(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "writing-rules.md"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join("..", "policy", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range codes.FindAllStringSubmatch(string(source), -1) {
			found[m[1]+m[2]] = true
		}
	}
	for code := range found {
		if !regexp.MustCompile("(?m)^\\|[^|]*`" + code + "`[^|]*\\|").Match(page) {
			t.Errorf("docs/writing-rules.md does not say what the code %s means", code)
		}
	}
	if len(found) < 25 {
		t.Errorf("only the codes %q", slices.Sorted(maps.Keys(found)))
	}
}

func TestEveryKeyOfARuleFileIsExplained(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "writing-rules.md"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join("..", "schema", "watch.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	type object struct{ Properties map[string]any }
	var file struct {
		object
		Definitions map[string]object `json:"$defs"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]object{"a set": file.object, "a rule": file.Definitions["AskRule"], "a test": file.Definitions["RuleTest"]} {
		if len(o.Properties) < 8 {
			t.Errorf("%s has %d keys", name, len(o.Properties))
		}
		for key := range o.Properties {
			if !regexp.MustCompile("(?m)^\\|.*`" + key + "\\b").Match(page) {
				t.Errorf("docs/writing-rules.md does not say what the key %s of %s means", key, name)
			}
		}
	}
}
