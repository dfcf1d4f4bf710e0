package shell

import (
	"path"
	"strings"
)

// archiveTargets is for tar and unzip: extracting writes to the directory of -C or
// -d, making an archive writes that.
func (u *fileUser) archiveTargets(*fileUse) {
	if u.command.Program == "unzip" {
		u.unzipTargets()
		return
	}
	archives := u.values("-f", "--file")
	local := archives[:0:0]
	for _, f := range archives {
		if !isRemotePath(f.text) {
			local = append(local, f)
		}
	}
	at := u.dir
	for _, f := range u.values("-C", "--directory") {
		at = locate(at, f).path
	}
	switch {
	case u.has("-x", "--extract", "--get"):
		u.addAll(opRead, local, false)
		if u.has("-O", "--to-stdout", "--to-command") {
			return
		}
		u.dir = at
		if f, ok := u.value("--one-top-level"); ok {
			u.add(opWrite, f, true)
			return
		}
		u.addDir(opWrite, true)
	case u.has("-c", "--create"):
		u.addAll(opWrite, local, false)
		u.dir = at
		op := opRead
		if u.has("--remove-files") {
			op = opDelete
		}
		u.addAll(op, u.operands, true)
	case u.has("-r", "--append", "-u", "--update", "-A", "--catenate", "--concatenate"):
		u.addAll(opAppend, local, false)
	case u.has("--delete"):
		u.addAll(opWrite, local, false)
	case u.has("-t", "--list", "-d", "--diff", "--compare"):
		u.addAll(opRead, local, false)
	}
}

// unzipTargets lists the directory that unzip extracts to.
func (u *fileUser) unzipTargets() {
	if len(u.operands) == 0 {
		return
	}
	u.add(opRead, u.operands[0], false)
	if u.has("-l", "-t", "-p", "-c", "-v", "-Z", "-z") {
		return
	}
	if f, ok := u.value("-d"); ok {
		u.add(opWrite, f, true)
		return
	}
	u.addDir(opWrite, true)
}

// sevenZipTargets is for 7z: a command, an archive and files; -oDIR is where it
// extracts to.
func (u *fileUser) sevenZipTargets(*fileUse) {
	if len(u.operands) < 2 {
		return
	}
	archive := u.operands[1]
	switch u.operands[0].text {
	case "x", "e":
		u.add(opRead, archive, false)
		for _, f := range u.words {
			if strings.HasPrefix(f.text, "-o") && len(f.text) > 2 {
				u.add(opWrite, behind(f, 2), true)
				return
			}
		}
		u.addDir(opWrite, true)
	case "a", "u", "d", "rn":
		u.add(opWrite, archive, false)
		u.addAll(opRead, u.operands[2:], true)
	default:
		u.add(opRead, archive, false)
	}
}

// compressed are the endings of the files that compressing programs make.
var compressed = table[string]{
	{"gzip", ".gz"}, {"gunzip", ".gz"}, {"pigz", ".gz"}, {"unpigz", ".gz"}, {"bzip2", ".bz2"}, {"bunzip2", ".bz2"}, {"xz", ".xz"}, {"unxz", ".xz"},
	{"lzma", ".lzma"}, {"unlzma", ".lzma"}, {"zstd", ".zst"}, {"unzstd", ".zst"}, {"compress", ".Z"}, {"uncompress", ".Z"}, {"lz4", ".lz4"}, {"brotli", ".br"},
}

// compressTargets is for gzip and its like: a file is replaced by one with another
// ending.
func (u *fileUser) compressTargets(*fileUse) {
	ending := compressed.of(u.command.Program)
	if u.has("-c", "--stdout", "--to-stdout", "-l", "--list", "-t", "--test") {
		u.addAll(opRead, u.operands, false)
		return
	}
	original := opDelete
	if u.has("-k", "--keep") || ending == ".zst" && !u.has("--rm") || ending == ".lz4" || ending == ".br" {
		original = opRead
	}
	extracts := strings.HasPrefix(u.command.Program, "un") || strings.HasPrefix(u.command.Program, "gun") || strings.HasPrefix(u.command.Program, "bun") ||
		u.has("-d", "--decompress", "--uncompress")
	recursive := u.has("-r", "--recursive")
	out, named := u.value("-o")
	for _, f := range u.operands {
		u.add(original, f, recursive)
		if named {
			continue
		}
		f.text += ending
		f.path += ending
		if extracts {
			f.text = strings.TrimSuffix(strings.TrimSuffix(f.text, ending), ending)
			f.path = strings.TrimSuffix(strings.TrimSuffix(f.path, ending), ending)
		}
		u.add(opWrite, f, recursive)
	}
	if named {
		u.add(opWrite, out, false)
	}
}

