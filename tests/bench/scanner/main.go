// Command scanner scans a root once, as the hook does before a call: it loads the
// manifest, when there is one, looks at every file, and writes the manifest when it has
// changed. Bytes are hashed and not kept.
//
//	scanner ROOT MANIFEST
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/claudewatch/claudewatch/internal/changes/scan"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: scanner ROOT MANIFEST")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "scanner:", err)
		os.Exit(1)
	}
}

func run(root, path string) error {
	known, err := scan.Load(path)
	if errors.Is(err, fs.ErrNotExist) {
		known, err = scan.NewManifest(), nil
	}
	if err != nil {
		return err
	}
	exclusions, problems := scan.NewExclusions(scan.StandardV1, nil, nil)
	if problems != nil {
		return errors.Join(problems...)
	}
	result, err := scan.Scan(context.Background(), root, known, scan.Options{Exclusions: exclusions, SizeCap: 1 << 20})
	if err != nil {
		return err
	}
	if result.Baseline+len(result.Differences)+len(result.Refreshed) > 0 {
		known.Update(result)
		return known.Write(path)
	}
	return nil
}
