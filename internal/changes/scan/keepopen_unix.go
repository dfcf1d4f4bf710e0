//go:build unix

package scan

import "os"

// keepOpen returns the file itself: one that is replaced stays what it was for whoever
// has it open.
func keepOpen(file *os.File, _ int64) (imageFile, error) { return file, nil }
