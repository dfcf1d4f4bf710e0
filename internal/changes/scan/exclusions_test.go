package scan_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/changes/scan"
	"github.com/google/go-cmp/cmp"
)

// standard is the specification of standard-v1.
const standard = `.git .hg .svn target .gradle node_modules .next .nuxt .turbo .parcel-cache .svelte-kit
__pycache__ .venv venv .tox .nox .mypy_cache .pytest_cache .ruff_cache .eggs *.egg-info CMakeFiles cmake-build-*
.build DerivedData Pods Carthage/Build .bundle vendor/bundle .bloop .metals _build dist-newstyle .stack-work
.dart_tool zig-cache .zig-cache zig-out .terraform coverage .nyc_output htmlcov .cache .idea .vs`

// conditional are the conditional rules of standard-v1: a directory, and the files one of
// which must be beside it.
const conditional = `build: pom.xml build.gradle build.gradle.kts package.json pyproject.toml setup.py CMakeLists.txt pubspec.yaml
dist: go.mod package.json pyproject.toml setup.py
bin: go.mod *.csproj *.sln
obj: *.csproj *.sln
vendor: go.mod composer.json
tmp: Gemfile
log: Gemfile
deps: mix.exs
public: hugo.toml hugo.yaml config.toml
resources/_gen: hugo.toml hugo.yaml config.toml
_site: _config.yml
site: mkdocs.yml`

// conditionals goes through them.
func conditionals(yield func(directory string, beside []string) bool) {
	for line := range strings.Lines(conditional) {
		directory, beside, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if !yield(directory, strings.Fields(beside)) {
			return
		}
	}
}

// example is a name that a pattern fits.
func example(pattern string) string { return strings.ReplaceAll(pattern, "*", "some") }

// standardPlace returns a root under standard-v1, changed by add and remove.
func standardPlace(t *testing.T, add, remove []string) *place {
	t.Helper()
	p := newPlace(t)
	exclusions, problems := scan.NewExclusions(scan.StandardV1, add, remove)
	if problems != nil {
		t.Fatal(problems)
	}
	p.options.Exclusions = exclusions
	return p
}

func TestEveryNameOfTheStandardSetIsExcludedAtAnyDepth(t *testing.T) {
	p := standardPlace(t, nil, nil)
	for _, rule := range strings.Fields(standard) {
		name := example(rule)
		p.write(name+"/a", "deep/down/"+name+"/sub/a")
	}
	p.write("seen")
	p.scan()
	p.knows("seen")
}

func TestTheStandardSetExcludesDirectoriesOnlyAndByExactName(t *testing.T) {
	p := standardPlace(t, nil, nil)
	var want []string
	for _, rule := range strings.Fields(standard) {
		want = append(want, "files/"+example(rule))
		if !strings.Contains(rule, "*") {
			want = append(want, "x"+rule+"/a", rule+"x/a", "upper/"+strings.ToUpper(rule)+"/a")
		}
	}
	p.write(want...)
	p.scan()
	p.knows(want...)
}

func TestALinkWithTheNameOfAnExcludedDirectoryIsSeen(t *testing.T) {
	p := standardPlace(t, nil, nil)
	p.link("elsewhere", "node_modules")
	p.scan()
	p.knows("node_modules")
}

func TestPackagesClaudeAndDataAreObserved(t *testing.T) {
	p := standardPlace(t, nil, nil)
	p.write("packages/a", ".claude/b", "data/c", "package.json", "go.mod", "Gemfile", "hugo.toml")
	p.scan()
	p.knows("packages/a", ".claude/b", "data/c", "package.json", "go.mod", "Gemfile", "hugo.toml")
}

func TestGitignoreIsNotRead(t *testing.T) {
	p := standardPlace(t, nil, nil)
	p.write(".gitignore=*\n", "ignored/a", "b.log")
	p.scan()
	p.knows(".gitignore", "ignored/a", "b.log")
}

func TestConditionalRulesExcludeBesideEachOfTheirFiles(t *testing.T) {
	for directory, beside := range conditionals {
		for _, file := range beside {
			t.Run(directory+" beside "+file, func(t *testing.T) {
				p := standardPlace(t, nil, nil)
				marker := "project/" + example(file)
				p.write("project/"+directory+"/a", marker)
				p.scan()
				p.knows(marker)
			})
		}
	}
}

