package learn

import (
	"slices"
	"strings"
)

// What no permission rule is proposed for, however often it is used.
const (
	// promptless are commands that Claude Code runs without asking: see "read-only
	// commands" in its reference of permissions.
	promptless = `ls cat head tail grep rg find wc diff stat du df cd echo printf pwd which type file tree
		sort uniq cut tr date env printenv true false test [ sleep basename dirname realpath readlink ps id whoami uname
		hostname seq sed awk jq`

	// openEnded run whatever they are given: code, other programs, scripts of the project
	// under any name. The log does not tell what that was.
	openEnded = `bash sh zsh dash ksh fish pwsh powershell cmd eval source . exec command builtin python python2
		python3 node deno bun ruby perl php lua tclsh osascript Rscript julia awk gawk expect ssh mosh scp sftp rsync sudo doas
		su env xargs parallel watch time timeout nohup nice setsid script flock entr make gmake just task rake invoke ant ninja
		npx bunx uvx pipx docker podman kubectl nix tmux screen`

	// destructive change or send away what cannot be brought back.
	destructive = `rm rmdir unlink shred mv cp dd truncate tee ln chmod chown chgrp kill pkill killall curl wget nc
		ncat telnet ftp socat mail sendmail crontab at systemctl service mount umount reboot shutdown psql mysql sqlite3 redis-cli
		mongosh aws gcloud az terraform tofu helm ansible ansible-playbook pulumi vault op security`

	// openEndedWords are subcommands of those kinds.
	openEndedWords = `run exec x dlx eval start serve deploy publish release push reset clean rebase filter-branch filter-repo delete
		remove rm destroy apply install uninstall add ci i update upgrade login logout config auth secret api`
)

// isWord reports whether a word is one of a list.
func isWord(word string, list ...string) bool {
	return slices.ContainsFunc(list, func(words string) bool { return slices.Contains(strings.Fields(words), word) })
}

// isProposable reports whether a permission rule may be proposed for the shape of one
// command.
func isProposable(shape string) bool {
	words := strings.Fields(shape)
	switch {
	case len(words) == 0 || strings.ContainsAny(shape, "?…()*:,"):
		return false
	case words[0] == "git":
		return slices.Contains(gitToAllow, strings.TrimPrefix(shape, "git "))
	case isWord(words[0], promptless, openEnded, destructive):
		return false
	}
	return !slices.ContainsFunc(words[1:], func(w string) bool { return isWord(w, openEndedWords) })
}

// gitToAllow are the subcommands of git that change nothing which git cannot bring back,
// but for those that Claude Code runs without asking.
var gitToAllow = []string{"add", "commit", "fetch", "switch", "stash list", "worktree list", "ls-remote", "ls-tree"}

// permission is the permission rule of Claude Code for the commands of a shape.
func permission(shape string) string { return "Bash(" + shape + ":*)" }
