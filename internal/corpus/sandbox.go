package corpus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Sandbox describes repositories, folders and files. Names are paths with slashes
// below one root; each name of Repos and Dirs, and Home, stands in braces for its
// absolute path in entries, in links and in the content of files.
type Sandbox struct {
	Repos    map[string]Repo   `json:"repos"`
	Dirs     []string          `json:"dirs"`
	Files    map[string]string `json:"files"`    // name to content
	Symlinks map[string]string `json:"symlinks"` // name to what it leads to
	// Home is the home directory of the hook; "home" when there is none.
	Home string `json:"home"`
}

// Repo is a git repository or a worktree of one.
type Repo struct {
	// Branch is the current branch.
	Branch string `json:"branch"`
	// WorktreeOf is the repository of which this is a linked worktree.
	WorktreeOf string `json:"worktree_of"`
	// Files are committed: name to content.
	Files map[string]string `json:"files"`
	// Detach leaves HEAD on the commit and no branch.
	Detach bool `json:"detach"`
	// Remote gives the repository a remote "origin" that has its branch.
	Remote bool `json:"remote"`
}

// decode reads a sandbox. A key it does not know would be a sandbox that it
// cannot build, and is an error.
func (s *Sandbox) decode(text json.RawMessage) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(s); err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	return s.check()
}

