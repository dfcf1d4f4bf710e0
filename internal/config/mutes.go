package config

// Mutes is the directory of what the user has silenced for single sessions, "" when
// Directory is not known.
func (e Environment) Mutes() string { return e.inDirectory("mutes") }
