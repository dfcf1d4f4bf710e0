//go:build !unix

package record

import "errors"

func limitFileSize(int) error { return errors.ErrUnsupported }
