package changes

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/suggest"
	"github.com/claudewatch/claudewatch/policy"
	"gopkg.in/yaml.v3"
)

// Settings are those of the recorder: the file settings.yaml beside the records, or
// where there is none the entry changes: of claudewatch's own settings.
type Settings struct {
	// Path is the file they were read from, "" when nothing says anything.
	Path string
	// Roots are the directories that are observed, absolute; none means the project
	// directory of the session.
	Roots []string
	// Exclusions name the set of excluded directories, and what is added to it and
	// taken from it.
	Exclusions Exclusions
	// SkipReadOnly is whether calls that are classified read-only are not observed.
	SkipReadOnly bool
	// Scope are the tools whose calls are observed by scans.
	Scope []string
	// SubagentEdits is set when edits of the main stream have no record, because
	// somebody else takes them from the transcript.
	SubagentEdits bool
	// Idle is how long a window may be open and how long the bytes of a root are kept
	// that nobody works in; TTL how long a file of records is kept that nobody writes to.
	Idle, TTL time.Duration
	// ScanTimeout bounds one scan.
	ScanTimeout time.Duration
	// SizeCap is the size in bytes up to which the content of a file is kept and compared.
	SizeCap int64

	// Diagnostics are what was wrong with the settings. What they are about is left
	// out, and everything else counts.
	Diagnostics []policy.Diagnostic
}

// Exclusions are the entry exclude: of the settings.
type Exclusions struct {
	// Defaults is the name of the set, "standard-v1" or "none".
	Defaults string
	// Add and Remove are names of directories.
	Add, Remove []string
}

// The values of exclude.defaults and of edits.
const (
	standardSet   = "standard-v1"
	noSet         = "none"
	allEdits      = "all"
	subagentEdits = "subagents"
)

// Bounds of what the settings may ask for.
const (
	maxSizeCap = 64 << 20
	maxRoots   = 16
)

// DefaultSettings returns what counts when the settings say nothing.
func DefaultSettings() *Settings {
	return &Settings{
		Exclusions:   Exclusions{Defaults: standardSet},
		SkipReadOnly: true,
		Scope:        []string{"Bash", "PowerShell", "Monitor"},
		Idle:         30 * time.Minute, TTL: 720 * time.Hour, ScanTimeout: 30 * time.Second,
		SizeCap: 1 << 20,
	}
}

// LoadSettings reads the settings of the records in directory, where own are
// claudewatch's settings, nil when there are none. It never fails: see
// Settings.Diagnostics.
func LoadSettings(directory string, own *config.Settings, env config.Environment) *Settings {
	r := &settingsReader{Settings: DefaultSettings(), env: env}
	r.document = &config.Document{Path: filepath.Join(directory, "settings.yaml")}
	if r.document.Load(func(root *yaml.Node) { r.read(root, "the settings of the change recorder") }) {
		r.Path, r.Diagnostics = r.document.Path, r.document.Diagnostics
		return r.Settings
	}
	if own == nil || own.Changes == nil {
		return r.Settings
	}
	// What is wrong below changes: is reported at its place in the file it stands in.
	document := own.Document
	document.Diagnostics = nil
	r.document = &document
	r.read(own.Changes, "'changes'")
	r.Path, r.Diagnostics = document.Path, document.Diagnostics
	return r.Settings
}

// scans reports whether the calls of a tool are observed by scans.
func (s *Settings) scans(tool string) bool { return slices.Contains(s.Scope, tool) }

// settingsReader reads the entries of a document into settings.
type settingsReader struct {
	*Settings
	env      config.Environment
	document *config.Document
}

// keys are the keys in the order of the reference, with their readers.
func (r *settingsReader) keys() []key {
	return []key{
		{"roots", r.readRoots},
		{"exclude", func(value *yaml.Node) {
			r.mapping(value, "'exclude'", []key{
				{"defaults", func(value *yaml.Node) {
					if set := r.document.Choice("defaults", value, standardSet, noSet); set != "" {
						r.Exclusions.Defaults = set
					}
				}},
				{"add", func(value *yaml.Node) {
					r.readNames("add", value, &r.Exclusions.Add, func(names []string) error { return checkExclusion(noSet, names, nil) })
				}},
				{"remove", func(value *yaml.Node) {
					r.readNames("remove", value, &r.Exclusions.Remove, func(names []string) error { return checkExclusion(standardSet, nil, names) })
				}},
			})
		}},
		{"read_only", func(value *yaml.Node) {
			r.mapping(value, "'read_only'", []key{{"enabled", func(value *yaml.Node) {
				switch r.document.Choice("enabled", value, "true", "false", "on", "off", "yes", "no") {
				case "true", "on", "yes":
					r.SkipReadOnly = true
				case "false", "off", "no":
					r.SkipReadOnly = false
				}
			}}})
		}},
		{"tools", func(value *yaml.Node) {
			r.mapping(value, "'tools'", []key{{"scope", r.readScope}})
		}},
		{"edits", func(value *yaml.Node) {
			if word := r.document.Choice("edits", value, allEdits, subagentEdits); word != "" {
				r.SubagentEdits = word == subagentEdits
			}
		}},
		{"retention", func(value *yaml.Node) {
			r.mapping(value, "'retention'", []key{
				{"idle", func(value *yaml.Node) { r.readDuration("idle", value, &r.Idle) }},
				{"ttl", func(value *yaml.Node) { r.readDuration("ttl", value, &r.TTL) }},
			})
		}},
		{"scan_timeout", func(value *yaml.Node) { r.readDuration("scan_timeout", value, &r.ScanTimeout) }},
		{"size_cap", r.readSizeCap},
	}
}

