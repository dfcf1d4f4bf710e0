package hooks_test

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/hooks"
	"github.com/claudewatch/claudewatch/internal/install"
	"github.com/google/go-cmp/cmp"
)

// decodeStrictly decodes a plugin file into v, which must have all its keys.
func decodeStrictly(t *testing.T, path string, v any) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

type handler struct {
	Type      string   `json:"type"`
	Command   string   `json:"command"`
	Args      []string `json:"args"`
	Timeout   int      `json:"timeout"`
	OnFailure string   `json:"onFailure"`
}

type matcher struct {
	Matcher string    `json:"matcher"`
	Hooks   []handler `json:"hooks"`
}

func TestThePluginRegistersTheHookForEveryEventAndEveryTool(t *testing.T) {
	var file struct {
		Description string               `json:"description"`
		Hooks       map[string][]matcher `json:"hooks"`
	}
	decodeStrictly(t, "hooks.json", &file)
	want := map[string][]matcher{}
	for _, e := range install.Events {
		h := handler{Type: "command", Command: "${CLAUDE_PLUGIN_ROOT}/claudewatch", Args: []string{"hook"}, Timeout: install.Timeout}
		if e.Name == hooks.PreToolUse {
			h.OnFailure = install.OnFailure
		}
		m := matcher{Hooks: []handler{h}}
		if e.OfTools {
			// A condition without a pattern sees every call, so the matcher is that of
			// every tool, also of tools that do not exist yet.
			m.Matcher = "*"
		}
		want[e.Name] = []matcher{m}
	}
	if diff := cmp.Diff(want, file.Hooks); diff != "" {
		t.Error(diff)
	}
}

// pluginName is what Claude Code takes for the name of a plugin or a skill.
var pluginName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,63}$`)

func TestTheManifestNamesThePluginAndNotItsHooks(t *testing.T) {
	var manifest map[string]any
	decodeStrictly(t, ".claude-plugin/plugin.json", &manifest)
	name, _ := manifest["name"].(string)
	if !pluginName.MatchString(name) {
		t.Errorf("name %q", name)
	}
	// hooks/hooks.json and skills/ are loaded by themselves; naming the hooks is an
	// error of the plugin loader.
	for _, key := range []string{"hooks", "skills"} {
		if _, ok := manifest[key]; ok {
			t.Errorf("the manifest names %s", key)
		}
	}
}

func TestTheMarketplaceOffersThePluginThatItStandsIn(t *testing.T) {
	var marketplace struct {
		Name  string `json:"name"`
		Owner struct {
			Name string `json:"name"`
		} `json:"owner"`
		Plugins []struct {
			Name        string `json:"name"`
			Source      string `json:"source"`
			Description string `json:"description"`
		} `json:"plugins"`
	}
	decodeStrictly(t, ".claude-plugin/marketplace.json", &marketplace)
	var manifest struct{ Name string }
	content, _ := os.ReadFile(".claude-plugin/plugin.json")
	if err := json.Unmarshal(content, &manifest); err != nil {
		t.Fatal(err)
	}
	if !pluginName.MatchString(marketplace.Name) || marketplace.Owner.Name == "" || len(marketplace.Plugins) != 1 {
		t.Fatalf("%+v", marketplace)
	}
	if p := marketplace.Plugins[0]; p.Name != manifest.Name || p.Source != "./" || p.Description == "" {
		t.Errorf("%+v", p)
	}
}

func TestThePluginCanBePutTogetherAsTheDocumentationSays(t *testing.T) {
	page, err := os.ReadFile("../docs/install.md")
	if err != nil {
		t.Fatal(err)
	}
	copied := map[string]bool{}
	for _, line := range regexp.MustCompile(`(?m)^cp (.*) \S+$`).FindAllSubmatch(page, -1) {
		for _, source := range strings.Fields(strings.TrimPrefix(string(line[1]), "-R ")) {
			copied[source] = true
			if _, err := os.Stat("../" + source); err != nil {
				t.Error(err)
			}
		}
	}
	for _, source := range []string{"hooks/.claude-plugin", "hooks/skills", "hooks/hooks.json"} {
		if !copied[source] {
			t.Errorf("%s is left out", source)
		}
	}
}
