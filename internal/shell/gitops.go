package shell

import (
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/script"
	"github.com/claudewatch/claudewatch/schema"
)

// gitCommand is a git command while its effects are read.
type gitCommand struct {
	*fileUser
	verb string
	// words are those behind the verb, args what they mean, operands those of them that
	// are no options; paths are the operands behind "--", hasDashes says there is one.
	words     []field
	operands  []field
	paths     []field
	hasDashes bool
}

// gitOp lists a git command, and remembers the branch that it switches to.
func (w *walk) gitOp(c *call, cmd *schema.Command, args arguments) {
	if cmd.Program != "git" || args.subWord < 0 || len(cmd.Args) == 0 {
		return
	}
	g := newGitCommand(&fileUser{walk: w, call: c, command: cmd, words: c.words[1:], args: args, dir: cmd.Dir})
	if len(w.effects.Git) >= maxTargets {
		w.effects.Parsed = false
		return
	}
	s, switches := g.switchOf()
	if switches && g.verb == "rebase" {
		w.addSwitch(c.env, s)
	}
	op := &schema.GitOp{
		Verb: g.verb, Args: cmd.Args[args.subWord+1:], Dir: g.dir, Source: cmd.Source,
		Switches: c.env.switches,
		Mutates:  g.mutates(),
	}
	if g.verb == "push" {
		op.Pushes = g.pushes()
	}
	w.effects.Git = append(w.effects.Git, op)
	if switches && g.verb != "rebase" {
		w.addSwitch(c.env, s)
	}
}

// newGitCommand reads the words of a git command behind its verb.
func newGitCommand(u *fileUser) *gitCommand {
	g := &gitCommand{fileUser: u, verb: u.args.subcommand, words: u.words[u.args.subWord+1:]}
	if u.usesOtherRepository() {
		u.dir = ""
	}
	own := *u
	own.args.options = u.args.options[u.args.global:] // -C in front of switch is no --force-create
	g.fileUser = &own
	for _, i := range u.args.operands {
		switch {
		case i <= u.args.subWord:
		case u.args.dashes >= 0 && i > u.args.dashes:
			g.paths = append(g.paths, u.words[i])
		default:
			g.operands = append(g.operands, u.words[i])
		}
	}
	g.hasDashes = u.args.dashes >= 0
	if u.call.fed {
		if g.hasDashes {
			g.paths = append(g.paths, field{})
		} else {
			g.operands = append(g.operands, field{})
		}
	}
	return g
}

// usesOtherRepository reports whether the repository is named in another way than by
// the directory: with options or variables that the walk does not follow.
func (u *fileUser) usesOtherRepository() bool {
	for _, o := range u.args.options[:u.args.global] {
		if o.Name == "--git-dir" || o.Name == "--work-tree" {
			return true
		}
	}
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE"} {
		if _, ok := u.command.Env[name]; ok || u.call.env.maySet(name) {
			return true
		}
	}
	return false
}

// maySet reports whether a variable was given a value, also one that is not known.
func (e *environment) maySet(name string) bool {
	assigned := e.definitions.assigned
	return len(assigned) > maxVariables || assigned[name] && e.lookup(name) != (variable{})
}

// mutates reports whether the command is one of those that change a branch past a
// pull request.
func (g *gitCommand) mutates() bool {
	switch g.verb {
	case "commit", "merge", "rebase", "cherry-pick", "revert", "reset", "am", "add", "rm", "mv", "restore":
		return !g.showsHelp()
	case "apply":
		return !g.showsHelp() && !g.onlyReports()
	case "stash":
		return !g.showsHelp() && (len(g.operands) == 0 || g.operands[0].text != "list" && g.operands[0].text != "show")
	case "checkout":
		return g.isOfPaths()
	}
	return false
}

func (g *gitCommand) showsHelp() bool {
	return g.has("--help") || len(g.words) == 1 && g.words[0].text == "-h"
}

// onlyReports reports whether git apply says what a patch would do and no more.
func (g *gitCommand) onlyReports() bool {
	return g.has("--check", "--stat", "--numstat", "--summary") && !g.has("--apply")
}

