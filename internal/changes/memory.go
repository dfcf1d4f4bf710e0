package changes

import "runtime/debug"

// The garbage collector of a process that works on a root runs when its memory comes near a
// bound, and not only when the heap has doubled. What must be in memory grows with the files
// that are seen for the first time and with those that changed, and the bound with it: else
// the collector would find nothing to free.
const (
	memory         = 20 << 20 // in bytes: enough for 100,000 files that are seen for the first time
	memoryOfFile   = 200
	memoryOfKnown  = 500 // of a file that may have changed
	memoryOfChange = 800 // besides memory
	memoryOfTold   = 300 // besides, of a change that is told to rules
)

func boundMemory(bytes int) { debug.SetMemoryLimit(int64(max(memory, bytes))) }