// curlTargets lists what curl writes: the files of -o, those that -O names after the
// last segment of a URL, and a few more; and the files it sends.
func (u *fileUser) curlTargets(*fileUse) {
	for _, f := range u.values("-d", "--data", "--data-ascii", "--data-binary", "--data-urlencode", "--json", "-F", "--form", "-H", "--header") {
		u.addSent(f)
	}
	u.addAll(opRead, u.values("-T", "--upload-file", "-K", "--config", "--netrc-file"), false)
	u.addAll(opWrite, u.values("-D", "--dump-header", "-c", "--cookie-jar", "--trace", "--trace-ascii", "--stderr"), false)
	if dir, ok := u.value("--output-dir"); ok {
		u.dir = locate(u.dir, dir).path
	}
	for _, f := range u.values("-o", "--output") {
		if i := strings.IndexByte(f.text, '#'); i >= 0 && f.known { // #1 is a part of the URL
			f = derived(f, strings.ReplaceAll(f.path, "#", "*"))
			f.quoted = false
		}
		u.add(opWrite, f, false)
	}
	if u.has("-O", "--remote-name", "--remote-name-all") {
		for _, f := range append(u.values("--url"), u.operands...) {
			u.addDownload(f)
		}
		if u.call.fed && len(u.operands) == 0 {
			u.addUnknown(opWrite, "", false)
		}
	}
}

// addSent lists the file that is named behind the @ of a value, as in -d @file and
// -F name=@file or name=<file.
func (u *fileUser) addSent(f field) {
	at := 0
	if !strings.HasPrefix(f.text, "@") {
		at = max(strings.Index(f.text, "=@"), strings.Index(f.text, "=<")) + 1
		if at <= 0 {
			return
		}
	}
	f = behind(f, at+1)
	f.text, _, _ = strings.Cut(f.text, ";")
	f.path, _, _ = strings.Cut(f.path, ";")
	u.add(opRead, f, false)
}

// addDownload lists the file that a URL is stored in when its name is that of the
// URL's last segment; the directory when that does not tell.
func (u *fileUser) addDownload(url field) {
	if !url.known || !url.located {
		u.addDir(opWrite, false)
		return
	}
	address := url.path
	if i := strings.IndexAny(address, "?#"); i >= 0 {
		address = address[:i]
	}
	if _, rest, ok := strings.Cut(address, "://"); ok {
		address = rest
	}
	_, file, _ := strings.Cut(address, "/")
	name := path.Base("/" + file)
	if name == "/" || strings.HasSuffix(file, "/") || strings.ContainsAny(name, "{}[]*") {
		u.addDir(opWrite, false)
		return
	}
	u.addPath(opWrite, name, false)
}

// wgetTargets lists what wget writes: the file of -O, or else what is named after
// the URL, in the directory of -P.
func (u *fileUser) wgetTargets(*fileUse) {
	u.addAll(opRead, u.values("-i", "--input-file", "--post-file", "--body-file", "--load-cookies", "--config"), false)
	u.addAll(opWrite, u.values("-o", "--output-file", "--save-cookies"), false)
	u.addAll(opAppend, u.values("-a", "--append-output"), false)
	if out := u.values("-O", "--output-document"); len(out) > 0 {
		u.addAll(opWrite, out, false)
		return
	}
	if u.has("--spider", "-V", "--version", "-h", "--help") || len(u.operands) == 0 && !u.has("-i", "--input-file") {
		return
	}
	if dir, ok := u.value("-P", "--directory-prefix"); ok {
		u.dir = locate(u.dir, dir).path
	}
	if u.has("-r", "--recursive", "-m", "--mirror", "-p", "--page-requisites", "-x", "-i", "--input-file") || len(u.operands) == 0 {
		u.addDir(opWrite, true)
		return
	}
	for _, f := range u.operands {
		u.addDownload(f)
	}
}
