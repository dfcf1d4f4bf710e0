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

	"github.com/claudewatch/claudewatch/policy"
)

// A container is, in this order:
//
//	magic   8 bytes
//	length  of the head, 4 bytes, little endian
//	sum     CRC-32C of the head, 4 bytes
//	head    key, stamps, and the index of the image
//	bodies  of the image
//
// The head is read whole, of the bodies what a call needs; each has a checksum of
// its own. https://en.wikipedia.org/wiki/Cyclic_redundancy_check
const (
	magic      = "cwpolicy"
	prefixSize = len(magic) + 8
	// maxHead bounds the head of a cache: 100,000 rules fit.
	maxHead = 64 << 20
)

var (
	errContainer = errors.New("not a compiled policy, or a damaged one")
	errStale     = errors.New("the compiled policy is not one of these rule files and this program")
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func join(head, bodies []byte) []byte {
	b := append([]byte(nil), magic...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(head)))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(head, castagnoli))
	b = append(b, head...)
	return append(b, bodies...)
}

// headLength reads the prefix of a container.
func headLength(prefix string) (length int, sum uint32, err error) {
	if len(prefix) < prefixSize || prefix[:len(magic)] != magic {
		return 0, 0, errContainer
	}
	numbers := []byte(prefix[len(magic):prefixSize])
	n := binary.LittleEndian.Uint32(numbers)
	if n > maxHead {
		return 0, 0, errContainer
	}
	return int(n), binary.LittleEndian.Uint32(numbers[4:]), nil
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

// Pack compiles rule files to a container that Open reads. It is an error when one
// of them cannot be stored.
func Pack(files []policy.File) ([]byte, error) {
	var units []*policy.Unit
	for _, f := range files {
		units = append(units, policy.CompileUnit(f))
	}
	index, bodies, err := policy.EncodeUnits(units)
	if err != nil {
		return nil, err
	}
	head := appendString(nil, policy.Fingerprint())
	head = appendString(head, sourcesSum(files))
	return join(append(head, index...), bodies), nil
}

// sourcesSum is a checksum of the paths and contents of rule files. It finds a slip of
// whoever builds the program, not somebody's intent.
func sourcesSum(files []policy.File) string {
	h := crc32.New(castagnoli)
	for _, f := range files {
		h.Write(appendString(nil, f.Path))
		h.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(f.Source))))
		h.Write(f.Source)
	}
	return string(h.Sum(nil))
}

// Open reads a container that Pack made of these files. A container of other files or
// of another version of the program is an error.
func Open(container string, files []policy.File) ([]*policy.Unit, error) {
	length, sum, err := headLength(container)
	if err != nil || length > len(container)-prefixSize {
		return nil, errContainer
	}
	head, bodies := container[prefixSize:prefixSize+length], container[prefixSize+length:]
	if crc32.Checksum([]byte(head), castagnoli) != sum {
		return nil, errContainer
	}
	fingerprint, rest, ok1 := cutString(head)
	sources, index, ok2 := cutString(rest)
	if !ok1 || !ok2 {
		return nil, errContainer
	}
	if fingerprint != policy.Fingerprint() || sources != sourcesSum(files) {
		return nil, errStale
	}
	return policy.DecodeUnits(index, &policy.Image{
		Body: func(offset, length int) (string, error) {
			if offset < 0 || length < 0 || offset > len(bodies)-length {
				return "", errContainer
			}
			return bodies[offset : offset+length], nil
		},
		Source: func(path string) ([]byte, error) {
			for _, f := range files {
				if f.Path == path {
					return f.Source, nil
				}
			}
			return nil, errStale
		},
	})
}

func contentHash(source []byte) string {
	h := sha256.Sum256(source)
	return string(h[:])
}
