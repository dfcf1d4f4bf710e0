package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/compiled"
	"github.com/claudewatch/claudewatch/internal/regular"
	"github.com/claudewatch/claudewatch/internal/suggest"
	"github.com/claudewatch/claudewatch/policy"
)

// Sources says where rule sets come from and which of them are on: the method
// values Enabled and Action are those of policy.Options.
type Sources struct {
	Environment Environment
	Settings    *Settings
	// Shipped holds the shipped sets, NAME.yml at its root.
	Shipped fs.FS
	// Given are the paths of the command line: when there are any only those are read.
	Given []string
	// Only are the sets of --only: when there are any only those are on.
	Only []string
}

// Files returns the rule files in the order in which their sets count: shipped,
// the user's, the project's, each sorted by name; or those that were given.
//
// Rule files are named *.yml or *.yaml and not hidden; directories are not
// descended into. A file that is there and cannot be read, and a given path that
// is not there, is in the list with the reason in its Err.
func (s *Sources) Files() []policy.File {
	var files []policy.File
	if len(s.Given) == 0 {
		files = s.shippedFiles()
	}
	for _, l := range s.Locations() {
		files = append(files, l.Files()...)
	}
	if len(s.Given) > 0 {
		files = once(files, func(f policy.File) string { return f.Path })
	}
	return files
}

// Location is a place of rule files outside of the binary: a directory of them, or a
// single one.
type Location struct {
	Path  string
	Scope policy.Scope
}

// Locations returns where the rule files are that are not shipped, in their order.
// When paths were given only these; a file may then be in two of them, and counts once.
func (s *Sources) Locations() []Location {
	var locations []Location
	if len(s.Given) > 0 {
		for _, given := range s.Given {
			locations = append(locations, Location{given, policy.Given})
		}
		return locations
	}
	user, project := s.Environment.Watches(), s.Environment.ProjectWatches()
	if user != "" {
		locations = append(locations, Location{user, policy.User})
	}
	if project != "" && s.Settings.ProjectWatches && !sameDirectory(user, project) {
		locations = append(locations, Location{project, policy.Project})
	}
	return locations
}

// Files reads the rule files of the location.
func (l Location) Files() []policy.File {
	if l.Scope == policy.Given {
		return givenFiles(l.Path)
	}
	return directoryFiles(l.Path, l.Scope)
}

// once drops what has the same path as something before it.
func once[T any](all []T, pathOf func(T) string) []T {
	seen := make(map[string]bool, len(all))
	return slices.DeleteFunc(all, func(one T) bool {
		key := filepath.Clean(pathOf(one))
		again := seen[key]
		seen[key] = true
		return again
	})
}

// sameDirectory reports whether two paths lead to one directory, which then is
// the user's: a session may be started in the home directory.
func sameDirectory(user, project string) bool {
	a, err := os.Stat(user)
	if err != nil {
		return false
	}
	b, err := os.Stat(project)
	return err == nil && os.SameFile(a, b)
}

func (s *Sources) shippedFiles() []policy.File {
	if s.Shipped == nil {
		return nil
	}
	files, err := compiled.ShippedFiles(s.Shipped)
	if err != nil {
		return []policy.File{{Path: "watches", Scope: policy.Shipped, Err: err}}
	}
	return files
}

// givenFiles reads a file or the files of a directory as it was named.
func givenFiles(given string) []policy.File {
	info, err := os.Stat(given)
	switch {
	case given == "":
		return []policy.File{{Path: `""`, Scope: policy.Given, Err: errors.New("an empty path was given for a rule file")}}
	case errors.Is(err, fs.ErrNotExist):
		return []policy.File{{Path: given, Scope: policy.Given, Err: errors.New("no such file or directory")}}
	case err == nil && info.IsDir():
		return directoryFiles(given, policy.Given)
	}
	return []policy.File{readFile(given, policy.Given)}
}

// directoryFiles reads the rule files of a directory; one that is not there has none.
func directoryFiles(directory string, scope policy.Scope) []policy.File {
	if directory == "" {
		return nil
	}
	entries, err := os.ReadDir(directory)
	if errors.Is(err, fs.ErrNotExist) && !isLink(directory) {
		return nil
	}
	if err != nil {
		return []policy.File{{Path: directory, Scope: scope, Err: errors.New(reason(err))}}
	}
	var files []policy.File
	for _, e := range entries {
		if isRuleFile(e.Name()) {
			files = append(files, readFile(filepath.Join(directory, e.Name()), scope))
		}
	}
	return files
}

