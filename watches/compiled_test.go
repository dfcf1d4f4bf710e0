package watches_test

import (
	"bytes"
	"testing"

	"github.com/claudewatch/claudewatch/internal/compiled"
	"github.com/claudewatch/claudewatch/watches"
)

func TestTheCompiledSetsAreThoseOfTheRuleFiles(t *testing.T) {
	want, err := compiled.Pack(watches.FS)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, []byte(watches.Compiled)) {
		t.Error("policy.bin is out of date: run go generate ./watches")
	}
}
