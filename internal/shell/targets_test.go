package shell_test

import (
	"testing"

	"github.com/claudewatch/claudewatch/internal/shell"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/go-cmp/cmp"
)

// targetRow is a text and its targets as showTarget writes them: those that are
// written, then those that are read.
type targetRow struct {
	text string
	want []string
}

// showTarget writes a target in short: the operation, the path or "?" and what was
// written, and " **" when what is beneath is meant too.
func showTarget(t *schema.Target) string {
	name := t.Lexical
	if !t.Resolved {
		name = "?" + t.Raw
	}
	if t.Recursive {
		name += " **"
	}
	return t.Op + " " + name
}

func showTargets(e *schema.Effects) []string {
	var shown []string
	for _, list := range [][]*schema.Target{e.Writes, e.Reads} {
		for _, t := range list {
			shown = append(shown, showTarget(t))
		}
	}
	return shown
}

// inProject is the context of all rows: the directory is /p, home is /h.
var inProject = shell.Context{Dir: "/p", Home: "/h"}

func runTargetRows(t *testing.T, rows []targetRow) {
	t.Helper()
	for _, row := range rows {
		effects := shell.Read(row.text, inProject)
		if !effects.Parsed {
			t.Errorf("%s: not parsed", row.text)
		}
		if diff := cmp.Diff(row.want, showTargets(effects)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", row.text, diff)
		}
	}
}

func TestRedirectionsAreTargets(t *testing.T) {
	runTargetRows(t, []targetRow{
		{"echo x > f", []string{"write /p/f"}},
		{"echo x >> f", []string{"append /p/f"}},
		{"echo x >| f", []string{"write /p/f"}},
		{"ls &> f", []string{"write /p/f"}},
		{"ls &>> f", []string{"append /p/f"}},
		{"ls >& f", []string{"write /p/f"}},
		{"ls 1> f 2>> g", []string{"write /p/f", "append /p/g"}},
		{"cat <> f", []string{"write /p/f", "read /p/f"}},
		{"exec 3<> f", []string{"write /p/f", "read /p/f"}},
		{"sort < f", []string{"read /p/f"}},
		{"echo $(< f)", []string{"read /p/f"}},
		{"> f", []string{"write /p/f"}},
		{"A=1 > f", []string{"write /p/f"}},
		{"ls > /dev/null 2>&1", nil},
		{"ls 2>/dev/stderr >/dev/tty < /dev/stdin", nil},
		{"ls > /dev/fd/3 1>&2 2>&- >&3-", nil},
		{"ls > /dev/stdout", nil},
		{"ls 2>&$FD", nil},
		{"ls >&2", nil},
		{"ls > /dev/sda", []string{"write /dev/sda"}},
		{"cat <<E\na > b\nE", nil},
		{"cat > f <<E\na > b\nE", []string{"write /p/f"}},
		{"cat <<< 'a > b'", nil},
		{"tee >(cat > f)", []string{"write /p/f"}},
		{"make 2>build.log", []string{"write /p/build.log", "write /p **"}},
		{"[[ a > b ]]; (( a > b )); [ a \\> b ]", nil},
		{"test a > b", []string{"write /p/b"}},
	})
}

func TestRedirectionsOfEveryKindOfStatementAreTargets(t *testing.T) {
	runTargetRows(t, []targetRow{
		{"{ echo a; } > f", []string{"write /p/f"}},
		{"(echo a) > f", []string{"write /p/f"}},
		{"(cd d; echo a > g) > f", []string{"write /p/f", "write /p/d/g"}},
		{"for i in a; do echo; done > f", []string{"write /p/f"}},
		{"while read l; do echo; done < f", []string{"read /p/f"}},
		{"if a; then b; fi > f", []string{"write /p/f"}},
		{"case a in b) c;; esac > f", []string{"write /p/f"}},
		{"f() { echo; } > f; f", []string{"write /p/f"}},
		{"! echo > f", []string{"write /p/f"}},
		{"time echo > f", []string{"write /p/f"}},
		{"echo a | cat > f", []string{"write /p/f"}},
		{"export A=1 > f", []string{"write /p/f"}},
		{"exec > f", []string{"write /p/f"}},
	})
}

