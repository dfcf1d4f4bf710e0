package record

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// extension is that of the files of lines.
const extension = ".jsonl"

// maxName bounds the name that is made of an id, in bytes; file systems take 255.
const maxName = 150

// folder returns the directory of the files of all sessions.
func folder(data string) string { return filepath.Join(data, "output") }

// Path returns the file of a stream: DATA/output/SESSION/STREAM.jsonl.
func Path(data, session, stream string) string {
	return filepath.Join(folder(data), fileName(session), fileName(stream)+extension)
}

// fileName returns the name of a file or directory for an id that comes from outside.
// Ids of letters, digits, "-", "_" and dots within are names as they are; every other
// byte is written as %XX, so that no id leads out of its directory and no two ids have
// one name, and an id that is too long ends in its hash.
func fileName(id string) string {
	if id == "" {
		return "unknown"
	}
	var b strings.Builder
	for i := range len(id) {
		c := id[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_',
			c == '.' && i > 0 && i < len(id)-1:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	name := b.String()
	if isDevice(id) {
		name = fmt.Sprintf("%%%02X", id[0]) + name[1:]
	}
	if len(name) > maxName {
		sum := sha256.Sum256([]byte(id))
		name = name[:maxName-34] + "%-" + hex.EncodeToString(sum[:16]) // "%-" is of no byte
	}
	return name
}

// isDevice reports whether Windows takes a name for one of its devices, whatever
// follows the first dot.
func isDevice(name string) bool {
	name, _, _ = strings.Cut(name, ".")
	switch name = strings.ToUpper(name); name {
	case "CON", "PRN", "AUX", "NUL":
		return true
	}
	return len(name) == 4 && (strings.HasPrefix(name, "COM") || strings.HasPrefix(name, "LPT")) && name[3] >= '0' && name[3] <= '9'
}

// idOf returns the id that a name was made of; the name itself when it tells no more.
func idOf(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if name[i] != '%' {
			b.WriteByte(name[i])
			continue
		}
		if i+2 >= len(name) {
			return name
		}
		c, err := strconv.ParseUint(name[i+1:i+3], 16, 8)
		if err != nil {
			return name
		}
		b.WriteByte(byte(c))
		i += 2
	}
	if id := b.String(); fileName(id) == name {
		return id
	}
	return name
}
