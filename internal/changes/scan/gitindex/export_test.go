package gitindex

// Name returns the path of a file by its place in the index.
func (x *Index) Name(i int) string { return string(x.name(i)) }
