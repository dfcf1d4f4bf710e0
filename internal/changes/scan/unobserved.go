package scan

import (
	"slices"
	"strings"
)

// Bounds of the lists of what was not observed.
const (
	maxUnobserved = 200
	maxDepth      = 8 // segments of a path, when there are too many
)

// fewest returns paths, sorted and without those below others. When they are too many,
// they are shortened to the directories that they are in.
func fewest(paths []string) []string {
	list := outermost(paths)
	for depth := maxDepth; len(list) > maxUnobserved; depth-- {
		for i, path := range list {
			list[i] = shortened(path, depth)
		}
		list = outermost(list)
	}
	return list
}

// shortened returns the first segments of a path, "." for none.
func shortened(path string, segments int) string {
	if segments == 0 {
		return "."
	}
	for i, c := range path {
		if c != '/' {
			continue
		}
		if segments--; segments == 0 {
			return path[:i]
		}
	}
	return path
}

// outermost sorts paths and leaves out those below others.
func outermost(paths []string) []string {
	slices.Sort(paths)
	paths = slices.Compact(paths)
	there := make(map[string]bool, len(paths))
	for _, path := range paths {
		there[path] = true
	}
	return slices.DeleteFunc(paths, func(path string) bool {
		if there["."] {
			return path != "."
		}
		for i := strings.LastIndexByte(path, '/'); i >= 0; i = strings.LastIndexByte(path[:i], '/') {
			if there[path[:i]] {
				return true
			}
		}
		return false
	})
}

// Observed reports whether a path is neither in a list of Unobserved nor below one of it.
func Observed(unobserved []string, path string) bool {
	return !slices.ContainsFunc(unobserved, func(above string) bool {
		rest, ok := strings.CutPrefix(path, above)
		return above == "." || ok && (rest == "" || rest[0] == '/')
	})
}
