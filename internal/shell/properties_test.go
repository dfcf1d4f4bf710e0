package shell_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/schema"
)

// contexts are places to put a command, CMD, where it would still run.
var contexts = []string{
	"CMD", "CMD;", "CMD &", "( CMD )", "{ CMD; }", "! CMD", "time CMD", "CMD | cat", "true | CMD", "true && CMD", "false || CMD", "CMD && true",
	"if true; then CMD; fi", "if CMD; then :; fi", "if x; then :; elif CMD; then :; else :; fi", "if x; then :; else CMD; fi",
	"while false; do CMD; done", "while CMD; do :; done", "until CMD; do :; done", "for i in a b; do CMD; done",
	"for ((;;)); do CMD; done", "case $x in a) CMD;; esac", "f() { CMD; }; f", "function f { CMD; }",
	"echo $(CMD)", "echo `CMD`", "echo \"a $(CMD) b\"", "echo ${A:-$(CMD)}", "echo $(( $(CMD) + 1 ))", "A=$(CMD)", "A=($(CMD))", "A=$(CMD) true",
	"export A=$(CMD)", "cat <(CMD)", "tee >(CMD)", "cat <<E\n$(CMD)\nE", "cat <<< $(CMD)", "[[ -n $(CMD) ]]", "echo > $(CMD)", "for i in $(CMD); do :; done",
	"case $(CMD) in *) :;; esac", "bash -c 'CMD'", "sh -lc 'CMD'", "zsh -xec 'CMD'", "bash --norc -o pipefail -c 'CMD'", "bash -eo pipefail -c 'CMD'",
	"eval 'CMD'", "eval CMD", "trap 'CMD' EXIT", "bash <<'E'\nCMD\nE", "cat <<'E' | sh\nCMD\nE", "echo 'CMD' | sh", "printf '%s\\n' 'CMD' | sudo bash",
	"bash <<< 'CMD'", "source <(echo 'CMD')", ". <(echo 'CMD')", "bash <(echo 'CMD')", "sh -c \"$(echo 'CMD')\"", "bash < <(echo 'CMD')",
	"sudo CMD", "sudo -u bob CMD", "sudo -E env A=1 CMD", "doas CMD", "env A=1 CMD", "env -u A -C /tmp CMD", "env -S 'CMD'", "nice -n 5 CMD", "nice -5 CMD",
	"ionice -c2 -n7 CMD", "nohup CMD", "setsid CMD", "stdbuf -oL CMD", "timeout -s KILL 5 CMD", "timeout --signal=KILL -k 1 5s CMD", "command CMD",
	"exec CMD", "\\time CMD", "/usr/bin/time -f %e CMD", "coproc CMD", "ls | xargs CMD", "xargs -0 -n1 -P 4 CMD", "xargs -I{} sh -c 'CMD'",
	"parallel CMD ::: a", "watch CMD", "watch -n1 'CMD'", "flock /tmp/l CMD", "flock /tmp/l -c 'CMD'", "strace -f -o x CMD", "chroot /x CMD",
	"unshare -r CMD", "nsenter -t 1 -m CMD", "systemd-run --user CMD", "caffeinate -i CMD", "script -qc 'CMD' /dev/null", "uv run CMD", "poetry run CMD",
	"pipenv run CMD", "bundle exec CMD", "npx -c 'CMD'", "npm exec -- CMD", "mise exec -- CMD", "direnv exec . CMD", "asdf exec CMD", "rtk CMD",
	"nix-shell -p x --run 'CMD'", "busybox sh -c 'CMD'", "gtimeout 5 CMD", "chronic CMD", "unbuffer CMD", "pkexec CMD", "runuser -u bob -- CMD",
	"taskset 1 CMD", "chrt 5 CMD", "prlimit --nofile=1 CMD", "numactl -N 0 CMD", "firejail CMD", "dbus-run-session -- CMD", "xvfb-run CMD", "tsp CMD",
	"su -c 'CMD'", "su - bob -c 'CMD'", "find . -exec CMD \\;", "find . -name x -execdir sh -c 'CMD' \\;", "fd x -x CMD", "ssh host CMD", "ssh -p 22 u@host 'CMD'",
	"docker exec -it c CMD", "docker run --rm -v /a:/b img CMD", "podman exec c sh -c 'CMD'", "docker compose exec web CMD", "docker-compose run web CMD",
	"kubectl exec pod -- CMD", "kubectl -n ns exec -it pod -c x -- sh -c 'CMD'", "vagrant ssh -c 'CMD'", "heroku run CMD", "fly ssh console -C 'CMD'",
	"gcloud compute ssh vm --command='CMD'", "wsl CMD", "tmux new -d 'CMD'", "python3 -c 'import os; os.system(\"CMD\")'",
	"perl -e 'system(\"CMD\")'", "ruby -e 'system(\"CMD\")'", "node -e 'require(\"child_process\").execSync(\"CMD\")'",
	"git rebase -i --exec 'CMD' main", "git bisect run CMD", "git submodule foreach 'CMD'", "git -c alias.x='!CMD' x", "alias g='CMD'; g", "X='CMD'; $X",
	"A=(CMD); \"${A[@]}\"", "$(echo CMD)", "bash -c \"bash -c 'CMD'\"", "sudo sh -c 'nohup CMD &'", "true;\nCMD", "# text\nCMD", "CMD # text", "CMD > /dev/null 2>&1",
	"2>/dev/null CMD", "A=1 B=2 CMD", "pushd /x && CMD && popd", "select x in a; do CMD; done", "echo CMD | at now", "ssh host <<'E'\nCMD\nE", "su bob <<< 'CMD'",
}

