// Package watches holds the shipped rule sets, one YAML file each, embedded in the binary.
package watches

import "embed"

// FS holds the rule files of this folder by their base names: watch-git.yml is the
// set watch-git.
//
//go:embed *.yml
var FS embed.FS

// Compiled holds the same rule files compiled, for package compiled. It is written by
// go generate ./watches, which must run after every change of a rule file or of what
// rules are made of. When it does not fit, the rule files are compiled at every start.
//
//go:generate go run ./generate
//go:embed policy.bin
var Compiled string
