// Package install puts the hooks of claudewatch into the settings of Claude Code and
// takes them out again.
//
// Settings are somebody's own file, written by hand and by Claude Code. An edit of
// their text keeps every byte that is not about claudewatch: order, indentation, line
// ends, escapes, and hooks of others. What an edit cannot keep so is refused, with the
// place, and the file is left alone. Merge and Remove are about text; File is about
// the file on disk, its lock and its backups.
//
// The shape of settings is that of https://code.claude.com/docs/en/settings and
// https://code.claude.com/docs/en/hooks.
package install
