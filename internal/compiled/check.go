package compiled

// The errors of Check, besides fs.ErrNotExist.
var (
	// ErrStale is that of a cache of other rule files, or of another build of the program.
	ErrStale = errStale
	// ErrForeign is that of a file that is not the user's own, or that others may write.
	ErrForeign = errForeign
	// ErrDamaged is that of a file that is no cache.
	ErrDamaged = errContainer
)

// Check reports with a nil error that the next call would use what the cache has of a
// location. Nothing is written.
func (c Cache) Check(l Location) error {
	file, err := openOwn(c.path(l))
	if err != nil {
		return err
	}
	defer file.Close()
	text, err := readHead(file)
	if err != nil {
		return err
	}
	h, err := parseHead(text)
	if err != nil {
		return err
	}
	return c.fits(h, l)
}
