package call

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/claudewatch/claudewatch/internal/script"
)

// notebookExtension is that of Jupyter notebooks.
const notebookExtension = ".ipynb"

// pythonExtension stands for the language of a notebook that names none.
const pythonExtension = ".py"

var (
	errNoPath     = errors.New("the path is not known")
	errNoNotebook = errors.New("not a notebook: no cells")
)

// notebook is what matters of a Jupyter notebook, nbformat 4
// (https://nbformat.readthedocs.io/en/latest/format_description.html).
type notebook struct {
	cells []cell
	// extension is the usual one of the kernel's language.
	extension string
}

type cell struct{ id, kind, source string }

// writtenNotebook returns the cell sources of the notebook at path after a
// NotebookEdit, or its new source alone when the notebook cannot be read.
func (c Call) writtenNotebook(path string) written {
	source, mode := c.text("new_source"), c.text("edit_mode")
	if path != "" {
		if text, err := c.readFile(path); err == nil {
			if n, err := parseNotebook(text); err == nil {
				if !c.happened() {
					n.edit(mode, c.text("cell_id"), c.text("cell_type"), source)
				}
				return written{content: n.text(), code: n.code()}
			}
		}
	}
	alone := notebook{extension: pythonExtension}
	if mode != "delete" {
		alone.cells = []cell{{kind: c.text("cell_type"), source: source}}
	}
	return written{content: source, code: alone.code()}
}

// parseNotebook reads a notebook's cells and language.
func parseNotebook(text string) (*notebook, error) {
	var file struct {
		Cells []struct {
			ID     json.RawMessage `json:"id"`
			Kind   string          `json:"cell_type"`
			Source json.RawMessage `json:"source"`
		} `json:"cells"`
		Metadata struct {
			LanguageInfo struct {
				Name string `json:"name"`
			} `json:"language_info"`
			Kernel struct {
				Language string `json:"language"`
			} `json:"kernelspec"`
		} `json:"metadata"`
	}
	err := json.Unmarshal([]byte(strings.TrimPrefix(text, "\uFEFF")), &file)
	// A value of another type than documented leaves its key empty.
	if err != nil && !errors.As(err, new(*json.UnmarshalTypeError)) {
		return nil, err
	}
	if file.Cells == nil {
		return nil, errNoNotebook
	}
	n := &notebook{extension: pythonExtension}
	for _, name := range []string{file.Metadata.LanguageInfo.Name, file.Metadata.Kernel.Language} {
		if extension := kernelExtension(name); extension != "" {
			n.extension = extension
			break
		}
	}
	for _, c := range file.Cells {
		var id string
		_ = json.Unmarshal(c.ID, &id)
		n.cells = append(n.cells, cell{id: id, kind: c.Kind, source: sourceOf(c.Source)})
	}
	return n, nil
}

// sourceOf returns a cell's source, which is a string or a list of strings that
// keep their line ends.
func sourceOf(raw json.RawMessage) string {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return one
	}
	var lines []string
	_ = json.Unmarshal(raw, &lines)
	return strings.Join(lines, "")
}

// edit does what the tool does: replace a cell's source, insert a cell behind
// the one that is named (at the start when none is), or delete one. A cell that
// is not there makes the tool fail; its new source is looked at all the same, in
// a cell at the end.
func (n *notebook) edit(mode, id, kind, source string) {
	at := n.find(id)
	switch mode {
	case "delete":
		if at >= 0 {
			n.cells = append(n.cells[:at], n.cells[at+1:]...)
		}
	case "insert":
		if id != "" && at < 0 {
			at = len(n.cells) - 1
		}
		rest := append([]cell{{kind: kind, source: source}}, n.cells[at+1:]...)
		n.cells = append(n.cells[:at+1], rest...)
	default:
		if at < 0 {
			n.cells = append(n.cells, cell{kind: kind, source: source})
			return
		}
		n.cells[at].source = source
		if kind != "" {
			n.cells[at].kind = kind
		}
	}
}

// find returns the index of a cell, -1 when there is none. A notebook older than
// nbformat 4.5 has no ids: the tool calls its cells cell-0, cell-1, ….
func (n *notebook) find(id string) int {
	if id == "" {
		return -1
	}
	for i, c := range n.cells {
		if c.id == id {
			return i
		}
	}
	if number, ok := strings.CutPrefix(id, "cell-"); ok {
		if i, err := strconv.Atoi(number); err == nil && i >= 0 && i < len(n.cells) {
			return i
		}
	}
	return -1
}

// text returns the sources of all cells, each begun on a new line.
func (n *notebook) text() string {
	sources := make([]string, len(n.cells))
	for i, c := range n.cells {
		sources[i] = c.source
	}
	return strings.Join(sources, "\n")
}

// code returns the notebook's code by language: the code cells in the kernel's,
// and what cell magics (%%bash) and shell escapes (!ls) of a Python kernel hand
// to another one. Cells that are not code are text.
func (n *notebook) code() []code {
	var order []string
	texts := make(map[string][]string)
	add := func(extension, text string) {
		if _, ok := texts[extension]; !ok {
			order = append(order, extension)
		}
		texts[extension] = append(texts[extension], text)
	}
	for _, c := range n.cells {
		if c.kind != "" && c.kind != "code" {
			continue
		}
		extension, text := n.extension, c.source
		if n.extension == pythonExtension {
			if magic, rest, ok := cellMagic(c.source); ok {
				extension, text = magic, rest
			} else if commands := shellEscapes(c.source); commands != "" {
				add(".sh", commands)
			}
		}
		add(extension, text)
	}
	list := make([]code, len(order))
	for i, extension := range order {
		list[i] = code{content: strings.Join(texts[extension], "\n"), extension: extension}
	}
	return list
}

// cellMagic takes the first line of a cell that another interpreter runs:
// %%bash, %%script perl -w. Magics that run Python (%%time) are none of these
// (https://ipython.readthedocs.io/en/stable/interactive/magics.html#cell-magics).
func cellMagic(source string) (extension, rest string, ok bool) {
	line, rest, _ := strings.Cut(strings.TrimLeft(source, " \t\r\n"), "\n")
	words := strings.Fields(line)
	if len(words) == 0 || !strings.HasPrefix(words[0], "%%") {
		return "", "", false
	}
	name := strings.TrimPrefix(words[0], "%%")
	if name == "!" || name == "system" || name == "sx" {
		name = "bash"
	}
	if name == "script" && len(words) > 1 {
		name = filepath.Base(words[1])
	}
	extension = kernelExtension(name)
	return extension, rest, extension != ""
}

// shellEscapes returns the commands of the lines that begin with "!".
func shellEscapes(source string) string {
	var commands []string
	for line := range strings.Lines(source) {
		if command, ok := strings.CutPrefix(strings.TrimSpace(line), "!"); ok {
			commands = append(commands, strings.TrimPrefix(command, "!"))
		}
	}
	return strings.Join(commands, "\n")
}

// kernelExtension returns the usual extension of a language as kernels and cell
// magics name it, "" for one that is not known.
func kernelExtension(name string) string {
	name = strings.ToLower(name)
	switch name {
	case "js", "javascript", "typescript":
		return script.Extension(script.Node)
	}
	return script.Extension(script.Interpreter(name))
}