// TestTargetsOfThePrograms has the rows of the specification's table in its order.
func TestTargetsOfThePrograms(t *testing.T) {
	runTargetRows(t, []targetRow{
		// Every operand.
		{"tee f g", []string{"write /p/f", "write /p/g"}},
		{"tee -a f", []string{"append /p/f"}},
		{"touch -d 'a b' f", []string{"create /p/f"}},
		{"mkdir -p -m 700 a/b c", []string{"create /p/a/b", "create /p/c"}},
		{"rm f", []string{"delete /p/f"}},
		{"rm -rf f", []string{"delete /p/f **"}},
		{"rm --recursive -- -f", []string{"delete /p/-f **"}},
		{"rmdir d", []string{"delete /p/d"}},
		{"truncate -s 0 f", []string{"write /p/f"}},
		{"chmod 777 f g", []string{"mode /p/f", "mode /p/g"}},
		{"chmod -x f", []string{"mode /p/f"}},
		{"chmod -R u+x,g-w d", []string{"mode /p/d **"}},
		{"chmod --reference=r f", []string{"mode /p/f"}},
		{"chown -R a:b d", []string{"mode /p/d **"}},
		{"chgrp a f", []string{"mode /p/f"}},
		{"unlink f", []string{"delete /p/f"}},
		{"shred f", []string{"write /p/f"}},
		{"shred -u f", []string{"delete /p/f"}},
		// mv: sources are deleted.
		{"mv a b", []string{"delete /p/a", "write /p/b"}},
		{"mv a b d", []string{"delete /p/a", "delete /p/b", "write /p/d", "write /p/d/a", "write /p/d/b"}},
		{"mv -t d a", []string{"delete /p/a", "write /p/d", "write /p/d/a"}},
		{"mv a /dev/null", []string{"delete /p/a"}},
		// cp and its like: sources are read.
		{"cp a b", []string{"write /p/b", "read /p/a"}},
		{"cp -r a d/", []string{"write /p/d **", "write /p/d/a **", "read /p/a **"}},
		{"cp -t /etc a", []string{"write /etc", "write /etc/a", "read /p/a"}},
		{"cp --target-directory=/etc a", []string{"write /etc", "write /etc/a", "read /p/a"}},
		{"cp .bashrc ~", []string{"write /h", "write /h/.bashrc", "read /p/.bashrc"}},
		{"install -m 755 a /usr/bin/b", []string{"write /usr/bin/b", "read /p/a"}},
		{"install -d a b", []string{"create /p/a", "create /p/b"}},
		{"ln -sf $PWD/a /etc/passwd", []string{"create /etc/passwd", "read /p/a"}},
		{"ln -s /etc/passwd", []string{"create /p", "create /p/passwd", "read /etc/passwd"}},
		{"rsync -a a/ b", []string{"write /p/b **", "read /p/a **"}},
		{"rsync -a a host:b", []string{"read /p/a **"}},
		{"rsync -av host:x/y .", []string{"write /p **", "write /p/y **"}},
		{"rsync -n a b", nil},
		{"scp host:x ~/.bashrc", []string{"write /h/.bashrc"}},
		{"scp -P 22 f u@host:", []string{"read /p/f"}},
		{"scp ./a:b host:c", []string{"read /p/a:b"}},
		{"docker cp c:/x ./y", []string{"write /p/y **"}},
		{"kubectl cp ns/pod:/x y", []string{"write /p/y **"}},
		// In place.
		{"sed -i s/a/b/ f", []string{"write /p/f"}},
		{"sed -i.bak s/a/b/ f", []string{"write /p/f"}},
		{"sed -i .bak s/a/b/ f", []string{"write /p/f"}},
		{"sed -i '' 's/a/b/' f", []string{"write /p/f"}},
		{"sed -i '' -e 's/a/b/' f", []string{"write /p/f"}},
		{"sed --in-place=x -e s/a/b/ f g", []string{"write /p/f", "write /p/g"}},
		{"sed -n -i -e p f", []string{"write /p/f"}},
		{"sed s/a/b/ f", []string{"read /p/f"}},
		{"sed -f s f", []string{"read /p/s", "read /p/f"}},
		{"perl -i -pe s/a/b/ f", []string{"write /p/f"}},
		{"perl -pi -e s/a/b/ f g", []string{"write /p/f", "write /p/g"}},
		{"perl -i.bak -ne print f", []string{"write /p/f"}},
		{"perl -ne print f", []string{"read /p/f"}},
		{"awk -i inplace '{print}' f", []string{"write /p/f"}},
		{"gawk -i inplace -f s f", []string{"write /p/f", "read /p/s"}},
		{"dd if=a of=b bs=1", []string{"write /p/b", "read /p/a"}},
		{"dd of=~/b", []string{"write /h/b"}},
		// The directory.
		{"tar -xf a.tar", []string{"write /p **", "read /p/a.tar"}},
		{"tar xzf a.tgz -C /opt", []string{"write /opt **", "read /p/a.tgz"}},
		{"tar -C a -C b -xf c", []string{"write /p/a/b **", "read /p/c"}},
		{"tar --extract --directory=d --file a", []string{"write /p/d **", "read /p/a"}},
		{"tar czf a.tgz src", []string{"write /p/a.tgz", "read /p/src **"}},
		{"tar -tf a", []string{"read /p/a"}},
		{"tar -xOf a", []string{"read /p/a"}},
		{"unzip a.zip", []string{"write /p **", "read /p/a.zip"}},
		{"unzip -qo a.zip -d d", []string{"write /p/d **", "read /p/a.zip"}},
		{"unzip -l a.zip", []string{"read /p/a.zip"}},
		{"patch -p1 < a.diff", []string{"write /p **", "read /p/a.diff"}},
		{"patch -d d -i a.diff", []string{"write /p/d **", "read /p/a.diff"}},
		{"patch f a.diff", []string{"write /p/f", "read /p/a.diff"}},
		{"patch --dry-run f < a", []string{"read /p/a"}},
		// Package managers.
		{"npm install", []string{"write /p **"}},
		{"npm i -D x", []string{"write /p **"}},
		{"npm ci", []string{"write /p **"}},
		{"npm --prefix d install", []string{"write /p/d **"}},
		{"npm install -g x", nil},
		{"npm run build", nil},
		{"npm test", nil},
		{"yarn", []string{"write /p **"}},
		{"yarn add x", []string{"write /p **"}},
		{"yarn --cwd d add x", []string{"write /p/d **"}},
		{"yarn build", nil},
		{"pnpm init", []string{"write /p **"}},
		{"pnpm -C d add x", []string{"write /p/d **"}},
		{"pip install requests", nil},
		{"pip install -t d x", []string{"write /p/d **"}},
		// The file, or the starting directories.
		{"curl -so f url", []string{"write /p/f"}},
		{"curl -sSLo ~/.bashrc https://x/a", []string{"write /h/.bashrc"}},
		{"curl -O https://x/a/b.tgz?c=d", []string{"write /p/b.tgz"}},
		{"curl --output-dir d -O https://x/y", []string{"write /p/d/y"}},
		{"curl --output f -d @g -F a=@h https://x", []string{"write /p/f", "read /p/g", "read /p/h"}},
		{"curl -o - -o /dev/null https://x", nil},
		{"wget -O f https://x", []string{"write /p/f"}},
		{"wget -qO- https://x", nil},
		{"wget -P d https://x/y", []string{"write /p/d/y"}},
		{"wget https://x/", []string{"write /p"}},
		{"sort -o f g", []string{"write /p/f", "read /p/g"}},
		{"tree -o f", []string{"write /p/f"}},
		{"find a b -name x -delete", []string{"delete /p/a **", "delete /p/b **"}},
		{"find -L . -fprint f -fprintf g %p", []string{"write /p/f", "write /p/g"}},
		{"find . -name x", nil},
		{"split -l 10 f d/pre", []string{"write /p/d", "read /p/f"}},
		{"csplit -f d/x f /a/", []string{"write /p/d", "read /p/f"}},
		{"git diff --output=f", []string{"write /p/f"}},
		{"git archive -o f HEAD", []string{"write /p/f"}},
		// Reads.
		{"cat f", []string{"read /p/f"}},
		{"head -n 3 f", []string{"read /p/f"}},
		{"tail -c 3 f", []string{"read /p/f"}},
		{"less f", []string{"read /p/f"}},
		{"more f", []string{"read /p/f"}},
		{"grep -n x f", []string{"read /p/f"}},
		{"grep -e x f", []string{"read /p/f"}},
		{"grep -f p f", []string{"read /p/f", "read /p/p"}},
		{"grep -r x", []string{"read /p **"}},
		{"grep -r x d", []string{"read /p/d **"}},
		{"wc -l f", []string{"read /p/f"}},
		{"diff a b", []string{"read /p/a", "read /p/b"}},
		{"sort f", []string{"read /p/f"}},
		{"cut -d : -f 1 f", []string{"read /p/f"}},
		{"base64 -d f", []string{"read /p/f"}},
		{"xxd f", []string{"read /p/f"}},
		{"jq .a f", []string{"read /p/f"}},
		{"jq --arg a b -r .a f", []string{"read /p/f"}},
		{"jq -f p f --slurpfile a g", []string{"read /p/p", "read /p/f", "read /p/g"}},
		{"jq -n '$x' --args a b", nil},
		{"source f", []string{"read /p/f"}},
		{". ./f", []string{"read /p/f"}},
		{"cat - < f", []string{"read /p/f"}},
		{"diff <(cat a) b", []string{"read /p/b", "read /p/a"}},
		// Builders.
		{"openspec archive x", []string{"write /p **"}},
		{"openspec list", nil},
		{"gofmt -w .", []string{"write /p **"}},
		{"gofmt -l .", []string{"read /p"}},
		{"go mod tidy", []string{"write /p"}},
		{"go generate ./...", []string{"write /p **"}},
		{"go test ./...", nil},
		{"make -C d all", []string{"write /p/d **"}},
		{"make -n", nil},
		{"prettier --write a", []string{"write /p/a **"}},
		{"npx prettier --check a", []string{"read /p/a"}},
		{"eslint -f json a", nil},
		{"yarn prettier --write a", []string{"write /p/a **"}},
		{"eslint --fix", []string{"write /p **"}},
		{"ruff check .", nil},
		{"ruff format", []string{"write /p **"}},
		{"python3 -m black a.py", []string{"write /p/a.py **"}},
		// Others.
		{"gzip f", []string{"delete /p/f", "write /p/f.gz"}},
		{"gunzip -k f.gz", []string{"write /p/f", "read /p/f.gz"}},
		{"zip -r o.zip d", []string{"write /p/o.zip", "read /p/d **"}},
		{"uniq a b", []string{"write /p/b", "read /p/a"}},
		{"openssl req -keyout k -out o", []string{"write /p/k", "write /p/o"}},
		{"ssh-keygen -t rsa -f k", []string{"create /p/k"}},
		{"sqlite3 db 'select 1'", []string{"read /p/db"}},
		{"sqlite3 db 'delete from t'", []string{"write /p/db"}},
		{"yq -i .a=1 f", []string{"write /p/f"}},
		{"crontab f", []string{"read /p/f"}},
		{"crontab -", nil},
		{"sudo -e f", []string{"write /p/f"}},
		{"/usr/bin/time -o t ls", []string{"write /p/t"}},
		{"strace -o t cat f", []string{"write /p/t", "read /p/f"}},
		{"some-program -o f g > h", []string{"write /p/h"}},
	})
}

