//go:build !unix

package scan

import (
	"bytes"
	"io"
	"os"
)

// keepOpen returns the content of the file, and closes it: one that is open cannot be
// replaced here.
func keepOpen(file *os.File, size int64) (imageFile, error) {
	defer file.Close()
	content := make([]byte, size)
	_, err := io.ReadFull(file, content)
	return inMemory{bytes.NewReader(content)}, err
}

type inMemory struct{ *bytes.Reader }

func (inMemory) Close() error { return nil }
