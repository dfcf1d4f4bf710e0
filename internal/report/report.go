// Package report prints the findings of vet: for people, for programs (JSON), for
// code scanners (SARIF 2.1.0) and as annotations of GitHub Actions.
package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/safetext"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/fatih/color"
)

// Formats are the names of the formats, the default first.
var Formats = []string{"text", "json", "sarif", "github"}

// Write prints the findings in one of Formats. version is that of claudewatch,
// which SARIF records.
func Write(w io.Writer, format string, findings []policy.Diagnostic, version string) error {
	switch format {
	case "text":
		return text(w, findings)
	case "json":
		return asJSON(w, findings)
	case "sarif":
		return sarif(w, findings, version)
	case "github":
		return github(w, findings)
	}
	return fmt.Errorf("unknown format %q: use one of %s", format, strings.Join(Formats, ", "))
}

// Sort orders findings by file, errors before advice, then by place, and drops
// repetitions.
func Sort(findings []policy.Diagnostic) []policy.Diagnostic {
	advice := func(d policy.Diagnostic) int {
		if d.Severity == policy.Warning {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(findings, func(a, b policy.Diagnostic) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), advice(a)-advice(b), a.Line-b.Line, a.Column-b.Column)
	})
	return slices.CompactFunc(findings, func(a, b policy.Diagnostic) bool {
		return a.Path == b.Path && a.Position == b.Position && a.Code == b.Code && a.Message == b.Message
	})
}

// text prints each finding as path:line:col: message [code], and of a file that is YAML
// by its name the source line with a caret under the culprit. vet can be asked about any
// file: what is in others, which may be secrets, is not printed. The message of advice begins with "advice: ". Colour
// follows NO_COLOR and whether the standard output is a terminal.
func text(w io.Writer, findings []policy.Diagnostic) error {
	var b strings.Builder
	place, caret := color.New(color.Bold).SprintFunc(), color.New(color.FgGreen).SprintFunc()
	for _, d := range findings {
		message := color.New(color.FgRed).SprintFunc()
		if d.Severity == policy.Warning {
			message = color.New(color.FgYellow).SprintFunc()
			d.Message = "advice: " + d.Message
		}
		line := d.String()
		said := safetext.Line(d.Message, 0)
		head := strings.TrimSuffix(line, fmt.Sprintf("%s [%s]", said, d.Code))
		fmt.Fprintf(&b, "%s%s [%s]\n", place(head), message(said), d.Code)
		if source, mark, ok := strings.Cut(d.Snippet(), "\n"); ok && isYAML(d.Path) {
			fmt.Fprintf(&b, "%s\n%s\n", source, caret(mark))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func isYAML(path string) bool {
	extension := strings.ToLower(filepath.Ext(path))
	return extension == ".yml" || extension == ".yaml"
}

// finding is a Diagnostic as JSON tells it: places count from 1, columns in
// characters, end_column is the first column behind the culprit.
type finding struct {
	Path      string `json:"path"`
	Line      int    `json:"line,omitempty"`
	Column    int    `json:"column,omitempty"`
	EndColumn int    `json:"end_column,omitempty"`
	Severity  string `json:"severity"` // error or warning
	Code      string `json:"code"`
	Message   string `json:"message"`
}

func asJSON(w io.Writer, findings []policy.Diagnostic) error {
	list := make([]finding, 0, len(findings))
	for _, d := range findings {
		f := finding{Path: d.Path, Line: d.Line, Column: d.Column, Severity: level(d), Code: d.Code, Message: d.Message}
		if d.Line > 0 {
			f.EndColumn = endColumn(d)
		}
		list = append(list, f)
	}
	return encode(w, list)
}

func level(d policy.Diagnostic) string {
	if d.Severity == policy.Warning {
		return "warning"
	}
	return "error"
}

func endColumn(d policy.Diagnostic) int { return d.Column + max(d.Width, 1) }

func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// github prints workflow commands, which GitHub Actions shows beside the lines:
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
func github(w io.Writer, findings []policy.Diagnostic) error {
	var b strings.Builder
	for _, d := range findings {
		fmt.Fprintf(&b, "::%s file=%s", level(d), property.Replace(d.Path))
		if d.Line > 0 {
			fmt.Fprintf(&b, ",line=%d,col=%d,endColumn=%d", d.Line, d.Column, endColumn(d))
		}
		fmt.Fprintf(&b, ",title=%s::%s\n", property.Replace("claudewatch "+d.Code), data.Replace(d.Message))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Values of workflow commands escape the characters that would end them.
var (
	data     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
