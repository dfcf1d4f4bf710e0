package report

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/policy"
	"github.com/google/go-cmp/cmp"
)

var findings = []policy.Diagnostic{
	{Path: "b.yml", Position: policy.Position{Line: 2, Column: 7}, Width: 6, Severity: policy.Fault, Code: "cel", Message: "undefined field 'comand'", SourceLine: "input.comand"},
	{Path: "a,b.yml", Severity: policy.Error, Code: "read", Message: "100% gone\nreally"},
	{Path: "b.yml", Position: policy.Position{Line: 2, Column: 7}, Width: 6, Severity: policy.Fault, Code: "cel", Message: "undefined field 'comand'", SourceLine: "input.comand"},
	{Path: "b.yml", Position: policy.Position{Line: 1, Column: 1}, Width: 1, Severity: policy.Warning, Code: "ref", Message: "no ref", SourceLine: "name: b"},
}

func write(t *testing.T, format string) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, format, Sort(append([]policy.Diagnostic(nil), findings...)), "v1"); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTextShowsNoLineOfAFileThatIsNotYAML(t *testing.T) {
	for _, path := range []string{".env", "settings.json", "yml", "a.yml.key", ""} {
		d := policy.Diagnostic{Path: path, Position: policy.Position{Line: 1, Column: 1}, Code: "yaml", Message: "not YAML", SourceLine: "TOKEN=secret"}
		var b strings.Builder
		if err := Write(&b, "text", []policy.Diagnostic{d}, "v1"); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(path+":1:1: not YAML [yaml]\n", b.String()); diff != "" {
			t.Error(diff)
		}
	}
}

func TestTextShowsLineAndCaret(t *testing.T) {
	want := `a,b.yml: 100% gone⏎really [read]
b.yml:2:7: undefined field 'comand' [cel]
  input.comand
        ^~~~~~
b.yml:1:1: advice: no ref [ref]
  name: b
  ^
`
	if diff := cmp.Diff(want, write(t, "text")); diff != "" {
		t.Error(diff)
	}
}

func TestGitHubEscapesWhatWouldEndACommand(t *testing.T) {
	want := `::error file=a%2Cb.yml,title=claudewatch read::100%25 gone%0Areally
::error file=b.yml,line=2,col=7,endColumn=13,title=claudewatch cel::undefined field 'comand'
::warning file=b.yml,line=1,col=1,endColumn=2,title=claudewatch ref::no ref
`
	if diff := cmp.Diff(want, write(t, "github")); diff != "" {
		t.Error(diff)
	}
}

func TestJSONAndSARIFAreValidJSON(t *testing.T) {
	var list []map[string]any
	if err := json.Unmarshal([]byte(write(t, "json")), &list); err != nil || len(list) != 3 {
		t.Errorf("%d findings, %v", len(list), err)
	}
	var log map[string]any
	if err := json.Unmarshal([]byte(write(t, "sarif")), &log); err != nil || log["version"] != "2.1.0" {
		t.Errorf("%v, %v", log, err)
	}
}

func TestAnUnknownFormatIsNamed(t *testing.T) {
	if err := Write(&strings.Builder{}, "yaml", nil, ""); err == nil || !strings.Contains(err.Error(), "yaml") {
		t.Errorf("got %v", err)
	}
}
