// Package call makes the typed input of one tool call: it joins what the event
// says with what the shell text would run and with what a file would hold after
// the call. Commands are parsed and files read when a rule first asks.
package call

import (
	"path/filepath"
	"strings"
	"sync"

	"github.com/claudewatch/claudewatch/hooks"
	"github.com/claudewatch/claudewatch/internal/regular"
	"github.com/claudewatch/claudewatch/internal/shell"
	"github.com/claudewatch/claudewatch/schema"
)

// MaxFile is the size in bytes up to which the file behind an edit is read.
const MaxFile = 8 << 20

// Call is one tool call and what must be known about the machine to read it.
type Call struct {
	// Event is the hook event, Tool the tool's name.
	Event, Tool string
	// Args is tool_input as encoding/json decodes it.
	Args map[string]any
	// Cwd, ProjectDir and Home are absolute directories, "" when unknown.
	Cwd, ProjectDir, Home string

	SessionID, ToolUseID, AgentID, AgentType, PermissionMode string

	// Wrappers are programs that run their arguments, besides those that are
	// known: name and number of operands of their own.
	Wrappers map[string]int
	// ReadFile reads the file behind an edit. When it is nil regular files of at
	// most MaxFile bytes are read from disk.
	ReadFile func(path string) ([]byte, error)
	// Repository finds the repository that an absolute path lies in, never nil. When
	// it is nil itself the disk is looked at.
	Repository func(path string) *schema.Repo
	// Changes are the files that a call which is over has changed: their absolute paths,
	// what was done and whose it is.
	Changes []schema.Change
}

// FromEvent returns the call of an event. The environment gives home and projectDir.
func FromEvent(e *hooks.Event, home, projectDir string) Call {
	return Call{
		Event: e.Name, Tool: e.Tool, Args: e.ToolInput,
		Cwd: e.Cwd, ProjectDir: projectDir, Home: home,
		SessionID: e.SessionID, ToolUseID: e.ToolUseID,
		AgentID: e.AgentID, AgentType: e.AgentType, PermissionMode: e.PermissionMode,
	}
}

// pathKey names the argument that holds the path a tool acts on, "" for a tool that has
// none.
func pathKey(tool string) string {
	switch tool {
	case "Write", "Edit", "MultiEdit", "Read":
		return "file_path"
	case "NotebookEdit", "NotebookRead":
		return "notebook_path"
	case "Grep", "Glob", "LS":
		return "path"
	}
	return ""
}

// Input returns the call as rules see it. Args is the call's own map, not a copy.
func (c Call) Input() *schema.Input {
	in := &schema.Input{
		Event: c.Event, Tool: c.Tool, Args: c.Args,
		Cwd: c.Cwd, ProjectDir: c.ProjectDir, Home: c.Home,
		SessionID: c.SessionID, ToolUseID: c.ToolUseID,
		AgentID: c.AgentID, AgentType: c.AgentType, PermissionMode: c.PermissionMode,
	}
	c.Repository = c.locate() // one for all that is asked of the call
	in.Changes = c.changes()
	if named := c.text(pathKey(c.Tool)); named != "" {
		in.Path = c.absolute(named)
		in.Extension = strings.ToLower(filepath.Ext(strings.TrimSpace(named)))
	}
	switch c.Tool {
	case "Bash", "Monitor":
		c.readsShell(in, shell.Read)
	case "PowerShell":
		c.readsShell(in, shell.ReadPowerShell)
	case "Write", "Edit", "MultiEdit", "NotebookEdit":
		written := sync.OnceValue(func() written { return c.written(in.Path) })
		in.ReadContent = func() string { return written().content }
		in.ReadEffects = c.located(func() *schema.Effects {
			effects := c.fileEffects(in.Extension, written())
			effects.Writes = []*schema.Target{c.target(in.Path, "write", false)}
			return effects
		})
	case "Read", "NotebookRead", "LS":
		in.ReadEffects = c.located(func() *schema.Effects {
			return &schema.Effects{Parsed: true, Reads: []*schema.Target{c.target(in.Path, "read", false)}}
		})
	case "Grep", "Glob":
		in.ReadEffects = c.located(func() *schema.Effects {
			return &schema.Effects{Parsed: true, Reads: []*schema.Target{c.target(c.searched(in.Path), "read", true)}}
		})
	}
	return in
}

// changes are the files that the call has changed. Their repositories are looked up as
// they are now: a switch of branches in the call's text has happened. It is the
// directory that is looked up, once: a link that was changed is where it stands, and
// a call may change many files.
func (c Call) changes() []*schema.Change {
	if len(c.Changes) == 0 {
		return nil
	}
	of := map[string]func() *schema.Repo{} // by directory
	changes := make([]*schema.Change, len(c.Changes))
	for i, change := range c.Changes {
		directory := filepath.Dir(change.Path)
		if of[directory] == nil {
			of[directory] = sync.OnceValue(func() *schema.Repo { return c.Repository(directory) })
		}
		change.ReadRepo = of[directory]
		changes[i] = &change
	}
	return changes
}

// happened reports that the call is over: what it did is on the disk.
func (c Call) happened() bool {
	return c.Event == hooks.PostToolUse || c.Event == hooks.PostToolUseFailure
}

// readsShell gives in the effects of the call's command; a call without one
// (a Monitor on a web socket) has none.
func (c Call) readsShell(in *schema.Input, read func(string, shell.Context) *schema.Effects) {
	command := c.text("command")
	if command == "" {
		return
	}
	in.ReadEffects = c.located(func() *schema.Effects {
		return read(command, shell.Context{Dir: c.Cwd, Home: c.Home, Wrappers: c.Wrappers})
	})
}

// fileEffects are the scripts of what a file tool writes. Where somebody will
// stand when a script is run is not known, so its commands have no directory.
func (c Call) fileEffects(extension string, w written) *schema.Effects {
	context := shell.Context{Home: c.Home, Wrappers: c.Wrappers}
	effects := &schema.Effects{Parsed: true}
	effects.Scripts = append(effects.Scripts, shell.ScriptOf(w.content, extension, "file", context))
	for _, code := range w.code {
		effects.Scripts = append(effects.Scripts, shell.ScriptOf(code.content, code.extension, "file", context))
	}
	return effects
}

// text returns a string argument, "" when it is absent or of another type.
func (c Call) text(key string) string {
	s, _ := c.Args[key].(string)
	return s
}

// absolute returns a path as the tool takes it, absolute and clean: white space
// around it dropped, ~ for home, relative paths from the working directory. It
// is "" when that is not known.
func (c Call) absolute(path string) string {
	path = strings.TrimSpace(path)
	if c.Home != "" && (path == "~" || strings.HasPrefix(path, "~/")) {
		path = filepath.Join(c.Home, path[1:])
	}
	if path != "" && !filepath.IsAbs(path) {
		path = filepath.Join(c.Cwd, path)
	}
	if !filepath.IsAbs(path) {
		return ""
	}
	return filepath.Clean(path)
}

// readFile returns the text of a file, bytes that are not UTF-8 replaced by U+FFFD.
func (c Call) readFile(path string) (string, error) {
	read := c.ReadFile
	if read == nil {
		read = func(path string) ([]byte, error) { return regular.ReadFile(path, MaxFile) }
	}
	content, err := read(path)
	return toUTF8(content), err
}
