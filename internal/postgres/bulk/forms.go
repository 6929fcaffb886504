package bulk

import (
	"math/bits"
	"strconv"
	"strings"
	"sync"
)

// form is the text of an INSERT for rows that have the same values in some columns. Those are sent once and not as arrays: Postgres reads
// each array by a function of its own, which per row costs about as much as to write the value. In a broadcast nearly all columns of a
// message are the same in all rows.
type form struct {
	once columnSet
	text string
}

// columnSet is a set of columns, by their places among those that are written.
type columnSet uint64

const mostColumns = 64 // of a statement that has forms

func (s columnSet) has(i int) bool                { return s&(1<<i) != 0 }
func (s columnSet) size() int                     { return bits.OnesCount64(uint64(s)) }
func (s columnSet) includes(other columnSet) bool { return other&^s == 0 }

// forms are those of one statement, made from the rows that come.
type forms struct {
	sync.RWMutex
	known []*form
}

const (
	mostForms = 4 // of a statement, because each takes memory in every connection
	leastRows = 3 // that a form is made from: of two rows many columns are the same by chance
)

// of is the form for rows that have the same values in the columns alike; nil: there is none. No form is made where a known one has at
// least half of these columns.
func (f *forms) of(alike columnSet, rows int, text func(once columnSet) string) *form {
	f.RLock()
	best := f.best(alike)
	f.RUnlock()
	if rows < leastRows || best.size()*2 >= alike.size() {
		return best
	}
	f.Lock()
	defer f.Unlock()
	if best = f.best(alike); best.size()*2 >= alike.size() { // made meanwhile
		return best
	}
	if len(f.known) < mostForms {
		f.known = append(f.known, &form{alike, text(alike)})
		return f.known[len(f.known)-1]
	}
	if at := f.nearest(alike, best.size()); at >= 0 {
		common := f.known[at].once & alike
		f.known[at] = &form{common, text(common)}
		return f.known[at]
	}
	return best
}

// best is the known form with the most of the columns alike, and no other columns.
func (f *forms) best(alike columnSet) (best *form) {
	for _, known := range f.known {
		if alike.includes(known.once) && known.size() > best.size() {
			best = known
		}
	}
	return best
}

// nearest is the place of the known form that keeps the most columns when it is made to fit by taking out those that were the same by chance;
// -1: none keeps three quarters of its columns, and more than most.
func (f *forms) nearest(alike columnSet, most int) int {
	at := -1
	for i, known := range f.known {
		if common := (known.once & alike).size(); common > most && 4*common >= 3*known.size() {
			at, most = i, common
		}
	}
	return at
}

func (f *form) size() int {
	if f == nil {
		return 0
	}
	return f.once.size()
}

// formOf is the form for rows; nil: they are sent as arrays.
func (s Statement[T]) formOf(rows []T) *form {
	if s.forms == nil || len(rows) < 2 {
		return nil
	}
	return s.forms.of(s.Columns.alike(rows), len(rows), func(once columnSet) string { return s.with(s.Columns.rowsOnce(once, s.placed())) })
}

// alike are the columns in which all rows have the same value; not the first if these are all columns, since an array says how many rows
// there are.
func (c Columns[T]) alike(rows []T) (set columnSet) {
	n := 0
	for i := range c {
		if c[i].array == "" {
			continue
		}
		if c[i].alike(rows) {
			set |= 1 << n
		}
		n++
	}
	if set.size() == n {
		set &^= 1
	}
	return set
}

// rowsOnce is unnest for arrays of the columns that are not sent once.
func (c Columns[T]) rowsOnce(once columnSet, places bool) string {
	var arrays, names, columns []string
	n := 0
	for i := range c {
		if c[i].array == "" {
			continue
		}
		argument := "$" + strconv.Itoa(n+1)
		switch {
		case !once.has(n):
			arrays, names, columns = append(arrays, argument+"::"+c[i].array+"[]"), append(names, c[i].name), append(columns, c[i].name)
		case c[i].cast != "":
			columns = append(columns, argument+c[i].cast+" AS "+c[i].name)
		default:
			columns = append(columns, argument+"::"+c[i].array+" AS "+c[i].name)
		}
		n++
	}
	from := "unnest(" + strings.Join(arrays, ", ") + ")"
	if places {
		from, names, columns = from+" WITH ORDINALITY", append(names, "place"), append(columns, "place")
	}
	return "(SELECT " + strings.Join(columns, ", ") + " FROM " + from + " AS v (" + strings.Join(names, ", ") + ")) AS u"
}
