package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// module is what the go command says of a module.
type module struct {
	Path, Version, Dir string
	Main               bool
	Replace            *module
}

// systems are the operating systems that releases are built for: each links modules of
// its own. The architectures of one link the same.
var systems = []string{"linux", "darwin", "windows"}

// linked returns the modules of which packages are in the binary of some platform, by
// their paths. root is the directory of the main module, which is left out.
func linked(root string) ([]module, error) {
	found := map[string]module{}
	for _, system := range systems {
		cmd := exec.Command("go", "list", "-deps", "-json=Module", "./cmd/claudewatch")
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0")
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
		}
		for packages := json.NewDecoder(strings.NewReader(string(out))); ; {
			var listed struct{ Module *module }
			if err := packages.Decode(&listed); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			if m := listed.Module; m != nil && !m.Main {
				if m.Replace != nil {
					m = m.Replace
				}
				found[m.Path] = *m
			}
		}
	}
	modules := make([]module, 0, len(found))
	for _, m := range found {
		modules = append(modules, m)
	}
	slices.SortFunc(modules, func(a, b module) int { return strings.Compare(a.Path, b.Path) })
	return modules, nil
}

// goRoot returns the directory of the Go tree, whose library is linked too.
func goRoot() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(out)), err
}
