package shape

import (
	"strconv"

	"github.com/carillon/carillon/internal/fault"
)

// place is where the value that is being read lies in its document: its problems are reported under its path. It goes into
// the parts of a value and leaves them, so that a path is written for a problem only.
type place struct {
	problems *fault.Problems
	root     string // the path of the outermost value; "" for the document itself
	parts    []part
	lists    Lists
	quiet    fault.Problems // what is not reported
	few      [4]part        // for parts, which are mostly no more
}

// part is a member of an object, whose index is named, or an item of a list.
type part struct {
	name  string
	index int
}

const named = -1

func newPlace(lists Lists, problems *fault.Problems, root string) *place {
	p := &place{problems: problems, root: root, lists: lists}
	p.parts = p.few[:0]
	return p
}

func (p *place) enter(into part) { p.parts = append(p.parts, into) }

func (p *place) leave() { p.parts = p.parts[:len(p.parts)-1] }

func (p *place) path() string {
	path := p.root
	for _, in := range p.parts {
		name := in.name
		if in.index != named {
			name = strconv.Itoa(in.index)
		}
		if path != "" {
			name = "." + name
		}
		path += name
	}
	return path
}

func (p *place) add(value any, format string, args ...any) {
	p.problems.Add(p.path(), value, format, args...)
}

// Lists are the closed lists that only the running server knows, by the names of their schemas: each returns the value that a
// text means, and whether it is in the list.
type Lists map[string]func(text string) (meant string, ok bool)

// Listed is a text of a list, whose schema the document has under its name; problem is that of whatever is not in the list.
func Listed(list, problem string) Type[string] {
	return Type[string]{
		schema: func(*Document) Schema { return Ref(list) },
		read: func(at *place, value any) (string, bool) {
			text, _ := value.(string)
			meant, ok := at.lists[list](text)
			if !ok {
				at.add(value, "%s", problem)
			}
			return meant, ok
		},
		null: problem,
	}
}
