package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

var errBatch = errors.New("git cat-file printed something else than expected")

// Blobs returns the contents of blobs by their ids, which are object names in hex.
// repository is the top of a working tree. An object that the repository does not have,
// or that is no blob, is left out; so is all that does not fit in 16 MiB together.
func Blobs(ctx context.Context, repository string, ids []string) (map[string][]byte, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	// Nothing is asked of the objects themselves that could print more than is read.
	out, err := run(ctx, repository, strings.Join(ids, "\n")+"\n", "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	return parseBatch(out)
}

// parseBatch reads the output of cat-file --batch: a line "ID TYPE SIZE", the content
// and a line feed for each object, or a line "ID missing" (git-cat-file(1)).
func parseBatch(out []byte) (map[string][]byte, error) {
	blobs := make(map[string][]byte)
	for len(out) > 0 {
		line, rest, ok := bytes.Cut(out, []byte("\n"))
		if !ok {
			return blobs, errBatch
		}
		out = rest
		fields := strings.Fields(string(line))
		if len(fields) != 3 || strings.HasSuffix(string(line), " missing") {
			continue // missing, ambiguous; the name of a missing one may have a space
		}
		size, err := strconv.Atoi(fields[2])
		if err != nil || size < 0 || size >= len(out) || out[size] != '\n' {
			return blobs, fmt.Errorf("%w: %.80q", errBatch, line)
		}
		if fields[1] == "blob" {
			blobs[fields[0]] = out[:size:size]
		}
		out = out[size+1:]
	}
	return blobs, nil
}
