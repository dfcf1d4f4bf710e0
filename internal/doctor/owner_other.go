//go:build !unix

package doctor

import "io/fs"

// isForeign is not known here.
func isForeign(fs.FileInfo) bool { return false }
