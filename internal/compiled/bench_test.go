package compiled_test

import (
	"testing"

	"github.com/claudewatch/claudewatch/internal/compiled"
	"github.com/claudewatch/claudewatch/watches"
)

func BenchmarkOpenTheShippedSets(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := compiled.Open(watches.Compiled, watches.FS); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCompileTheShippedSets(b *testing.B) {
	for b.Loop() {
		compiled.Compile(watches.FS)
	}
}
