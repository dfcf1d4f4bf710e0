package shell

import (
	"slices"

	"github.com/claudewatch/claudewatch/schema"
)

// maxTargets bounds how many files of each kind are listed.
const maxTargets = 10_000

// fileUser is a command whose targets are being listed.
type fileUser struct {
	walk *walk
	call *call
	// command is the command itself; words are those behind its name, and args is what
	// they mean to it.
	command *schema.Command
	words   []field
	args    arguments
	// operands are the words that are no options, without the subcommand.
	operands []field
	// dir is the directory it works in, "" when it is not known.
	dir string
}

// targets lists the files that a command would read or change.
func (w *walk) targets(c *call, cmd *schema.Command, args arguments) {
	if cmd.Remote || cmd.Function || cmd.Program == "" {
		return
	}
	w.gitOp(c, cmd, args)
	u := &fileUser{walk: w, call: c, command: cmd, words: c.words[1:], args: args, dir: cmd.Dir}
	if c.cmdlet && u.cmdletTargets() {
		return
	}
	u.listUses(fileUsesOf(cmd.Program, w.context.Targets))
}

// listUses lists the targets that the lines about a program name.
func (u *fileUser) listUses(uses []fileUse) {
	if len(uses) == 0 {
		return
	}
	u.readOptions(uses)
	for i := range uses {
		if use := &uses[i]; u.applies(use) {
			u.use(use)
		}
	}
}

// readOptions reads the words once more when the table knows of options that take a
// value and that the program's grammar does not have.
func (u *fileUser) readOptions(uses []fileUse) {
	how := grammarOf(u.command.Program)
	more := ""
	for i := range uses {
		if _, ok := u.behindSubcommand(&uses[i]); !ok {
			continue
		}
		for _, option := range uses[i].options {
			name := option[:len(option)-1]
			if _, listed := arityOf(how.options, name); !listed && !u.isListedBehind(&how, name) {
				more += " " + option
			}
		}
	}
	if more == "" || len(u.words) == 0 {
		return
	}
	how.options += more
	how.shared = true
	u.args = how.arguments(u.words)
}

// isListedBehind reports whether the grammar of the subcommand has an option.
func (u *fileUser) isListedBehind(how *grammar, name string) bool {
	if how.subcommands == nil || u.args.subcommand == "" {
		return false
	}
	_, listed := arityOf(how.subcommands.of(u.args.subcommand).options, name)
	return listed
}

// behindSubcommand returns the operands behind the subcommand that a line of the table
// is about; ok is false when the command has another one.
func (u *fileUser) behindSubcommand(use *fileUse) (operands []int, ok bool) {
	operands = u.args.operands
	for _, names := range use.subcommands {
		if len(operands) == 0 {
			if !slices.Contains(names, "-") {
				return nil, false
			}
			continue
		}
		if !slices.Contains(names, u.words[operands[0]].text) {
			return nil, false
		}
		operands = operands[1:]
	}
	return operands, true
}

// applies reports whether a line of the table is about this command, and sets what
// it counts as operands.
func (u *fileUser) applies(use *fileUse) bool {
	operands, ok := u.behindSubcommand(use)
	if !ok {
		return false
	}
	if len(use.given) > 0 && !u.has(use.given...) || u.has(use.not...) {
		return false
	}
	u.operands = u.operands[:0]
	for _, i := range operands {
		u.operands = append(u.operands, u.words[i])
	}
	if u.call.fed {
		u.operands = append(u.operands, u.call.operandsFed()...)
	}
	u.dir = u.command.Dir
	for _, o := range u.args.options {
		if slices.Contains(use.dirs, o.Name) {
			u.dir = locate(u.dir, optionField(u.words, o.Index, o)).path
		}
	}
	return true
}

// use lists the targets of a line.
func (u *fileUser) use(use *fileUse) {
	if use.call != "" {
		targetCalls.of(use.call)(u, use)
		return
	}
	op := use.op
	if u.has(use.appends...) {
		op = opAppend
	}
	recursive := use.deep || u.has(use.recursive...)
	for _, f := range u.values(use.where.options...) {
		u.add(op, f, recursive)
	}
	files := u.operandsAt(use.where)
	for _, f := range files {
		u.add(op, f, recursive)
	}
	if use.where.here && len(files) == 0 {
		u.addDir(op, recursive)
	}
}

// operandsAt returns the operands that a line of the table names.
func (u *fileUser) operandsAt(where whereUsed) []field {
	n := len(u.operands)
	from, to := where.from, where.to
	if from == 0 {
		return nil
	}
	if from < 0 {
		from += n + 1
	}
	if to < 0 {
		to += n + 1
	}
	if from < 1 || from > n || to < from {
		return nil
	}
	return u.operands[from-1 : min(to, n)]
}

// has reports whether one of the options is given.
func (u *fileUser) has(names ...string) bool {
	if len(names) == 0 {
		return false
	}
	for i := range u.args.options {
		if slices.Contains(names, u.args.options[i].Name) {
			return true
		}
	}
	return false
}

// values returns the values of the options, in the order they are given.
func (u *fileUser) values(names ...string) []field {
	if len(names) == 0 {
		return nil
	}
	var values []field
	for _, o := range u.args.options {
		if slices.Contains(names, o.Name) && (o.valueWord >= 0 || o.attached > 0) {
			values = append(values, optionField(u.words, o.Index, o))
		}
	}
	return values
}

// value returns the last value of the options.
func (u *fileUser) value(names ...string) (field, bool) {
	values := u.values(names...)
	if len(values) == 0 {
		return field{}, false
	}
	return values[len(values)-1], true
}

// add lists the file that a word names. A dash stands for a stream.
func (u *fileUser) add(op string, f field, recursive bool) {
	if f.text == "-" || isProcess(f) {
		return
	}
	u.walk.addTarget(target{op: op, via: u.command.Program, dir: u.dir, field: f, recursive: recursive, switches: u.call.env.switches})
}

// addAll lists the files that words name.
func (u *fileUser) addAll(op string, files []field, recursive bool) {
	for _, f := range files {
		u.add(op, f, recursive)
	}
}

// addPath lists a file whose name the command does not hold as a word.
func (u *fileUser) addPath(op, name string, recursive bool) {
	u.add(op, literalField(name), recursive)
}

// addDir lists the directory that the command works in.
func (u *fileUser) addDir(op string, recursive bool) { u.addPath(op, ".", recursive) }

// addUnknown lists a file that cannot be known. raw stands for it.
func (u *fileUser) addUnknown(op, raw string, recursive bool) {
	u.add(op, field{value: value{text: raw}}, recursive)
}
