package script

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func runTable(t *testing.T, language string, cases []textCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(strings.ReplaceAll(c.behaviour, " ", "_"), func(t *testing.T) {
			if diff := cmp.Diff(c.want, ShellTexts(language, c.code)); diff != "" {
				t.Errorf("%s\n%s", c.code, diff)
			}
		})
	}
}

// hostile are the texts whose reading would be slow, or deep, in a careless reader.
var hostile = []string{
	"(", "[", "{", "f'{", "f\"{", "`${", "\"#{", "os.system(", "system ", "system x, ", "system(", "`", "'", "\"", "\\", "/", "[/", "<<A\n", "%q(", "<<~'A';",
	"os.system([", "x=", "{0", "%(", "$(", "@'\n", "@\"\n", "iex '", "&", "| iex ", "'a' + ", "'%(' % x ", "'{'.format() ", "if (", "a ? ", "s/", "y ", "=begin\n", "=pod\n",
	"from x import a, ", "getattr(", "import(", "from ", "import ", "const {a} = ", "require(", "exec(`${", "qx{", "qw(", "/*", "<#", "\"`", "\"$(", "%w[", "?", "$", "#{", ".", "a.", "[x,", "-f ", "{|",
}

func TestHostileTextTakesBoundedTime(t *testing.T) {
	const size = 200_000
	for _, language := range []string{Python, Node, Ruby, Perl, PHP, PowerShell} {
		for _, unit := range hostile {
			for _, suffix := range []string{"", " 'x'"} {
				code := strings.Repeat(unit, size/len(unit)) + suffix
				start := time.Now()
				ShellTexts(language, code)
				if took := time.Since(start); took > 3*time.Second {
					t.Errorf("%s: %q repeated took %v", language, unit, took)
				}
			}
		}
	}
}
