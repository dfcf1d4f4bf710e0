//go:build smalljournal

package changes

// maxJournal makes every event write the manifest, so that the driver in tests/changes
// kills processes at that too.
const maxJournal = 1
