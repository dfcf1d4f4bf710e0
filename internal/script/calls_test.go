package script

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shown writes a call in one line: the receiver, name and arguments.
func shown(c Call) string {
	var b strings.Builder
	if receiver, ok := c.Receiver(); ok && strings.HasPrefix(c.Name, ".") {
		b.WriteString("<" + receiver.Value + ">")
	}
	b.WriteString(c.Name + "(")
	for i, a := range c.Arguments() {
		if i > 0 {
			b.WriteString(", ")
		}
		if a.Name != "" {
			b.WriteString(a.Name + "=")
		}
		switch {
		case a.Items != nil:
			fmt.Fprintf(&b, "[%d]", len(a.Items))
		case a.Literal:
			b.WriteString("'" + a.Value + "'")
		default:
			b.WriteString(a.Value)
		}
	}
	return b.String() + ")"
}

func runCalls(t *testing.T, language string, cases []textCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(strings.ReplaceAll(c.behaviour, " ", "_"), func(t *testing.T) {
			var got []string
			for _, call := range Read(language, c.code).Calls() {
				got = append(got, shown(call))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s\n%s", c.code, diff)
			}
		})
	}
}

func TestCallsOfPython(t *testing.T) {
	runCalls(t, Python, []textCase{
		{"a function of a module", `shutil.rmtree('/etc', ignore_errors=True)`, []string{"shutil.rmtree('/etc', ignore_errors='True')"}},
		{"an imported function under another name", "from shutil import rmtree as rm\nrm(x)", []string{"shutil.rmtree(x)"}},
		{"a module under another name", "import shutil as s\ns.rmtree(x.y)", []string{"shutil.rmtree(x.y)"}},
		{"a function in a variable", "import shutil\nrm = shutil.rmtree\nrm('a')", []string{"shutil.rmtree('a')"}},
		{"a variable assigned once", "p = '/etc'\nshutil.rmtree(p)", []string{"shutil.rmtree('/etc')"}},
		{"a path", `open(os.path.join('/etc', "hosts"), 'w')`, []string{"open('/etc/hosts', 'w')", "os.path.join('/etc', 'hosts')"}},
		{"a path with a part that is not known", `f(os.path.join('/etc', x))`, []string{"f(/etc/$x)", "os.path.join('/etc', x)"}},
		{"a method of a path", `Path('/etc', 'x').write_text('a')`, []string{"pathlib.Path('/etc', 'x')", "pathlib.Path.write_text('a')"}},
		{"a method of a path in a variable", "p = Path('x')\np.unlink()", []string{"pathlib.Path('x')", "pathlib.Path.unlink()"}},
		{"a method of an expression", "(Path.home() / 'a').unlink()", []string{"pathlib.Path.home()", "<~/a>.unlink()"}},
		{"the home directory", `f(os.environ['HOME']); f(os.path.expanduser('~/a')); f(f"{Path.home()}/b")`,
			[]string{"f('~')", "f('~/a')", "os.path.expanduser('~/a')", "f('~/b')", "pathlib.Path.home()"}},
		{"a method of a call", `open('x').read().strip()`, []string{"open('x')", "<open('x')>.read()", "<open('x').read()>.strip()"}},
		{"a method of a name", `model.eval()`, []string{"model.eval()"}},
		{"definitions", "def eval(x): pass\nclass rmtree(Base): pass\nasync def f(): pass", nil},
		{"docstrings, strings and comments", "'''Use eval(x)\nwith care.'''\ns = \"eval(x)\" # eval(x)", nil},
		{"code inside a string", `s = f"{eval(x)}"`, []string{"eval(x)"}},
		{"keywords are no calls", "if (a): return (b)\nx = not (a) or (b)", nil},
		{"an attribute by name", "getattr(os, 'system')('a')", []string{"os.system('a')"}},
		{"a number and a list", "f(0o777, ['a', b], *c, **d)", []string{"f('0o777', [2], *c, **d)"}},
	})
}

