package script

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func runTable(t *testing.T, language string, cases []textCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(strings.ReplaceAll(c.behaviour, " ", "_"), func(t *testing.T) {
			if diff := cmp.Diff(c.want, Read(language, c.code).ShellTexts()); diff != "" {
				t.Errorf("%s\n%s", c.code, diff)
			}
		})
	}
}

// hostile are the texts whose reading would be slow, or deep, in a careless reader.
var hostile = []string{
	"(", "[", "{", "f'{", "f\"{", "`${", "\"#{", "os.system(", "system ", "system x, ", "system(", "`", "'", "\"", "\\", "/", "[/", "<<A\n", "%q(", "<<~'A';",
	"os.system([", "x=", "{0", "%(", "$(", "@'\n", "@\"\n", "iex '", "&", "| iex ", "'a' + ", "'%(' % x ", "'{'.format() ", "if (", "a ? ", "s/", "y ", "=begin\n", "=pod\n",
	"from x import a, ", "getattr(", "promisify(", "import('child_process').then({", "a = b\nb = a\n", "system a\na = 'b'\n", "(){", "x = [", "import(", "from ", "import ", "const {a} = ", "require(", "exec(`${", "qx{", "qw(", "/*", "<#", "\"`", "\"$(", "%w[", "?", "$", "#{", ".", "a.", "[x,", "-f ", "{|",
	"def f(x): ", "def f(x):\n ", "def f(", "function f(a){f(a)}", "function f(a){", "f = (a) => f(a);", "f = a => ", "def f(a): f(a)\nf('x')\n", "x.append('a')\n", "x += 'a'\n", "x = ['a']\nx.push(x, ", "a.b(", "def f(a, *b): os.system(a + b)\nf('x', 'y')\n",
}

func TestHostileTextTakesBoundedTime(t *testing.T) {
	const size, limit = 200_000, time.Minute // reading in quadratic time takes more
	for language := range languages {
		for _, unit := range hostile {
			start := time.Now()
			readEverything(language, strings.Repeat(unit, size/len(unit))+" 'x'")
			if took := time.Since(start); took >= limit {
				t.Errorf("%s: %q repeated took %v", language, unit, took)
			}
		}
	}
}

func TestCodeOfAnUnknownLanguageStartsNothing(t *testing.T) {
	for _, language := range []string{"", Shell, "cobol"} {
		if got := Read(language, "os.system('ls'); system('ls'); `ls`").ShellTexts(); got != nil {
			t.Errorf("%q: %q", language, got)
		}
	}
}

func TestShellTextIsValidUTF8(t *testing.T) {
	want := []string{"ls \uFFFD ä"}
	if got := Read(Python, "os.system('ls \xff ä')").ShellTexts(); len(got) != 1 || got[0] != want[0] {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestConstantsThatHoldEachOtherTakeBoundedSpace(t *testing.T) {
	var code strings.Builder
	code.WriteString("a0 = ['" + strings.Repeat("x", 1000) + "']\n")
	for i := range 20 {
		name, before := fmt.Sprintf("a%d", i+1), fmt.Sprintf("a%d", i)
		fmt.Fprintf(&code, "%s = [*%s, *%s, *%s]\n", name, before, before, before)
	}
	code.WriteString(strings.Repeat("f\"{os.system(' '.join(a9))}{os.system(' '.join(a20))}\"\n", 1000))
	size := 0
	for _, text := range Read(Python, code.String()).ShellTexts() {
		size += len(text)
	}
	if limit := 1000 * code.Len(); size > limit {
		t.Errorf("%d bytes of shell text from %d bytes of code", size, code.Len())
	}
}

func BenchmarkShellTexts(b *testing.B) {
	for language, unit := range map[string]string{
		Python:     "def f(self, path):\n    \"\"\"Doc.\"\"\"\n    x = self.run(f'{path}/a', key=[1, 2, 3])  # why\n    os.makedirs(path, exist_ok=True)\n    return x\n\nos.system('ls')\n",
		Node:       "function f(path) {\n  // why\n  const x = this.run(`${path}/a`, {key: [1, 2, 3]});\n  fs.mkdirSync(path, {recursive: true});\n  return x / 2;\n}\nexecSync('ls');\n",
		Ruby:       "def f(path)\n  # why\n  x = run(\"#{path}/a\", key: [1, 2, 3])\n  FileUtils.mkdir_p path\n  x / 2\nend\nsystem 'ls'\n",
		PowerShell: "function F($path) {\n  # why\n  $x = Run-It \"$path/a\" -Key 1, 2, 3 | Sort-Object\n  New-Item -Path $path\n  return $x / 2\n}\n",
	} {
		code := strings.Repeat(unit, 1_000_000/len(unit))
		b.Run(language, func(b *testing.B) {
			b.SetBytes(int64(len(code)))
			b.ReportAllocs()
			for b.Loop() {
				Read(language, code).ShellTexts()
			}
		})
	}
}

// readEverything reads code and all that it can be asked.
func readEverything(language, code string) {
	p := Read(language, code)
	p.ShellTexts()
	for _, c := range p.Calls() {
		c.Keywords()
		c.Arguments()
		c.Receiver()
	}
}
