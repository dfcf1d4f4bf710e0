package policy

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
)

// errImage says that stored bytes are not what this version writes: cut off,
// damaged, or of another format.
var errImage = errors.New("the stored policy is damaged")

// checksum finds damage. It is no proof of who wrote the bytes.
func checksum[T string | []byte](s T) uint32 { return crc32.ChecksumIEEE([]byte(s)) }

// writer appends values to an image. Integers are varints, a string is its length
// and its bytes.
type writer struct{ bytes []byte }

func (w *writer) int(n int)      { w.bytes = binary.AppendUvarint(w.bytes, uint64(n)) }
func (w *writer) signed(n int64) { w.bytes = binary.AppendVarint(w.bytes, n) }
func (w *writer) string(s string) {
	w.int(len(s))
	w.bytes = append(w.bytes, s...)
}

func (w *writer) bool(b bool) {
	if b {
		w.int(1)
	} else {
		w.int(0)
	}
}

// reader takes values from an image. After the first error it returns zero values;
// whoever reads looks at err at the end.
type reader struct {
	rest string
	err  error
}

func (r *reader) fail() {
	r.err, r.rest = errImage, ""
}

func (r *reader) uint64() uint64 {
	var n uint64
	for shift := 0; shift < 64; shift += 7 {
		if shift/7 >= len(r.rest) {
			break
		}
		b := r.rest[shift/7]
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			r.rest = r.rest[shift/7+1:]
			return n
		}
	}
	r.fail()
	return 0
}

// maxInt bounds the integers of an image but for CEL's own: no length, offset or
// place is near it.
const maxInt = 1 << 31

// int reads thousands of integers in a hook, most of one byte.
func (r *reader) int() int {
	if s := r.rest; s != "" && s[0] < 0x80 {
		r.rest = s[1:]
		return int(s[0])
	}
	return r.longInt()
}

func (r *reader) longInt() int {
	n := r.uint64()
	if n > maxInt {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *reader) signed() int64 {
	n := r.uint64()
	return int64(n>>1) ^ -int64(n&1)
}

func (r *reader) bool() bool { return r.int() == 1 }

// string returns a part of the image itself, not a copy.
func (r *reader) string() string {
	n := r.int()
	if n > len(r.rest) {
		r.fail()
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

// count reads how many values follow, each of which takes at least one byte: a
// damaged count must not make room for more than there can be.
func (r *reader) count() int {
	n := r.int()
	if n > len(r.rest) {
		r.fail()
		return 0
	}
	return n
}
