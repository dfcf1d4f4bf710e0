package tests

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// hookModules are the modules of others that a hook starts with: Go initializes every
// package that the binary holds, whether a call needs it or not, so that each costs
// every tool call something. GODEBUG=inittrace=1 shows what: see docs/speed.md.
var hookModules = map[string]string{
	"github.com/google/cel-go":         "the rules",
	"cel.dev/expr":                     "of cel-go",
	"google.golang.org/protobuf":       "of cel-go",
	"google.golang.org/genproto":       "of cel-go",
	"github.com/antlr4-go/antlr":       "of cel-go",
	"golang.org/x/exp":                 "of cel-go",
	"gopkg.in/yaml.v3":                 "settings and rule files",
	"mvdan.cc/sh":                      "shell text",
	"github.com/bmatcuk/doublestar":    "glob()",
	"github.com/gofrs/flock":           "the decision log, and what is recorded of changes",
	"github.com/aymanbagabas/go-udiff": "the lines that a call changed",
	"golang.org/x/sys":                 "of flock",
}

// commandModules are those that only other subcommands use.
var commandModules = map[string]string{
	"github.com/spf13/cobra":        "the command line",
	"github.com/spf13/pflag":        "of cobra",
	"github.com/fatih/color":        "what people read",
	"github.com/mattn/go-isatty":    "of color",
	"github.com/mattn/go-colorable": "of color",
	"github.com/google/renameio":    "files that are replaced in one step",
	"github.com/tailscale/hujson":   "the settings of Claude Code, edited in place",
	"golang.org/x/term":             "the prompt of eval, and the size of the terminal; nothing to initialize",
}

// dearPackages are packages of those modules whose initialization a hook does not pay
// for: internal/cel stands in for cel-go's own package cel, and says why.
var dearPackages = []string{
	"github.com/google/cel-go/cel",
	"github.com/google/cel-go/ext",
	"google.golang.org/protobuf/reflect/protodesc",
	"google.golang.org/protobuf/types/descriptorpb",
	"github.com/google/cel-go/common/stdlib",
}

// foreign returns the packages of other modules that packages depend on, the standard
// library left out.
func foreign(t *testing.T, packages ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}"}, packages...)...)
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, path := range strings.Fields(string(out)) {
		if !strings.HasPrefix(path, "github.com/claudewatch/") {
			found = append(found, path)
		}
	}
	return found
}

func isOf(modules map[string]string, path string) bool {
	for module := range modules {
		if path == module || strings.HasPrefix(path, module+"/") {
			return true
		}
	}
	return false
}

func TestTheHookStartsWithFewModules(t *testing.T) {
	for _, path := range foreign(t, "./internal/engine", "./hooks", "./internal/decisionlog", "./internal/changes") {
		if !isOf(hookModules, path) {
			t.Errorf("the hook depends on %s: keep it out of its packages, or measure what it costs and list it", path)
		}
	}
	for _, path := range foreign(t, "./cmd/claudewatch") {
		if slices.Contains(dearPackages, path) {
			t.Errorf("the binary depends on %s, which takes long to initialize", path)
		}
		if !isOf(hookModules, path) && !isOf(commandModules, path) {
			t.Errorf("the binary depends on %s: measure what it costs at the start and list it", path)
		}
	}
}

// The linker leaves out the methods that nothing calls, unless some package looks for
// methods by a name that is not known before: then it keeps those of every type, a third
// more functions, and a start touches more pages. Cobra's templates are what nobody uses.
func TestTheProgramHoldsNoMethodsThatNothingCalls(t *testing.T) {
	symbols, err := exec.Command("go", "tool", "nm", binary).Output()
	if err != nil {
		t.Fatal(err)
	}
	if method := "text/template.(*Template).Execute"; strings.Contains(string(symbols), method) {
		t.Errorf("the program holds %s: go build -ldflags=-dumpdep says which ReflectMethod keeps it", method)
	}
}
