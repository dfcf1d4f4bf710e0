// Package shell reads shell text and says which commands it would run.
//
// Read parses the text (bash, and zsh where that fails) and walks it once, in
// the order in which a shell would get to its commands. The walk carries an
// environment: the directory, the variables with literal values, aliases and
// functions. Whatever cannot be known without running something is unknown, and
// never guessed: a word with an unknown part keeps its source text, a command in
// an unknown directory has Dir "".
//
// Commands hide in other commands: launchers.go reads programs whose arguments are a
// command (sudo, xargs, ssh, docker exec), carriers.go those that read an argument or
// their input as shell text (sh -c, eval, trap), interpreters.go those that read code
// of another language. What is known about programs is data: launchers_table.go says
// which run commands, programs_table.go and git_table.go how they read their options.
//
// What a text makes of its own words is followed as far as it can be told: parameters.go
// and arrays.go know the operators and elements of variables, output.go and filters.go
// what commands write, builtins.go what read and mapfile assign, written.go the files
// that a text writes and then runs. Where a variable has one of several values, as in a
// loop or behind an if, rounds.go walks its commands once for each. Shell text in the
// options and lines of other programs is in embedded.go, git's in git_texts.go, that of
// makefiles and their like in builders.go.
//
// What commands do to files is data as well: targets.txt says which words of a program
// name files, and target_*.go read those that need more than a place. A target is
// known only when its path is, or, of names that find and its like write, where they are
// looked for (found.go); gitops.go and switches.go do the same for git's
// commands, their repositories and the branches that the text switches to.
//
// The package reads no file and no environment variable, starts nothing and
// panics on no input. Nesting, text and commands are bounded; beyond a bound the
// result has Parsed false.
package shell
