package shell_test

import (
	"testing"

	"github.com/claudewatch/claudewatch/internal/shell"
)

func TestAPatternIsKeptWithItsTarget(t *testing.T) {
	for text, want := range map[string]string{
		"rm .cl*":                "/p/.cl*",
		"rm ~/.cl?ude/x":         "/h/.cl?ude/x",
		"echo > a/../[b]c":       "/p/[b]c",
		"rm .cl*/../x*":          "/p/x*",
		"rm .@(a|b)":             "/p/.@(a|b)",
		"X='.cl*'; rm $X":        "/p/.cl*",
		`rm "$X"/.cl*/x`:         ".cl*/x",
		`rm $X/a."b"*`:           "a.b*",
		`rm "$X"/$'.c\x6c'*`:     ".cl*",
		"rm $X.cl*":              "",
		"rm $X*":                 "",
		`cd "$X"; rm .cl*`:       ".cl*",
		"shopt -s dotglob; rm *": "/p/?(.)*",
		"shopt -qs nullglob dotglob && rm ~/?claude/[cx]* x/a*":        "/p/x/a*",
		"shopt -s dotglob\nfor f in ?x/[a.]y[b]/*; do rm \"$f\"; done": "/p/@(.|?)x/@(.|[a.])y[b]/?(.)*",
		`setopt globdots; rm "$X"/*z`:                                  "?(.)*z",
		"shopt -s nullglob; rm *":                                      "/p/*",
		"rm '.cl*'":                                                    "",
		`rm .cl\*`:                                                     "",
		"for f in .claude/*; do rm $f; done":                           "/p/.claude/*",
		`for f in ~/.cl*; do echo > "$f/x"; done`:                      "/h/.cl*/x",
		`for f in .cl*; do g=$f; rm "$g"; done`:                        "/p/.cl*",
		`for f in .cl*; do local g="$f/x" h; h=${g}; rm "$h"; done`:    "/p/.cl*/x",
		`for f in .cl*; do g=$f; g=other; rm "$g"; done`:               "",
		`for f in .cl*; do g+=$f; rm "$g"; done`:                       "",
		`f() { rm "$1"; }; for x in .cl*; do f "$x"; done`:             "/p/.cl*",
		`a=(.cl*); rm "${a[0]}"`:                                       "/p/.cl*",
		`a=(.cl*); rm "${a[@]}"`:                                       "/p/.cl*",
		`a=('.cl*'); rm "${a[0]}"`:                                     "",
		`a=(x .cl*); for f in "${a[@]}"; do rm $f; done`:               "/p/.cl*",
		`set -- .cl*; rm "$1"`:                                         "/p/.cl*",
		`f() { rm "$1"; }; f .cl*`:                                     "/p/.cl*",
		`f() { rm "$1"; }; f '.cl*'`:                                   "",
		`g='.cl*'; rm "$g"`:                                            "",
		`for f in $(ls -A); do rm "$f"; done`:                          "",
		"rm .claude":                                                   "",
		"find . -exec rm {} ';'":                                       "",
		"cd sub && rm .{x,cl}*/y":                                      "/p/sub/.cl*/y",
		"sed -i s/*/x/ .cl*/s.json":                                    "/p/.cl*/s.json",
	} {
		writes := shell.Read(text, inProject).Writes
		if len(writes) == 0 || writes[len(writes)-1].Pattern != want {
			t.Errorf("%s: want the pattern %q, got %+v", text, want, writes)
		}
	}
}
