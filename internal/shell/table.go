package shell

// table is what is known about programs, commands or endings, by name. A map of this
// would be filled at every start of the program, most of it for nothing; a slice of
// constants is part of the binary. It is searched and not indexed: a call has few
// programs.
type table[T any] []row[T]

type row[T any] struct {
	name  string
	about T
}

// find returns what is known about a name, and whether it is in the table.
func (t table[T]) find(name string) (about T, found bool) {
	for i := range t {
		if t[i].name == name {
			return t[i].about, true
		}
	}
	return about, false
}

// of is find for tables whose zero value says as much as a name that is not in them.
func (t table[T]) of(name string) T {
	about, _ := t.find(name)
	return about
}
