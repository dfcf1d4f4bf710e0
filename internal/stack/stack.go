// Package stack makes room on the stack of the main goroutine before other packages
// are initialized. A stack begins small and is copied whenever it is too short;
// protobuf compiles a regex at the start that nests so deep that it was copied five
// times, in a twentieth of the time that a hook takes. Now it is copied once, while it
// is short.
//
// Go initializes packages in the order of their paths, those that they import first
// (https://go.dev/ref/spec#Package_initialization, and the notes on Go 1.21): this one
// comes before protobuf because its path does, and imports nothing.
package stack

// room is what initialization needs, in bytes; the stack becomes the next power of two.
const room = 40 << 10

func init() { grow() }

//go:noinline
func grow() {
	var b [room]byte
	touch(&b)
}

// touch keeps the array on the stack; one byte of it is enough.
//
//go:noinline
func touch(b *[room]byte) { b[0] = 1 }