func TestFilesThatSedAndAwkProgramsName(t *testing.T) {
	runTargetRows(t, []targetRow{
		{"sed -n 's/a/b/gw out' f", []string{"write /p/out", "read /p/f"}},
		{"sed -e 'w /etc/x' -e p f", []string{"write /etc/x", "read /p/f"}},
		{"sed '/a b/,$!{ r in\np }' f", []string{"read /p/f", "read /p/in"}},
		{`sed 's/a\/ w x/b w y/' f`, []string{"read /p/f"}},
		{"sed 's|w|r|; y/w/r/; :w; b w' f", []string{"read /p/f"}},
		{"sed 'a\\\nw x' f", []string{"read /p/f"}},
		{"sed '# w x' f", []string{"read /p/f"}},
		{"sed 'w /dev/stdout' f", []string{"read /p/f"}},
		{`awk '{print > "/etc/passwd"}' f`, []string{"write /etc/passwd", "read /p/f"}},
		{`awk '{print $1, $2 >> "o"}' f`, []string{"append /p/o", "read /p/f"}},
		{`awk '$1 > "a" && ($2 > "b") {print ($3 > "c")}' f`, []string{"read /p/f"}},
		{`awk '/print > "x"/ {printf "> %s\n", $1} # print > "y"' f`, []string{"read /p/f"}},
		{`awk '{print > $1 ".txt"}' f`, []string{"write ?", "read /p/f"}},
		{`awk '{print > ("a" $1)}' f`, []string{"write ?", "read /p/f"}},
		{`awk -v o=out '{print > o}' f`, []string{"write /p/out", "read /p/f"}},
		{`awk 'BEGIN {while ((getline l < "in") > 0) print l > "/dev/stderr"}'`, []string{"read /p/in"}},
		{`awk '{print | "sort > x"}' FS=: f`, []string{"write /p/x", "read /p/f"}},
	})
}

