package shell

import (
	"slices"
	"strings"
)

// copyTargets is for cp, install and ln: the sources are read, the destination is
// written.
func (u *fileUser) copyTargets(use *fileUse) {
	if u.command.Program == "install" && u.has("-d", "--directory") {
		u.addAll(opCreate, u.operands, false)
		return
	}
	sources, destination, inside := u.destination()
	recursive := u.has(use.recursive...)
	u.addAll(opRead, sources, recursive)
	op := opWrite
	if u.command.Program == "ln" || u.command.Program == "link" {
		op = opCreate
		if len(sources) == 0 { // ln FILE makes a link of that name here
			sources, destination, inside = []field{destination}, literalField("."), true
			u.add(opRead, sources[0], false)
		}
	}
	u.addDestination(op, sources, destination, inside, recursive)
}

// moveTargets is for mv: the sources are deleted, the destination is written.
func (u *fileUser) moveTargets(*fileUse) {
	sources, destination, inside := u.destination()
	u.addAll(opDelete, sources, false)
	u.addDestination(opWrite, sources, destination, inside, false)
}

// destination returns the operands that are copied and where to; inside is true when
// that must be a directory. The destination of a command without operands is empty.
func (u *fileUser) destination() (sources []field, destination field, inside bool) {
	if f, ok := u.value("-t", "--target-directory"); ok {
		return u.operands, f, true
	}
	n := len(u.operands)
	if n == 0 {
		return nil, literalField(""), false
	}
	destination = u.operands[n-1]
	return u.operands[:n-1], destination, n > 2 || u.isDirectory(destination)
}

// isDirectory reports whether a word can only name a directory.
func (u *fileUser) isDirectory(f field) bool {
	if !f.known || f.path == "" {
		return false
	}
	name := "/" + f.path
	if strings.HasSuffix(name, "/") || strings.HasSuffix(name, "/.") || strings.HasSuffix(name, "/..") {
		return true
	}
	at := locate(u.dir, f)
	return at.path != "" && !at.glob && (at.path == u.walk.context.Home || at.path == u.dir)
}

// addDestination lists where files are copied to: the destination, and when it is a
// directory the files that they become in it.
func (u *fileUser) addDestination(op string, sources []field, destination field, inside, recursive bool) {
	u.add(op, destination, recursive)
	at := locate(u.dir, destination)
	if !inside || at.path == "" || at.glob {
		return
	}
	for _, f := range sources {
		name := fileNameOf(f.path)
		if !f.known || !f.located || name == "" || globIn(f.path, f) >= 0 {
			continue
		}
		if !u.walk.spendWord(at.path) {
			return
		}
		u.add(op, derived(f, strings.TrimSuffix(at.path, "/")+"/"+name), recursive)
	}
}

// remoteCopyTargets is for scp, rsync, docker cp and kubectl cp, whose operands may
// lie on another machine.
func (u *fileUser) remoteCopyTargets(use *fileUse) {
	n := len(u.operands)
	if n < 2 || u.command.Program == "rsync" && u.has("-n", "--dry-run", "--list-only") {
		return
	}
	recursive := u.has(use.recursive...) || use.deep
	sources, destination := u.operands[:n-1], u.operands[n-1]
	op := opRead
	if u.has("--remove-source-files") {
		op = opDelete
	}
	for _, f := range sources {
		if !u.isRemote(f) {
			u.add(op, f, recursive)
		}
	}
	if u.isRemote(destination) {
		return
	}
	sources = slices.Clone(sources)
	for i, f := range sources {
		if _, name, ok := strings.Cut(f.text, ":"); ok && u.isRemote(f) && f.known {
			sources[i] = derived(f, name)
		}
	}
	u.addDestination(opWrite, sources, destination, u.isDirectory(destination), recursive)
}

// isRemote reports whether an operand lies elsewhere. A pod may have a namespace in
// front: namespace/pod:path.
func (u *fileUser) isRemote(f field) bool {
	if u.command.Program == "kubectl" || u.command.Program == "oc" {
		return strings.Contains(f.text, ":")
	}
	return isRemotePath(f.text)
}

// isRemotePath reports whether an operand names a machine: host:path, host::module
// or a URL. A colon behind a slash belongs to a local name.
func isRemotePath(text string) bool {
	colon := strings.IndexByte(text, ':')
	if colon <= 0 {
		return false
	}
	slash := strings.IndexByte(text, '/')
	return slash < 0 || colon < slash
}
