// Package shell reads shell text and says which commands it would run.
//
// Read parses the text (bash, and zsh where that fails) and walks it once, in
// the order in which a shell would get to its commands. The walk carries an
// environment: the directory, the variables with literal values, aliases and
// functions. Whatever cannot be known without running something is unknown, and
// never guessed: a word with an unknown part keeps its source text, a command in
// an unknown directory has Dir "".
//
// Commands hide in other commands. Three tables of data, each with a file of its
// own, say where: launchers_table.go (programs whose arguments are a command:
// sudo, xargs, ssh, docker exec), carriers.go (programs that read an argument as
// shell text: sh -c, eval, trap) and interpreters.go (programs that read code of
// another language). programs_table.go says how programs read their options.
//
// The package reads no file and no environment variable, starts nothing and
// panics on no input. Nesting, text and commands are bounded; beyond a bound the
// result has Parsed false.
package shell
