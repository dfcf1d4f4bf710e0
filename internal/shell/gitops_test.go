package shell_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/shell"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/go-cmp/cmp"
)

// showGit writes the git commands of a text: the verb, "!" when it mutates, the
// directory when it is not /p, what it pushes, and the switches in front of it.
func showGit(text string) []string {
	var shown []string
	for _, op := range shell.Read(text, inProject).Git {
		s := op.Verb
		if op.Mutates {
			s += "!"
		}
		if op.Dir != "/p" {
			s += " @" + op.Dir
		}
		if len(op.Pushes) > 0 {
			s += " ->" + strings.Join(op.Pushes, ",")
		}
		shown = append(shown, s+showSwitches(op.Switches))
	}
	return shown
}

func showSwitches(switches []schema.BranchSwitch) string {
	s := ""
	for _, b := range switches {
		state := b.Branch
		switch {
		case b.Detached:
			state = "detached"
		case state == "":
			state = "?"
		}
		if b.Dir != "/p" {
			state = b.Dir + ":" + state
		}
		s += fmt.Sprintf(" [%s]", state)
	}
	return s
}

func runGitRows(t *testing.T, rows []targetRow) {
	t.Helper()
	for _, row := range rows {
		if diff := cmp.Diff(row.want, showGit(row.text)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", row.text, diff)
		}
	}
}

func TestCommandsThatMutateARepository(t *testing.T) {
	for command, mutates := range map[string]bool{
		"commit -m x": true, "merge x": true, "merge --abort": true, "rebase main": true, "cherry-pick x": true, "revert x": true,
		"reset": true, "reset --soft HEAD~": true, "am x": true, "apply x": true, "apply --stat --apply x": true, "add -A": true, "rm f": true, "rm --cached f": true,
		"mv a b": true, "restore f": true, "restore --staged f": true, "stash": true, "stash push": true, "stash pop": true, "stash drop": true, "stash -u": true,
		"checkout -- f": true, "checkout HEAD -- f": true, "checkout HEAD f": true, "checkout .": true, "checkout src/": true, "checkout a.go": true, "checkout -f": true,
		"checkout -p": true, "checkout --theirs f": true, "checkout docs/notes.md": true,
		"apply --check x": false, "apply --stat x": false, "apply --numstat x": false, "apply --summary x": false, "stash list": false, "stash show -p": false,
		"checkout main": false, "checkout -b x": false, "checkout -B x main": false, "checkout feat/x": false, "checkout -": false, "checkout": false, "checkout v1.2.3": false,
		"checkout --detach main": false, "checkout release/1.x": false, "checkout -f main": false,
		"switch x": false, "switch -c x": false, "worktree add ../x": false, "branch -D x": false, "fetch": false, "pull --rebase": false, "push": false, "status": false,
		"log": false, "diff": false, "clean -fd": false, "tag x": false, "config a b": false, "clone x": false, "init": false, "remote add a b": false, "commit --help": false,
		"add -h": false, "gc": false,
	} {
		ops := shell.Read("git "+command, inProject).Git
		if len(ops) != 1 || ops[0].Mutates != mutates {
			t.Errorf("git %s: want mutates %v, got %+v", command, mutates, ops)
		}
	}
}

