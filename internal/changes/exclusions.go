package changes

import (
	"errors"
	"strings"

	"github.com/claudewatch/claudewatch/internal/changes/scan"
)

// kernel are the directories at the top of the file system where the system shows its
// processes and devices as files, which come and go by themselves.
var kernel = []string{"/dev", "/proc", "/run", "/sys"}

// exclusions returns the directories of a root that are not observed: those of the
// settings, and our own and the kernel's, which every scan would find changed.
func (r *Recorder) exclusions(at root) *scan.Exclusions {
	if x, ok := r.excluded[at.id]; ok {
		return x
	}
	add := r.Settings().Exclusions.Add
	for _, own := range []string{r.Directory(), r.env.Directory()} {
		if own == "" {
			continue
		}
		for _, path := range []string{own, rootAt("", own).path} {
			if relative, ok := at.relative(path); ok {
				add = append(add[:len(add):len(add)], "/"+literal.Replace(relative))
			}
		}
	}
	if at.path == "/" {
		add = append(add[:len(add):len(add)], kernel...)
	}
	// What is wrong with an entry was reported when the settings were read.
	x, _ := scan.NewExclusions(r.Settings().Exclusions.Defaults, add, r.Settings().Exclusions.Remove)
	if r.excluded == nil {
		r.excluded = make(map[string]*scan.Exclusions)
	}
	r.excluded[at.id] = x
	return x
}

// literal makes a name mean itself where patterns are read.
var literal = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `]`, `\]`, `{`, `\{`, `}`, `\}`)

// checkExclusion returns what is wrong with an entry of add or of remove.
func checkExclusion(set string, add, remove []string) error {
	_, problems := scan.NewExclusions(set, add, remove)
	return errors.Join(problems...)
}
