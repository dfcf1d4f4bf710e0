package shell

import (
	"path/filepath"
	"strings"

	"github.com/claudewatch/claudewatch/internal/script"
)

// cmdletFile says which parameter of a PowerShell command is a file, and what is done
// to it.
type cmdletFile struct {
	op string
	// position is that of the parameter among those without a name, from 1; 0 when it
	// must be named, -1 for all of them.
	position int
	// names are the names of the parameter, in lower case.
	names string
}

// The parameters that most commands share.
const (
	cmdletPath        = "-path -literalpath -pspath -lp"
	cmdletFilePath    = "-filepath -literalpath -path"
	cmdletDestination = "-destination -destinationpath"
)

// cmdlets holds the commands of PowerShell that use files, by name in lower case.
// https://learn.microsoft.com/powershell/module/microsoft.powershell.management
var cmdlets = table[[]cmdletFile]{
	{"set-content", []cmdletFile{{opWrite, 1, cmdletPath}}},
	{"add-content", []cmdletFile{{opAppend, 1, cmdletPath}}},
	{"clear-content", []cmdletFile{{opWrite, -1, cmdletPath}}},
	{"out-file", []cmdletFile{{opWrite, 1, cmdletFilePath}}},
	{"tee-object", []cmdletFile{{opWrite, 1, cmdletFilePath}}},
	{"export-csv", []cmdletFile{{opWrite, 1, cmdletPath}}},
	{"export-clixml", []cmdletFile{{opWrite, 1, cmdletPath}}},
	{"new-item", []cmdletFile{{opCreate, 1, "-path"}}},
	{"mkdir", []cmdletFile{{opCreate, -1, "-path"}}},
	{"remove-item", []cmdletFile{{opDelete, -1, cmdletPath}}},
	{"move-item", []cmdletFile{{opDelete, 1, cmdletPath}, {opWrite, 2, cmdletDestination}}},
	{"rename-item", []cmdletFile{{opDelete, 1, cmdletPath}, {opWrite, 2, "-newname"}}},
	{"copy-item", []cmdletFile{{opRead, 1, cmdletPath}, {opWrite, 2, cmdletDestination}}},
	{"get-content", []cmdletFile{{opRead, -1, cmdletPath}}},
	{"import-csv", []cmdletFile{{opRead, 1, cmdletPath}}},
	{"select-string", []cmdletFile{{opRead, 2, cmdletPath}}},
	{"get-filehash", []cmdletFile{{opRead, -1, cmdletPath}}},
	{"set-acl", []cmdletFile{{opMode, 1, cmdletPath}}},
	{"set-itemproperty", []cmdletFile{{opMode, 1, cmdletPath}}},
	{"invoke-webrequest", []cmdletFile{{opWrite, 0, "-outfile"}, {opRead, 0, "-infile"}}},
	{"invoke-restmethod", []cmdletFile{{opWrite, 0, "-outfile"}, {opRead, 0, "-infile"}}},
	{"start-bitstransfer", []cmdletFile{{opWrite, 2, cmdletDestination}}},
	{"expand-archive", []cmdletFile{{opRead, 1, cmdletPath}, {opWrite, 2, cmdletDestination}}},
	{"compress-archive", []cmdletFile{{opRead, 1, cmdletPath}, {opWrite, 2, cmdletDestination}}},
}

// cmdletAliases are short names of cmdlets.
var cmdletAliases = table[string]{
	{"sc", "set-content"}, {"ac", "add-content"}, {"clc", "clear-content"}, {"tee", "tee-object"}, {"epcsv", "export-csv"}, {"ni", "new-item"}, {"md", "mkdir"},
	{"ri", "remove-item"}, {"rm", "remove-item"}, {"del", "remove-item"}, {"erase", "remove-item"}, {"rd", "remove-item"}, {"rmdir", "remove-item"},
	{"mi", "move-item"}, {"mv", "move-item"}, {"move", "move-item"}, {"rni", "rename-item"}, {"ren", "rename-item"},
	{"ci", "copy-item"}, {"cpi", "copy-item"}, {"cp", "copy-item"}, {"copy", "copy-item"}, {"gc", "get-content"}, {"cat", "get-content"}, {"type", "get-content"},
	{"ipcsv", "import-csv"}, {"sls", "select-string"}, {"sp", "set-itemproperty"}, {"iwr", "invoke-webrequest"}, {"irm", "invoke-restmethod"}, {"wget", "invoke-webrequest"}, {"curl", "invoke-webrequest"},
}

// cmdletValues are parameters with a value that is no file.
var cmdletValues = "-value -inputobject -encoding -itemtype -type -name -target -filter -include -exclude -stream -delimiter -pattern -totalcount -tail -first -last -width -credential -uri -method -body -headers -useragent -timeoutsec -contenttype -newname -aclobject -algorithm -compressionlevel -depth -source -readcount -erroraction -ea -errorvariable"

