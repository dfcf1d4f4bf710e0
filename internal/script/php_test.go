package script

import "testing"

func TestShellTextsOfPHP(t *testing.T) {
	runTable(t, PHP, []textCase{
		{"calls", `<?php exec('a'); shell_exec("b"); System('c', $d); passthru('e'); popen('f', 'r'); \exec('g');`, []string{"a", "b", "c", "e", "f", "g"}},
		{"code without tags", `system("rm -rf /");`, []string{"rm -rf /"}},
		{"backticks", "<?php echo `ls $dir`;", []string{"ls $_dir"}},
		{"variables", `<?php exec("rm -rf $a/{$b->c}/${d}/$e[0]/$f->g/\$HOME");`, []string{"rm -rf $_a/$_c/$_d/$_e/$_g/$HOME"}},
		{"joined strings", `<?php exec('rm -rf ' . $dir . "/x"); exec('rm ' . escapeshellarg($y));`, []string{"rm -rf $_dir/x", "rm $_y"}},
		{"words", `<?php proc_open(['rm', '-rf', 'x y'], [], $p); pcntl_exec('/bin/rm', ['x']); new Process(['a', 'b']); Process::fromShellCommandline('c d');`, []string{"rm -rf 'x y'", "/bin/rm x", "a b", "c d"}},
		{"a heredoc", "<?php exec(<<<EOT\n  rm $x\n  EOT); exec(<<<'E'\n$y\nE\n);", []string{"  rm $_x\n", "$y\n"}},
		{"between markup", "don't <?php exec('a') ?> 'b <?= `c` ?> `d`", []string{"a", "c"}},
		{"a variable assigned once", "<?php $cmd = 'rm ' . $x; exec($cmd);", []string{"rm $_x"}},
		{"a call in a string", `<?php echo "exec('rm')"; echo 'it\'s exec("rm")';`, nil},
		{"a call in comments", "<?php // exec('a')\n# exec('b')\n/* exec('c') */ exec('d'); // ' ?> x <?php exec('e');", []string{"d", "e"}},
		{"the method of another object", `<?php $pdo->exec('DELETE'); Foo::exec('x'); $a?->system('y'); function exec($x = 'z') {}`, nil},
		{"nothing known", `<?php exec($cmd); exec("$cmd"); exec();`, nil},
		{"nothing closed", `<?php exec("ls`, []string{"ls"}},
	})
}
