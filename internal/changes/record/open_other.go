//go:build !unix

package record

// A file that Windows opens for appending cannot be cut.
const (
	openFlags  = 0
	appendFlag = 0
)
