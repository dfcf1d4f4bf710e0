package script

import "testing"

func TestShellTextsOfPython(t *testing.T) {
	runTable(t, Python, []textCase{
		{"a call of a module", `import os; os.system('ls -l')`, []string{"ls -l"}},
		{"a module that is not imported in the fragment", `os.system("ls")`, []string{"ls"}},
		{"a module imported in place", `__import__("os").system("id")`, []string{"id"}},
		{"a module imported by function", `importlib.import_module('os').popen("id")`, []string{"id"}},
		{"a module under another name", "import os as o, subprocess as sp\no.system('a')\nsp.call('b', shell=True)", []string{"a", "b"}},
		{"a submodule's import names the module", "import os.path\nos.system('a')", []string{"a"}},
		{"a function imported", "from os import system\nsystem('a')", []string{"a"}},
		{"functions imported under other names", "from subprocess import (\n  run as r, # why\n  check_output,\n)\nr(['a'])\ncheck_output('b')", []string{"a", "b"}},
		{"everything imported", "from os import *\nsystem('a')", []string{"a"}},
		{"an import after a statement", "x = 1; from os import system; system('a')", []string{"a"}},
		{"an attribute by name", `getattr(os, 'system')('a')`, []string{"a"}},
		{"a function under another name", "import os\nrun = os.system\nrun('a')", []string{"a"}},
		{"a list of words", `subprocess.run(["rm", "-rf", "/tmp/x y"])`, []string{"rm -rf '/tmp/x y'"}},
		{"a tuple of words", `subprocess.run(("rm", "-rf", "x"))`, []string{"rm -rf x"}},
		{"words the shell would change", `subprocess.run(["echo", "~", "$HOME", "it's", "*", ""])`, []string{`echo '~' '$HOME' 'it'\''s' '*' ''`}},
		{"a list run by the shell", `subprocess.run(["rm -rf x", "y"], shell=True)`, []string{"rm -rf x"}},
		{"a list not run by the shell", `subprocess.run(["rm -rf x", "y"], shell=False)`, []string{"'rm -rf x' y"}},
		{"args by keyword", `subprocess.Popen(cwd="/", args=["git", "push"])`, []string{"git push"}},
		{"some words unknown", `subprocess.run(["git", "-C", repo.path, "push", *more])`, []string{`git -C "$_path" push $_more`}},
		{"a list added to", `subprocess.run(["git", "push"] + flags + ["-v"])`, []string{"git push $_flags -v"}},
		{"a comprehension is unknown", `subprocess.run([x for x in "ab"])`, nil},
		{"an f-string", `os.system(f"rm -rf {path}")`, []string{"rm -rf $_path"}},
		{"an f-string before letters", `os.system(f"rm -rf {a.b}x/{c!r:>{n}}")`, []string{"rm -rf ${_b}x/$_c"}},
		{"an f-string in single quotes of the shell", `os.system(f"rm -rf '{path}'")`, []string{`rm -rf ''"$_path"''`}},
		{"an f-string with braces", `os.system(f"echo {{}} {d['k']}")`, []string{"echo {} $_d"}},
		{"an f-string with the same quotes inside", `os.system(f"echo {d["k"]} x")`, []string{"echo $_d x"}},
		{"a call inside an f-string", `print(f"{os.popen('id').read()}")`, []string{"id"}},
		{"a raw f-string", `os.system(rf"grep \d {x}")`, []string{`grep \d $_x`}},
		{"neighbouring strings", "os.system('rm '\n  \"-rf \"\n  f'{x}')", []string{"rm -rf $_x"}},
		{"added strings", `os.system("rm -rf " + path + "/x")`, []string{"rm -rf $_path/x"}},
		{"a percent format", `os.system("rm -rf %s/%(name)s 100%%" % x)`, []string{"rm -rf $_value/$_name 100%"}},
		{"a format method", `os.system("rm -rf {}/{name:>3} {{x}}".format(a, name=b))`, []string{"rm -rf $_value/$_name {x}"}},
		{"joined words", `os.system(" ".join(["rm", "-rf", x]))`, []string{"rm -rf $_x"}},
		{"a split string", `subprocess.run("rm -rf x".split())`, []string{"rm -rf x"}},
		{"a string split by shlex", `subprocess.run(shlex.split("rm -rf 'a b'"))`, []string{"rm -rf 'a b'"}},
		{"a quoted part", `os.system("rm " + shlex.quote(x))`, []string{"rm $_x"}},
		{"a triple-quoted script", "subprocess.run('''\nset -e\nrm -rf \"x\"\n''', shell=True)", []string{"\nset -e\nrm -rf \"x\"\n"}},
		{"dedented", "os.system(textwrap.dedent(\"\"\"\\\n ls\n\"\"\"))", []string{" ls\n"}},
		{"bytes", `os.system(b"ls")`, []string{"ls"}},
		{"escapes", `os.system("printf 'a\tb\x41\u0042\103\\n' \
x")`, []string{"printf 'a\tbABC\\n' x"}},
		{"a raw string", `os.system(r"grep '\.go' x")`, []string{`grep '\.go' x`}},
		{"parentheses", `os.system(("rm " "x"))`, []string{"rm x"}},
		{"exec with words", `os.execlp("rm", "rm", "-rf", "x")`, []string{"rm -rf x"}},
		{"exec with a list", `os.execvp("rm", ["rm", "-rf", "x"])`, []string{"rm -rf x"}},
		{"spawn with a mode", `os.spawnl(os.P_WAIT, "/bin/rm", "rm", "x")`, []string{"/bin/rm x"}},
		{"posix_spawn", `os.posix_spawn("/bin/rm", ["rm", "x"], os.environ)`, []string{"/bin/rm x"}},
		{"asyncio", "await asyncio.create_subprocess_shell('a b')\nawait asyncio.create_subprocess_exec('a', 'b c', stdout=PIPE)", []string{"a b", "a 'b c'"}},
		{"calls inside arguments", `os.system(subprocess.getoutput("a"))`, []string{"a"}},
		{"source order", `os.system(f"a {os.popen('b')}"); os.system("c")`, []string{"a $_value", "b", "c"}},
		{"a name that is a keyword of the shell", `subprocess.run(["time", "x"])`, []string{"'time' x"}},

		{"a call in a string", `print("os.system('rm -rf /')")`, nil},
		{"a call in a comment", "# os.system('rm')\nx = 1 # os.system('rm')", nil},
		{"a call in a docstring", "def f():\n  '''\n  >>> os.system('rm')\n  '''", nil},
		{"a method of another object", `self.os.system('rm'); engine.run('rm')`, nil},
		{"a definition", `def system(x='rm'): pass`, nil},
		{"a name that is not imported", `run("rm"); system("rm")`, nil},
		{"a string as data of a call", `subprocess.run(cmd, input="rm -rf /")`, nil},
		{"nothing known", `os.system(cmd); os.system(f"{cmd}")`, nil},
		{"no argument", `os.system(); subprocess.run(shell=True)`, nil},
		{"an unterminated string ends with its line", "x = 'abc\nos.system('ls')", []string{"ls"}},
		{"an unterminated triple quote takes the rest", "x = '''abc\nos.system('ls')", nil},
		{"an unterminated call", `os.system("ls"`, []string{"ls"}},
		{"an escaped quote", `x = 'it\'s os.system("rm")'`, nil},
		{"a raw string's backslash keeps the quote", `x = r'\' + os.system("rm")'`, nil},
	})
}

type textCase struct {
	behaviour, code string
	want            []string
}
