package policy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/schema"
)

func TestAdviceAboutConditionsThatFailOnEverydayCalls(t *testing.T) {
	ordinary := []*schema.Input{bash("ls -la", words("ls -la")), bash("pwd", words("pwd")), bash("git", words("git")), writes("a.py", "x")}
	ordinary[3].Event = "PreToolUse"
	for _, test := range []struct {
		fields string // the place between ‹ and ›
		want   []string
	}{
		{`when: 'input.commands.exists(c, ‹c.args[1]› == "x")'`, []string{"the everyday call 'ls -la' makes this an error (index out of bounds: 1), which counts as a match: write size(c.args) > 1 && …"}},
		{`when: 'input.commands.exists(c, ‹c.args[0]› == "x" && c.args[1] == "y")'`, []string{"'pwd'"}},
		{`when: '‹input.commands[0]›.program == "x"'`, []string{"the everyday call of Write makes this an error (index out of bounds: 0)"}},
		{`when: 'input.commands.exists(c, ‹c.env["A"]› == "x")'`, []string{`no such key: A), which counts as a match: write "A" in c.env && …`}},
		{`when: 'input.commands.exists(c, ‹c.env.A› == "x")'`, []string{`write has(c.env.A) && …`}},
		{`when: 'input.commands.exists(c, ‹c.args[size(c.args) - 1]› == "x")'`, []string{"write size(c.args) > 0 && …"}},
		{`when: 'input.commands.exists(c, ‹c.args[-1]› == "x")'`, []string{"write size(c.args) >= 1 && c.args[size(c.args) - 1]"}},
		{`when: 'input.commands.exists(c, ‹c.args[c.args.size()]› == "x")'`, []string{"write size(c.args) > c.args.size() && …"}},
		{`when: 'input.commands.exists(c, ‹int(c.program)› == 1)'`, []string{"which counts as a match: ask first, with && in front, whether it can be computed"}},
		{`when: 'input.commands.exists(c, c.program == "ls" && ‹c.args[1]› == "x" || c.program == "git" && ‹c.args[0]› == "y")'`, []string{"'ls -la'", "'git'"}},
		{`when: 'input.commands.exists(c, c.program == "git" && ‹c.args[0]› == "x")'`, []string{"'git'"}},
		{`when: 'input.commands.exists(c, c.program == "helm" && ‹c.operands[1]› == "x")'`, []string{"the call 'helm' makes this an error (index out of bounds: 1), which counts as a match: write size(c.operands) > 1 && …"}},
		{`when: 'input.commands.exists(c, c.program in ["kind", "k3d"] && ‹c.args[0]› == "x")'`, []string{"the call 'kind'"}},
		{`when: 'input.commands.exists(c, (c.runs("helm install") || c.runs("helm upgrade")) && ‹c.operands[1]› == "x")'`, []string{"the call 'helm install'"}},
		{`when: 'input.commands.exists(c, c.program == "helm" && c.subcommand == "install" && ‹c.args[1]› == "x")'`, []string{"the call 'helm install'"}},
		{`when: 'input.commands.exists(c, c.runs("helm install") && c.operands[0] == "install")'`, nil},
		{`when: 'input.commands.exists(c, c.program == "helm" && size(c.operands) > 1 && c.operands[1] == "x")'`, nil},
		{`when: 'input.commands.exists(c, c.program == "helm") && input.git[0].verb == "x"'`, nil},
		{"pattern: git\n      unless: ['input.commands.exists(c, ‹c.args[0]› == \"x\")']", []string{"the everyday call 'git' makes this an error (index out of bounds: 0), which exempts nothing: write"}},
		{`when: 'input.tool == "Write" || ‹input.commands[0].args[0]›.startsWith("x")'`, []string{"'pwd' makes this an error (index out of bounds: 0), which counts as a match: write size(input.commands[0].args) > 0 && …"}},
		{`when: 'input.commands.exists(c, size(c.args) > 1 && c.args[1] == "x")'`, nil},
		{`when: 'input.tool == "X" && input.commands[0].program == "x"'`, nil},
		{`when: 'input.args.‹foo› == "x"'`, []string{"a call without 'foo'"}}, // said once
	} {
		source := "name: s\nrules:\n  ask:\n    - name: r\n      reason: r\n      ref: u\n      " + test.fields + "\n"
		plain := strings.NewReplacer("‹", "", "›", "").Replace(source)
		var found []string
		for _, d := range Compile([]File{{Path: "s.yml", Source: []byte(plain)}}, Options{Diagnose: true, Ordinary: ordinary}).Diagnostics {
			if d.Code != "prefilter" {
				found = append(found, fmt.Sprintf("%v %d", d, d.Width))
			}
		}
		if len(found) != len(test.want) {
			t.Errorf("%s\n got %q\nwant %q", test.fields, found, test.want)
			continue
		}
		rest := source
		for i, want := range test.want {
			before, after, _ := strings.Cut(rest, "‹")
			culprit, after, _ := strings.Cut(after, "›")
			rest = before + culprit + after
			place := fmt.Sprintf("s.yml:%d:%d: ", strings.Count(before, "\n")+1, runeCount(before[strings.LastIndexByte(before, '\n')+1:])+1)
			if !strings.HasPrefix(found[i], place) || !strings.Contains(found[i], want) || !strings.HasSuffix(found[i], fmt.Sprint(" ", runeCount(culprit))) {
				t.Errorf("%s\n got %s\nwant %s%s, width %d", test.fields, found[i], place, want, runeCount(culprit))
			}
		}
	}
}

func TestAFailingVariableIsSaidOnce(t *testing.T) {
	found := Compile([]File{{Path: "s.yml", Source: []byte("name: s\nvariables:\n  v: input.commands[0].args[0]\nrules:\n  ask:\n    - {name: a, when: variables.v == \"x\", reason: r, ref: u}\n    - {name: b, when: variables.v == \"y\", reason: r, ref: u}\n")}}, Options{Diagnose: true, Ordinary: []*schema.Input{bash("pwd", words("pwd"))}}).Diagnostics
	found = slices.DeleteFunc(found, func(d Diagnostic) bool { return d.Code == "prefilter" })
	if len(found) != 1 || !strings.HasPrefix(found[0].String(), "s.yml:3:6: the everyday call 'pwd'") || !strings.Contains(found[0].Message, "write size(input.commands[0].args) > 0 ? … : …") {
		t.Error(found)
	}
}
