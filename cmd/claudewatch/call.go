package main

import (
	"fmt"
	"os"

	"github.com/claudewatch/claudewatch/hooks"
	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/claudewatch/claudewatch/internal/config"
)

// commandCall is the call of a command typed on the command line: it would run in
// dir, the current directory when dir is "".
func commandCall(env config.Environment, tool, command, dir string) (call.Call, error) {
	if dir == "" {
		var err error
		if dir, err = os.Getwd(); err != nil {
			return call.Call{}, fmt.Errorf("the current directory is not known, give --cwd: %w", err)
		}
	}
	return call.Call{
		Event: hooks.PreToolUse, Tool: tool, Args: map[string]any{"command": command},
		Cwd: dir, ProjectDir: env.ProjectDir, Home: env.Home,
	}, nil
}

// eventCall is the call of a recorded event.
func eventCall(env config.Environment, event *hooks.Event) call.Call {
	return call.FromEvent(event, env.Home, env.ProjectDir, nil)
}
