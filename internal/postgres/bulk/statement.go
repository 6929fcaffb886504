package bulk

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Statement is a statement over many rows of type T.
type Statement[T any] struct {
	Text    string
	Columns Columns[T]

	of    string // the text that Text was made of
	one   string // the text for one row; empty: there is none, because the text names the arrays
	forms *forms // of an INSERT; nil: it has Text and one only
}

var parameter = regexp.MustCompile(`@(\d+)`)

// New is a statement whose text takes its rows from {rows}, which it calls u, and other arguments from @1, @2 and so on. Where
// it names u.place, that is the position of a row, from 1.
func New[T any](text string, columns Columns[T]) Statement[T] {
	s := Statement[T]{Columns: columns, of: text}
	place := s.placed()
	s.Text = s.with(columns.unnest(place))
	if !strings.Contains(text, "$") {
		s.one = s.with(columns.row(place))
	}
	return s
}

// placed reports whether the statement uses the positions of rows.
func (s Statement[T]) placed() bool { return strings.Contains(s.of, "u.place") }

// with is the text with this FROM item for its rows.
func (s Statement[T]) with(rows string) string {
	written := s.Columns.written()
	return parameter.ReplaceAllStringFunc(strings.ReplaceAll(s.of, "{rows}", rows), func(at string) string {
		n, _ := strconv.Atoi(at[1:]) // digits
		return "$" + strconv.Itoa(written+n)
	})
}

// Args are the arguments of the statement: rows, and then those that the text calls @1, @2 and so on.
func (s Statement[T]) Args(rows []T, more ...any) []any { return s.Columns.Args(rows, more...) }

// Queue queues the statement for rows.
func (s Statement[T]) Queue(b *pgx.Batch, rows []T, more ...any) *pgx.QueuedQuery {
	if len(rows) == 1 && s.one != "" {
		return b.Queue(s.one, s.Columns.argsOfOne(rows, more...)...)
	}
	if form := s.formOf(rows); form != nil {
		return b.Queue(form.text, s.Columns.args(rows, form.once.has, more)...)
	}
	return b.Queue(s.Text, s.Args(rows, more...)...)
}

// Insertion is an INSERT of rows that is not whole yet.
type Insertion[T any] struct {
	table         string
	columns       Columns[T]
	names, values []string
	joins, order  string
}

// Insert begins an INSERT of rows into a table, which it calls t: into each column that is written goes its value.
func Insert[T any](table string, columns Columns[T]) Insertion[T] {
	i := Insertion[T]{table: table, columns: columns}
	for k := range columns {
		if c := &columns[k]; c.array != "" {
			i.names, i.values = append(i.names, c.name), append(i.values, "u."+c.name+c.cast)
		}
	}
	return i
}

// Set gives a column, of the list or another, the value of an expression over u and over arguments @1, @2 and so on.
func (i Insertion[T]) Set(name, expression string) Insertion[T] {
	i.names, i.values = slices.Clone(i.names), slices.Clone(i.values)
	if at := slices.Index(i.names, name); at >= 0 {
		i.values[at] = expression
		return i
	}
	i.names, i.values = append(i.names, name), append(i.values, expression)
	return i
}

// Joined joins tables to the rows, for expressions of Set.
func (i Insertion[T]) Joined(joins string) Insertion[T] {
	i.joins = "\n" + joins
	return i
}

// InOrder takes the rows in the order that they have, so that statements over sorted rows lock in one order.
func (i Insertion[T]) InOrder() Insertion[T] {
	i.order = " ORDER BY u.place"
	return i
}

// OnConflict is the INSERT with what becomes of rows that are there already.
func (i Insertion[T]) OnConflict(clause string) Statement[T] { return i.With("ON CONFLICT " + clause) }

// With is the INSERT with clauses behind its rows.
func (i Insertion[T]) With(clauses string) Statement[T] {
	s := New("INSERT INTO "+i.table+" AS t ("+strings.Join(i.names, ", ")+")\nSELECT "+strings.Join(i.values, ", ")+
		"\nFROM {rows}"+i.joins+i.order+"\n"+clauses, i.columns)
	if i.joins == "" && s.one != "" && i.columns.written() <= mostColumns {
		s.forms = &forms{}
	}
	return s
}

// Within is the statement as a part, {insert}, of a larger text, which may take more arguments @1, @2 and so on.
func (s Statement[T]) Within(text string) Statement[T] {
	return New(strings.ReplaceAll(text, "{insert}", s.of), s.Columns)
}
