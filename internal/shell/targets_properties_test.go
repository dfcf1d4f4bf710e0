package shell_test

import (
	"path"
	"strings"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/shell"
	"github.com/claudewatch/claudewatch/schema"
)

// elsewhere are contexts of properties_test.go in which a command runs in another
// directory, on another machine, or is given more words.
func elsewhere(context string) bool {
	for _, part := range []string{
		"ssh", "docker", "podman", "kubectl", "vagrant", "heroku", "fly ", "gcloud", "wsl", "-C /tmp", "pushd", "execdir", "chroot", "nsenter", "direnv exec",
	} {
		if strings.Contains(context, part) {
			return true
		}
	}
	return false
}

func TestATargetIsFoundWhereverItsCommandStands(t *testing.T) {
	for _, context := range contexts {
		if elsewhere(context) {
			continue
		}
		for command, want := range map[string]string{"touch f": "create /p/f", "rm -rf /x": "delete /x **", "sed -i s/a/b/ f": "write /p/f"} {
			text := strings.Replace(context, "CMD", command, 1)
			found := false
			for _, shown := range showTargets(shell.Read(text, inProject)) {
				found = found || shown == want
			}
			if !found {
				t.Errorf("%s: no %s", text, want)
			}
		}
	}
}

func TestATargetInARemoteContextIsNone(t *testing.T) {
	for _, context := range contexts {
		if !strings.HasPrefix(context, "ssh") && !strings.HasPrefix(context, "docker") && !strings.HasPrefix(context, "kubectl") {
			continue
		}
		text := strings.Replace(context, "CMD", "touch /remote", 1)
		for _, w := range shell.Read(text, inProject).Writes {
			if w.Lexical == "/remote" {
				t.Errorf("%s: %s is a target", text, w.Lexical)
			}
		}
	}
}

func TestAQuotedArgumentOfEchoIsNeverATarget(t *testing.T) {
	for _, context := range contexts {
		if strings.Contains(context, "'") || strings.Contains(context, "sh -c") {
			continue
		}
		text := "echo '" + strings.Replace(context, "CMD", "touch f", 1) + "'"
		if got := showTargets(shell.Read(text, inProject)); got != nil {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// checkTargets fails when a target is not as the schema promises.
func checkTargets(t *testing.T, text string, effects *schema.Effects) {
	t.Helper()
	for _, list := range [][]*schema.Target{effects.Reads, effects.Writes} {
		for _, target := range list {
			switch {
			case target.Resolved != (target.Lexical != ""):
				t.Errorf("%q: resolved %v with path %q", text, target.Resolved, target.Lexical)
			case target.Resolved && (!path.IsAbs(target.Lexical) || path.Clean(target.Lexical) != target.Lexical):
				t.Errorf("%q: %q is not absolute and clean", text, target.Lexical)
			case target.Via == "":
				t.Errorf("%q: %q has no via", text, target.Raw)
			}
			switch target.Op {
			case "read", "write", "append", "create", "delete", "mode":
			default:
				t.Errorf("%q: operation %q", text, target.Op)
			}
		}
	}
	for _, target := range effects.Reads {
		if target.Op != "read" {
			t.Errorf("%q: %s is among the reads", text, target.Op)
		}
	}
	for _, op := range effects.Git {
		if op.Dir != "" && !path.IsAbs(op.Dir) {
			t.Errorf("%q: directory %q", text, op.Dir)
		}
	}
}

func TestResolvedTargetsAreAbsoluteAndClean(t *testing.T) {
	for _, context := range contexts {
		for _, command := range []string{"tee f", "rm -rf ./a/../b/", "git mv a b", "cp -r a/ b/", "dd of=x/", "tar -xf a -C b/.."} {
			text := strings.Replace(context, "CMD", command, 1)
			checkTargets(t, text, shell.Read(text, inProject))
		}
	}
}

func TestHostileTextsTakeBoundedTimeForTargets(t *testing.T) {
	const limit = time.Minute // it takes tenths of a second; a careless reader takes hours
	for name, text := range map[string]string{
		"switches of which one succeeds": strings.Repeat("git switch a$B || ", 9000) + "true",
		"switches in branches":           strings.Repeat("if a; then git switch b; else git switch c; fi;", 4000),
		"many operands":                  "rm" + strings.Repeat(" a", 250_000),
		"operands in a long directory":   "cd /" + strings.Repeat("x/", 1500) + "; rm" + strings.Repeat(" a", 50_000),
		"copies to a long directory":     "cp" + strings.Repeat(" a", 50_000) + " /" + strings.Repeat("x/", 50_000),
		"a sed program":                  "sed '" + strings.Repeat("w x\n", 100_000) + "' f",
		"open classes in a sed program":  "sed '" + strings.Repeat("s/[", 100_000) + "' f",
		"an awk program":                 "awk '" + strings.Repeat("print > \"a\";", 30_000) + "'",
		"commands of find":               "find" + strings.Repeat(" a", 20_000) + strings.Repeat(" -exec rm {} \\;", 9000),
		"a python program":               "python3 -c '" + strings.Repeat("open(\"a\",\"w\");", 20_000) + "'",
		"open calls in a python program": "python3 -c '" + strings.Repeat("open(", 90_000) + "'",
		"a PowerShell program":           "pwsh -c '" + strings.Repeat("Set-Content a b;", 20_000) + "'",
		"redirections":                   "cat" + strings.Repeat(" >a", 100_000),
		"options that change directory":  "tar x" + strings.Repeat(" -C a", 80_000),
		"refspecs":                       "git push o" + strings.Repeat(" a", 60_000),
		"a glob":                         "rm " + strings.Repeat("*/", 200_000),
	} {
		start := time.Now()
		effects := shell.Read(text, inProject)
		if took := time.Since(start); took > limit {
			t.Errorf("%s: took %v", name, took)
		}
		size := 0
		for _, target := range effects.Writes {
			size += len(target.Lexical)
		}
		if n := len(effects.Writes); n > 10_000 || size > 32<<20 {
			t.Errorf("%s: %d targets of %d bytes", name, n, size)
		}
	}
}

func FuzzTargets(f *testing.F) {
	for _, text := range []string{
		"rm -rf ~/a $B/*", "cp -t d a b; mv a b", "sed -i 's/a/b/w f' x", `awk '{print > "x"}' f`, "tar xzf a -C b", "find . -delete -exec rm {} +",
		"git -C a switch -c b && git commit; git push origin +a:b", "python3 -c \"open('f','w')\"", "pwsh -c 'rm x > y'", "curl -o f -d @g x", "ls | xargs -I% rm %",
		"dd of=~/x", "chmod -x f", "HOME=/a; echo > ~/b", "gzip -d f", "rsync a b:c", "sqlite3 a 'select'", "wget -P a b", "7z x a -ob",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkTargets(t, text, shell.Read(text, inProject))
		checkTargets(t, text, shell.ReadPowerShell(text, inProject))
		quoted := "echo '" + strings.ReplaceAll(text, "'", "") + "'"
		if effects := shell.Read(quoted, inProject); len(effects.Writes) > 0 || len(effects.Reads) > 0 || len(effects.Git) > 0 {
			t.Errorf("%q has targets: %q", quoted, showTargets(effects))
		}
	})
}
