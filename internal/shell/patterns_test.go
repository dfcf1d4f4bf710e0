package shell_test

import (
	"testing"

	"github.com/claudewatch/claudewatch/internal/shell"
)

func TestAPatternIsKeptWithItsTarget(t *testing.T) {
	for text, want := range map[string]string{
		"rm .cl*":                            "/p/.cl*",
		"rm ~/.cl?ude/x":                     "/h/.cl?ude/x",
		"echo > a/../[b]c":                   "/p/[b]c",
		"rm .cl*/../x*":                      "/p/x*",
		"rm .@(a|b)":                         "/p/.@(a|b)",
		"X='.cl*'; rm $X":                    "/p/.cl*",
		`rm "$X"/.cl*/x`:                     ".cl*/x",
		`rm $X/a."b"*`:                       "a.b*",
		`rm "$X"/$'.c\x6c'*`:                 ".cl*",
		"rm $X.cl*":                          "",
		"rm $X*":                             "",
		`cd "$X"; rm .cl*`:                   ".cl*",
		"rm '.cl*'":                          "",
		`rm .cl\*`:                           "",
		"for f in .claude/*; do rm $f; done": "/p/.claude/*",
		`for f in ~/.cl*; do echo > "$f/x"; done`: "/h/.cl*/x",
		`for f in .cl*; do g=$f; rm "$g"; done`:   "",
		`for f in $(ls -A); do rm "$f"; done`:     "",
		"rm .claude":                              "",
		"find . -exec rm {} ';'":                  "",
		"cd sub && rm .{cl,x}*/y":                 "/p/sub/.cl*/y",
		"sed -i s/*/x/ .cl*/s.json":               "/p/.cl*/s.json",
	} {
		writes := shell.Read(text, inProject).Writes
		if len(writes) == 0 || writes[0].Pattern != want {
			t.Errorf("%s: want the pattern %q, got %+v", text, want, writes)
		}
	}
}