func TestPathsAreResolvedAsTheShellDoes(t *testing.T) {
	runTargetRows(t, []targetRow{
		{"rm ./a/../b//c/", []string{"delete /p/b/c"}},
		{"rm ../../../etc/passwd", []string{"delete /etc/passwd"}},
		{"rm /tmp/../etc/x", []string{"delete /etc/x"}},
		{"rm ~ ~/a", []string{"delete /h", "delete /h/a"}},
		{"rm $HOME/a ${HOME}/b \"$HOME/c\" $PWD/d", []string{"delete /h/a", "delete /h/b", "delete /h/c", "delete /p/d"}},
		{`rm '~/a' "~/b" '$HOME/c' \~/d`, []string{"delete /p/~/a", "delete /p/~/b", "delete /p/$HOME/c", "delete /p/~/d"}},
		{"rm ~root/a", []string{"delete ?~root/a"}},
		{"HOME=/x; rm ~/a $HOME/b", []string{"delete /x/a", "delete /x/b"}},
		{"HOME=$X; rm ~/a", []string{"delete ?~/a"}},
		{"T=/etc/passwd; echo x > $T", []string{"write /etc/passwd"}},
		{"T=~/x; echo x > $T/y", []string{"write /h/x/y"}},
		{"T='~/x'; echo x > $T", []string{"write /p/~/x"}},
		{"rm -rf $UNSET/", []string{"delete ?$UNSET/ **"}},
		{"rm \"$A\" $(b) `c` ${D:-e} /x/$F", []string{"delete ?\"$A\"", "delete ?$(b)", "delete ?`c`", "delete ?e", "delete ?/x/$F"}},
		{"cd /etc && echo x > passwd", []string{"write /etc/passwd"}},
		{"cd && echo x >> .bashrc", []string{"append /h/.bashrc"}},
		{"(cd /etc); echo x > f", []string{"write /p/f"}},
		{"cd \"$X\"; echo x > f; echo y > /g", []string{"write ?f", "write /g"}},
		{"cd -; touch f", []string{"create ?f"}},
		{"pushd /a; touch f; popd; touch g", []string{"create /a/f", "create /p/g"}},
		{"env -C /etc touch x", []string{"create /etc/x"}},
		{"rm -f {a,b}.txt /etc/{c,d}", []string{"delete /p/a.txt", "delete /p/b.txt", "delete /etc/c", "delete /etc/d"}},
		{"touch f{1..3}", []string{"create /p/f1", "create /p/f2", "create /p/f3"}},
		{"rm 'a b' a\\ c $'d\\te'", []string{"delete /p/a b", "delete /p/a c", "delete /p/d\te"}},
	})
}

