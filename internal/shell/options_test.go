package shell_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOptionsAreReadAsTheirProgramReadsThem(t *testing.T) {
	for text, want := range map[string]struct{ subcommand, options, operands string }{
		// Clusters and values.
		"rm -rf a -v b":                   {"", "-r -f -v", "a b"},
		"rm -rf -- -x":                    {"", "-r -f", "-x"},
		"rm --recursive --force /":        {"", "--recursive --force", "/"},
		"x --a=b -c=d -efg --h i -":       {"", "--a=b -c=d -e -f -g --h", "i -"},
		"kill -9 -1":                      {"", "-9 -1", ""},
		"head -20 f":                      {"", "-20", "f"},
		"curl -so f url":                  {"", "-s -o=f", "url"},
		"curl -fsSLof url -X POST":        {"", "-f -s -S -L -o=f -X=POST", "url"},
		"wget -qO- url":                   {"", "-q -O=-", "url"},
		"tar xzf a.tar -C /etc b":         {"", "-x -z -f=a.tar -C=/etc", "b"},
		"tar -xzf a.tar --directory=/etc": {"", "-x -z -f=a.tar --directory=/etc", ""},
		"sed -i.bak -e s/a/b/ f":          {"", "-i=.bak -e=s/a/b/", "f"},
		"sed -i s/a/b/ f":                 {"", "-i", "s/a/b/ f"},
		"chmod --reference=a b":           {"", "--reference=a", "b"},
		"chmod a+rwx f":                   {"", "", "a+rwx f"},
		"cp -t /etc a":                    {"", "-t=/etc", "a"},
		"make -j8 -C x all":               {"", "-j=8 -C=x", "all"},
		"grep -rn -e a -A3 b":             {"", "-r -n -e=a -A=3", "b"},
		"perl -pi -0777ne s/a/b/ f":       {"", "-p -i -0=777 -n -e=s/a/b/", "f"},
		"dd if=a of=b":                    {"", "", "if=a of=b"},
		`rm -rf"$X" y`:                    {"", `-r -f="$X"`, "y"},
		"awk -F: -v a=b '{print}' f":      {"", "-F=: -v=a=b", "{print} f"},
		// Abbreviations.
		"rm --recur --forc x":     {"", "--recursive --force", "x"},
		"chmod --recu 777 x":      {"", "--recursive", "777 x"},
		"git push --mir":          {"push", "--mirror", "push"},
		"git push --forc":         {"push", "--forc", "push"},
		"git push --force-w":      {"push", "--force-with-lease", "push"},
		"git push --force":        {"push", "--force", "push"},
		"git reset --har":         {"reset", "--hard", "reset"},
		"kubectl delete pod --al": {"delete", "--al", "delete pod"},
		// One dash, one option.
		"find . -name x -delete":            {"", "-name=x -delete", "."},
		"terraform destroy -auto-approve":   {"destroy", "-auto-approve", "destroy"},
		"terraform -chdir=x apply -var a=b": {"apply", "-chdir=x -var=a=b", "apply"},
		"go build -race -o x ./...":         {"build", "-race -o=x", "build ./..."},
		"go test -run X ./a":                {"test", "-run=X", "test ./a"},
		"java -jar a.jar -x":                {"", "-jar=a.jar -x", ""},
		"nuget install X -Version 1":        {"install", "-Version=1", "install X"},
		"ildasm /out=foo.il Foo.dll":        {"", "", "/out=foo.il Foo.dll"},
		// Subcommands behind global options.
		"git -C r -c a=b --git-dir=x push -f":  {"push", "-C=r -c=a=b --git-dir=x -f", "push"},
		"git --work-tree x -P status":          {"status", "--work-tree=x -P", "status"},
		"git commit -am 'x -f' --author 'a b'": {"commit", "-a -m=x -f --author=a b", "commit"},
		"git push -o ci.skip origin +main":     {"push", "-o=ci.skip", "push origin +main"},
		"git checkout -b x -- .":               {"checkout", "-b=x", "checkout ."},
		"git clean -xfd -e a":                  {"clean", "-x -f -d -e=a", "clean"},
		"git branch -u o/x -D y":               {"branch", "-u=o/x -D", "branch y"},
		"git stash drop stash@{0}":             {"stash", "", "stash drop stash@{0}"},
		"git log -n5 -S 'rm -rf' --oneline":    {"log", "-n=5 -S=rm -rf --oneline", "log"},
		"git --version":                        {"", "--version", ""},
		"docker -H x --context y rm -f z":      {"rm", "-H=x --context=y -f", "rm z"},
		"docker run --rm -e A=1 img -f":        {"run", "--rm -e=A=1", "run img -f"},
		"docker compose -f x.yml down -v":      {"compose", "-f=x.yml -v", "compose down"},
		"docker system prune -af":              {"system", "-a -f", "system prune"},
		"kubectl -n x delete pod --all":        {"delete", "-n=x --all", "delete pod"},
		"kubectl delete -n x ns y":             {"delete", "-n=x", "delete ns y"},
		"aws --profile p s3 rm s3://b --quiet": {"s3", "--profile=p --quiet", "s3 rm s3://b"},
		"aws ec2 --region r delete-vpc":        {"ec2", "--region=r", "ec2 delete-vpc"},
		"npm --prefix x install -g y":          {"install", "--prefix=x -g", "install y"},
		"npm run x -- -f":                      {"run", "", "run x -f"},
		"pnpm -C x add y":                      {"add", "-C=x", "add y"},
		"cargo +nightly build -p x":            {"build", "+nightly -p=x", "build"},
		"pip install -r r.txt --user":          {"install", "-r=r.txt --user", "install"},
		"pip3.11 install x":                    {"install", "", "install x"},
		"gh pr create -t x -b 'y z'":           {"pr", "-t=x -b=y z", "pr create"},
		"helm -n x uninstall y":                {"uninstall", "-n=x", "uninstall y"},
		"systemctl --user stop x":              {"stop", "--user", "stop x"},
		"apt-get -y install x":                 {"install", "-y", "install x"},
		// What follows a script is the script's.
		"python3 -u x.py -c y": {"", "-u", "x.py -c y"},
		"bash -x x.sh -f":      {"", "-x", "x.sh -f"},
		"node -r a x.js --b":   {"", "-r=a", "x.js --b"},
		"ssh -p 22 h ls -la":   {"", "-p=22", "h ls -la"},
		"npx -y x --z":         {"", "-y", "x --z"},
	} {
		c := read(text).Commands[0]
		var options []string
		for _, o := range c.Options {
			if o.Value != "" {
				o.Name += "=" + o.Value
			}
			options = append(options, o.Name)
		}
		got := []string{c.Subcommand, strings.Join(options, " "), strings.Join(c.Operands, " ")}
		if diff := cmp.Diff([]string{want.subcommand, want.options, want.operands}, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", text, diff)
		}
	}
}

func TestFlagsInAWordWithAnUnknownPart(t *testing.T) {
	c := read(`rm -rf$X`).Commands[0]
	if got := c.Flags(); !slices.Equal(got, []string{"-r", "-f"}) {
		t.Errorf("flags %q", got)
	}
}
