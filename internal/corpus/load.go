package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// extension is the file name extension of corpora.
const extension = ".jsonl"

// Load reads the corpora at paths: files, and folders for the corpora directly in
// them. A folder without any is an error.
func Load(paths []string) ([]*Corpus, error) {
	var all []*Corpus
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w: give a file, or a folder of *%s files", path, errors.Unwrap(err), extension)
		}
		if !info.IsDir() {
			c, err := readFile(os.DirFS(filepath.Dir(path)), filepath.Base(path), path)
			if err != nil {
				return nil, err
			}
			all = append(all, c)
			continue
		}
		found, err := LoadFS(os.DirFS(path), path)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s: no corpus in this folder: give a file, or a folder of *%s files", path, extension)
		}
		all = append(all, found...)
	}
	return all, nil
}

// LoadFS reads the corpora at the root of a file system, in the order of their
// names. directory is what messages call the root.
func LoadFS(files fs.FS, directory string) ([]*Corpus, error) {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return nil, err
	}
	var all []*Corpus
	for _, e := range entries {
		if e.IsDir() || path.Ext(e.Name()) != extension {
			continue
		}
		c, err := readFile(files, e.Name(), filepath.Join(directory, e.Name()))
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

func readFile(files fs.FS, name, shown string) (*Corpus, error) {
	file, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return Read(file, shown)
}
