// Package compiled keeps compiled rule files: those of the shipped sets in the
// binary, and those of the user and of projects in $CLAUDEWATCH_HOME/cache.
//
// What is kept is used when it certainly fits the rule files and the program, and in
// every other case the rule files are compiled. Nothing here can make a policy say
// less than its rule files do.
package compiled

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"path"

	"github.com/claudewatch/claudewatch/policy"
)

// A container is, in this order:
//
//	magic   8 bytes, and the version of the image in 4, little endian
//	length  of the head, 4 bytes, little endian
//	sum     CRC-32 of the head, 4 bytes
//	head    key, stamps, and the index of the image
//	bodies  of the image
//
// The head is read whole, of the bodies what a call needs; each has a checksum of
// its own. https://en.wikipedia.org/wiki/Cyclic_redundancy_check
const (
	magic      = "cwpolicy"
	prefixSize = len(magic) + 12
	// maxHead bounds the head of a cache: 100,000 rules fit.
	maxHead = 64 << 20
)

var (
	errContainer = errors.New("not a compiled policy, or a damaged one")
	errStale     = errors.New("the compiled policy is not one of these rule files and this program")
	errChanged   = errors.New("the rule files have been changed since they were compiled")
)

func join(head, bodies []byte) []byte {
	b := append([]byte(nil), magic...)
	b = binary.LittleEndian.AppendUint32(b, policy.ImageFormat)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(head)))
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(head))
	b = append(b, head...)
	return append(b, bodies...)
}

// headLength reads the prefix of a container.
func headLength(prefix string) (length int, sum uint32, err error) {
	if len(prefix) < prefixSize || prefix[:len(magic)] != magic {
		return 0, 0, errContainer
	}
	numbers := []byte(prefix[len(magic):prefixSize])
	n := binary.LittleEndian.Uint32(numbers[4:])
	if n > maxHead {
		return 0, 0, errContainer
	}
	if binary.LittleEndian.Uint32(numbers) != policy.ImageFormat {
		return 0, 0, errStale
	}
	return int(n), binary.LittleEndian.Uint32(numbers[8:]), nil
}

// appendString and cutString write and read a string behind its length.
func appendString(b []byte, s string) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(s)))
	return append(b, s...)
}

func cutString(s string) (first, rest string, ok bool) {
	if len(s) < 4 {
		return "", "", false
	}
	n := int(binary.LittleEndian.Uint32([]byte(s[:4])))
	if n < 0 || n > len(s)-4 {
		return "", "", false
	}
	return s[4 : 4+n], s[4+n:], true
}

// Pack compiles the rule files of the shipped sets to a container that Open reads. It
// is an error when one of them cannot be stored.
func Pack(rules fs.FS) ([]byte, error) {
	files, err := ShippedFiles(rules)
	if err != nil {
		return nil, err
	}
	listed, err := sizes(rules)
	if err != nil {
		return nil, err
	}
	index, bodies, err := policy.EncodeUnits(compile(files, nil))
	if err != nil {
		return nil, err
	}
	head := appendString(nil, listed)
	return join(append(head, index...), bodies), nil
}

// ShippedFiles returns the rule files of the shipped sets: NAME.yml at the root of rules.
func ShippedFiles(rules fs.FS) ([]policy.File, error) {
	names, err := fs.Glob(rules, "*.yml")
	if err != nil {
		return nil, err
	}
	files := make([]policy.File, len(names))
	for i, name := range names {
		source, err := fs.ReadFile(rules, name)
		files[i] = policy.File{Path: shippedPath(name), Scope: policy.Shipped, Source: source, Err: err}
	}
	return files, nil
}

// Compile compiles the rule files of the shipped sets.
func Compile(rules fs.FS) []*policy.Unit {
	files, err := ShippedFiles(rules)
	if err != nil {
		files = []policy.File{{Path: "watches", Scope: policy.Shipped, Err: err}}
	}
	return compile(files, nil)
}

// shippedPath is what diagnostics call a rule file of the shipped sets.
func shippedPath(name string) string { return path.Join("watches", name) }

// sizes lists the rule files with their sizes, which the binary knows without touching
// them. That the contents are the same too is what a test of package watches sees to:
// reading half a megabyte at every start would take as long as judging the call.
func sizes(rules fs.FS) (string, error) {
	entries, err := fs.ReadDir(rules, ".")
	if err != nil {
		return "", err
	}
	var b []byte
	for _, e := range entries {
		if path.Ext(e.Name()) != ".yml" {
			continue
		}
		info, err := e.Info()
		if err != nil {
			return "", err
		}
		b = appendString(b, e.Name())
		b = binary.LittleEndian.AppendUint64(b, uint64(info.Size()))
	}
	return string(b), nil
}

// Open reads a container that Pack made of these rule files. A container of files of
// other names or sizes, or of another format, is an error. That it says what the rule
// files say is what a test of package watches sees to.
func Open(container string, rules fs.FS) ([]*policy.Unit, error) {
	// The checksum of the head is for files: what is part of the program is as it was built.
	length, _, err := headLength(container)
	if err != nil || length > len(container)-prefixSize {
		return nil, errContainer
	}
	head, bodies := container[prefixSize:prefixSize+length], container[prefixSize+length:]
	sources, index, ok := cutString(head)
	if !ok {
		return nil, errContainer
	}
	if now, err := sizes(rules); err != nil || now != sources {
		return nil, errStale
	}
	return policy.DecodeUnits(index, &policy.Image{
		Body: func(offset, length int) (string, error) {
			if offset < 0 || length < 0 || offset > len(bodies)-length {
				return "", errContainer
			}
			return bodies[offset : offset+length], nil
		},
		Source: func(name string) ([]byte, error) { return fs.ReadFile(rules, path.Base(name)) },
	})
}

func contentHash(source []byte) string {
	h := sha256.Sum256(source)
	return string(h[:])
}
