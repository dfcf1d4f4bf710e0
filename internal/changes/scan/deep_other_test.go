//go:build !(linux || darwin)

package scan_test

import "errors"

func descend(string, int, string, ...string) error { return errors.ErrUnsupported }
