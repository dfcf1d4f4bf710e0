package compiled

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"
	"unsafe"

	"github.com/claudewatch/claudewatch/internal/ownfile"
	"github.com/claudewatch/claudewatch/internal/regular"
	"github.com/claudewatch/claudewatch/policy"
)

// Location is where rule files are found together: a directory, or one file.
type Location struct {
	Path  string
	Scope policy.Scope
	// Read reads the rule files. It is called when the cache does not have them.
	Read func() []policy.File
}

// name tells one location from another.
func (l Location) name() string { return l.Scope.String() + ":" + l.Path }

// Cache keeps the compiled rule files of directories. The zero Cache keeps nothing.
type Cache struct {
	// Directory holds one file for each location; "" for no cache. It is made when it
	// is first written to.
	Directory string
	// Program tells one build of the program from another; "" for no cache. It is asked
	// for when there is something to tell.
	Program func() string
}

// racyWindow is how old a file must be when it is read for its times to tell whether
// it changed later: a file system may give two writes within its granularity the
// same time.
const racyWindow = 2 * time.Second

// Units returns the compiled rule files of a location. It never fails: what cannot be
// had from the cache is compiled, and what cannot be written to it is not.
func (c Cache) Units(l Location) []*policy.Unit {
	if c.Directory == "" {
		return compile(l.Read(), nil)
	}
	path := c.path(l)
	last, err := c.read(path, l)
	if err == nil {
		return last.units
	}
	defer last.close()
	began := time.Now()
	before, err := recordOf(l.Path)
	files := l.Read()
	units := compile(files, last.units)
	if err == nil && len(files) > 0 && c.Program() != "" {
		_ = c.write(path, l, began, before, files, units) // without a cache the next call compiles again
	}
	return units
}

// compile compiles rule files, of which earlier are versions that this program compiled
// before. The garbage collector runs when what compiling has allocated comes near a
// bound of memory, not whenever the small heap of a hook has grown by some part: that
// took two fifths of the time.
func compile(files []policy.File, earlier []*policy.Unit) []*policy.Unit {
	size := 0
	for _, f := range files {
		size += len(f.Source)
	}
	byPath := make(map[string]*policy.Unit, len(earlier))
	for _, u := range earlier {
		byPath[u.Path()] = u
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(int64(compileMemory + memoryOfSource*size)))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	units := make([]*policy.Unit, len(files))
	for i, f := range files {
		units[i] = policy.CompileUnitToStore(f, byPath[f.Path])
	}
	return units
}

// compileMemory bounds the memory of a program that compiles rule files, with
// memoryOfSource for each byte of them, which is about what they leave behind: with less
// the collector would find nothing to free.
const (
	compileMemory  = 16 << 20
	memoryOfSource = 32
)

// Check reports with a nil error that the next call would use what the cache has of a
// location; ErrForeign and fs.ErrNotExist are among the errors. Nothing is written.
func (c Cache) Check(l Location) error {
	file, err := openOwn(c.path(l))
	if err != nil {
		return err
	}
	defer file.Close()
	_, _, err = c.fitting(file, l)
	return err
}

// path is the file of a location. The name need not be unique for certain: the file
// says whose it is.
func (c Cache) path(l Location) string {
	return filepath.Join(c.Directory, fmt.Sprintf("%x.policy", contentHash([]byte(l.name()))[:8]))
}

// kept is what the cache has of a location. The file stays open for the bodies, for as
// long as the units are in use: what a path leads to later may be another file.
type kept struct {
	file  *os.File
	units []*policy.Unit
}

func (k kept) close() {
	if k.file != nil {
		k.file.Close()
	}
}

// read reads the units of a location. With errChanged they are what this program made
// of another version of the rule files; with any other error there are none.
func (c Cache) read(path string, l Location) (kept, error) {
	file, err := openOwn(path)
	if err != nil {
		return kept{}, err
	}
	head, h, fitErr := c.fitting(file, l)
	if fitErr != nil && fitErr != errChanged {
		file.Close()
		return kept{}, fitErr
	}
	bodies := int64(prefixSize + len(head))
	units, err := policy.DecodeUnits(h.index, &policy.Image{
		Body: func(offset, length int) (string, error) {
			b := make([]byte, length)
			_, err := file.ReadAt(b, bodies+int64(offset))
			return unsafe.String(unsafe.SliceData(b), length), err // no copy, as in readHead
		},
		Source: h.source,
	})
	if err != nil {
		file.Close()
		return kept{}, err
	}
	if fitErr == nil && h.racy && time.Since(time.Unix(0, h.began)) > 2*racyWindow {
		c.refresh(path, file, head)
	}
	return kept{file, units}, fitErr
}

// fitting reads the head of a cache of a location, and takes it apart. One that does
// not fit is an error.
func (c Cache) fitting(file *os.File, l Location) (text string, h *head, err error) {
	if text, err = readHead(file); err != nil {
		return "", nil, err
	}
	if h, err = parseHead(text); err != nil {
		return "", nil, err
	}
	return text, h, c.fits(h, l)
}

