package shell_test

import (
	"testing"

	"github.com/claudewatch/claudewatch/internal/shell"
	"github.com/google/go-cmp/cmp"
)

func TestFilesOfScriptsThatRun(t *testing.T) {
	runTargetRows(t, []targetRow{
		{`python3 -c "open('/etc/passwd','w').write('x')"`, []string{"write /etc/passwd"}},
		{"python3 - <<'E'\nopen('f','w').write('x')\nopen(p, 'a')\nE", []string{"write /p/f", "append ?p"}},
		{"cd d && python3 -c \"open('f','w')\"", []string{"write /p/d/f"}},
		{"cat <<'E' | python3\nopen('f','w')\nE", []string{"write /p/f"}},
		{`python3 -c "open('$F/x','w')"`, []string{"write ?'$F/x'"}},
		{`python3 -c "open('$HOME/x','w')"`, []string{"write /h/x"}},
		{`F=y; python3 -c "open('$F','w')"`, []string{"write /p/y"}},
		{`python3 -c "import os; open(os.path.expanduser('~/x'),'w'); os.remove('a[1]*')"`, []string{"write /h/x", "delete /p/a[1]*"}},
		{`python3 -c "import os; os.chdir('/x'); open('f','w'); open('/g','w')"`, []string{"write ?'f'", "write /g"}},
		{`python3 -c "import os; os.system('rm f')"`, []string{"delete /p/f"}},
		{`python3 script.py`, nil},
		{`node -e 'require("fs").rmSync("/", {recursive: true})'`, []string{"delete / **"}},
		{`ruby -e 'File.delete("f")'`, []string{"delete /p/f"}},
		{`perl -e 'unlink "f"; open(F, ">g")'`, []string{"delete /p/f", "write /p/g"}},
		{`echo "open('f','w')"`, nil},
		{"cat > s.py <<'E'\nopen('f','w')\nE", []string{"write /p/s.py"}},
	})
}

func TestFilesOfPowerShellCommands(t *testing.T) {
	for _, row := range []targetRow{
		{"Set-Content -Path f -Value x", []string{"write /p/f"}},
		{"Set-Content f x", []string{"write /p/f"}},
		{"'x' | set-content f", []string{"write /p/f"}},
		{"Add-Content -Value x -LiteralPath f", []string{"append /p/f"}},
		{"ls | Out-File f; ls | Out-File -Append -FilePath g", []string{"write /p/f", "append /p/g"}},
		{"New-Item -ItemType Directory -Path d; ni f; mkdir e", []string{"create /p/d", "create /p/f", "create /p/e"}},
		{"Remove-Item -Recurse -Force d", []string{"delete /p/d **"}},
		{"Remove-Item a,b; del c; rm -rf d", []string{"delete /p/a", "delete /p/b", "delete /p/c", "delete /p/d **"}},
		{"Remove-Item f -WhatIf", nil},
		{"Move-Item a b; Move-Item c,d e", []string{"delete /p/a", "write /p/b", "delete /p/c", "delete /p/d", "write /p/e"}},
		{"Copy-Item -Destination b -Path a", []string{"write /p/b", "read /p/a"}},
		{"Copy-Item a -Dest b", []string{"write /p/b", "read /p/a"}},
		{"Rename-Item a b", []string{"delete /p/a", "write /p/b"}},
		{"ls > f; ls 2>> g; ls > $null; ls 2>&1", []string{"write /p/f", "append /p/g"}},
		{"Get-Content f | Select-String x", []string{"read /p/f"}},
		{"Invoke-WebRequest https://x -OutFile f", []string{"write /p/f"}},
		{`Remove-Item ~\a; Remove-Item $HOME/b; Remove-Item "$env:USERPROFILE\c"`, []string{"delete /h/a", "delete /h/b", "delete /h/c"}},
		{`Remove-Item $x\a; Remove-Item (Get-X); Remove-Item C:\a`, []string{`delete ?$x\a`, "delete ?(Get-X)", `delete ?C:\a`}},
		{"Remove-Item Env:PATH", nil},
		{"cd d; Set-Content f x", []string{"write /p/d/f"}},
		{"Set-Location $x; Set-Content f x", []string{"write ?f"}},
		{"if ($x) { cd d }; Set-Content f x", []string{"write ?f"}},
		{"Write-Output 'Set-Content f x'", nil},
		{"git commit -m x > f", []string{"write /p/f"}},
	} {
		if diff := cmp.Diff(row.want, showTargets(shell.ReadPowerShell(row.text, inProject))); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", row.text, diff)
		}
	}
	if diff := cmp.Diff([]string{"write /p/f"}, showTargets(shell.Read("pwsh -c 'Set-Content f x'", inProject))); diff != "" {
		t.Error(diff)
	}
}