func TestCallsOfNode(t *testing.T) {
	runCalls(t, Node, []textCase{
		{"a module required in place", `require('fs').rmSync('/etc', {recursive: true})`, []string{"fs.rmSync('/etc', '{recursive: true}', recursive='true')"}},
		{"imported names", "import {rmSync as r} from 'node:fs'; import {rm} from 'fs/promises'\nr(a)\nawait rm(b.c)", []string{"fs.rmSync(a)", "fs.promises.rm(b.c)"}},
		{"a module's part", "const {rm} = require('fs').promises; const p = fs.promises; rm('a')", []string{"fs.promises.rm('a')"}},
		{"what stands in for fs", "const {promises: fs} = require('graceful-fs'); import {emptyDir} from 'fs-extra'; fs.rm(a); emptyDir(b); x.fs.rm(c)",
			[]string{"fs.promises.rm(a)", "fs.emptyDir(b)", "x.fs.rm(c)"}},
		{"options in a variable", "const o = {shell: true}\nspawn(a, o)", []string{"spawn(a, '{shell: true}', shell='true')"}},
		{"a class that is made", "new Function('a'); new vm.Script", []string{"new Function('a')", "new vm.Script()"}},
		{"functions", "a.then(x => x).then((y) => eval(y)).then(eval)", []string{"a.then(x => x)", "<a.then(x => x)>.then((y) => eval(y))", "eval(y)", "<a.then(x => x).then((y) => eval(y))>.then(eval)"}},
		{"definitions", "function eval(x) {}\nclass A {\n  rm(a) { }\n  async eval(b: string): Promise<void> { }\n}\nconst o = {eval(x) {}}; async (x) => 1", nil},
		{"templates, strings and comments", "x = `eval(a)`; y = 'eval(b)' // eval(c)\n/* eval(d)\n eval(e) */", nil},
		{"code inside a template", "f(`${os.homedir()}/a ${eval(x)}`)", []string{"f(~/a $value)", "os.homedir()", "eval(x)"}},
		{"the home directory", "f(path.join(process.env.HOME, 'a'), process.env['HOME'])", []string{"f('~/a', '~')", "path.join('~', 'a')"}},
		{"a choice is no definition", "x = a ?\n f(b) :\n g(c)", []string{"f(b)", "g(c)"}},
		{"compiled modules and chaining", "(0, eval)(x); eval?.(y)", []string{"eval(x)", "eval(y)"}},
	})
}

func TestCallsOfRuby(t *testing.T) {
	runCalls(t, Ruby, []textCase{
		{"without parentheses", "rm_rf '/etc', verbose: true\nFileUtils.rm_rf %w[a b]", []string{"rm_rf('/etc', verbose='true')", "FileUtils.rm_rf([2])"}},
		{"without arguments", "Pathname('/opt').rmtree\nx.instance_eval { a }", []string{"Pathname('/opt')", "Pathname.rmtree()", "x.instance_eval({ a })"}},
		{"of the kernel", "Kernel.eval(x); ::Kernel.system 'a'; send(:system, 'b')", []string{"eval(x)", "system('a')", "system('b')"}},
		{"commands", "x = `ls #{y}`; %x(id)", []string{"`(ls $y)", "`('id')"}},
		{"the home directory", "f(File.join(Dir.home, 'a'), ENV['HOME'], \"#{Dir.home}/b\")", []string{"f('~/a', '~', '~/b')", "File.join('~', 'a')", "Dir.home()", "Dir.home()"}},
		{"definitions", "def eval(x)\nend\ndef self.system(y)\nend\nA::B\nx.y = 1", nil},
		{"strings, symbols and comments", "puts \"eval(x)\" # eval(y)\n=begin\neval(z)\n=end\nf :system, :\"eval(x)\"", []string{"puts('eval(x)')", "f(':system', ':\"eval(x)\"')"}},
		{"a here-document", "puts <<~X\n  eval(a)\nX\n", []string{"puts('  eval(a)\n')"}},
		{"keywords are no calls", "return x if y and not (z)\nyield a", nil},
	})
}

func TestCallsOfPowerShell(t *testing.T) {
	runCalls(t, PowerShell, []textCase{
		{"static methods", "[System.IO.File]::Delete('a'); $x = [IO.Path]::Combine($y, \"b\", (f c, d))", []string{"system.io.file.delete('a')", "io.path.combine($y, 'b', (f c, d))"}},
		{"methods", "$f.Deserialize($s) | Out-Null\nif ($a.B.Close()) { (New-Object Net.WebClient).DownloadString('u') }", []string{"$f.deserialize($s)", "$a.b.close()", ".downloadstring('u')"}},
		{"in an argument of a command", "iex ((New-Object Net.WebClient).DownloadString(\"u$x\"))", []string{".downloadstring(\"u$x\")"}},
		{"text and comments", "'$a.B(1)' # [A]::B()\nWrite-Host '[A]::B(1)'\n@'\n[A]::B()\n'@", nil},
		{"one without an end", "[A]::B('c'", []string{"a.b('c')"}},
	})
}

func TestCallsOfPerlAndPHP(t *testing.T) {
	runCalls(t, Perl, []textCase{
		{"without parentheses", "unlink $x, 'a' or die; File::Path::rmtree('/etc');", []string{"unlink($x, 'a')", "File.Path.rmtree('/etc')"}},
		{"methods and commands", "$x->remove('a'); `ls`; sub unlink { } # unlink 'b'", []string{"$x.remove('a')", "`('ls')"}},
	})
	runCalls(t, PHP, []textCase{
		{"in any case", `<?php Unlink("/etc/x"); $a->Exec($b); new Process(['a']); function eval($x) {} "unlink('b')"; ?> exec('c')`,
			[]string{"unlink('/etc/x')", "$a.exec($b)", "new process([1])"}},
	})
}