// readHead reads the head of a container.
func readHead(file *os.File) (string, error) {
	prefix := make([]byte, prefixSize)
	if _, err := file.ReadAt(prefix, 0); err != nil {
		return "", err
	}
	length, sum, err := headLength(string(prefix))
	if err != nil {
		return "", err
	}
	info, err := file.Stat()
	if err != nil || info.Size() < int64(prefixSize+length) {
		return "", errContainer
	}
	head := make([]byte, length)
	if _, err := file.ReadAt(head, int64(prefixSize)); err != nil {
		return "", err
	}
	if crc32.ChecksumIEEE(head) != sum {
		return "", errContainer
	}
	return unsafe.String(unsafe.SliceData(head), length), nil // no copy: nothing writes to it any more
}

// head is the head of a cache, taken apart.
type head struct {
	began          int64 // nanoseconds of Unix time when the rule files were about to be read
	program, whose string
	records        []record
	index          string
	racy           bool // some stamp is too young to be trusted alone
}

func (c Cache) newHead(l Location, began time.Time, records []record, index []byte) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(began.UnixNano()))
	for _, s := range []string{c.Program(), l.name()} {
		b = appendString(b, s)
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(records)))
	for _, r := range records {
		b = appendString(b, r.path)
		b = appendString(b, r.state)
		b = binary.LittleEndian.AppendUint64(b, uint64(r.latest))
		b = appendString(b, r.hash)
	}
	return append(b, index...)
}

func parseHead(text string) (*head, error) {
	h := &head{}
	ok := true
	number := func(size int) (n uint64) {
		if len(text) < size {
			ok = false
			return 0
		}
		if size == 4 {
			n = uint64(binary.LittleEndian.Uint32([]byte(text[:4])))
		} else {
			n = binary.LittleEndian.Uint64([]byte(text[:8]))
		}
		text = text[size:]
		return n
	}
	cut := func() string {
		first, rest, cutOK := cutString(text)
		ok = ok && cutOK
		text = rest
		return first
	}
	h.began = int64(number(8))
	h.program, h.whose = cut(), cut()
	for n := number(4); n > 0 && ok; n-- {
		s := stamp{path: cut(), state: cut(), latest: int64(number(8))}
		h.records = append(h.records, record{s, cut()})
	}
	if !ok {
		return nil, errContainer
	}
	h.index = text
	return h, nil
}

// fits reports with a nil error that the cache is of this program, and of the rule
// files as they are now; with errChanged, of this program alone.
func (c Cache) fits(h *head, l Location) error {
	if h.program == "" || h.program != c.Program() || h.whose != l.name() {
		return errStale
	}
	for _, old := range h.records {
		now, err := stampOf(old.path)
		if err != nil || now.state != old.state {
			return errChanged
		}
		if old.latest < h.began-int64(racyWindow) && !alwaysRacy {
			continue
		}
		h.racy = true
		if hash, err := hashOf(old.path); err != nil || hash != old.hash {
			return errChanged
		}
	}
	return nil
}

// source returns a rule file that is still the one of the cache.
func (h *head) source(path string) ([]byte, error) {
	for _, r := range h.records {
		if r.path != path {
			continue
		}
		source, err := regular.ReadFile(path, policy.MaxFileSize)
		if err != nil {
			return nil, err
		}
		if contentHash(source) != r.hash {
			return nil, errStale
		}
		return source, nil
	}
	return nil, errStale
}

// write stores units. before is the record of the location from before its files were
// read. When something changed since, nothing is stored.
func (c Cache) write(path string, l Location, began time.Time, before record, files []policy.File, units []*policy.Unit) error {
	index, bodies, err := policy.EncodeUnits(units)
	if err != nil {
		return err
	}
	var records []record
	for _, f := range files {
		r, err := recordOf(f.Path)
		if err != nil {
			return err
		}
		if r.hash != contentHash(f.Source) {
			return errStale
		}
		records = append(records, r)
	}
	after, err := recordOf(l.Path)
	if err != nil {
		return err
	}
	if after != before {
		return errStale
	}
	records = append(records, after)
	return c.replace(path, join(c.newHead(l, began, records, index), bodies))
}

// refresh writes a cache anew whose rule files were young when it was written: they
// have been compared by their hashes, and from now on their times tell.
func (c Cache) refresh(path string, file *os.File, old string) {
	info, err := file.Stat()
	if err != nil {
		return
	}
	bodies := make([]byte, info.Size()-int64(prefixSize+len(old)))
	if _, err := file.ReadAt(bodies, int64(prefixSize+len(old))); err != nil {
		return
	}
	fresh := []byte(old)
	binary.LittleEndian.PutUint64(fresh, uint64(time.Now().UnixNano()))
	_ = c.replace(path, join(fresh, bodies))
}

// replace puts a file in the place of another, in one step: of two writers the last one
// wins. Writers that were killed have left files, which go.
func (c Cache) replace(path string, content []byte) error {
	ownfile.RemoveTemporaries(c.Directory, time.Minute)
	return ownfile.ReplaceForNow(path, content)
}
