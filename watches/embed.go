// Package watches holds the shipped rule sets, one YAML file each, embedded in the binary.
package watches

import "embed"

// FS holds the rule files of this folder by their base names: watch-git.yml is the
// set watch-git.
//
//go:embed *.yml
var FS embed.FS