func TestACommandIsFoundWhereverItStands(t *testing.T) {
	for _, command := range []string{"git push --force origin main", "rm -r -f /"} {
		for _, context := range contexts {
			text := strings.Replace(context, "CMD", command, 1)
			effects := read(text)
			if !effects.Parsed {
				t.Errorf("%s: not parsed", text)
			}
			if !slices.ContainsFunc(effects.Commands, func(c *schema.Command) bool { return c.Text == command }) {
				t.Errorf("%s: not found in %q", text, texts(effects.Commands))
			}
		}
	}
}

func TestACommandIsFoundInTwoContexts(t *testing.T) {
	for _, outer := range contexts {
		for _, inner := range contexts {
			if strings.Contains(outer+inner, "'") || strings.Count(outer+inner, "`") > 2 || !isArgument(inner) {
				continue
			}
			text := strings.Replace(outer, "CMD", strings.Replace(inner, "CMD", "git push --force", 1), 1)
			if effects := read(text); effects.Parsed && !hasForcePush(effects.Commands) {
				t.Errorf("%s: not found in %q", text, texts(effects.Commands))
			}
		}
	}
}

// isArgument reports whether a context is one command of plain words, which may
// follow a wrapper.
func isArgument(context string) bool {
	word, _, _ := strings.Cut(context, " ")
	return !strings.ContainsAny(context, "#&;|\n!([{") && !strings.Contains(word, "=") && !strings.HasPrefix(word, "2>") &&
		!slices.Contains([]string{"time", "coproc", "exec", "command", "eval", "CMD"}, word)
}

func TestQuotedDataIsNoCommand(t *testing.T) {
	for _, context := range contexts {
		if strings.Contains(context, "'") {
			continue
		}
		data := "echo '" + strings.Replace(context, "CMD", "git push --force", 1) + "'"
		if got := texts(read(data).Commands); len(got) != 1 {
			t.Errorf("%s: %q", data, got)
		}
	}
}

func texts(commands []*schema.Command) []string {
	var list []string
	for _, c := range commands {
		list = append(list, c.Text)
	}
	return list
}
