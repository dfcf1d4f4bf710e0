package config

import (
	"strings"

	"github.com/claudewatch/claudewatch/policy"
	"gopkg.in/yaml.v3"
)

// Whole returns the root of the YAML of settings that somebody wants to change, nil
// when they are empty. Unlike Parse it takes the file as a whole or not at all: when
// it is not one YAML document, with a mapping at its top, that is the problem.
//
// Lines and columns of the nodes are those of source without its byte order mark; a
// byte that is not UTF-8 counts as one character.
func Whole(path string, source []byte) (root *yaml.Node, problem *policy.Diagnostic) {
	d := &Document{Path: path}
	text := strings.TrimPrefix(string([]rune(string(source))), "\uFEFF")
	d.lines = strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	root, err := parse(text, 0)
	if err != nil {
		d.reportYAML(err, chunk{1, text})
		d.Diagnostics[0].Message = strings.Replace(d.Diagnostics[0].Message, notYAML, "not YAML: ", 1)
		return nil, &d.Diagnostics[0]
	}
	d.Mapping(root, "the settings")
	for _, found := range d.Diagnostics {
		if found.Code == codeYAML {
			return nil, &found
		}
	}
	return root, nil
}
