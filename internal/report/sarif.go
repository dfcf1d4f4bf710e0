package report

import (
	"io"
	"path/filepath"
	"slices"

	"github.com/claudewatch/claudewatch/policy"
)

// The parts of SARIF 2.1.0 that findings need:
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID string `json:"id"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifMessage    `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		Physical struct {
			Artifact struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region *sarifRegion `json:"region,omitempty"`
		} `json:"physicalLocation"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndColumn   int `json:"endColumn"`
	}
)

func sarif(w io.Writer, findings []policy.Diagnostic, version string) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "claudewatch", Version: version, Rules: []sarifRule{}}
	for _, d := range findings {
		result := sarifResult{RuleID: d.Code, Level: level(d), Message: sarifMessage{d.Message}}
		var at sarifLocation
		at.Physical.Artifact.URI = filepath.ToSlash(d.Path)
		if d.Line > 0 {
			at.Physical.Region = &sarifRegion{d.Line, d.Column, endColumn(d)}
		}
		result.Locations = []sarifLocation{at}
		run.Results = append(run.Results, result)
		if id := (sarifRule{d.Code}); !slices.Contains(run.Tool.Driver.Rules, id) {
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, id)
		}
	}
	return encode(w, sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{run},
	})
}