func TestConditionalRulesDoNotExcludeElsewhere(t *testing.T) {
	for directory, beside := range conditionals {
		t.Run(directory, func(t *testing.T) {
			p := standardPlace(t, nil, nil)
			want := []string{
				"alone/" + directory + "/a",
				"parent/project/" + directory + "/a",
				"below/" + directory + "/sub/a",
				"directory/" + directory + "/a",
			}
			for _, file := range beside {
				marker := example(file)
				want = append(want,
					"parent/"+marker,                      // not in the same directory
					"below/"+directory+"/"+marker,         // in the directory itself
					"directory/"+marker+"/is a directory", // no file
					"other/"+marker+".orig",               // another name
				)
			}
			p.write(want...)
			p.write("other/" + directory + "/a")
			want = append(want, "other/"+directory+"/a")
			p.scan()
			p.knows(want...)
		})
	}
}

func TestATwoPartNameNeedsBothParts(t *testing.T) {
	p := standardPlace(t, nil, nil)
	p.write("Carthage/Build/a", "Carthage/Checkouts/b", "Build/c", "x/Carthage/Build/d", "Carthage/x/Build/e", "vendor/bundle/f", "vendor/g", "bundle/h")
	p.scan()
	p.knows("Carthage/Checkouts/b", "Build/c", "Carthage/x/Build/e", "vendor/g", "bundle/h")
}

func TestRulesThatPeopleWrite(t *testing.T) {
	files := []string{"data/a", "sub/data/b", "sub/deep/data/c", "sub/other/d", "database/e", "sub/x1/f", "sub/x2/g"}
	for _, c := range []struct {
		name string
		add  []string
		left []string
	}{
		{"a name at any depth", []string{"data"}, []string{"sub/other/d", "database/e", "sub/x1/f", "sub/x2/g"}},
		{"the same with **/ and a slash at the end", []string{"**/data/"}, []string{"sub/other/d", "database/e", "sub/x1/f", "sub/x2/g"}},
		{"anchored at the root", []string{"/data"}, []string{"sub/data/b", "sub/deep/data/c", "sub/other/d", "database/e", "sub/x1/f", "sub/x2/g"}},
		{"anchored with two parts", []string{"/sub/data/"}, []string{"data/a", "sub/deep/data/c", "sub/other/d", "database/e", "sub/x1/f", "sub/x2/g"}},
		{"two parts at any depth", []string{"deep/data"}, []string{"data/a", "sub/data/b", "sub/other/d", "database/e", "sub/x1/f", "sub/x2/g"}},
		{"a pattern", []string{"data*"}, []string{"sub/other/d", "sub/x1/f", "sub/x2/g"}},
		{"a pattern of one byte", []string{"x?"}, []string{"data/a", "sub/data/b", "sub/deep/data/c", "sub/other/d", "database/e"}},
		{"a class", []string{"x[1]"}, []string{"data/a", "sub/data/b", "sub/deep/data/c", "sub/other/d", "database/e", "sub/x2/g"}},
		{"alternatives", []string{"{other,x1}"}, []string{"data/a", "sub/data/b", "sub/deep/data/c", "database/e", "sub/x2/g"}},
		{"what is between does not matter", []string{"/sub/**/data"}, []string{"data/a", "sub/other/d", "database/e", "sub/x1/f", "sub/x2/g"}},
		{"a file is no directory", []string{"a"}, files},
		{"a literal star", []string{`/dat\*`}, files},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlace(t)
			p.exclude(c.add...)
			p.write(files...)
			p.scan()
			p.knows(c.left...)
		})
	}
}

func TestTheEffectiveRulesAreTheDefaultsWithoutWhatIsRemovedAndWithWhatIsAdded(t *testing.T) {
	p := standardPlace(t, []string{"generated", "target"}, []string{"node_modules", "build", "target", "Carthage/Build/"})
	p.write("generated/a", "target/b", "node_modules/c", "package.json", "build/d", "dist/e", "Carthage/Build/f")
	p.scan()
	p.knows("node_modules/c", "package.json", "build/d", "Carthage/Build/f")
}

func TestAnAddedNameLosesItsCondition(t *testing.T) {
	p := standardPlace(t, []string{"build"}, nil)
	p.write("build/a", "dist/b")
	p.scan()
	p.knows("dist/b")
}

