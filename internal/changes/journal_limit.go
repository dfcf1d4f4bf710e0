//go:build !smalljournal

package changes

// maxJournal is the size in bytes from which steps that nobody needs go into the manifest.
const maxJournal = 256 << 10
