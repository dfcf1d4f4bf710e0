package engine

import (
	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/claudewatch/claudewatch/internal/ruletest"
	"github.com/claudewatch/claudewatch/schema"
)

// ordinaryCommands are commands of every working day. vet warns about a rule
// whose condition is true of nearly all of them.
var ordinaryCommands = []string{
	"ls -la", "pwd", "cat README.md", "head -50 src/main.go", "tail -f app.log",
	"grep -rn 'TODO' src | head -20", "rg -n pattern --type go", "find . -name '*.ts' -not -path './node_modules/*'",
	"git status", "git diff HEAD~1", "git log --oneline -10", "git branch --show-current", "git add -A", "git fetch origin",
	"git checkout -b feature/x", "go build ./...", "go test ./... 2>&1 | tail -5", "go vet ./...", "npm run build", "npm test",
	"npx tsc --noEmit", "python3 -m pytest -q", "python3 scripts/report.py --month 5", "cargo check", "make lint", "docker ps",
	"docker compose logs web", "kubectl get pods -n staging", "curl -s https://api.example.com/health", "jq '.version' package.json",
	"sed -n '1,40p' main.c", "wc -l *.go", "mkdir -p build/out", "cp a.txt b.txt", "echo done", "cd web && npm run lint", "which node",
	"gh pr view 12 --json title", "terraform plan", "aws s3 ls",
}

// OrdinaryInputs returns calls of every working day: nobody wants to be asked
// about them.
func OrdinaryInputs() []*schema.Input {
	var inputs []*schema.Input
	add := func(tool string, args map[string]any) {
		c := call.Call{
			Event: "PreToolUse", Tool: tool, Args: args, SessionID: "ordinary",
			Cwd: ruletest.DefaultCwd, ProjectDir: ruletest.DefaultCwd, Home: ruletest.DefaultHome,
		}
		inputs = append(inputs, c.Input())
	}
	for _, command := range ordinaryCommands {
		add("Bash", map[string]any{"command": command})
	}
	file := ruletest.DefaultCwd + "/src/main.py"
	add("Write", map[string]any{"file_path": file, "content": "print('hello')\n"})
	add("Read", map[string]any{"file_path": file})
	add("Grep", map[string]any{"pattern": "main", "path": ruletest.DefaultCwd})
	return inputs
}