// cmdletTargets lists the files of a PowerShell command, and reports whether it is
// one that is known.
func (u *fileUser) cmdletTargets() bool {
	name := strings.ToLower(u.command.Program)
	if full := cmdletAliases.of(name); full != "" {
		name = full
	}
	files := cmdlets.of(name)
	if files == nil {
		return false
	}
	named, positional := u.parameters(files)
	several := 0 // sources in front of a destination, which the parser does not keep together
	if len(files) > 1 && files[1].names == cmdletDestination && len(positional) > 2 && len(named) == 0 {
		several = len(positional) - 2
	}
	recursive, appends := false, false
	for _, f := range u.words {
		word := strings.ToLower(f.text)
		if strings.HasPrefix(word, "-whatif") {
			return true
		}
		recursive = recursive || len(word) > 1 && strings.HasPrefix("-recurse", word) || word == "-rf" || word == "-fr"
		appends = appends || len(word) > 1 && strings.HasPrefix("-append", word)
	}
	taken := 0 // positions whose parameter is given by name
	for _, file := range files {
		op := file.op
		if op == opWrite && appends {
			op = opAppend
		}
		if values := named[file.names]; len(values) > 0 {
			if file.position > 0 {
				taken++
			}
			for _, f := range values {
				u.addCmdletFile(op, f, recursive)
			}
			continue
		}
		switch at := file.position - taken; {
		case file.position < 0:
			for _, f := range positional {
				u.addCmdletFile(op, f, recursive)
			}
		case several > 0 && at == 1:
			for _, f := range positional[:several+1] {
				u.addCmdletFile(op, f, recursive)
			}
		case at > 0 && at+several <= len(positional):
			u.addCmdletFile(op, positional[at+several-1], recursive)
		}
	}
	return true
}

// parameters sorts the words of a command: the values of the parameters that are
// files, by the names of these, and the words without a parameter.
func (u *fileUser) parameters(files []cmdletFile) (named map[string][]field, positional []field) {
	named = map[string][]field{}
	for i := 0; i < len(u.words); i++ {
		word := u.words[i]
		if len(word.text) < 2 || word.text[0] != '-' || word.text[1] >= '0' && word.text[1] <= '9' {
			positional = append(positional, word)
			continue
		}
		parameter, attached, isAttached := strings.Cut(strings.ToLower(word.text), ":")
		names := parameterOf(files, parameter)
		switch {
		case isAttached && names != "":
			named[names] = append(named[names], behind(word, len(word.text)-len(attached)))
		case isAttached:
		case names != "" && i+1 < len(u.words):
			i++
			named[names] = append(named[names], u.words[i])
		case isParameterOf(cmdletValues, parameter):
			i++
		}
	}
	return named, positional
}

// parameterOf returns the names of the file parameter that a word is, or is the
// beginning of; "" when it is none.
func parameterOf(files []cmdletFile, word string) string {
	for _, file := range files {
		if isParameterOf(file.names, word) {
			return file.names
		}
	}
	return ""
}

func isParameterOf(names, word string) bool {
	for name := range strings.FieldsSeq(names) {
		if len(word) > 1 && strings.HasPrefix(name, word) {
			return true
		}
	}
	return false
}

// addCmdletFile lists a file that a PowerShell word names.
func (u *fileUser) addCmdletFile(op string, f field, recursive bool) {
	f, ok := u.walk.cmdletField(f, u.call.env)
	if !ok {
		return
	}
	u.walk.addTarget(target{op: op, via: u.command.Program, dir: u.dir, field: f, recursive: recursive, switches: u.call.env.switches})
}

// cmdletField returns a word of PowerShell as a path. ok is false when it names no
// file: $null, and what other providers hold, as Env:PATH.
func (w *walk) cmdletField(f field, env *environment) (_ field, ok bool) {
	name := strings.ReplaceAll(f.text, `\`, "/")
	lower := strings.ToLower(name)
	if lower == "$null" || lower == "nul" || lower == "" {
		return f, false
	}
	unknown := field{value: value{text: f.text}}
	for _, prefix := range []struct{ text, path string }{
		{"~", w.context.Home}, {"$home", w.context.Home}, {"${home}", w.context.Home}, {"$env:home", w.context.Home}, {"$env:userprofile", w.context.Home},
		{"$pwd", env.dir}, {"${pwd}", env.dir},
	} {
		rest, found := strings.CutPrefix(lower, prefix.text)
		if !found || rest != "" && rest[0] != '/' {
			continue
		}
		if prefix.path == "" {
			return unknown, true
		}
		name = prefix.path + name[len(prefix.text):]
		break
	}
	if provider, _, found := strings.Cut(name, ":"); found && !strings.ContainsAny(provider, "/$") {
		if len(provider) > 1 {
			return f, strings.EqualFold(provider, "filesystem")
		}
		if !filepath.IsAbs(name) { // a drive, where there are none
			return unknown, true
		}
	}
	if strings.ContainsAny(name, "$`") || strings.IndexByte("({@[", name[0]) >= 0 {
		return unknown, true
	}
	out := literalField(name)
	out.text = f.text
	return out, true
}

// cmdletRedirects lists the files that the redirections of a PowerShell command write.
func (w *walk) cmdletRedirects(s script.Statement, env *environment, p place) {
	if p.remote {
		return
	}
	for _, r := range s.Redirects {
		operator, name, _ := strings.Cut(r, " ")
		op := opWrite
		if strings.HasSuffix(operator, ">>") {
			op = opAppend
		}
		if f, ok := w.cmdletField(literalField(name), env); ok {
			w.addTarget(target{op: op, via: "redirect", dir: env.dir, field: f, switches: env.switches})
		}
	}
}

// cmdletLocation follows a PowerShell command that changes the directory. Blocks are
// not told apart: in a text that has one, nobody knows where it is afterwards.
func (w *walk) cmdletLocation(s script.Statement, text string, env *environment) {
	switch strings.ToLower(s.Words[0]) {
	case "cd", "chdir", "sl", "set-location", "push-location", "pushd":
		to := field{}
		for _, word := range s.Words[1:] {
			if !strings.HasPrefix(word, "-") {
				to, _ = w.cmdletField(literalField(word), env)
			}
		}
		env.dir = locate(env.dir, to).path
		if strings.Contains(text, "{") {
			env.dir = ""
		}
	case "pop-location", "popd":
		env.dir = ""
	}
}
