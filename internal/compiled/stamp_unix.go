//go:build unix

package compiled

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// alwaysRacy is set where the system does not tell enough of a file to see that it
// has been changed.
const alwaysRacy = false

func stateOf(info fs.FileInfo) (state string, latest int64) {
	modified := info.ModTime().UnixNano()
	b := binary.LittleEndian.AppendUint64(nil, uint64(info.Size()))
	b = binary.LittleEndian.AppendUint64(b, uint64(modified))
	b = binary.LittleEndian.AppendUint32(b, uint32(info.Mode()))
	latest = modified
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		changed := changeTime(s)
		b = binary.LittleEndian.AppendUint64(b, uint64(s.Dev))
		b = binary.LittleEndian.AppendUint64(b, uint64(s.Ino))
		b = binary.LittleEndian.AppendUint64(b, uint64(changed))
		latest = max(latest, changed)
	}
	return string(b), latest
}

// ErrForeign is the error of a file that is not the user's own, or that others may write.
var ErrForeign = errors.New("the file is not the user's own, or others may write it")

// openOwn opens a regular file that belongs to the user and that nobody else may write.
func openOwn(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		s, ok := info.Sys().(*syscall.Stat_t)
		if !info.Mode().IsRegular() || info.Mode().Perm()&0o022 != 0 || !ok || int(s.Uid) != os.Geteuid() {
			err = ErrForeign
		}
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}
