// Package settingsedit changes single entries of settings.yaml and keeps every other
// byte of it: comments, order, quoting, indentation, blank lines and line ends.
//
// The file is never written anew from what was read. An edit is a few bytes put in,
// taken out or replaced at the place that the YAML parser names; the result is read
// again, and counts only when it says what the file said before but for the edit.
// A form that cannot be edited in this way is refused with its place.
package settingsedit

import (
	"fmt"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/policy"
)

// The keys that are edited.
const (
	keyEnable  = "enable"
	keyDisable = "disable"
	keyRules   = "rules"
)

// Edit is one change to the settings. The functions of this package make it.
type Edit struct {
	key  string
	name string // a set, or a rule as SET/RULE
	// take says that the name is taken out, and not put in.
	take bool
	// value is what a rule is set to; Keep when it is taken out.
	value policy.Action
	// usual says that value is what the rule does without an entry.
	usual bool
}

// AddEnable puts a set into enable, unless it is there.
func AddEnable(set string) Edit { return Edit{key: keyEnable, name: set} }

// TakeEnable takes a set out of enable.
func TakeEnable(set string) Edit { return Edit{key: keyEnable, name: set, take: true} }

// AddDisable puts a set into disable, unless it is there.
func AddDisable(set string) Edit { return Edit{key: keyDisable, name: set} }

// TakeDisable takes a set out of disable.
func TakeDisable(set string) Edit { return Edit{key: keyDisable, name: set, take: true} }

// SetRule sets a rule, named as SET/RULE, to an action. usual says that the rule has
// the action anyway: then an entry that the rule has is taken out, or gets the action
// when there is a comment about it, and none is put in.
func SetRule(rule string, action policy.Action, usual bool) Edit {
	return Edit{key: keyRules, name: rule, value: action, usual: usual}
}

// TakeRule takes the entry of a rule out.
func TakeRule(rule string) Edit { return Edit{key: keyRules, name: rule, take: true} }

// Apply returns the content of a settings file after edits; it is source itself when
// nothing has to change. path is what errors call the file. When there is an error
// none of the edits was made.
func Apply(path string, source []byte, edits ...Edit) ([]byte, error) {
	content := source
	for _, e := range edits {
		var err error
		if content, err = e.apply(path, content); err != nil {
			return nil, err
		}
	}
	if err := verify(path, source, content, edits); err != nil {
		return nil, err
	}
	return content, nil
}

// maxSteps bounds how often a name is taken out of one list.
const maxSteps = 1000

// apply makes one edit. A name may stand in a list more than once, and each step
// takes out one.
func (e Edit) apply(path string, content []byte) ([]byte, error) {
	for range maxSteps {
		d, err := open(path, content)
		if err != nil {
			return nil, err
		}
		if e.key == keyRules {
			err = d.editRule(e)
		} else {
			err = d.editList(e)
		}
		if err != nil {
			return nil, err
		}
		if len(d.splices) == 0 {
			return content, nil
		}
		content = d.spliced()
		if !e.takesOut() {
			return content, nil
		}
		if content, err = tidy(path, content, e.key); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("%s: '%s' stands there too often; edit it by hand", path, e.name)
}

// takesOut reports whether the edit may take an entry out.
func (e Edit) takesOut() bool { return e.take || e.usual }

// pair is the entry of a rule, as it is written.
func (e Edit) pair() string { return scalarText(e.name) + ": " + e.value.String() }

// editList makes an edit of enable or disable.
func (d *document) editList(e Edit) error {
	entry, ok := d.entry(e.key)
	if e.take {
		if !ok {
			return nil
		}
		return d.takeName(entry, e.name)
	}
	if !ok {
		return d.addKey(e.key, "["+scalarText(e.name)+"]", "")
	}
	return d.addName(entry, e.name)
}

// editRule makes an edit of rules.
func (d *document) editRule(e Edit) error {
	entry, ok := d.entry(e.key)
	switch {
	case !ok && e.takesOut():
		return nil
	case !ok:
		return d.addKey(e.key, "{"+e.pair()+"}", e.pair())
	}
	return d.setRule(entry, e)
}

// refusal is the error about a place that cannot be edited.
func (d *document) refusal(line, column int, message string) error {
	return fmt.Errorf("%s:%d:%d: %s; edit the file by hand. Nothing was changed", d.path, line, column, message)
}

func (d *document) refuse(n node, message string) error { return d.refusal(n.Line, n.Column, message) }

// read returns settings as the hook reads them.
func read(path string, content []byte) *config.Settings { return config.ParseSettings(path, content) }
