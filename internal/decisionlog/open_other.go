//go:build !unix

package decisionlog

// Other systems have no such flags.
const (
	noFollow    = 0
	nonBlocking = 0
)
