package call

import (
	"path/filepath"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/claudewatch/claudewatch/internal/git"
	"github.com/claudewatch/claudewatch/internal/realpath"
	"github.com/claudewatch/claudewatch/schema"
)

// located computes effects once, with targets and git commands that know, when
// they are asked, where they lie. All of one call share what was found.
func (c Call) located(effects func() *schema.Effects) func() *schema.Effects {
	return sync.OnceValue(func() *schema.Effects {
		e := effects()
		l := locator{c.locate()}
		for _, list := range [][]*schema.Target{e.Reads, e.Writes} {
			for _, t := range list {
				t.ReadPath = sync.OnceValue(func() string { return pathOf(t) })
				t.ReadRepo = sync.OnceValue(func() *schema.Repo { return l.repositoryOf(t.Path(), t.Switches) })
			}
		}
		for _, g := range e.Git {
			g.ReadRepo = sync.OnceValue(func() *schema.Repo { return l.repositoryOf(g.Dir, g.Switches) })
		}
		return e
	})
}

// locate is what finds repositories for the call.
func (c Call) locate() func(path string) *schema.Repo {
	if c.Repository != nil {
		return c.Repository
	}
	return new(git.Locator).Find
}

// pathOf returns where a target really lies. A path that no system call would take
// (links in a circle) stays as it is written: the call that uses it fails, and a
// rule about the name still sees it.
func pathOf(t *schema.Target) string {
	if !t.Resolved {
		return ""
	}
	real, _, err := realpath.Follow(t.Lexical)
	if err != nil {
		return t.Lexical
	}
	return real
}

// locator finds repositories as they are when a part of the call's text has run.
type locator struct {
	find func(path string) *schema.Repo
}

// repositoryOf returns the repository of a path after the branch switches in front
// of it; an unknown one when the path is "".
//
// A switch whose directory is not known is passed over: it may be in any
// repository, and must not hide that this one is on a protected branch.
func (l *locator) repositoryOf(path string, switches []schema.BranchSwitch) *schema.Repo {
	if path == "" {
		return &schema.Repo{}
	}
	repo := l.find(path)
	if repo.Root == "" {
		return repo
	}
	for _, s := range switches {
		if s.Dir == "" || l.find(s.Dir).Root != repo.Root {
			continue
		}
		after := *repo
		after.Branch, after.Detached = s.Branch, s.Detached
		after.Known = s.Branch != "" || s.Detached
		after.Switched = true
		repo = &after
	}
	return repo
}

// target returns what a file tool does to a path; "" for a path that is not known.
func (c Call) target(path, op string, recursive bool) *schema.Target {
	return &schema.Target{
		Lexical: path, Raw: c.text(pathKey(c.Tool)), Resolved: path != "",
		Op: op, Via: c.Tool, Recursive: recursive,
	}
}

// searched returns the directory that Grep or Glob looks through: its path, the
// working directory without one, or where the pattern of a Glob begins when that
// is absolute.
func (c Call) searched(path string) string {
	if path == "" && c.text("path") == "" {
		path = c.absolute(".")
	}
	if c.Tool != "Glob" {
		return path
	}
	pattern := strings.TrimSpace(c.text("pattern"))
	if base, _ := doublestar.SplitPattern(filepath.ToSlash(pattern)); filepath.IsAbs(base) || strings.HasPrefix(base, "~/") || base == "~" {
		return c.absolute(base)
	}
	return path
}
