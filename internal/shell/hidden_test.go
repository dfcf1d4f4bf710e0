package shell_test

import (
	"strings"
	"testing"
)

// forced holds texts that run git push --force, by what hides it; P stands for
// push --force.
var forced = map[string][]string{
	"ParameterOperatorsWithKnownValuesAreApplied": {
		"${g:-git} P", "${g:=git} P", ": ${g:=git}; $g P", "g=1; ${g:+git} P", "${g-git} P", "g=xgit; ${g#x} P", "g=git1; ${g%1} P",
		"g=a/b/git; ${g##*/} P", "g=git.x.y; ${g%%.*} P", "g=GIT; ${g,,} P", "g=Git; ${g,} P", "x=push; git ${x^^} || git ${x@L} --force",
		"g=fit; ${g/f/g} P", "g=gxixtx; ${g//x/} P", "g=xgit; ${g/#x/} P", "g=agitb; ${g:1:3} P", "g=agit; ${g: -3} P",
		`x='\x67it'; ${x@E} P`, "git ${x:-push} --force", "git push ${f:---force}", "git push ${f:+x} --force", "x=g; y=it; $x$y P", "a=; ${a:-git} P",
		"x=gi; ${x}t P", `"${g:-git}" P`,
	},
	"PositionalParametersOfTheCallAreEmpty": {"git $@push $@--force", "g$1it P", "git ${1:-push} --force", `git "$@" P`, "$* git P", "git push $1 --force"},
	"UnquotedVariablesAreSplitAtIFS":        {`git$IFS"push"$IFS--force`, "git${IFS}push${IFS}--force", "IFS=,;c=git,push,--force;$c", "IFS=:; c=git:push:-f; $c"},
	"VariablesStandForOthers":               {"g=git; x=g; ${!x} P", "g=git; declare -n x=g; $x P", "declare -l g=GIT; $g P", "declare -n x=g; x=git; $g P", "declare -u x; x=a; declare -l g; g=GIT; $g P", "typeset -l g=Git; $g P", "local -n x=g; x=git; $g P"},
	"ElementsOfArraysAreKnown": {
		`a=(git push -f); "${a[@]}"`, "a=(git push -f); ${a[0]} ${a[1]} ${a[2]}", "a=(git x); $a P", `a=(git); a+=(push --force); "${a[@]}"`,
		`a[0]=git; a[1]=push; "${a[@]}" --force`, "declare -A m=([a]=git); ${m[a]} P", "declare -A m; m[a]=git; ${m[a]} P", `a=(x git push -f); "${a[@]:1}"`,
		`a=(git push -f x); "${a[@]:0:3}"`, `set -- x git push -f; shift; "$@"`, `set -- x git push -f; "${@:2}"`, `set -- git push -f; $1 $2 $3`, "set git push -f; $@",
		`a=("git push" -f); ${a[@]}`, `a=("git push" -f); ${a[*]}`, "a=(-f push git); ${a[-1]} ${a[1]} ${a[0]}", "i=1; a=(x git); ${a[i]} P", "i=1; a=(x git); ${a[$i]} P",
	},
	"OutputThatIsKnownStandsForItsSubstitution": {
		"git $(echo push) --force", "c=$(echo git P); $c", "c=`echo git P`; $c", `c=$(printf 'git %s' push); $c -f`, "c=$(cat <<E\ngit P\nE\n); $c", `c="$(echo git P)"; eval "$c"`,
		"$(which git) P", "$(command -v git) P", "$(type -p git) P", `g=$(which git); $g P`, `"$(which git)" P`, `git "$(echo push)" --force`, "$(echo git P)", "$(echo git) $(echo push) $(echo --force)",
		"$(printf %s git) P", "eval $(echo git P)", "git push $(echo --force)", "git push `echo --force`", "x=push; git $(echo $x) -f",
	},
	"BuiltinsThatReadGiveVariablesValues": {
		"printf -v c 'git P'; $c", "printf -v c '%s %s' git push; $c -f", "read c <<< 'git P'; $c", "read -r c <<E\ngit P\nE\n$c", "read a b <<< 'git P'; $a $b", "read -ra a <<< 'git P'; \"${a[@]}\"",
		"mapfile -t a <<< 'git P'; ${a[0]}", "readarray -t a < <(echo git P); ${a[0]}", "echo git P | { read c; $c; }", "echo git P | while read c; do $c; done", "while read -r c; do eval \"$c\"; done <<< 'git P'",
		"while read a b; do git $a $b; done <<< 'P'", "read -p x c <<< 'git P'; $c", "IFS=, read a b c <<< 'git,push,-f'; $a $b $c", "echo 'x\ngit P' | while read c; do $c; done", "while read c; do $c; done <<E\nls\ngit P\nE",
		"read c < <(echo git P); $c",
	},
	"ValuesOfALoopAreTriedEach": {
		`for c in "git P"; do $c; done`, `for c in ls "git P"; do $c; done`, "for c in git; do for d in P pull; do $c $d --force; done; done", "for a in --dry-run --force; do git push $a; done", "set -- P; for x; do git $x --force; done",
		"for x in $(echo push); do git $x --force; done", "for i in a; do g=git; done; $g P", `for x in *.txt push; do git "$x" -f; done`,
	},
	"VariablesWithSeveralValuesAreTriedEach": {
		"if true; then g=git; fi; $g P", "g=echo; if x; then g=git; fi; $g P", "case $x in a) g=git;; *) g=echo;; esac; $g P", "x && g=git; $g P", "g=echo; x || g=git; $g P", "if x; then f=--force; else f=--dry-run; fi; git push $f",
		"if x; then g=git; else g=hg; fi; if y; then v=push; else v=pull; fi; $g $v -f", "if x; then c='git P'; fi; eval \"$c\"", "if x; then c='git P'; fi; echo $c | sh", "if x; then c='git P'; fi; sh <<< $c",
	},
}

func TestForcedPushIsFound(t *testing.T) {
	for name, texts := range forced {
		t.Run(name, func(t *testing.T) {
			for _, text := range texts {
				text = strings.ReplaceAll(text, "P", "push --force")
				effects := read(text)
				if !hasForcePush(effects.Commands) {
					t.Errorf("no forced push in %q: %q", text, showAll(effects.Commands))
				}
			}
		})
	}
}
