package shell

import (
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/script"
)

// shellsOwn are the commands of the shell itself that mean something to the reader.
const shellsOwn = ". : [ alias break cd chdir continue declare echo eval exit export getopts hash let local mapfile popd " +
	"printf pushd read readarray return set setopt shift shopt source test trap true typeset umask unalias unset wait"

// others are programs that the reader knows without a table.
const others = "at batch cmd mktemp yes"

// Knows reports whether a program is known by something that it does itself: by its
// subcommands and options, the files that it uses, the commands and scripts that it
// takes. Taken off as a wrapper it would do nothing of that any more. Those of
// WrapperNames are wrappers already.
func Knows(program string) bool {
	if program == "" || slices.Contains(WrapperNames(), program) {
		return false
	}
	family, _ := versioned(program)
	return inTable(programs, program) || inTable(programs, family) || inTable(sameGrammar, program) ||
		inTable(launchers, program) || inTable(sameLauncher, program) ||
		inTable(embeddedIn, program) || inTable(sameEmbedded, program) || inTable(escapesOf, program) || inTable(filters, program) ||
		inTable(cmdlets, strings.ToLower(program)) || inTable(cmdletAliases, strings.ToLower(program)) ||
		len(fileUsesOf(program, "")) > 0 || script.Interpreter(program) != "" || slices.Contains(otherShells, program) ||
		isListed(shellsOwn, program) || isListed(others, program) ||
		asGit([]field{literalField(program)})[0].text != program
}

func inTable[T any](t table[T], name string) bool {
	_, found := t.find(name)
	return found
}
