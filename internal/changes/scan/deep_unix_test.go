//go:build linux || darwin

package scan_test

import "golang.org/x/sys/unix"

// descend makes directories named down, each in the one before, and beside each the
// others, all with a file. No path is that long, so it goes by descriptors.
func descend(root string, depth int, down string, others ...string) error {
	directory, err := unix.Open(root, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return err
	}
	for range depth {
		for _, name := range others {
			beside, err := makeDirectory(directory, name)
			if err != nil {
				return err
			}
			unix.Close(beside)
		}
		below, err := makeDirectory(directory, down)
		if err != nil {
			return err
		}
		unix.Close(directory)
		directory = below
	}
	return unix.Close(directory)
}

// makeDirectory makes a directory with a file in it.
func makeDirectory(parent int, name string) (int, error) {
	if err := unix.Mkdirat(parent, name, 0o700); err != nil {
		return 0, err
	}
	directory, err := unix.Openat(parent, name, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return 0, err
	}
	file, err := unix.Openat(directory, "file", unix.O_CREAT|unix.O_WRONLY, 0o600)
	if err != nil {
		return 0, err
	}
	return directory, unix.Close(file)
}