// isOfPaths reports whether a git checkout restores files and switches no branch.
// Without a "--" a single name may be either; it counts as a file when a branch is
// not likely to have such a name.
func (g *gitCommand) isOfPaths() bool {
	if g.has("-b", "-B", "--orphan", "-d", "--detach", "-t", "--track") {
		return false
	}
	switch {
	case len(g.paths) > 0, g.has("-p", "--patch", "--ours", "--theirs", "--pathspec-from-file"):
		return true
	case g.hasDashes:
		return false
	case len(g.operands) == 0:
		return g.has("-f", "--force")
	case len(g.operands) == 1:
		return isPathspec(g.operands[0])
	}
	return true
}

// isPathspec reports whether an operand of git checkout is a file rather than a branch.
func isPathspec(f field) bool {
	if !f.known {
		return false
	}
	name := f.text
	if name == "." || name == ".." || strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") || strings.HasPrefix(name, "/") ||
		strings.HasPrefix(name, "~") || strings.HasPrefix(name, ".") || strings.HasPrefix(name, ":") || strings.HasSuffix(name, "/") || strings.ContainsAny(name, "*?[ ") {
		return true
	}
	_, last := cutLast(name, "/")
	dot := strings.LastIndexByte(last, '.')
	if dot <= 0 {
		return slices.Contains([]string{"Makefile", "Dockerfile", "LICENSE", "README"}, last)
	}
	extension := last[dot:]
	return script.LanguageOf(extension, "") != "" || isListed(fileExtensions, extension)
}

// fileExtensions are endings of files that no branch is likely to have, besides those
// of code.
const fileExtensions = `.md .txt .json .yml .yaml .toml .lock .sum .mod .go .rs .c .h .cc .cpp .hpp .java .kt .swift .cs .css .scss .html .xml .svg .csv
	.sql .ini .cfg .conf .env .tf .proto .vue .svelte .tsx .jsx .scala .ex .exs .lua .dart .gradle .patch .diff .log .png .jpg .pdf .ipynb .rst .adoc`

// cutLast cuts s at the last separator; all of it is behind when there is none.
func cutLast(s, separator string) (before, behind string) {
	i := strings.LastIndex(s, separator)
	if i < 0 {
		return "", s
	}
	return s[:i], s[i+len(separator):]
}

// pushes returns the remote branches that git push names. What cannot be known is
// left out.
func (g *gitCommand) pushes() []string {
	if g.has("-n", "--dry-run") || g.showsHelp() {
		return nil
	}
	if g.has("--all", "--branches", "--mirror") {
		return []string{"*"}
	}
	refspecs := append(g.operands[:len(g.operands):len(g.operands)], g.paths...)
	if len(refspecs) > 0 {
		refspecs = refspecs[1:] // the remote
	}
	if len(refspecs) == 0 {
		if g.has("--tags") {
			return nil
		}
		return []string{"HEAD"}
	}
	var branches []string
	for i := 0; i < len(refspecs); i++ {
		if refspecs[i].text == "tag" && i+1 < len(refspecs) {
			i++
			continue
		}
		if branch := pushedBranch(refspecs[i]); branch != "" && !slices.Contains(branches, branch) {
			branches = append(branches, branch)
		}
	}
	return branches
}

// pushedBranch returns the remote branch that a refspec names; "" when it is none or
// cannot be known.
func pushedBranch(f field) string {
	text := strings.TrimPrefix(f.text, "+")
	if !f.known || !f.literal || !f.located {
		text = strings.Trim(f.text, `"`)
		colon := strings.LastIndexByte(text, ':')
		if colon < 0 || !isPlainWord(text[colon+1:]) {
			return ""
		}
	}
	source, destination, two := strings.Cut(text, ":")
	if !two {
		destination = source
	}
	switch {
	case text == ":":
		return "*" // all branches that both sides have
	case two && destination == "":
		return ""
	case destination == "@":
		return "HEAD"
	case strings.Contains(destination, "*"):
		if strings.HasPrefix(destination, "refs/tags/") {
			return ""
		}
		return "*"
	}
	if branch, ok := strings.CutPrefix(destination, "refs/heads/"); ok {
		return branch
	}
	if branch, ok := strings.CutPrefix(destination, "heads/"); ok {
		return branch
	}
	if strings.HasPrefix(destination, "refs/") {
		return ""
	}
	return destination
}
