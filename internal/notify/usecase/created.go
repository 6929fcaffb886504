package usecase

import (
	"time"

	"entgo.io/ent/dialect/sql"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
)

// LateRun is by how much the created_at of a run and of what it made may be before their making, as far as lists go: they
// were due then, and were stored later where there was a backlog. What was created before an instant is looked for among
// the records that were stored up to this long after it.
const LateRun = 10 * time.Minute

// period is when the records of a list were created; a missing end is open.
type period struct {
	after, before *time.Time
	late          time.Duration // how much later than created_at says a record may have been stored
}

// Created keeps the records that were created between two instants, either of which may be missing. late is how much later than
// created_at says a record may have been stored.
func Created[P ~func(*sql.Selector)](ps []P, v *Values, after, before *time.Time, late time.Duration) []P {
	v.created = period{after, before, late}
	if after != nil {
		ps = append(ps, P(sql.FieldGT(string(ColumnCreatedAt), *after)))
	}
	if before != nil {
		ps = append(ps, P(sql.FieldLT(string(ColumnCreatedAt), *before)))
	}
	return ps
}

// Newest is the order of a list with the newest records first, unless its caller asks for another. Of a period it reads the records that can
// have been created in it: ids are in order of creation, and lists go along them (architecture.md §2). An id may be of another machine's
// clock than created_at. Clocks that are set say nothing about ids: there it narrows nothing.
func (b Deps) Newest(order *Order, v Values) Order {
	by := order.OrElse(ColumnID, OrderDesc)
	by.values = v.columns
	if b.DB.VirtualClocks || time.Since(b.Now()).Abs() > postgres.MostSkew {
		return by
	}
	if v.created.after != nil {
		by.from = id.Floor(v.created.after.Add(-postgres.MostSkew))
	}
	if v.created.before != nil {
		by.to = id.Floor(v.created.before.Add(postgres.MostSkew + v.created.late))
	}
	return by
}