func readFile(path string, scope policy.Scope) policy.File {
	f := policy.File{Path: path, Scope: scope}
	source, err := regular.ReadFile(path, policy.MaxFileSize)
	switch {
	case errors.Is(err, fs.ErrNotExist) && isLink(path):
		f.Err = errors.New("a symbolic link to a file that does not exist")
	case err != nil:
		f.Err = errors.New(reason(err))
	default:
		f.Source = source
	}
	return f
}

// isRuleFile reports whether a directory entry is a rule file by its name.
// Editors leave hidden files beside the ones they edit.
func isRuleFile(name string) bool {
	extension := strings.ToLower(path.Ext(name))
	return !strings.HasPrefix(name, ".") && (extension == ".yml" || extension == ".yaml")
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// reason is the text of an error without the path, which stands beside it.
func reason(err error) string {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// Enabled reports whether a set is on: with --only the sets it names; a file
// named on the command line always; else as the settings and then the file say.
func (s *Sources) Enabled(set *policy.RuleSet, scope policy.Scope) bool {
	if len(s.Only) > 0 {
		return slices.Contains(s.Only, set.Name)
	}
	if scope == policy.Given && s.isNamed(set.Path) {
		return true
	}
	if contains(s.Settings.Enable, set.Name) {
		return true
	}
	return set.DefaultOn && !contains(s.Settings.Disable, set.Name)
}

// isNamed reports whether a path is one of those given: a file in a given
// directory is not.
func (s *Sources) isNamed(path string) bool {
	return slices.ContainsFunc(s.Given, func(given string) bool { return filepath.Clean(given) == filepath.Clean(path) })
}

func contains(names []Name, name string) bool {
	return slices.ContainsFunc(names, func(n Name) bool { return n.Name == name })
}

// Action returns what the settings make of a rule.
func (s *Sources) Action(set, rule string) policy.Action {
	for _, r := range s.Settings.Rules {
		if r.Set == set && r.Rule == rule {
			return r.Action
		}
	}
	return policy.Keep
}

// Unknown reports names that stand for nothing among the sets that were loaded:
// as a Fault in --only, where a slip would switch every guard off; as an Error
// where the settings enable a set or name a rule of a set that is there; as a
// Warning where they name a set that is not there, which may be one that another
// project brings.
func (s *Sources) Unknown(loaded []*policy.RuleSet) []policy.Diagnostic {
	sets := make([]string, len(loaded))
	for i, set := range loaded {
		sets[i] = set.Name
	}
	var found []policy.Diagnostic
	for _, only := range s.Only {
		if !slices.Contains(sets, only) {
			found = append(found, policy.Diagnostic{
				Path: "--only", Width: 1, Severity: policy.Fault, Code: codeOnly,
				Message: fmt.Sprintf("there is no rule set '%s'%s", only, suggest.Hint(only, sets)),
			})
		}
	}
	if len(s.Given) > 0 {
		return found
	}
	unknownSet := func(severity policy.Severity, n Name) {
		if !slices.Contains(sets, n.Name) {
			found = append(found, s.Settings.diagnostic(severity, n.Position, len([]rune(n.Name)), codeUnknown,
				fmt.Sprintf("there is no rule set '%s'%s", n.Name, suggest.Hint(n.Name, sets))))
		}
	}
	for _, n := range s.Settings.Enable {
		unknownSet(policy.Error, n)
	}
	for _, n := range s.Settings.Disable {
		unknownSet(policy.Warning, n)
	}
	for _, r := range s.Settings.Rules {
		unknownSet(policy.Warning, Name{r.Position, r.Set})
		i := slices.Index(sets, r.Set)
		if i < 0 {
			continue
		}
		if names := loaded[i].RuleNames(); !slices.Contains(names, r.Rule) {
			found = append(found, s.Settings.diagnostic(policy.Error, r.Position, len([]rune(r.Set+"/"+r.Rule)), codeUnknown,
				fmt.Sprintf("the set '%s' has no rule '%s'%s", r.Set, r.Rule, suggest.Hint(r.Rule, names))))
		}
	}
	return found
}
