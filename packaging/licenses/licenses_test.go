package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTheFileOfLicencesIsUpToDate(t *testing.T) {
	const root = "../.."
	modules, err := linked(root)
	if err != nil {
		t.Fatal(err)
	}
	want, err := page(modules)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, File))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s is stale: go run ./packaging/licenses writes it anew", File)
	}
	for _, name := range []string{"Go (BSD-3-Clause)", "github.com/google/cel-go v", "github.com/inconshreveable/mousetrap v", "gopkg.in/yaml.v3 v"} {
		if !strings.Contains(string(got), "\n"+name) {
			t.Errorf("%s has no %q", File, name)
		}
	}
}

func TestLicencesAreKnownByTheirText(t *testing.T) {
	const bsd = "Redistributions in binary form must reproduce the\nabove copyright notice … nor the names of its contributors may be used to\nendorse or promote products"
	for _, c := range []struct {
		texts []string
		want  string
	}{
		{[]string{"Apache License\n  Version 2.0, January 2004"}, "Apache-2.0"},
		{[]string{bsd}, "BSD-3-Clause"},
		{[]string{"Permission is hereby granted,\nfree of charge, to any person … copies or substantial portions of"}, "MIT"},
		{[]string{bsd, "Permission is hereby granted, free of charge … copies or substantial portions"}, "BSD-3-Clause, MIT"},
		{[]string{"GNU GENERAL PUBLIC LICENSE Version 3"}, ""},
		{[]string{"Redistributions in binary form are forbidden"}, ""},
		{[]string{""}, ""},
	} {
		if got := strings.Join(licencesOf(c.texts), ", "); got != c.want {
			t.Errorf("%.40q: %q, want %q", c.texts, got, c.want)
		}
	}
}

func TestEveryFileOfLicencesOfAModuleCounts(t *testing.T) {
	directory := t.TempDir()
	for name, text := range map[string]string{
		"LICENSE-MIT": "mit", "COPYING": "copying \r\n", "NOTICE.txt": "notice", "LICENSES.go": "code", "license_test.md": "test", "README.md": "readme",
	} {
		if err := os.WriteFile(filepath.Join(directory, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	texts, err := textsOf(module{Path: "m", Dir: directory})
	if want := []string{"copying", "mit", "notice"}; err != nil || !slices.Equal(texts, want) {
		t.Errorf("%q, %v, want %q", texts, err, want)
	}
	for _, m := range []module{{Path: "none", Dir: t.TempDir()}, {Path: "not downloaded"}} {
		if texts, err := textsOf(m); err == nil {
			t.Errorf("%s: %q", m.Path, texts)
		}
	}
	if _, err := page([]module{{Path: "secret", Dir: directory}}); err == nil || !strings.Contains(err.Error(), "none of those that are known") {
		t.Errorf("a licence that is not known: %v", err)
	}
}
