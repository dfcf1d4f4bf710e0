package scan

import (
	"bytes"
	"encoding/binary"
	"errors"

	"golang.org/x/sys/unix"
)

// listBuffer is how many bytes of a directory are asked for at once.
const listBuffer = 64 << 10

// A linux_dirent64 (getdents(2)): inode 8 bytes, offset 8, length of the record 2,
// type 1, name.
const (
	direntLength = 16
	direntType   = 18
	direntName   = 19
)

var errListing = errors.New("the system listed the directory in a way that is not understood")

func (d descriptor) list(l *listing) error {
	l.reset()
	if l.buffer == nil {
		l.buffer = make([]byte, listBuffer)
	}
	for {
		n, err := unix.Getdents(int(d), l.buffer)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		if n <= 0 {
			return nil
		}
		if err := l.addRecords(l.buffer[:n]); err != nil {
			return err
		}
	}
}

func (l *listing) addRecords(records []byte) error {
	for len(records) > 0 {
		if len(records) < direntName {
			return errListing
		}
		length := int(binary.NativeEndian.Uint16(records[direntLength:]))
		if length < direntName || length > len(records) {
			return errListing
		}
		record := records[:length]
		records = records[length:]
		name := record[direntName:]
		if end := bytes.IndexByte(name, 0); end >= 0 {
			name = name[:end]
		}
		if binary.NativeEndian.Uint64(record) == 0 || string(name) == "." || string(name) == ".." {
			continue // removed, or no name of its own
		}
		switch record[direntType] {
		case unix.DT_DIR:
			l.add(name, listedDirectory)
		case unix.DT_UNKNOWN:
			l.add(name, listedUnknown)
		default:
			l.add(name, listedFile)
		}
	}
	return nil
}
