package script

import "testing"

func TestShellTextsOfPerl(t *testing.T) {
	runTable(t, Perl, []textCase{
		{"a call", `system("rm -rf x"); exec 'ls';`, []string{"rm -rf x", "ls"}},
		{"a call and its check", "system 'rm x' or die 'y';\nsystem(\"a\") == 0 or die; system \"b\" if $x;", []string{"rm x", "a", "b"}},
		{"several words", `system('rm', '-rf', "/tmp/x y", $dir, @more);`, []string{`rm -rf '/tmp/x y' "$_dir" $_more`}},
		{"a list of words", `system qw(rm -rf x); system(qw{a b}, 'c d');`, []string{"rm -rf x", "a b 'c d'"}},
		{"backticks", "my $x = `ls $dir`; print qx{rm (a {b})}; qx'c $d'; qx/e/", []string{"ls $_dir", "rm (a {b})", "c $d", "e"}},
		{"variables", `system("rm -rf $a/${b}/$c->{d}[0]/$e{'f'}/$1/@g/$H::i \$HOME a\@b");`, []string{`rm -rf $_a/$_b/$_c/$_e/$_1/$_g/$_Hi $HOME a@b`}},
		{"code in a string", `print "@{[ system('id') ]} ${\ ` + "`b`" + `}";`, []string{"id", "b"}},
		{"a single-quoted string", `system('echo $HOME it\'s');`, []string{`echo $HOME it's`}},
		{"other quotes", `system(q{rm 'x'}); system qq(a $b (c)); system q!d!;`, []string{"rm 'x'", "a $_b (c)", "d"}},
		{"joined strings", `system("rm -rf " . $dir . '/x'); system('a ' . join(' ', 'b', $c));`, []string{"rm -rf $_dir/x", "a $_value"}},
		{"open from a command", `open(my $fh, '-|', 'ls', '-l', $x); open F, "cat x |"; open(F, "| sh -c 'y'") or die;`, []string{`ls -l "$_x"`, "cat x ", " sh -c 'y'"}},
		{"open2 and open3", `my $pid = open3($in, $out, $err, 'rm', 'x'); IPC::Open2::open2($o, $i, "a b");`, []string{"rm x", "a b"}},
		{"IPC::Run", `run ['rm', '-rf', 'x'], \$in; IPC::Run::run(["a", "b"]);`, []string{"rm -rf x", "a b"}},
		{"of the core", `CORE::system("a");`, []string{"a"}},
		{"a here-document", "system(<<\"A\" . 'b');\nrm $x\nA\nsystem <<'B';\n$y\nB\nsystem(<<~C);\n  c\n  C\n`d`;", []string{"rm $_x\nb", "$y\n", "  c\n", "d"}},

		{"a variable assigned once", "my $cmd = 'rm x'; system($cmd); my @args = ('a', 'b'); system(@args); push @more, 'x';", []string{"rm x", "a b"}},

		{"a call in a string", "print \"system('rm')\"; print 'a `rm`';", nil},
		{"a call in a comment", "# system('rm')\n=pod\n\n`rm`\n\n=cut\n`ls`;", []string{"ls"}},
		{"a call after the end", "`ls`;\n__END__\n`rm`", []string{"ls"}},
		{"a call in a here-document", "print <<A;\n`rm` system('x')\nA\n", nil},
		{"quotes in regular expressions", "$x =~ /'/; $x =~ s{'}{\"}g; $x =~ m#`#; tr/'/\"/; split /'/, $y; $z = s/`/x/; `ls`;", []string{"ls"}},
		{"division", "$a = $b / $c; `ls`; $d = $e / 2; $h{x} / 3; @a / 4; `b`", []string{"ls", "b"}},
		{"words that look like quotes", "%h = (q => 1, s => 2, y=>3); $h{s}; $h{y}; $o->s('a'); sub y { 1 }; 1 if -s $f; `ls`", []string{"ls"}},
		{"special variables", "$x = $'; $y = $`; $z = $\"; $#a; $#{$b}; $$; `ls`", []string{"ls"}},
		{"the method of another object", `$db->exec("DELETE"); $x->system('rm');`, nil},
		{"a key and a definition", `(system => 'rm'); sub system { 'rm' }`, nil},
		{"open of a file", `open(F, '<', 'rm -rf x'); open(F, "rm"); run('x');`, nil},
		{"nothing known", "system($cmd); system \"$cmd\"; `$x`; exec @args;", nil},
		{"an unterminated string", `system("ls`, []string{"ls"}},
		{"an unterminated call", `system("ls"`, []string{"ls"}},
	})
}
