//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package scan

import (
	"io"

	"golang.org/x/sys/unix"
)

// system is the file system of the machine. Everything below a root is reached from
// the descriptor of the directory that holds it: no link that appears on the way can
// lead out of the root, and no path is too long.
type system struct{}

// The bounds of open directories, whatever the limit of the process.
const (
	minHandles = 64
	maxHandles = 8192
)

func (system) handles() int {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return minHandles
	}
	return int(min(max(limit.Cur/4, minHandles), maxHandles))
}

func (system) openRoot(path string) (folder, error) {
	fd, err := openAt(unix.AT_FDCWD, path, unix.O_DIRECTORY)
	return descriptor(fd), err
}

// descriptor is an open directory.
type descriptor int

func (d descriptor) close() { unix.Close(int(d)) }

func (d descriptor) openFolder(name string) (folder, error) {
	fd, err := openAt(int(d), name, unix.O_DIRECTORY|unix.O_NOFOLLOW)
	if err == unix.ENOTDIR || err == unix.ELOOP {
		err = errReplaced
	}
	return descriptor(fd), err
}

func (d descriptor) openFile(name string) (file, error) {
	fd, err := openAt(int(d), name, unix.O_NOFOLLOW|unix.O_NONBLOCK)
	if err == unix.ELOOP || err == unix.ENXIO { // a link, a socket
		err = errReplaced
	}
	return openedFile(fd), err
}

func (d descriptor) state(l *listing, i int) (state, error) { return d.stateOf(string(l.name(i))) }

func (d descriptor) stateOf(name string) (state, error) {
	var s unix.Stat_t
	for {
		err := unix.Fstatat(int(d), name, &s, unix.AT_SYMLINK_NOFOLLOW)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return state{}, err
		}
		return stateFrom(&s), nil
	}
}

func (d descriptor) readLink(name string) (string, error) {
	for size := 256; ; size *= 2 {
		buffer := make([]byte, size)
		n, err := unix.Readlinkat(int(d), name, buffer)
		switch {
		case err == unix.EINTR:
		case err == unix.EINVAL:
			return "", errReplaced
		case err != nil:
			return "", err
		case n < size:
			return string(buffer[:n]), nil
		}
	}
}

// openedFile is an open file.
type openedFile int

func (f openedFile) close() { unix.Close(int(f)) }

func (f openedFile) Read(buffer []byte) (int, error) {
	for {
		n, err := unix.Read(int(f), buffer)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return 0, err
		case n == 0 && len(buffer) > 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

func (f openedFile) state() (state, error) {
	var s unix.Stat_t
	for {
		err := unix.Fstat(int(f), &s)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return state{}, err
		}
		return stateFrom(&s), nil
	}
}

// openAt opens a path below a directory for reading.
func openAt(directory int, path string, flags int) (int, error) {
	for {
		fd, err := unix.Openat(directory, path, unix.O_RDONLY|unix.O_CLOEXEC|flags, 0)
		if err != unix.EINTR {
			return fd, err
		}
	}
}

func stateFrom(s *unix.Stat_t) state {
	e := Entry{
		Kind: Other, Perm: uint32(s.Mode) & 0o7777, Size: s.Size,
		ModTime: s.Mtim.Nano(), ChangeTime: s.Ctim.Nano(), Inode: uint64(s.Ino),
	}
	switch s.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		e.Kind = Regular
	case unix.S_IFLNK:
		e.Kind = Symlink
	case unix.S_IFDIR:
		e.Kind = 0
		return state{directory: true, entry: e}
	}
	return state{entry: e}
}