func TestTheExpansionIsSorted(t *testing.T) {
	exclusions, problems := scan.NewExclusions("none", []string{"/data", "b/", "**/a", "x/y"}, nil)
	if problems != nil {
		t.Fatal(problems)
	}
	if diff := cmp.Diff([]string{"/data", "a", "b", "x/y"}, exclusions.Expanded()); diff != "" {
		t.Error(diff)
	}
	exclusions, _ = scan.NewExclusions(scan.StandardV1, nil, nil)
	expanded := exclusions.Expanded()
	if !slices.IsSorted(expanded) {
		t.Errorf("%q", expanded)
	}
	want := strings.Fields(standard)
	for directory, beside := range conditionals {
		want = append(want, directory+" (beside "+strings.Join(beside, ", ")+")")
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, expanded); diff != "" {
		t.Error(diff)
	}
	if got := (*scan.Exclusions)(nil).Expanded(); got == nil || len(got) != 0 {
		t.Errorf("without rules: %#v", got)
	}
}

func TestABadRuleIsLeftOutAndReported(t *testing.T) {
	for _, bad := range []string{"", "/", "**/", "..", "a/../b", "a//b", ".", "**", "a/**", "[", "{a", "{a,b}{a,b}{a,b}{a,b}{a,b}"} {
		exclusions, problems := scan.NewExclusions("none", []string{bad, "good"}, nil)
		if len(problems) != 1 || !strings.Contains(problems[0].Error(), `"`+bad+`"`) {
			t.Errorf("%q: %v", bad, problems)
		}
		if diff := cmp.Diff([]string{"good"}, exclusions.Expanded()); diff != "" {
			t.Errorf("%q: %s", bad, diff)
		}
	}
	if _, problems := scan.NewExclusions("standard-v2", nil, nil); len(problems) != 1 {
		t.Errorf("an unknown set: %v", problems)
	}
	if _, problems := scan.NewExclusions(scan.StandardV1, nil, []string{"no-such-name"}); len(problems) != 1 {
		t.Errorf("a removed name that is not there: %v", problems)
	}
}

func TestADirectoryThatIsExcludedFromNowOnIsForgottenAndNotDeleted(t *testing.T) {
	p := standardPlace(t, nil, nil)
	p.write("build/a=1", "build/deep/b=2", "c=3")
	p.scan()
	p.write("package.json={}")
	p.finds("create package.json")
	p.knows("c", "package.json")
	p.finds()

	p.write("build/a=changed", "build/new=4")
	p.finds()
	p.remove("package.json")
	p.finds("delete package.json") // what is in build may be older than this
	p.knows("build/a", "build/deep/b", "build/new", "c")
	p.write("build/newer=5")
	p.finds("create build/newer")
}

func TestAnExcludedDirectoryComesAndGoesUnseen(t *testing.T) {
	p := standardPlace(t, nil, nil)
	p.scan()
	p.write("node_modules/a=1")
	p.finds()
	p.write("node_modules/b=1")
	p.finds()
	p.remove("node_modules")
	p.finds()
	p.write("node_modules=a file")
	p.finds("create node_modules")
	p.remove("node_modules")
	p.write("node_modules/a=1")
	p.finds("delete node_modules")
	p.remove("node_modules")
	p.link("x", "node_modules")
	p.finds("create node_modules")
	p.knows("node_modules")
}

func FuzzNewExclusions(f *testing.F) {
	for _, rule := range []string{"a", "/a/b/", "**/x", "*.y", "a/**/b", "[", "{a,b}", `\*`, ".."} {
		f.Add(rule, "a/b")
	}
	f.Fuzz(func(t *testing.T, rule, directory string) {
		exclusions, problems := scan.NewExclusions("none", []string{rule}, nil)
		if len(problems)+len(exclusions.Expanded()) != 1 {
			t.Errorf("%q: %v, %q", rule, problems, exclusions.Expanded())
		}
		directory = path.Clean("/" + directory)[1:]
		if directory == "" || len(problems) > 0 {
			return
		}
		excluded := exclusions.Excludes(directory)
		again, problems := scan.NewExclusions("none", exclusions.Expanded(), nil)
		if problems != nil || again.Excludes(directory) != excluded {
			t.Errorf("%q: the expansion %q is another rule", rule, exclusions.Expanded())
		}
		if strings.HasPrefix(rule, "/") && excluded && exclusions.Excludes("deeper/"+directory) && !strings.Contains(rule, "*") && !strings.ContainsAny(rule, `?[{\`) {
			t.Errorf("%q is not anchored", rule)
		}
	})
}
