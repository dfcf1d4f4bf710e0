package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// scanRows lists what a scan of 100,000 files costs against a walk of the same tree by
// find, which also looks at every file. There are none where no GNU find is.
func scanRows(dir string) ([]measure, error) {
	find, err := gnuFind()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench: the rows about scans are left out:", err)
		return nil, nil
	}
	scanner := filepath.Join(dir, "scanner")
	if err := compile(scanner, "github.com/claudewatch/claudewatch/tests/bench/scanner"); err != nil {
		return nil, err
	}
	root, state := filepath.Join(dir, "tree"), filepath.Join(dir, "state")
	count, err := writeTree(root)
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(state, 0o700); err != nil {
		return nil, err
	}
	manifests := map[string]string{}
	scan := func(name string) sample {
		manifests[name] = filepath.Join(state, name)
		return sample{program: scanner, args: []string{root, manifests[name]}}
	}
	first, second, changed := scan("first"), scan("second"), scan("changed")
	time.Sleep(youngFor)
	for range 2 { // The first one sees files that are young, and the second is sure of them.
		for _, s := range []sample{second, changed} {
			if _, err := s.time(); err != nil {
				return nil, fmt.Errorf("scanning %d files: %w", count, err)
			}
		}
	}
	info, err := os.Stat(manifests["second"])
	if err != nil {
		return nil, err
	}
	fmt.Printf("the manifest of %d files: %s\n", count, megabytes(info.Size()))
	by, reference := sample{program: find, args: []string{root, "-type", "f", "-printf", `%s %T@ %i %p\n`}}, "find -printf on them"
	revision := 0
	return []measure{
		{name: "a second scan of 100,000 files, nothing changed", reference: reference, of: second, by: by},
		{
			name: "the same, one file changed", reference: reference, of: changed, by: by,
			before: func() error {
				revision++
				return os.WriteFile(filepath.Join(root, "service07", "package13", "unit3", "file5.go"), fmt.Appendf(nil, "package unit3 // %d\n", revision), 0o600)
			},
		},
		{
			name: "the first scan of 100,000 files", reference: reference, of: first, by: by,
			before: func() error {
				if err := os.Remove(manifests["first"]); !errors.Is(err, os.ErrNotExist) {
					return err
				}
				return nil
			},
		},
	}, nil
}

// youngFor is how long a scan doubts the times of a file that has just been written.
const youngFor = 3 * time.Second

var errNoFind = errors.New("there is no GNU find")

func gnuFind() (string, error) {
	for _, name := range []string{"find", "gfind"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if out, err := exec.Command(path, "--version").Output(); err == nil && strings.Contains(string(out), "GNU") {
			return path, nil
		}
	}
	return "", errNoFind
}

// writeTree writes 100,000 small files, sixteen to a directory.
func writeTree(root string) (count int, err error) {
	for directory := range 6250 {
		path := filepath.Join(root, fmt.Sprintf("service%02d", directory/250), fmt.Sprintf("package%02d", directory/10%25), fmt.Sprintf("unit%d", directory%10))
		if err := os.MkdirAll(path, 0o700); err != nil {
			return count, err
		}
		for file := range 16 {
			content := fmt.Appendf(nil, "package unit%d\n\n// F%d returns a number.\nfunc F%d() int { return %d }\n", directory%10, file, file, count)
			if err := os.WriteFile(filepath.Join(path, fmt.Sprintf("file%d.go", file)), content, 0o600); err != nil {
				return count, err
			}
			count++
		}
	}
	return count, nil
}