func (s *Sandbox) check() error {
	names := slices.Concat(slices.Collect(maps.Keys(s.Repos)), s.Dirs, slices.Collect(maps.Keys(s.Files)), slices.Collect(maps.Keys(s.Symlinks)))
	if s.Home != "" {
		names = append(names, s.Home)
	}
	slices.Sort(names)
	for _, name := range names {
		if !isLocal(name) {
			return fmt.Errorf("sandbox: %q is no name below the root of the sandbox", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Repos)) {
		repo := s.Repos[name]
		for file := range repo.Files {
			if !isLocal(file) {
				return fmt.Errorf("sandbox: %q is no name below the repository %s", file, name)
			}
		}
		of, ok := s.Repos[repo.WorktreeOf]
		switch {
		case repo.Branch == "":
			return fmt.Errorf("sandbox: the repository %s has no branch", name)
		case repo.WorktreeOf != "" && (!ok || of.WorktreeOf != ""):
			return fmt.Errorf("sandbox: %s is a worktree of %q, which is no repository", name, repo.WorktreeOf)
		}
	}
	return nil
}

// home is the name of the home directory.
func (s *Sandbox) home() string {
	if s.Home == "" {
		return "home"
	}
	return s.Home
}

// places returns what the names stand for below root.
func (s *Sandbox) places(root string) map[string]string {
	places := map[string]string{"home": filepath.Join(root, filepath.FromSlash(s.home()))}
	for name := range s.Repos {
		places[name] = filepath.Join(root, filepath.FromSlash(name))
	}
	for _, name := range slices.Concat(s.Dirs, []string{s.home()}) {
		places[name] = filepath.Join(root, filepath.FromSlash(name))
	}
	return places
}

// Layout is a sandbox that was built.
type Layout struct {
	// Root is the folder of all that the sandbox describes, symbolic links resolved.
	Root string
	// Home is the home directory for hooks.
	Home string

	places map[string]string
}

// claudewatchHome is the folder for CLAUDEWATCH_HOME. No entry names it.
func (l *Layout) claudewatchHome() string { return filepath.Join(l.Root, ".claudewatch") }

// fill puts the paths into text for the names in braces. ${name} is a variable of
// the shell and stays. escape is applied to the paths.
func (l *Layout) fill(text string, escape func(string) string) string {
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(l.places)) {
		pairs = append(pairs, "${"+name+"}", "${"+name+"}", "{"+name+"}", escape(l.places[name]))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// inText returns a path as it is.
func inText(path string) string { return path }

// inJSON returns a path as it stands within a JSON string.
func inJSON(path string) string {
	text, err := json.Marshal(path)
	if err != nil { // a string has a JSON form
		return path
	}
	return string(text[1 : len(text)-1])
}

// Build makes the sandbox in the empty folder root, with the git program. Nothing
// of the user's own configuration of git is used, and no network.
func Build(ctx context.Context, s *Sandbox, root string) (*Layout, error) {
	root, err := filepath.EvalSymlinks(root) // the paths that hooks report have no links
	if err != nil {
		return nil, err
	}
	l := &Layout{Root: root, places: s.places(root)}
	l.Home = l.places["home"]
	b := &builder{ctx: ctx, layout: l}
	if len(s.Repos) > 0 {
		if b.git, err = exec.LookPath("git"); err != nil {
			return nil, fmt.Errorf("the sandbox has git repositories: install git: %w", err)
		}
	}
	b.directory(l.Home)
	for _, name := range s.Dirs {
		b.directory(l.places[name])
	}
	for _, name := range slices.Sorted(maps.Keys(s.Repos)) {
		if repo := s.Repos[name]; repo.WorktreeOf == "" {
			b.repository(name, repo)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Repos)) {
		if repo := s.Repos[name]; repo.WorktreeOf != "" {
			b.worktree(name, repo)
		}
	}
	b.files(root, s.Files)
	for _, name := range slices.Sorted(maps.Keys(s.Symlinks)) {
		b.link(name, s.Symlinks[name])
	}
	if b.err != nil {
		return nil, fmt.Errorf("building the sandbox: %w", b.err)
	}
	return l, nil
}

// builder makes the parts of a sandbox. After an error it does nothing more.
type builder struct {
	ctx    context.Context
	layout *Layout
	git    string
	err    error
}

func (b *builder) repository(name string, repo Repo) {
	dir := b.layout.places[name]
	b.directory(dir)
	b.run(dir, "init", "--quiet")
	b.run(dir, "symbolic-ref", "HEAD", "refs/heads/"+repo.Branch) // init --initial-branch is newer
	b.commit(dir, repo.Files)
	if repo.Remote {
		bare := filepath.Join(b.layout.Root, ".remotes", filepath.FromSlash(name)+".git")
		b.directory(bare)
		b.run(bare, "init", "--quiet", "--bare")
		b.run(dir, "remote", "add", "origin", bare)
		b.run(dir, "push", "--quiet", "--set-upstream", "origin", repo.Branch)
	}
	b.detach(dir, repo)
}

func (b *builder) worktree(name string, repo Repo) {
	dir := b.layout.places[name]
	b.directory(filepath.Dir(dir))
	b.run(b.layout.places[repo.WorktreeOf], "worktree", "add", "--quiet", "-b", repo.Branch, dir)
	if len(repo.Files) > 0 {
		b.commit(dir, repo.Files)
	}
	b.detach(dir, repo)
}

func (b *builder) commit(dir string, files map[string]string) {
	b.files(dir, files)
	b.run(dir, "add", "--all", "--force", ".")
	b.run(dir, "commit", "--quiet", "--allow-empty", "--message", "the state of the sandbox")
}

func (b *builder) detach(dir string, repo Repo) {
	if repo.Detach {
		b.run(dir, "checkout", "--quiet", "--detach")
	}
}

func (b *builder) directory(path string) {
	if b.err == nil {
		b.err = os.MkdirAll(path, 0o755)
	}
}

// files writes files, which are named from dir.
func (b *builder) files(dir string, files map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		b.directory(filepath.Dir(path))
		if b.err == nil {
			b.err = os.WriteFile(path, []byte(b.layout.fill(files[name], inText)), 0o644)
		}
	}
}

func (b *builder) link(name, target string) {
	path := filepath.Join(b.layout.Root, filepath.FromSlash(name))
	b.directory(filepath.Dir(path))
	if b.err == nil {
		b.err = os.Symlink(b.layout.fill(target, inText), path)
	}
}

// run runs git in dir.
func (b *builder) run(dir string, args ...string) {
	if b.err != nil {
		return
	}
	cmd := exec.CommandContext(b.ctx, b.git, args...)
	cmd.Dir = dir
	cmd.Env = append(without(os.Environ(), isForeign),
		"HOME="+b.layout.Home, "USERPROFILE="+b.layout.Home,
		"GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=claudewatch", "GIT_AUTHOR_EMAIL=claudewatch@example.org", "GIT_AUTHOR_DATE=2026-01-01T00:00:00Z",
		"GIT_COMMITTER_NAME=claudewatch", "GIT_COMMITTER_EMAIL=claudewatch@example.org", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z",
	)
	if out, err := cmd.CombinedOutput(); err != nil {
		b.err = errors.Join(fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, bytes.TrimSpace(out)), b.ctx.Err())
	}
}

// isForeign reports whether an environment variable would bring the user's own
// configuration of git, Claude Code or claudewatch into a sandbox.
func isForeign(name string) bool {
	for _, prefix := range []string{"GIT_", "CLAUDE_", "CLAUDEWATCH_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return slices.Contains([]string{"HOME", "USERPROFILE", "XDG_CONFIG_HOME", "CLAUDECODE", "PWD", "OLDPWD"}, name)
}

// without returns the environment without the variables that drop picks.
func without(environ []string, drop func(name string) bool) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return drop(name)
	})
}
