//go:build !smalljournal

package changes

// minJournal and maxJournal bound the size in bytes from which steps that nobody needs go
// into the manifest.
const (
	minJournal = 32 << 10
	maxJournal = 256 << 10
)
