//go:build !unix

package record

// openFlags: a file that Windows opens for appending cannot be cut.
const openFlags = 0
