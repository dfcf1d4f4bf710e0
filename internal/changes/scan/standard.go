package scan

// StandardV1 is the name of the set of exclusions that is in force unless the
// settings say otherwise.
const StandardV1 = "standard-v1"

// standardV1 are the directories that hold what tools make, fetch or cache.
var standardV1 = []string{
	".git", ".hg", ".svn",
	"target", ".gradle",
	"node_modules", ".next", ".nuxt", ".turbo", ".parcel-cache", ".svelte-kit",
	"__pycache__", ".venv", "venv", ".tox", ".nox", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".eggs", "*.egg-info",
	"CMakeFiles", "cmake-build-*",
	".build", "DerivedData", "Pods", "Carthage/Build",
	".bundle", "vendor/bundle",
	".bloop", ".metals",
	"_build",
	"dist-newstyle", ".stack-work",
	".dart_tool",
	"zig-cache", ".zig-cache", "zig-out",
	".terraform",
	"coverage", ".nyc_output", "htmlcov",
	".cache", ".idea", ".vs",
}

// A conditionalRule excludes a directory that has one of the files beside it: in the
// directory where its name begins.
type conditionalRule struct {
	name   string
	beside []string
}

// conditionalV1 are names that also people give to what they write themselves.
var conditionalV1 = []conditionalRule{
	{"build", []string{"pom.xml", "build.gradle", "build.gradle.kts", "package.json", "pyproject.toml", "setup.py", "CMakeLists.txt", "pubspec.yaml"}},
	{"dist", []string{"go.mod", "package.json", "pyproject.toml", "setup.py"}},
	{"bin", []string{"go.mod", "*.csproj", "*.sln"}},
	{"obj", []string{"*.csproj", "*.sln"}},
	{"vendor", []string{"go.mod", "composer.json"}},
	{"tmp", []string{"Gemfile"}},
	{"log", []string{"Gemfile"}},
	{"deps", []string{"mix.exs"}},
	{"public", []string{"hugo.toml", "hugo.yaml", "config.toml"}},
	{"resources/_gen", []string{"hugo.toml", "hugo.yaml", "config.toml"}},
	{"_site", []string{"_config.yml"}},
	{"site", []string{"mkdocs.yml"}},
}