func TestAGlobLeadsToTheDirectoryInFrontOfIt(t *testing.T) {
	runTargetRows(t, []targetRow{
		{"rm -f /etc/pass*", []string{"delete /etc"}},
		{"rm -rf /etc/pass*", []string{"delete /etc"}},
		{"rm -rf *", []string{"delete /p **"}},
		{"rm -rf ./* .[!.]*", []string{"delete /p **", "delete /p **"}},
		{"rm -rf ~/* /*", []string{"delete /h **", "delete / **"}},
		{"rm -f *", []string{"delete /p"}},
		{"rm -rf a/*/b", []string{"delete /p/a"}},
		{"rm a*/../../x", []string{"delete ?a*/../../x"}},
		{`rm "a*" 'b?' c\*`, []string{"delete /p/a*", "delete /p/b?", "delete /p/c*"}},
		{`rm "a b"/*.txt`, []string{"delete /p/a b"}},
		{"rm a/!(b)", []string{"delete /p/a"}},
		{"G='x/*'; rm $G", []string{"delete /p/x"}},
		{`G='x/*'; rm "$G"`, []string{"delete /p/x/*"}},
	})
}

func TestWhatFindAndXargsPutInIsNotGuessed(t *testing.T) {
	runTargetRows(t, []targetRow{
		{"ls | xargs rm -rf", []string{"delete ? **"}},
		{"ls | xargs -I{} mv {} /x/{}", []string{"delete ?{}", "write ?/x/{}"}},
		{"ls a* | xargs -I{} mv {} /x/{}", []string{"delete /p **", "write /x **"}},
		{`find a -exec cp {} /x/{} \;`, []string{"write /x **", "read /p/a **"}},
		{"for f in $(find a); do cp $f /x/$f /y/z$f; done", []string{"write /y", "read /p/a **", "read /x **"}},
		{"ls | xargs -I% sh -c 'rm %'", []string{"delete ?%"}},
		{"ls | xargs -0 -n 1 sudo rm a", []string{"delete /p/a", "delete ?"}},
		{"printf 'a\\nb' | xargs rm", []string{"delete /p/a", "delete /p/b"}},
		{"xargs -a list rm", []string{"delete ?", "read /p/list"}},
		{`find /etc -name x -exec rm {} \;`, []string{"delete /etc **"}},
		{`find a b -exec mv {} {}.old \;`, []string{"delete /p/a **", "delete /p/b **", "write /p/a"}},
		{`find . -exec sh -c 'rm {}' \;`, []string{"delete ?{}"}},
		{`find . -exec sh -c 'rm "$1"' _ {} \;`, []string{"delete /p **"}},
		{`find "$X" -exec rm {} +`, []string{"delete ?{}"}},
		// What find prints is where it begins and below, however it is picked.
		{"find /etc -name x | xargs rm", []string{"delete /etc **"}},
		{"find a b -print0 | sort -z | head -zn9 | xargs -0 rm -f --", []string{"delete /p/a **", "delete /p/b **"}},
		{"cd /r && sudo find . | grep -v x | xargs -n1 sudo rm", []string{"delete /r **"}},
		{"find /etc | xargs -I{} mv {} {}.old", []string{"delete /etc **", "write /etc"}},
		{"find /etc | xargs -I% rm %", []string{"delete /etc **"}},
		{`find "$X" | xargs rm`, []string{"delete ?"}},
		{"rm $(find /etc -name x)", []string{"delete /etc **"}},
		{`rm -f -- "$(find /etc -name x | head -1)"`, []string{"delete /etc **"}},
		{"for f in $(find /etc -name x); do mv $f $f.old; done", []string{"delete /etc **", "write /etc"}},
		{`find /etc -name x | while read -r f; do g="$f"; rm "$g"; done`, []string{"delete /etc **"}},
		{`while IFS= read -r -d '' f; do rm "$f"; done < <(find /etc -print0)`, []string{"delete /etc **"}},
		{"rm $(find a b)", []string{"delete ?$(find a b)"}},
		{"rm $(find .. -name x)/../../y", []string{"delete ?$(find .. -name x)/../../y"}},
		// A loop over a pattern is below its fixed beginning as the pattern itself is.
		{`for f in /etc/*.d/x; do rm "$f"; done`, []string{"delete /etc"}},
		{`for f in ~/x/*; do rm -rf "$f/y"; done`, []string{"delete /h/x"}},
		{`for f in *; do rm "/etc/$f"; done`, []string{"delete /etc"}},
		{"find /etc | tr a b | xargs rm", []string{"delete ?"}},
		{"grep -rl x /etc src | xargs rm", []string{"delete /etc **", "delete /p/src **", "read /etc **", "read /p/src **"}},
		{"grep -rlZ --include='*.go' -e x | xargs -0 rm", []string{"delete /p **"}},
		{"cd /r && rg -l x | sort | xargs rm", []string{"delete /r **", "read /r **"}},
		{"git ls-files '*.go' | xargs rm; git -C /r diff --name-only | xargs rm", []string{"delete /p **", "delete ?"}},
		{"git grep -l x | xargs rm", []string{"delete /p **"}},
		{"ls *.md a/*.md | xargs rm", []string{"delete /p **", "delete /p/a **"}},
		{"rm $(grep -rl x src)", []string{"delete /p/src **", "read /p/src **"}},
		{"ls -d | grep x | xargs rm", []string{"delete ?"}},
		{"grep -r x src | xargs rm", []string{"delete ?", "read /p/src **"}},
		{"ls a | xargs rm", []string{"delete ?"}},
		{"find /etc | xargs -I{} sh -c 'rm {}'", []string{"delete ?{}"}},
		{"find /etc -exec echo {} \\; | xargs rm", []string{"delete ?"}},
		{"find /etc -printf %f | xargs rm", []string{"delete ?"}},
		{"find /etc | ls | xargs rm", []string{"delete ?"}},
		// What is not read from the pipe is not what find prints.
		{"find a | head -3 list | xargs rm", []string{"delete ?", "read /p/list"}},
		{"find a | sort list | xargs rm", []string{"delete ?", "read /p/list"}},
		{"find a | grep x list | xargs rm", []string{"delete ?", "read /p/list"}},
		{"find a | grep -e x list | xargs rm", []string{"delete ?", "read /p/list"}},
		{"find a | head -3 < list | xargs rm", []string{"delete ?", "read /p/list"}},
		{"find a | head -3 < <(find b) | xargs rm", []string{"delete /p/b **"}},
		{"find a | grep -r x | xargs rm", []string{"delete ?", "read /p **"}},
		{"find a | while read -u 3 f; do rm \"$f\"; done 3< list", []string{`delete ?"$f"`, "read /p/list"}},
		{"find a | while IFS=/ read x y; do rm \"$y\"; done", []string{`delete ?"$y"`}},
		{"find a | xargs -a list rm", []string{"delete ?", "read /p/list"}},
		{"find a | xargs -a list -I% rm %", []string{"delete ?%", "read /p/list"}},
		{"echo a | xargs -a list rm", []string{"delete ?", "read /p/list"}},
		{"find a | grep -e x | tee list | tail -n 3 | xargs rm", []string{"write /p/list", "delete /p/a **"}},
		{"find /etc | wc -l; ls | xargs rm", []string{"delete ?"}},
	})
}

