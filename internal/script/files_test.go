package script

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shownUse writes what is done to a file in short.
func shownUse(u FileUse) string {
	s := u.Op + " " + u.Path
	if u.Path == "" {
		s = u.Op + " ?" + u.Source
	}
	if u.Recursive {
		s += " **"
	}
	if u.Moved {
		s += " moved"
	}
	return s
}

func runFiles(t *testing.T, language string, cases []textCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(strings.ReplaceAll(c.behaviour, " ", "_"), func(t *testing.T) {
			var got []string
			for _, use := range FileUses(language, c.code) {
				got = append(got, shownUse(use))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s\n%s", c.code, diff)
			}
		})
	}
}

func TestFilesOfPython(t *testing.T) {
	runFiles(t, Python, []textCase{
		{"modes of open", "open('r'); open('a', 'rb'); open('b', 'w'); open('c', 'a'); open('d', 'xt'); open('e', mode='r+'); open(file='f', mode='wb')",
			[]string{"read r", "read a", "write b", "append c", "create d", "write e", "write f"}},
		{"a mode that is not known", "open('a', m)", []string{"write a"}},
		{"a path that is not known", "open(p, 'w'); open(f'{x}/a', 'a')", []string{"write ?p", "append ?f'{x}/a'"}},
		{"other modules that open", "import io, codecs, gzip\nio.open('a', 'w'); codecs.open('b', 'w', 'utf8'); gzip.open('c', 'wt')", []string{"write a", "write b", "write c"}},
		{"flags", "import os\nos.open('a', os.O_WRONLY | os.O_CREAT); os.open('b', os.O_RDONLY); os.open('c', os.O_APPEND)", []string{"write a", "read b", "append c"}},
		{"paths", "from pathlib import Path\nPath('a').write_text('x'); Path('b').write_bytes(b''); Path('c').unlink(); Path('d').touch(); Path('e').mkdir(); Path('f').rename('g'); Path('h').open('w'); Path('i').read_text(); Path('j').open()",
			[]string{"write a", "write b", "delete c", "create d", "create e", "delete f", "write g", "write h", "read i", "read j"}},
		{"a path in a variable", "from pathlib import Path\np = Path('/etc') / 'x'\np.write_text('a')", []string{"write /etc/x"}},
		{"a method of what is not known", "q.unlink(); q.write_text('x'); s.replace('a', 'b'); d.rename('x'); l.remove(1)", []string{"delete ?q", "write ?q"}},
		{"os", "import os\nos.remove('a'); os.unlink('b'); os.rename('c', 'd'); os.replace('e', 'f'); os.makedirs('g', exist_ok=True); os.mkdir('h'); os.rmdir('i'); os.truncate('j', 0); os.chmod('k', 0o777)",
			[]string{"delete a", "delete b", "delete c", "write d", "delete e", "write f", "create g", "create h", "delete i", "write j", "mode k"}},
		{"shutil", "import shutil\nshutil.rmtree('a'); shutil.move('b', 'c'); shutil.copy('d', 'e'); shutil.copyfile(src='f', dst='g'); shutil.copytree('h', 'i')",
			[]string{"delete a **", "delete b", "write c", "read d", "write e", "read f", "write g", "read h **", "write i **"}},
		{"renamed imports", "from shutil import rmtree as r\nfrom os import remove\nr('a'); remove('b')", []string{"delete a **", "delete b"}},
		{"the home directory", "import os\nfrom pathlib import Path\nopen(os.path.expanduser('~/a'), 'w'); (Path.home() / 'b').unlink(); open(os.path.join(os.environ['HOME'], 'c'), 'w')",
			[]string{"write ~/a", "delete ~/b", "write ~/c"}},
		{"a change of directory", "import os\nos.chdir('/x'); open('a', 'w')", []string{"write a moved"}},
		{"streams and strings", "open(0); s = \"open('a', 'w')\" # open('b', 'w')", nil},
		{"a literal in a variable", "p = 'a'\nopen(p, 'w')", []string{"write a"}},
	})
}

func TestFilesOfNode(t *testing.T) {
	runFiles(t, Node, []textCase{
		{"writing", "const fs = require('fs'); fs.writeFileSync('a', 'x'); fs.appendFile('b', 'x', () => {}); fs.createWriteStream('c'); fs.writeFileSync('d', 'x', {flag: 'a'}); fs.openSync('e', 'w')",
			[]string{"write a", "append b", "write c", "append d", "write e"}},
		{"deleting", "require('node:fs').rmSync('a', {recursive: true}); require('fs').unlinkSync('b'); require('fs').rmdirSync('c')", []string{"delete a **", "delete b", "delete c"}},
		{"promises", "import fs from 'node:fs/promises'; await fs.rm('a'); fs.writeFile('b', 'x')", []string{"delete a", "write b"}},
		{"two paths", "const {renameSync, copyFileSync} = require('fs'); renameSync('a', 'b'); copyFileSync('c', 'd')", []string{"delete a", "write b", "read c", "write d"}},
		{"joined paths", "fs.writeFileSync(path.join(os.homedir(), 'a'), 'x'); fs.mkdirSync(`${d}/b`, {recursive: true})", []string{"write ~/a", "create ?`${d}/b` **"}},
		{"others", "Bun.write('a', 'x'); Deno.removeSync('b'); require('fs-extra').outputFile('c', 'x')", []string{"write a", "delete b", "write c"}},
		{"what is no file", "a.rm('b'); list.remove(x); 'fs.rmSync(\"c\")'", nil},
	})
}

