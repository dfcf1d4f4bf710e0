package shell

import (
	"path"
	"strings"
)

// claudewatchTargets is for claudewatch changes undo and restore, also when go run
// runs it. restore writes the files it is given; what undo writes stands in the
// records.
func (u *fileUser) claudewatchTargets(*fileUse) {
	words, ok := u.wordsOfClaudewatch()
	if !ok {
		return
	}
	how := grammarOf("claudewatch")
	how.options += " --session: --at:"
	args := how.arguments(words)
	if len(args.operands) < 2 || words[args.operands[0]].text != "changes" {
		return
	}
	for _, o := range args.options {
		if o.Name == "--dry-run" && o.attached == 0 {
			return
		}
	}
	switch words[args.operands[1]].text {
	case "restore":
		for _, i := range args.operands[2:] {
			u.add(opWrite, words[i], true)
		}
	case "undo":
		u.addUnknown(opWrite, "", true)
	}
}

// wordsOfClaudewatch returns the words that claudewatch is given: all, or those behind
// the package that go run builds.
func (u *fileUser) wordsOfClaudewatch() ([]field, bool) {
	if u.command.Program != "go" {
		return u.words, true
	}
	if len(u.args.operands) < 2 {
		return nil, false
	}
	at := u.args.operands[1]
	name, _, _ := strings.Cut(u.words[at].text, "@")
	if name == "." {
		name = u.dir
	}
	return u.words[at+1:], strings.EqualFold(path.Base(name), "claudewatch")
}
