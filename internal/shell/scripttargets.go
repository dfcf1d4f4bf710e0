package shell

import "github.com/claudewatch/claudewatch/internal/script"

func (w *walk) scriptTargets(c *call, n *nested, env *environment) {}

func (w *walk) cmdletRedirects(s script.Statement, env *environment, p place) {}

func (u *fileUser) cmdletTargets()                 {}
func (w *walk) launcherTargets(c *call, l *launch) {}
