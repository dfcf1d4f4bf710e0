package tests

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// release is what the tests read of .goreleaser.yaml.
type release struct {
	Builds []struct {
		Main, Binary        string
		Env, Flags, Ldflags []string
		Goos, Goarch        []string
	}
	Archives []struct {
		Folder string `yaml:"wrap_in_directory"`
		Files  []struct{ Src, Dst string }
	}
	Casks []struct{ Completions map[string]string } `yaml:"homebrew_casks"`
	Nfpms []struct {
		Formats  []string
		Contents []struct{ Src, Dst, Type, Packager string }
	}
}

func TestAReleaseIsForEveryPlatformWithoutCgoAndSaysItsVersion(t *testing.T) {
	var r release
	readYAML(t, "../.goreleaser.yaml", &r)
	if len(r.Builds) != 1 {
		t.Fatalf("%d builds", len(r.Builds))
	}
	b := r.Builds[0]
	if diff := cmp.Diff([]string{"linux", "darwin", "windows"}, b.Goos); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"amd64", "arm64"}, b.Goarch); diff != "" {
		t.Error(diff)
	}
	if !slices.Contains(b.Env, "CGO_ENABLED=0") || !slices.Contains(b.Flags, "-trimpath") || b.Main != "./cmd/claudewatch" || b.Binary != "claudewatch" {
		t.Errorf("%+v", b)
	}
	source, err := os.ReadFile("../cmd/claudewatch/version.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`(?m)^var ([a-z, ]+) string$`).FindSubmatch(source)
	if declared == nil {
		t.Fatal("version.go declares no variables for a release to set")
	}
	for _, name := range strings.Split(string(declared[1]), ", ") {
		if !strings.Contains(strings.Join(b.Ldflags, " "), "-X main."+name+"=") {
			t.Errorf("a release does not set %s", name)
		}
	}
}

func TestAnArchiveIsThePluginWithItsBinary(t *testing.T) {
	var r release
	readYAML(t, "../.goreleaser.yaml", &r)
	var hooks struct {
		Hooks map[string][]struct{ Hooks []struct{ Command string } }
	}
	content, err := os.ReadFile("../hooks/hooks.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(content, &hooks); err != nil {
		t.Fatal(err)
	}
	for event, matchers := range hooks.Hooks {
		for _, h := range matchers[0].Hooks {
			// goreleaser puts the binary at the top of the folder.
			if h.Command != "${CLAUDE_PLUGIN_ROOT}/"+r.Builds[0].Binary {
				t.Errorf("%s runs %s", event, h.Command)
			}
		}
	}
	// Each file of hooks/ that is no code is in the archive, and in packages.
	err = fs.WalkDir(os.DirFS("../hooks"), ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(file, ".go") || strings.HasPrefix(file, "testdata/") {
			return err
		}
		archived := slices.ContainsFunc(r.Archives[0].Files, func(f struct{ Src, Dst string }) bool {
			source := strings.TrimPrefix(f.Src, "hooks/")
			return source == file || path.Dir(source) == path.Dir(file) || strings.HasPrefix(file, strings.TrimSuffix(source, "**/*"))
		})
		packaged := slices.ContainsFunc(r.Nfpms[0].Contents, func(c struct{ Src, Dst, Type, Packager string }) bool {
			source := strings.TrimPrefix(c.Src, "hooks/")
			return source == file || c.Type == "tree" && strings.HasPrefix(file, source+"/")
		})
		if !archived || !packaged {
			t.Errorf("hooks/%s: in archives %t, in packages %t", file, archived, packaged)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestWhatAReleasePacksIsThere(t *testing.T) {
	var r release
	readYAML(t, "../.goreleaser.yaml", &r)
	var sources []string
	for _, f := range r.Archives[0].Files {
		sources = append(sources, f.Src)
	}
	for _, c := range r.Nfpms[0].Contents {
		if c.Type != "symlink" {
			sources = append(sources, c.Src)
		}
	}
	for _, s := range sources {
		if strings.HasPrefix(s, "packaging/completions/") {
			continue // packaging/completions.sh makes them
		}
		found, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(strings.TrimSuffix(s, "/**/*"))))
		if err != nil || len(found) == 0 {
			t.Errorf("there is no %s", s)
		}
	}
}

func TestTheCaskFindsTheCompletionsInTheArchive(t *testing.T) {
	var r release
	readYAML(t, "../.goreleaser.yaml", &r)
	script, err := os.ReadFile("../packaging/completions.sh")
	if err != nil {
		t.Fatal(err)
	}
	completions := r.Casks[0].Completions
	if len(completions) != 3 {
		t.Errorf("%v", completions)
	}
	for shell, file := range completions {
		name, ok := strings.CutPrefix(file, r.Archives[0].Folder+"/completions/")
		if !ok || !strings.Contains(string(script), shell+") file="+name+" ;;") {
			t.Errorf("%s: %s is not what packaging/completions.sh writes", shell, file)
		}
	}
}

func TestTheToolOfReleasesHasOneVersion(t *testing.T) {
	version := regexp.MustCompile(`goreleaser/v2@(v[0-9.]+)`)
	versions := map[string][]string{}
	for _, file := range []string{"../docs/releases.md", "../.github/workflows/release.yml"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m := version.FindSubmatch(text)
		if m == nil {
			t.Errorf("%s names no version of goreleaser", file)
			continue
		}
		versions[string(m[1])] = append(versions[string(m[1])], file)
	}
	if len(versions) != 1 {
		t.Errorf("%v", versions)
	}
}