func TestAGitOpHoldsItsWords(t *testing.T) {
	got := shell.Read("sudo git -C r -c a=b commit -m 'x y' -- f", inProject).Git[0]
	want := &schema.GitOp{Verb: "commit", Args: []string{"-m", "x y", "--", "f"}, Mutates: true, Dir: "/p/r", Source: "sudo git -C r -c a=b commit -m 'x y' -- f"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTheRepositoryOfAGitCommand(t *testing.T) {
	runGitRows(t, []targetRow{
		{"git commit", []string{"commit!"}},
		{"git -C r commit", []string{"commit! @/p/r"}},
		{"git -C a -C ../b commit", []string{"commit! @/p/b"}},
		{"git -C ~ commit", []string{"commit! @/h"}},
		{"cd /r && git commit", []string{"commit! @/r"}},
		{"(cd /r && git add .); git commit", []string{"add! @/r", "commit!"}},
		{`git -C "$X" commit`, []string{"commit! @"}},
		{`cd "$X" && git commit`, []string{"commit! @"}},
		{`cd "$X" && git -C /r commit`, []string{"commit! @/r"}},
		{"git --git-dir=/x commit", []string{"commit! @"}},
		{"git --work-tree /x add .", []string{"add! @"}},
		{"GIT_DIR=/x git commit", []string{"commit! @"}},
		{"export GIT_WORK_TREE=/x; git add .", []string{"add! @"}},
		{"find . -exec git -C {} commit \\;", []string{"commit! @"}},
		{"ssh h git commit; docker exec c git push", nil},
		{"git", nil},
		{"git --version", nil},
		{"echo git commit", nil},
		{"git \\\n commit", []string{"commit!"}},
		{"g'i't com\"mit\"", []string{"commit!"}},
		{"C=git; $C commit", []string{"commit!"}},
		{"/usr/bin/git commit", []string{"commit!"}},
		{"xargs git add", []string{"add!"}},
	})
}

func TestBranchSwitchesCountForWhatFollows(t *testing.T) {
	runGitRows(t, []targetRow{
		{"git switch -c x && git commit", []string{"switch", "commit! [x]"}},
		{"git switch -q -C x; git commit", []string{"switch", "commit! [x]"}},
		{"git switch --create=x main; git commit", []string{"switch", "commit! [x]"}},
		{"git switch x\ngit commit", []string{"switch", "commit! [x]"}},
		{"git checkout -b x origin/main; git commit", []string{"checkout", "commit! [x]"}},
		{"git checkout x; git commit", []string{"checkout", "commit! [x]"}},
		{"git checkout -f x; git commit", []string{"checkout", "commit! [x]"}},
		{"git checkout -t origin/x; git commit", []string{"checkout", "commit! [x]"}},
		{"git switch --orphan x; git commit", []string{"switch", "commit! [x]"}},
		{"git switch x; git switch main; git commit", []string{"switch", "switch [x]", "commit! [x] [main]"}},
		{"git switch --detach; git commit", []string{"switch", "commit! [detached]"}},
		{"git checkout --detach x; git commit", []string{"checkout", "commit! [detached]"}},
		{"git checkout HEAD~2; git commit", []string{"checkout", "commit! [detached]"}},
		{"git checkout 0a1b2c3; git commit", []string{"checkout", "commit! [detached]"}},
		{"git checkout origin/x; git commit", []string{"checkout", "commit! [detached]"}},
		{"git checkout HEAD; git commit", []string{"checkout", "commit!"}},
		{"git switch -; git commit", []string{"switch", "commit! [?]"}},
		{"git checkout @{-1}; git commit", []string{"checkout", "commit! [?]"}},
		{"git checkout v1.2.3; git commit", []string{"checkout", "commit! [?]"}},
		{`git switch "$B" && git commit`, []string{"switch", "commit! [?]"}},
		{"git switch -c $(date +%s) && git commit", []string{"switch", "commit! [?]"}},
		{"B=x; git switch $B && git commit", []string{"switch", "commit! [x]"}},
		{"git checkout -- x; git commit", []string{"checkout!", "commit!"}},
		{"git -C /r switch x; git commit", []string{"switch @/r", "commit! [/r:x]"}},
		{`git -C "$R" switch x; git commit`, []string{"switch @", "commit! [:x]"}},
	})
}

func TestABranchSwitchOutlivesItsShell(t *testing.T) {
	runGitRows(t, []targetRow{
		{"(git switch -c x); git commit", []string{"switch", "commit! [x]"}},
		{"git switch -c x 2>&1 | tail -1 && git commit", []string{"switch", "commit! [x]"}},
		{"bash -c 'git switch x' && git commit", []string{"switch", "commit! [x]"}},
		{"timeout 5 git switch x && git commit", []string{"switch", "commit! [x]"}},
		{"echo $(git switch x); git commit", []string{"switch", "commit! [x]"}},
		{"f() { git switch $1; }; f x; git commit", []string{"switch", "switch", "commit! [x]"}},
		{"docker exec c git switch x; git commit", []string{"commit!"}},
	})
}

func TestOtherCommandsThatSwitchBranches(t *testing.T) {
	runGitRows(t, []targetRow{
		// git rebase UPSTREAM BRANCH switches to BRANCH first.
		{"git rebase x main", []string{"rebase! [main]"}},
		{"git rebase -i --onto a b refs/heads/x; git commit", []string{"rebase! [x]", "commit! [x]"}},
		{"git rebase --root x", []string{"rebase! [x]"}},
		{`git rebase main "$B"`, []string{"rebase! [?]"}},
		{"git rebase main HEAD~2", []string{"rebase! [detached]"}},
		{"git rebase main", []string{"rebase!"}},
		{"git rebase --root; git rebase --continue", []string{"rebase!", "rebase!"}},
		{"git rebase --exec 'make test' main", []string{"rebase!"}},
		{"git symbolic-ref HEAD refs/heads/x; git commit", []string{"symbolic-ref", "commit! [x]"}},
		{"git symbolic-ref -m why HEAD refs/heads/main && git commit", []string{"symbolic-ref", "commit! [main]"}},
		{`git symbolic-ref HEAD "refs/heads/$B"; git commit`, []string{"symbolic-ref", "commit! [?]"}},
		{"git symbolic-ref HEAD; git symbolic-ref --short -q HEAD; git commit", []string{"symbolic-ref", "symbolic-ref", "commit!"}},
		{"git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/x; git commit", []string{"symbolic-ref", "commit!"}},
	})
}

func TestABranchSwitchThatMayNotHappenIsNotGuessed(t *testing.T) {
	runGitRows(t, []targetRow{
		{"git switch x || git commit", []string{"switch", "commit!"}},
		{"git switch x || git switch -c x; git commit", []string{"switch", "switch", "commit! [x]"}},
		{"git switch x || true; git commit", []string{"switch", "commit! [?]"}},
		{"git fetch && git switch x && git commit; git add .", []string{"fetch", "switch", "commit! [x]", "add! [?]"}},
		{"if a; then git switch x; fi; git commit", []string{"switch", "commit! [?]"}},
		{"if a; then git switch x; else git checkout -b x; fi; git commit", []string{"switch", "checkout", "commit! [x]"}},
		{"if a; then git switch x; else exit 1; fi; git commit", []string{"switch", "commit! [x]"}},
		{"case $a in b) git switch x;; esac; git commit", []string{"switch", "commit! [?]"}},
		{"for b in y z; do git switch $b; done; git commit", []string{"switch", "switch", "commit! [?]"}},
		{"git diff --quiet || git switch x; git commit", []string{"diff", "switch", "commit! [?]"}},
		{"git switch x & git commit", []string{"switch", "commit!"}},
	})
}

func TestTargetsHaveTheSwitchesInFrontOfThem(t *testing.T) {
	effects := shell.Read("touch a; git switch -q -c feat/16 && touch .bounded > b", inProject)
	var got []string
	for _, w := range effects.Writes {
		got = append(got, w.Lexical+showSwitches(w.Switches))
	}
	if diff := cmp.Diff([]string{"/p/a", "/p/b [feat/16]", "/p/.bounded [feat/16]"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestThePushedBranches(t *testing.T) {
	for command, want := range map[string]string{
		"push": "HEAD", "push origin": "HEAD", "push -u origin HEAD": "HEAD", "push origin @": "HEAD", "push --force": "HEAD", "push --follow-tags": "HEAD",
		"push origin x": "x", "push origin +x": "x", "push origin x:main": "main", "push origin +x:main": "main", "push origin :main": "main",
		"push origin refs/heads/main": "main", "push origin HEAD:refs/heads/main": "main", "push origin main~1:main": "main", "push origin --delete x": "x",
		"push -d origin x y": "x,y", "push origin a b:c": "a,c", "push --all": "*", "push --mirror origin": "*", "push --branches": "*", "push origin :": "*",
		"push origin 'refs/heads/*:refs/heads/*'": "*", "push --tags": "", "push origin v1:refs/tags/v1": "", "push origin tag v1": "", "push origin 'refs/tags/*'": "",
		"push -o ci.skip origin x": "x", "push --repo=r": "HEAD", "push -n origin main": "", `push origin "$B"`: "", `push origin "$B:main"`: "main", "push origin $B:$C": "",
		"push -- origin main": "main",
	} {
		got := strings.Join(shell.Read("git "+command, inProject).Git[0].Pushes, ",")
		if got != want {
			t.Errorf("git %s: want %q, got %q", command, want, got)
		}
	}
}

func TestTheFilesOfGitCommands(t *testing.T) {
	runTargetRows(t, []targetRow{
		{"git checkout -- .", []string{"write /p **"}},
		{"git -C /r checkout -- a", []string{"write /r/a **"}},
		{"git checkout main -- a b", []string{"write /p/a **", "write /p/b **"}},
		{"git checkout main a", []string{"write /p/a **"}},
		{"git checkout a.go b.go", []string{"write /p/a.go **", "write /p/b.go **"}},
		{"git checkout :/a", []string{"write /p **"}},
		{"git checkout -f", []string{"write /p **"}},
		{"git checkout main", nil},
		{"git checkout -b x", nil},
		{"git restore a", []string{"write /p/a **"}},
		{"git restore --staged a", nil},
		{"git restore -SW a", []string{"write /p/a **"}},
		{"git rm -r a", []string{"delete /p/a **"}},
		{"git rm --cached a", nil},
		{"git mv a b", []string{"delete /p/a", "write /p/b"}},
		{"git clean -fdx", []string{"delete /p **"}},
		{"git clean -fd a", []string{"delete /p/a **"}},
		{"git clean -n", nil},
		{"git clean -fn", nil},
		{"git apply a.patch", []string{"write /p **", "read /p/a.patch"}},
		{"git apply --check a.patch", []string{"read /p/a.patch"}},
		{"git apply --cached a.patch", []string{"read /p/a.patch"}},
		{"git config core.hooksPath /tmp/x", []string{"write /p/.git/config"}},
		{"git config --global a b", []string{"write /h/.gitconfig"}},
		{"git config --system a b", []string{"write /etc/gitconfig"}},
		{"git config -f c a b", []string{"write /p/c"}},
		{"git config set a b", []string{"write /p/.git/config"}},
		{"git config --unset a", []string{"write /p/.git/config"}},
		{"git config user.name", nil},
		{"git config --get a", nil},
		{"git config --list", nil},
		{"git clone https://h/a/b.git", []string{"create /p/b"}},
		{"git clone git@h:b.git", []string{"create /p/b"}},
		{"git clone --depth 1 https://h/a d", []string{"create /p/d"}},
		{"git clone $X", []string{"create ?$X"}},
		{"git init", []string{"create /p"}},
		{"git init -b main d", []string{"create /p/d"}},
		{"git log --output f", []string{"write /p/f"}},
		{"git format-patch -o d main", []string{"write /p/d **"}},
		{"git format-patch main", []string{"write /p"}},
		{"git format-patch --stdout main > f", []string{"write /p/f"}},
		{"git bundle create f main", []string{"write /p/f"}},
		{"git worktree add ../x", nil},
		{"git add a; git commit -m a; git pull; git stash; git push", nil},
		{"git restore --help", nil},
	})
}
