package watches_test

import (
	"path/filepath"
	"testing"

	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/internal/ruletest"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/claudewatch/claudewatch/schema"
)

// TestAWorktreeOfTheProjectIsNotOutside writes into linked worktrees, which lie
// beside the project as guard-main proposes, of several repositories.
func TestAWorktreeOfTheProjectIsNotOutside(t *testing.T) {
	e := engine.Open(config.Environment{Home: ruletest.DefaultHome, ClaudewatchHome: t.TempDir()}, engine.Selection{Only: []string{"watch-paths"}})
	const project, beside = "/home/dev/project", "/home/dev/feature"
	linked := func(worktrees ...string) schema.Repo {
		return schema.Repo{Root: beside, Branch: "feature", LinkedWorktree: true, Worktrees: worktrees, Known: true}
	}
	for name, c := range map[string]struct {
		project, command string
		repo             schema.Repo
		want             policy.Verdict
	}{
		"of the project":                 {project, "echo x > ../feature/f", linked(project, beside), policy.None},
		"of the project's repository":    {project + "/packages/a", "touch /home/dev/feature/f", linked(project, beside), policy.None},
		"of the same bare repository":    {"/home/dev/main", "sudo touch /home/dev/feature/f", linked(beside, "/home/dev/main"), policy.None},
		"its .git":                       {project, "echo x > ../feature/.git", linked(project, beside), policy.Deny},
		"the main one":                   {beside + "2", "touch /home/dev/feature/f", schema.Repo{Root: beside, Branch: "main", Known: true}, policy.AskVerdict},
		"of another repository":          {project, "touch ../feature/f", linked("/srv/other", beside), policy.AskVerdict},
		"that its repository denies":     {project, "touch ../feature/f", linked(project, "/home/dev/other"), policy.AskVerdict},
		"of a repository of all at home": {project, "touch ../feature/f", linked("/home/dev", beside), policy.AskVerdict},
		"another repository":             {project, "touch ../feature/f", schema.Repo{Root: beside, Branch: "main", Known: true}, policy.AskVerdict},
	} {
		in := e.Input(call.Call{
			Event: "PreToolUse", Tool: "Bash", Args: map[string]any{"command": c.command},
			Cwd: project, ProjectDir: c.project, Home: ruletest.DefaultHome,
			Repository: func(path string) *schema.Repo {
				if filepath.Dir(path) == c.repo.Root {
					return &c.repo
				}
				return &schema.Repo{Known: true}
			},
		})
		if _, decision := e.Judge(in, false); decision.Verdict != c.want {
			t.Errorf("%s: want %v, got %v", name, c.want, decision)
		}
	}
}