// key is a key of a mapping with what reads its value.
type key struct {
	name string
	read func(value *yaml.Node)
}

func (r *settingsReader) read(root *yaml.Node, where string) {
	for _, e := range r.document.Mapping(root, where) {
		r.entry(e, where, r.keys())
	}
}

// mapping reads the entries of a value that must be a mapping.
func (r *settingsReader) mapping(value *yaml.Node, where string, keys []key) {
	for _, e := range r.document.Mapping(value, where) {
		r.entry(e, where, keys)
	}
}

func (r *settingsReader) entry(e config.Entry, where string, keys []key) {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.name
		if k.name == e.Key.Value {
			if !config.IsNull(e.Value) {
				k.read(e.Value)
			}
			return
		}
	}
	r.document.Report(e.Key, config.CodeKey, fmt.Sprintf("unknown key '%s' in %s%s", e.Key.Value, where, suggest.Hint(e.Key.Value, names)))
}

// items hands over the texts of a list; a single text is a list of one. What is no
// text is reported and left out.
func (r *settingsReader) items(name, what string, value *yaml.Node, take func(item *yaml.Node, text string)) {
	items := []*yaml.Node{value}
	if value.Kind == yaml.SequenceNode {
		items = value.Content
	}
	for _, item := range items {
		item = config.Resolve(item)
		text := strings.TrimSpace(item.Value)
		if item.Kind != yaml.ScalarNode || config.IsNull(item) || text == "" || strings.ContainsRune(text, 0) {
			r.document.Report(item, config.CodeValue, fmt.Sprintf("'%s' takes %s, not %s", name, what, config.Describe(item)))
			continue
		}
		take(item, text)
	}
}

// readNames reads names of directories that are excluded, each checked by itself.
func (r *settingsReader) readNames(name string, value *yaml.Node, into *[]string, check func(names []string) error) {
	r.items(name, "names of directories", value, func(item *yaml.Node, text string) {
		if err := check([]string{text}); err != nil {
			r.document.Report(item, config.CodeValue, err.Error())
			return
		}
		*into = append(*into, text)
	})
}

func (r *settingsReader) readScope(value *yaml.Node) {
	if value.Kind == yaml.MappingNode {
		r.document.Report(value, config.CodeValue, "'scope' takes names of tools, not a mapping")
		return
	}
	r.Scope = []string{}
	r.items("scope", "names of tools", value, func(_ *yaml.Node, text string) { r.Scope = append(r.Scope, text) })
}

func (r *settingsReader) readRoots(value *yaml.Node) {
	r.items("roots", "paths of directories", value, func(item *yaml.Node, path string) {
		if home := r.env.Home; home != "" && (path == "~" || strings.HasPrefix(path, "~/")) {
			path = filepath.Join(home, path[1:])
		}
		switch path = filepath.Clean(path); {
		case !filepath.IsAbs(path):
			r.document.Report(item, config.CodeValue, fmt.Sprintf("'roots' takes absolute paths, and paths that begin with ~/, not %s", config.Describe(item)))
		case slices.Contains(r.Roots, path):
		case len(r.Roots) == maxRoots:
			r.document.Report(item, config.CodeValue, fmt.Sprintf("'roots' takes up to %d directories: %s is not observed", maxRoots, config.Describe(item)))
		default:
			r.Roots = append(r.Roots, path)
		}
	})
}

func (r *settingsReader) readDuration(name string, value *yaml.Node, into *time.Duration) {
	duration, err := time.ParseDuration(strings.TrimSpace(value.Value))
	if value.Kind != yaml.ScalarNode || err != nil || duration <= 0 {
		r.document.Report(value, config.CodeValue, fmt.Sprintf("'%s' must be a time with its unit, such as 90s, 30m or 720h, not %s", name, config.Describe(value)))
		return
	}
	*into = duration
}

func (r *settingsReader) readSizeCap(value *yaml.Node) {
	size, err := strconv.ParseInt(strings.TrimSpace(value.Value), 10, 64)
	if value.Kind != yaml.ScalarNode || err != nil || size < 0 || size > maxSizeCap {
		r.document.Report(value, config.CodeValue, fmt.Sprintf("'size_cap' must be a number of bytes, 0 to %d, not %s", maxSizeCap, config.Describe(value)))
		return
	}
	r.SizeCap = size
}
