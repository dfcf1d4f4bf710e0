// Package corpus holds the regression corpus: hook calls from real sessions and
// live cases with their right verdicts, one file for each theme. What the lines
// mean is told by internal/corpus, which reads and runs them.
package corpus

import "embed"

// FS holds the corpus files at its root. It is part of the binary, so that an
// installed hook can be tested on a machine without the sources.
//
//go:embed *.jsonl
var FS embed.FS