func TestRemoteCommandsHaveNoLocalTargets(t *testing.T) {
	runTargetRows(t, []targetRow{
		{"docker exec c sh -c 'echo x > /f'", nil},
		{"docker exec c rm -rf /x > log", []string{"write /p/log"}},
		{"docker compose exec -T db sh -c 'psql -c \"select 1\" > /tmp/x'", nil},
		{"docker run -v /:/m img rm -rf /m", nil},
		{"kubectl exec p -- tee /x < f", []string{"read /p/f"}},
		{"ssh h 'cat > f' < g 2> e", []string{"write /p/e", "read /p/g"}},
		{"ssh h <<'E'\nrm -rf x\nE", nil},
		{"tar cf - d | ssh h tar xf - -C /x", []string{"read /p/d **"}},
		{"ssh h python3 - <<'E'\nopen('f','w')\nE", nil},
	})
}

func TestQuotedTextIsNoTarget(t *testing.T) {
	runTargetRows(t, []targetRow{
		{`echo "rm x > y"; printf '%s > f'; git commit -m "a > b"`, nil},
		{"grep 'a > b' f", []string{"read /p/f"}},
		{"cat <<'E'\n$(touch g) > f\nE", nil},
		{"# rm x > y", nil},
		{"rm() { :; }; rm -rf /", nil},
	})
}

