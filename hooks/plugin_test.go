package hooks_test

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"github.com/claudewatch/claudewatch/hooks"
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
	Type    string   `json:"type"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Timeout int      `json:"timeout"`
}

type matcher struct {
	Matcher string    `json:"matcher"`
	Hooks   []handler `json:"hooks"`
}

func TestThePluginRegistersTheHookForEveryTool(t *testing.T) {
	var file struct {
		Description string               `json:"description"`
		Hooks       map[string][]matcher `json:"hooks"`
	}
	decodeStrictly(t, "hooks.json", &file)
	// A condition without a pattern sees every call, so the matcher is that of
	// every tool, also of tools that do not exist yet.
	want := map[string][]matcher{hooks.PreToolUse: {{"*", []handler{
		{"command", "${CLAUDE_PLUGIN_ROOT}/claudewatch", []string{"hook"}, 10},
	}}}}
	if diff := cmp.Diff(want, file.Hooks); diff != "" {
		t.Error(diff)
	}
}

func TestTheManifestNamesThePluginAndNotItsHooks(t *testing.T) {
	var manifest map[string]any
	decodeStrictly(t, ".claude-plugin/plugin.json", &manifest)
	name, _ := manifest["name"].(string)
	if !regexp.MustCompile(`^[a-z][a-z0-9-]*$`).MatchString(name) {
		t.Errorf("name %q", name)
	}
	// hooks/hooks.json is loaded by itself; naming it is an error of the plugin loader.
	if _, ok := manifest["hooks"]; ok {
		t.Error("the manifest names hooks")
	}
}
