package shell

import "github.com/claudewatch/claudewatch/schema"

// launcherTargets lists the files that a launcher uses itself besides those of the
// command it runs: time -o FILE, script FILE, xargs -a FILE.
func (w *walk) launcherTargets(c *call, l *launch) {
	name := programName(c.words[0])
	uses := fileUsesOf(name, w.context.Targets)
	if len(uses) == 0 || c.place.remote || launchers.of(name).group {
		return
	}
	g := grammar{options: l.options, stops: true}
	args := g.arguments(c.words[1:])
	args.operands = args.operands[:min(l.operands, len(args.operands))] // the others are the command
	u := &fileUser{
		walk: w, call: c, words: c.words[1:], args: args,
		command: &schema.Command{Program: name, Dir: dirAt(c.env, c.place)},
	}
	for i := range uses {
		if use := &uses[i]; len(use.subcommands) == 0 && u.applies(use) {
			u.use(use)
		}
	}
}
