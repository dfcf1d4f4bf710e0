package decisionlog

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
)

// Read returns the records of the log at path in the order they were written,
// reading as they are asked for. Lines that are no record (the header, what a
// crashed writer left) are skipped. A log that cannot be opened or read ends the
// sequence with its error, os.ErrNotExist for one that is not there.
func Read(path string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		file, err := os.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
		if err != nil {
			yield(Record{}, fmt.Errorf("decision log: %w", err))
			return
		}
		defer file.Close()
		for lines := bufio.NewReader(file); ; {
			line, err := lines.ReadBytes('\n')
			var r Record
			if json.Unmarshal(line, &r) == nil && r.Decision != "" && !yield(r, nil) {
				return
			}
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(Record{}, fmt.Errorf("decision log: %w", err))
				return
			}
		}
	}
}
