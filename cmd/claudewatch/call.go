package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/claudewatch/claudewatch/hooks"
	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/claudewatch/claudewatch/internal/config"
)

// commandCall is the call of a command typed on the command line: it would run in
// dir, the current directory when dir is "".
func commandCall(env config.Environment, tool, command, dir string) (call.Call, error) {
	dir, err := fromHere(dir)
	if err != nil {
		return call.Call{}, err
	}
	return call.Call{
		Event: hooks.PreToolUse, Tool: tool, Args: map[string]any{"command": command},
		Cwd: dir, ProjectDir: env.ProjectDir, Home: env.Home,
	}, nil
}

// fromHere makes the path of --cwd absolute; "" is the current directory.
func fromHere(dir string) (string, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("the current directory is not known, give --cwd an absolute path: %w", err)
	}
	return absolute, nil
}

// inProject returns env with the project of the current directory where the
// environment names none, as it is outside of Claude Code: the nearest directory
// above with rule sets of its own. The hook goes by its environment alone.
func inProject(env config.Environment) config.Environment {
	dir, err := os.Getwd()
	if err != nil || env.ProjectDir != "" {
		return env
	}
	for {
		candidate := env
		candidate.ProjectDir = dir
		if info, err := os.Stat(candidate.ProjectWatches()); err == nil && info.IsDir() {
			return candidate
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return env
		}
		dir = parent
	}
}

// eventCall is the call of a recorded event.
func eventCall(env config.Environment, event *hooks.Event) call.Call {
	return call.FromEvent(event, env.Home, env.ProjectDir)
}
