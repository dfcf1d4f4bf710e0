//go:build !unix

package testpipe

import "errors"

func mkfifo(string) error { return errors.ErrUnsupported }
