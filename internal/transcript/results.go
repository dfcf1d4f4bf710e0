package transcript

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// Results calls each for the answers in the transcripts to the calls whose ids wanted
// accepts. Lines without one are not decoded, which makes it some ten times as fast as
// Walk. An answer that a resumed session copied comes again.
//
// advance, skipped and the error are those of Walk.
func Results(files []File, advance func(bytes int64), wanted func(id string) bool, each func(id string, r *Result)) (skipped Skipped, err error) {
	var problems []error
	for _, file := range files {
		n, err := resultsOf(file.Path, advance, wanted, each)
		skipped.add(n)
		if err != nil {
			problems = append(problems, err)
		}
	}
	return skipped, errors.Join(problems...)
}

func resultsOf(path string, advance func(int64), wanted func(string) bool, each func(string, *Result)) (skipped Skipped, err error) {
	file, err := os.Open(path)
	if err != nil {
		return skipped, err
	}
	defer file.Close()
	return resultsIn(&countingReader{file, advance}, path, wanted, each)
}

func resultsIn(source io.Reader, path string, wanted func(string) bool, each func(string, *Result)) (skipped Skipped, err error) {
	r := NewReader(source, path)
	for {
		line, err := r.readLine()
		if err != nil && err != io.EOF {
			return r.skipped, err
		}
		if answersWanted(line, wanted) {
			r.results(line, wanted, each)
		}
		if err == io.EOF {
			return r.skipped, nil
		}
	}
}

var idKey = []byte(`"tool_use_id"`)

// answersWanted reports whether a line may hold an answer that is wanted. Within a text
// the quotes around the key would be escaped.
func answersWanted(line []byte, wanted func(string) bool) bool {
	for {
		at := bytes.Index(line, idKey)
		if at < 0 {
			return false
		}
		line = bytes.TrimLeft(line[at+len(idKey):], " \t\r:")
		if len(line) == 0 || line[0] != '"' {
			continue
		}
		end := bytes.IndexByte(line[1:], '"')
		if end < 0 {
			return false
		}
		if id := line[1 : 1+end]; bytes.IndexByte(id, '\\') >= 0 || wanted(string(id)) {
			return true
		}
	}
}

// results decodes the answers of a line.
func (r *Reader) results(line []byte, wanted func(string) bool, each func(string, *Result)) {
	var e entry
	if !decode(bytes.TrimSpace(line), &e) {
		r.skip()
		return
	}
	if e.Type != "user" {
		return
	}
	for _, p := range partsOf(e.Message.Content) {
		if p.Type == "tool_result" && wanted(p.ToolUseID) {
			each(p.ToolUseID, &Result{Content: textOf(p.Content), IsError: p.IsError})
		}
	}
}