func TestFilesOfRuby(t *testing.T) {
	runFiles(t, Ruby, []textCase{
		{"writing", "File.write('a', 'x'); IO.write 'b', 'x'; File.open('c', 'w') { |f| f.puts 1 }; File.open('d', 'a'); open('e', 'w'); File.new('f')",
			[]string{"write a", "write b", "write c", "append d", "write e", "read f"}},
		{"deleting", "File.delete('a', 'b'); FileUtils.rm_rf %w[c d]; File.unlink path; Dir.rmdir('e')", []string{"delete a", "delete b", "delete c **", "delete d **", "delete ?path", "delete e"}},
		{"two paths", "File.rename('a', 'b'); FileUtils.cp 'c', 'd'; FileUtils.mv('e', 'f')", []string{"delete a", "write b", "read c", "write d", "delete e", "write f"}},
		{"permissions", "File.chmod(0644, 'a', 'b'); FileUtils.chmod_R(0755, 'c')", []string{"mode a", "mode b", "mode c **"}},
		{"a pathname", "Pathname.new('a').write('x'); Pathname('b').rmtree", []string{"write a", "delete b **"}},
		{"the home directory", "File.write(File.expand_path('~/a'), ''); File.write(\"#{Dir.home}/b\", '')", []string{"write ~/a", "write ~/b"}},
		{"a command", "open('| ls'); open('|ls', 'w')", nil},
	})
}

func TestFilesOfPerlAndPHP(t *testing.T) {
	runFiles(t, Perl, []textCase{
		{"open", "open(my $f, '>', 'a'); open(F, '>>b'); open F, '<', 'c'; open(F, '+<', 'd'); open(F, 'e')", []string{"write a", "append b", "read c", "write d", "read e"}},
		{"no files", "open(P, '-|', 'ls'); open(P, '| cat'); open(P, 'ls |'); open(S, '>&', 'STDERR'); open(M, '<', \\$text)", nil},
		{"functions", "unlink 'a', $b; rename 'c', 'd'; mkdir 'e'; rmdir('f'); chmod 0644, 'g'", []string{"delete a", "delete ?$b", "delete c", "write d", "create e", "delete f", "mode g"}},
		{"modules", "use File::Path; File::Path::remove_tree('a'); rmtree('b')", []string{"delete a **", "delete b **"}},
	})
	runFiles(t, PHP, []textCase{
		{"functions", "<?php file_put_contents('a', 'x'); file_put_contents('b', 'x', FILE_APPEND); fopen('c', 'w'); unlink('d'); rename('e', 'f');",
			[]string{"write a", "append b", "write c", "delete d", "delete e", "write f"}},
	})
}

func TestEveryEntryOfTheFileTableIsReadable(t *testing.T) {
	for language, table := range fileCalls() {
		for function, effects := range table {
			for effect := range strings.SplitSeq(effects, ",") {
				words := strings.Fields(effect)
				if len(words) < 2 {
					t.Errorf("%s %s: %q", language, function, effect)
					continue
				}
				switch words[0] {
				case "read", "write", "append", "create", "delete", "mode":
					if strings.Trim(words[1], "0123*") != "" {
						t.Errorf("%s %s: place %q", language, function, words[1])
					}
				case "open":
					if file, mode, ok := strings.Cut(words[1], ":"); !ok || len(file) != 1 || len(mode) != 1 {
						t.Errorf("%s %s: place %q", language, function, words[1])
					}
				case "perlopen":
				default:
					t.Errorf("%s %s: operation %q", language, function, words[0])
				}
			}
		}
	}
}

func FuzzFileUses(f *testing.F) {
	for language := range fileCalls() {
		f.Add(language, "open('a', 'w'); Path('b').unlink(); fs.rmSync(`${c}`); File.delete 'd'; open(F, '>e')")
	}
	f.Fuzz(func(t *testing.T, language, code string) {
		for _, use := range FileUses(language, code) {
			if use.Op == "" {
				t.Errorf("%s %q: %+v", language, code, use)
			}
		}
	})
}
