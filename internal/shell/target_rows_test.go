package shell_test

import "testing"

func TestProgramsOfTheTableShowFiles(t *testing.T) {
	runTargetRows(t, []targetRow{
		{"zstdcat a b", []string{"read /p/a", "read /p/b"}},
		{"pv -L 1m a", []string{"read /p/a"}},
		{"lpr -P office a", []string{"read /p/a"}},
		{"enscript -p x.ps a", []string{"write /p/x.ps", "read /p/a"}},
		{"xzgrep -n word a", []string{"read /p/a"}},
		{"zdiff a b", []string{"read /p/a", "read /p/b"}},
		{"xclip -sel clipboard a", []string{"read /p/a"}},
		{"logger -f a", []string{"read /p/a"}},
		{"uuencode a name", []string{"read /p/a"}},
		{"sops -d a.yaml", []string{"read /p/a.yaml"}},
		{"sops decrypt a.yaml", []string{"read /p/a.yaml"}},
		{"ansible-vault view a.yml", []string{"read /p/a.yml"}},
		{"ansible-vault encrypt_string x", nil},
		{"gh release upload v1 a b", []string{"read /p/a", "read /p/b"}},
		{"openssl dgst -sha256 a", []string{"read /p/a"}},
		{"echo zstdcat a", nil},
	})
}

func TestProgramsOfTheTableChangeFiles(t *testing.T) {
	runTargetRows(t, []targetRow{
		{"ed -s a", []string{"write /p/a", "read /p/a"}},
		{"vim -es -c wq a", []string{"write /p/a"}},
		{"vim a", nil},
		{"ar rcs x.a b.o", []string{"write /p/x.a", "read /p/b.o"}},
		{"ar -rcs x.a b.o", []string{"write /p/x.a", "read /p/b.o"}},
		{"ar t x.a", []string{"read /p/x.a"}},
		{"unrar x a.rar", []string{"write /p **", "read /p/a.rar"}},
		{"unrar x a.rar d", []string{"write /p/d **", "read /p/a.rar"}},
		{"cpio -id -D d", []string{"write /p/d **"}},
		{"rclone copy remote: d", []string{"write /p/d **"}},
		{"rclone copy d remote:", []string{"read /p/d **"}},
		{"hg clone url d", []string{"create /p/d"}},
		{"qrencode -o x.png text", []string{"write /p/x.png"}},
		{"pdftoppm a.pdf x", []string{"write /p/x", "read /p/a.pdf"}},
		{"cargo build --target-dir /t", []string{"write /p **", "write /t **"}},
		{"meson setup b", []string{"write /p/b **"}},
		{"meson compile -C b", []string{"write /p/b **"}},
		{"npx create-react-app a", []string{"create /p/a"}},
		{"npm pack --pack-destination /t", []string{"write /p **", "write /t"}},
		{"sudo update-alternatives --install /usr/bin/x x /opt/x 1", []string{"write /usr/bin/x"}},
	})
}

func TestWhatIsTakenBackIsWritten(t *testing.T) {
	runTargetRows(t, []targetRow{
		{"claudewatch changes restore --at 1h a d", []string{"write /p/a **", "write /p/d **"}},
		{"sudo /opt/claudewatch --no-color changes restore a --at 1h", []string{"write /p/a **"}},
		{"go run ./cmd/claudewatch changes restore --at 1h a", []string{"write /p/a **", "read /p/cmd/claudewatch"}},
		{"go run github.com/claudewatch/claudewatch/cmd/claudewatch@latest changes restore --at=1h -- a", []string{"write /p/a **", "read /p/github.com/claudewatch/claudewatch/cmd/claudewatch@latest"}},
		{"cd cmd/claudewatch && go run . changes restore a", []string{"write /p/cmd/claudewatch/a **", "read /p/cmd/claudewatch"}},
		{"claudewatch changes undo id", []string{"write ? **"}},
		{"claudewatch changes restore a --dry-run", nil},
		{"claudewatch changes restore a --dry-run=false", []string{"write /p/a **"}},
		{"claudewatch changes restore a --at --dry-run", []string{"write /p/a **"}},
		{"claudewatch changes undo id --dry-run", nil},
		{"claudewatch changes show id; claudewatch changes list; claudewatch changes blame a; claudewatch restore a", nil},
	})
}
