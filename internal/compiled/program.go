package compiled

import (
	"os"
	"sync"
)

// Program tells this build of the program from another: what its executable is on
// disk. It is "" when that cannot be told, and nothing is then kept.
var Program = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	s, err := stampOf(path)
	if err != nil {
		return ""
	}
	return s.state
})
