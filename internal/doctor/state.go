package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/changes"
	"github.com/claudewatch/claudewatch/internal/compiled"
	"github.com/claudewatch/claudewatch/internal/decisionlog"
)

// maxLog is the size in bytes from which on the decision log is worth a word.
const maxLog = 100 << 20

// cache says whether the compiled rule files fit: the hook compiles again what does not.
func cache(_ context.Context, m *Machine) []Finding {
	directory := m.Environment.Cache()
	if directory == "" {
		return nil
	}
	var findings []Finding
	for _, l := range m.sources().Locations() {
		if len(l.Files()) == 0 {
			continue
		}
		c := compiled.Cache{Directory: directory, Program: compiled.Program}
		err := c.Check(compiled.Location{Path: l.Path, Scope: l.Scope})
		switch {
		case err == nil:
			findings = append(findings, Finding{Status: OK, Message: "fresh: " + l.Path})
		case errors.Is(err, compiled.ErrForeign):
			findings = append(findings, Finding{
				Status: Fail, Message: fmt.Sprintf("of %s: %v: it is not used, and rules are compiled at every call", l.Path, err), Remedy: "delete " + directory,
			})
		case errors.Is(err, fs.ErrNotExist):
			findings = append(findings, Finding{Status: OK, Message: "none yet of " + l.Path + ": the next call makes it"})
		default:
			findings = append(findings, Finding{Status: OK, Message: fmt.Sprintf("of %s: %v: the next call compiles it anew", l.Path, err)})
		}
	}
	if len(findings) == 0 {
		findings = []Finding{{Status: OK, Message: "nothing to keep: there are only the shipped rule sets"}}
	}
	return findings
}

// decisionLog says whether the log can be written and read.
func decisionLog(_ context.Context, m *Machine) []Finding {
	path := m.Environment.LogFile(m.engine().Settings)
	if path == "" {
		return []Finding{{Status: OK, Message: "switched off"}}
	}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return []Finding{{Status: OK, Message: path + ": nothing is logged yet"}}
	case err != nil:
		return []Finding{{Status: Fail, Message: err.Error(), Remedy: "without the log claudewatch learn knows nothing: mend that"}}
	case !info.Mode().IsRegular():
		return []Finding{{Status: Fail, Message: path + " is not a regular file: nothing is logged", Remedy: "remove it, or set log: in the settings to another path"}}
	}
	size := fmt.Sprintf("%s: %.1f MB", path, float64(info.Size())/1e6)
	reader, err := decisionlog.NewReader(path)
	if err != nil {
		return []Finding{{Status: Warn, Message: err.Error(), Remedy: "to keep it under a name of its own: claudewatch log reset"}}
	}
	defer reader.Close()
	if info.Size() > maxLog {
		return []Finding{{Status: Warn, Message: size, Remedy: "claudewatch log reset archives it"}}
	}
	return []Finding{{Status: OK, Message: size}}
}

// changeRecords says where the change records are, and whether they can be written.
func changeRecords(_ context.Context, m *Machine) []Finding {
	var findings []Finding
	for _, directory := range m.dataDirectories() {
		info, err := os.Stat(directory)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			findings = append(findings, Finding{Status: OK, Message: directory + ": nothing is recorded yet"})
			continue
		case err != nil || !info.IsDir():
			findings = append(findings, Finding{Status: Fail, Message: directory + " is not a directory that can be read: no change is recorded", Remedy: "remove it, or mend its permissions"})
			continue
		}
		f := Finding{Status: OK, Message: directory}
		if log, err := os.Stat(changes.LogFile(directory)); err == nil && log.Size() > 0 {
			f.Details = []string{"what went wrong is in " + changes.LogFile(directory)}
		}
		findings = append(findings, f)
	}
	return findings
}

// dataDirectories are where change records may be: that of the environment, and those
// that Claude Code gives plugins.
func (m *Machine) dataDirectories() []string {
	var all []string
	if directory := m.Environment.Changes(); directory != "" {
		all = append(all, directory)
	}
	for _, p := range m.installations().places {
		if p.plugin != "" {
			all = append(all, filepath.Join(m.settings().Configuration(), "plugins", "data", dataName(p.plugin)))
		}
	}
	return slices.Compact(all)
}

// dataName is the name of a plugin's folder for data, as of
// https://code.claude.com/docs/en/plugins-reference#persistent-data-directory.
func dataName(plugin string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, plugin)
}
