package usecase

import (
	"entgo.io/ent/dialect/sql"

	"github.com/carillon/carillon/internal/id"
)

// Values are columns in which all records of a list have one value, each with an index of the column and then id.
//
// Postgres expects the records with a value to lie evenly among all others. Those of a broadcast do not: looked for from the newest
// record on, the first of them may come after millions. A list with one such column is therefore ordered by it first: that order only
// its index has. With several of them Postgres chooses the one that leaves fewest.
type Values []Value

// Value is a column and what the records of a list have in it.
type Value struct{ Column, Value string }

// Add adds a column.
func (v *Values) Add(column, value string) { *v = append(*v, Value{column, value}) }

// AnyOf keeps the records that have one of some values in a column, which may turn out to be one.
func AnyOf[P ~func(*sql.Selector), V ~string](ps []P, v *Values, column string, of []V) []P {
	if len(of) == 1 {
		v.Add(column, string(of[0]))
		return ps
	}
	return append(ps, P(sql.FieldIn(column, of...)))
}

// along is the column that a list is read along; nil when there is none.
func (v Values) along() *Value {
	if len(v) == 1 {
		return &v[0]
	}
	return nil
}

// With is the order of a list whose records have values in common.
func (o Order) With(v Values) Order {
	o.values = v
	return o
}

// keep keeps the records with the value. An equality would tell Postgres that ordering by the column means nothing.
func (v *Value) keep(s *sql.Selector) {
	s.Where(sql.And(sql.GTE(s.C(v.Column), v.Value), sql.LTE(s.C(v.Column), v.Value)))
}

// beside keeps the records to one side of an id, along the column if there is one.
func (v *Value) beside(op sql.Op, recordID id.ID) func(*sql.Selector) {
	return func(s *sql.Selector) {
		columns, values := []string{s.C("id")}, []any{recordID}
		if v != nil {
			columns, values = []string{s.C(v.Column), columns[0]}, []any{v.Value, recordID}
		}
		s.Where(compareRows(columns, op, values))
	}
}

// narrowed are the filters of a list with those of its values. Only lists by id are read along a column: no other order
// has indexes for it.
func narrowed[P ~func(*sql.Selector)](filters []P, order Order) (all []P, along *Value) {
	all = filters[:len(filters):len(filters)]
	if order.Field == ColumnID {
		if along = order.values.along(); along != nil {
			return append(all, along.keep), along
		}
	}
	for _, v := range order.values {
		all = append(all, P(sql.FieldEQ(v.Column, v.Value)))
	}
	return all, nil
}
