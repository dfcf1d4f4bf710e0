//go:build smalljournal

package changes

// minJournal and maxJournal make every event write the manifest, so that the driver in
// tests/changes kills processes at that too.
const (
	minJournal = 1
	maxJournal = 1
)
