// Package scan observes the files of a directory: one walk, the root with its
// exclusions against what an earlier walk has seen, says which files there are new,
// changed and gone.
package scan

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Kind is what a path leads to, links not followed.
type Kind uint8

// The kinds of entries.
const (
	Regular Kind = iota + 1
	Symlink
	// Other is a pipe, a socket or a device: it is there, and is never opened.
	Other
	// Unseen is a directory that no scan has read to its end, or that is excluded. What a
	// scan first sees there has not been created. Only lists that the manifest wants have
	// this kind, see Result.Refreshed.
	Unseen
)

var kindNames = [...]string{Regular: "file", Symlink: "symlink", Other: "other", Unseen: "unseen"}

// String returns "file", "symlink", "other" or "unseen".
func (k Kind) String() string {
	if int(k) < len(kindNames) && k != 0 {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Entry is what is known of one path.
type Entry struct {
	Kind Kind
	Perm uint32 // the permission bits, with set-user-ID, set-group-ID and sticky as chmod(2) has them
	Size int64  // in bytes: what Hash is of
	// ModTime and ChangeTime are nanoseconds of Unix time; ChangeTime and Inode are 0
	// where the system has none.
	ModTime, ChangeTime int64
	Inode               uint64
	// Hash is the SHA-256 of a file's content or of a symbolic link's target; zero when
	// it is not known.
	Hash [32]byte
	// Blob is the id of the git object that holds the very bytes of the file, in the
	// repository that the path is in; zero when there is none.
	Blob [20]byte
	// Kept says that the bytes are in the content store.
	Kept bool
	// Young says that the file was changed so shortly before it was read that a change
	// right after would not show in its times: the next scan reads it again.
	Young bool
	// Slow says that the file could not be read to its end within the time of a scan: its
	// Hash is not known, and it is observed by its state alone until it gets smaller.
	Slow bool
}

// Known reports whether the content of the entry is known.
func (e Entry) Known() bool { return e.Hash != [32]byte{} }

func (e *Entry) hasBlob() bool { return e.Blob != [20]byte{} }

// SameState reports whether nothing speaks for a change of content between two states
// of a path.
func (e *Entry) SameState(now *Entry) bool {
	return e.Kind == now.Kind && e.Size == now.Size && e.ModTime == now.ModTime && e.ChangeTime == now.ChangeTime && e.Inode == now.Inode
}

// Difference is what a scan finds otherwise than the manifest has it. Path is relative
// to the root, with slashes. Before and After are nil where nothing is present.
type Difference struct {
	Path   string `json:"path"`
	Before *Entry `json:"before,omitempty"`
	After  *Entry `json:"after,omitempty"`
}

// wireEntry is an Entry in JSON.
type wireEntry struct {
	Kind   string `json:"kind"`
	Perm   uint32 `json:"perm"`
	Size   int64  `json:"size"`
	Mod    int64  `json:"mod_time"`
	Change int64  `json:"change_time,omitempty"`
	Inode  uint64 `json:"inode,omitempty"`
	Hash   string `json:"sha256,omitempty"`
	Blob   string `json:"blob,omitempty"`
	Kept   bool   `json:"kept,omitempty"`
	Young  bool   `json:"young,omitempty"`
	Slow   bool   `json:"slow,omitempty"`
}

// MarshalJSON implements json.Marshaler.
func (e Entry) MarshalJSON() ([]byte, error) {
	w := wireEntry{
		Kind: e.Kind.String(), Perm: e.Perm, Size: e.Size, Mod: e.ModTime, Change: e.ChangeTime, Inode: e.Inode,
		Kept: e.Kept, Young: e.Young, Slow: e.Slow,
	}
	if e.Known() {
		w.Hash = hex.EncodeToString(e.Hash[:])
	}
	if e.hasBlob() {
		w.Blob = hex.EncodeToString(e.Blob[:])
	}
	return json.Marshal(w)
}

// UnmarshalJSON implements json.Unmarshaler.
func (e *Entry) UnmarshalJSON(text []byte) error {
	var w wireEntry
	if err := json.Unmarshal(text, &w); err != nil {
		return err
	}
	*e = Entry{
		Perm: w.Perm, Size: w.Size, ModTime: w.Mod, ChangeTime: w.Change, Inode: w.Inode,
		Kept: w.Kept, Young: w.Young, Slow: w.Slow,
	}
	for kind, name := range kindNames {
		if kind != 0 && name == w.Kind {
			e.Kind = Kind(kind)
		}
	}
	if e.Kind == 0 {
		return fmt.Errorf("the kind of entry %q is unknown", w.Kind)
	}
	if err := readHex(e.Hash[:], w.Hash); err != nil {
		return err
	}
	return readHex(e.Blob[:], w.Blob)
}

// readHex reads hexadecimal digits into all of b, "" as zero.
func readHex(b []byte, digits string) error {
	if digits == "" {
		return nil
	}
	if len(digits) != hex.EncodedLen(len(b)) {
		return fmt.Errorf("%q is not %d bytes in hexadecimal", digits, len(b))
	}
	_, err := hex.Decode(b, []byte(digits))
	return err
}