func TestViaNamesTheProgramOrTheRedirection(t *testing.T) {
	for text, want := range map[string]string{
		"echo > f": "redirect", "sudo /bin/rm f": "rm", "python3 -c \"open('f','w')\"": "python3", "git restore f": "git",
		"npx prettier --write f": "prettier",
	} {
		writes := shell.Read(text, inProject).Writes
		if len(writes) != 1 || writes[0].Via != want {
			t.Errorf("%s: want one target via %s, got %+v", text, want, writes)
		}
	}
}

func TestRawIsThePathAsWritten(t *testing.T) {
	for text, want := range map[string]string{
		"rm a/../b": "a/../b", "rm ~/x": "~/x", "rm $HOME/x": "$HOME/x", "rm 'a b'": "a b", "curl --output=f x": "f", "dd of=f": "f",
	} {
		if got := shell.Read(text, inProject).Writes[0].Raw; got != want {
			t.Errorf("%s: want %q, got %q", text, want, got)
		}
	}
}

func TestWithoutADirectoryOnlyAbsolutePathsAreKnown(t *testing.T) {
	effects := shell.Read("rm a /b ~/c; tee > $PWD/d", shell.Context{})
	want := []string{"delete ?a", "delete /b", "delete ?~/c", "write ?$PWD/d"}
	if diff := cmp.Diff(want, showTargets(effects)); diff != "" {
		t.Error(diff)
	}
}
