package changes_test

import (
	"strings"

	"github.com/claudewatch/claudewatch/internal/changes/textdiff"
)

// The files that file tools edit.
var editedPaths = []string{"a.txt", "b.txt", "src/main.go", "docs/read me.md", ".env", "big.txt", "run.sh", excludedPath}

// edit is a call of a file tool. The runtime reads the file, writes it, and says both
// in its response, in the forms that were recorded.
func (s *stream) edit() {
	c := s.newCall(edited)
	c.path = editedPaths[s.r.IntN(len(editedPaths))]
	input := map[string]any{"tool_use_id": c.id, "tool_name": "Edit", "tool_input": map[string]any{
		"file_path": s.world.full(c.path), "old_string": "one", "new_string": "two", "replace_all": false,
	}}
	if s.r.IntN(2) == 0 {
		input["tool_name"] = "Write"
		input["tool_input"] = map[string]any{"file_path": s.world.full(c.path), "content": "later"}
	}
	s.begin(c, input, true)
	switch s.r.IntN(8) {
	case 0:
		return // refused by the user
	case 1:
		input["error"], input["is_interrupt"] = "String to replace not found in file.", false
		s.end(c, "PostToolUseFailure", input)
		return
	}
	var response map[string]any
	s.act(func() { response = s.write(c, input) })
	if response == nil {
		return
	}
	c.outcome, c.exit = "returned", -1
	if s.r.IntN(4) == 0 {
		s.change() // somebody acts before the runtime reports
	}
	input["tool_response"] = response
	s.end(c, "PostToolUse", input)
}

// write does what the tool does, and returns what the runtime says of it; nil when the
// tool fails.
func (s *stream) write(c *call, input map[string]any) map[string]any {
	h := s.world.paths[c.path]
	h.mu.Lock()
	defer h.mu.Unlock()
	c.before = h.last()
	if c.before.link || c.path == crlfPath && c.before.bytes == "" {
		return nil
	}
	c.after = s.world.fresh(c.path, s.r)
	c.after.mode = 0o644
	if c.before.present {
		c.after.mode = c.before.mode
	}
	s.world.putLocked(h, c.path, c.after, c.id)
	c.after = h.last()

	old, text := strings.ReplaceAll(c.before.bytes, "\r\n", "\n"), strings.ReplaceAll(c.after.bytes, "\r\n", "\n")
	arguments := input["tool_input"].(map[string]any)
	response := map[string]any{"filePath": s.world.full(c.path), "userModified": false, "structuredPatch": patch(old, text), "originalFile": old}
	if !c.before.present {
		response["originalFile"], response["structuredPatch"] = nil, []any{}
	}
	if input["tool_name"] == "Write" || !c.before.present {
		input["tool_name"], input["tool_input"] = "Write", map[string]any{"file_path": s.world.full(c.path), "content": text}
		response["content"], response["type"] = text, "update"
		if !c.before.present {
			response["type"] = "create"
		}
		return response
	}
	response["oldString"], response["newString"], response["replaceAll"] = arguments["old_string"], arguments["new_string"], false
	return response
}

// patch returns structuredPatch of two texts.
func patch(before, after string) []any {
	hunks, _, _ := textdiff.Compare([]byte(before), []byte(after))
	list := []any{}
	for _, h := range hunks {
		list = append(list, map[string]any{"oldStart": h.OldStart, "oldLines": h.OldLines, "newStart": h.NewStart, "newLines": h.NewLines, "lines": h.Lines})
	}
	return list
}
