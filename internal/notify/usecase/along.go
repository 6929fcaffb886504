package usecase

import (
	"slices"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
)

// Values are what the records of a list have in common as far as indexes lead to it: columns in which all have one value, or one of a few, each
// with an index of the column and then id; and when they were created.
//
// Postgres expects the records with a value to lie evenly among all others. Those of a broadcast do not: looked for from the newest
// record on, the first of them may come after millions. A list with one such column is therefore ordered by it first: that order only
// its index has. Where the column has one of a few values, each of them is a part of the list, which is read by itself. With several
// columns Postgres chooses the one that leaves fewest.
type Values struct {
	columns []Value
	created period
}

// Value is a column and what the records of a list have in it, each record one of them.
type Value struct {
	Column string
	Of     []string
}

// Add adds a column.
func (v *Values) Add(column string, of ...string) { v.columns = append(v.columns, Value{column, of}) }

// AnyOf adds a column in which records have one of some values. A value that is given twice counts once.
func AnyOf[V ~string](v *Values, column string, of []V) {
	texts := make([]string, len(of))
	for i, value := range of {
		texts[i] = string(value)
	}
	slices.Sort(texts)
	v.Add(column, slices.Compact(texts)...)
}

// maxParts bounds how many parts of a list are read for a page.
const maxParts = 8

// Part is a part of a list, with an index that has its records in the order of ids. They have one value in the column by which the index
// begins, or meet the condition of a partial index, or an index of another table has their ids.
type Part struct {
	Column, Value string // empty where there is a condition
	Condition     func(*sql.Selector)
	// IDs selects the ids from the other table, one or several times each. Records that it names and that do not meet the condition are
	// read for nothing, so they should be few.
	IDs func() *sql.Selector
}

// Among is the order of a list that consists of parts, none of which shares a record with another. Only by id is a page of each read
// along its index.
func (o Order) Among(parts ...Part) Order {
	o.among = parts
	return o
}

// parts are the parts of a list, each read along its own index. Only lists by id have them: no other order has indexes for them.
func (o Order) parts() (parts []Part, others []Value) {
	switch {
	case o.Field != ColumnID && o.among == nil:
	case o.among != nil && len(o.values) == 0:
		return o.among, nil
	case o.among != nil:
		for _, p := range o.among {
			parts = append(parts, p.AsFilter())
		}
		return parts, o.values
	case len(o.values) == 1 && len(o.values[0].Of) <= maxParts:
		for _, value := range o.values[0].Of {
			parts = append(parts, Part{Column: o.values[0].Column, Value: value})
		}
		return parts, nil
	}
	return []Part{{}}, o.values
}

// AsFilter is the same part for a list with further filters: Postgres chooses the index that leaves fewest.
func (p Part) AsFilter() Part {
	return Part{Condition: func(s *sql.Selector) {
		if p.Condition != nil {
			p.Condition(s)
		}
		if p.Column != "" {
			s.Where(sql.EQ(s.C(p.Column), p.Value))
		}
		if p.IDs != nil {
			s.Where(sql.In(s.C("id"), p.IDs()))
		}
	}}
}

// keep keeps the records of the part that were stored within the order's bounds.
func (p Part) keep(s *sql.Selector, o Order) {
	if p.IDs != nil {
		// Postgres would take ids that are equal to be in one order, and might go along all records to find the few that are named.
		own, its := s.C("id"), p.id(s)
		s.Join(p.IDs().Distinct().As(named)).OnP(sql.P(func(b *sql.Builder) { b.Ident(own).WriteString(" = ").Ident(its).WriteString(" || ''") }))
	}
	if p.Condition != nil {
		p.Condition(s)
	}
	if p.Column != "" { // an equality would tell Postgres that ordering by the column means nothing
		s.Where(sql.And(sql.GTE(s.C(p.Column), p.Value), sql.LTE(s.C(p.Column), p.Value)))
	}
	if o.from != "" {
		p.beside(s, sql.OpGTE, []string{p.id(s)}, []any{o.from})
	}
	if o.to != "" {
		p.beside(s, sql.OpLT, []string{p.id(s)}, []any{o.to})
	}
}

// named is what a query calls the ids of the records of a part that another table names.
const named = "named"

// id is the column with the ids of the part's records, in the order of the index that leads to them.
func (p Part) id(s *sql.Selector) string {
	if p.IDs != nil {
		return sql.Table(named).C("id")
	}
	return s.C("id")
}

// sortNamed orders the ids that another table names, so that they are read no further than the page.
func (p Part) sortNamed(s *sql.Selector, by string) {
	if ids, ok := s.JoinedTableView(named); ok && p.IDs != nil {
		ids.(*sql.Selector).OrderBy(by) //nolint:forcetypeassert // keep has joined it
	}
}

// beside keeps the records to one side of some values in columns, along the part's own. A row comparison lets one index serve filter and
// order.
func (p Part) beside(s *sql.Selector, op sql.Op, columns []string, values []any) {
	if p.Column != "" {
		columns, values = append([]string{s.C(p.Column)}, columns...), append([]any{p.Value}, values...)
	}
	s.Where(compareRows(columns, op, values))
}

// narrowed are the filters that all parts of a list share, and its parts.
func narrowed[P ~func(*sql.Selector)](filters []P, order Order) (shared []P, parts []Part) {
	parts, others := order.parts()
	for _, v := range others {
		filters = append(filters[:len(filters):len(filters)], P(sql.FieldIn(v.Column, v.Of...)))
	}
	return filters, parts
}

// ofParts selects the ids of the records of s that are in some parts of it, of each part what narrow leaves. One statement reads all, so
// that a record that passes from one part to another is there once.
func ofParts(s *sql.Selector, parts []Part, narrow func(*sql.Selector, Part)) (ids *sql.Selector) {
	for _, p := range parts {
		records := s.Clone().Select(s.C("id"))
		narrow(records, p)
		of := sql.Dialect(dialect.Postgres).Select("id").From(records.As("part"))
		if ids == nil {
			ids = of
		} else {
			ids.UnionAll(of)
		}
	}
	return ids
}
