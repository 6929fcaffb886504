package usecase

import (
	"time"

	"entgo.io/ent/dialect/sql"

	"github.com/carillon/carillon/internal/id"
)

// clockSkew is how far a record's id and its created_at may be apart beside what its making was late.
const clockSkew = time.Minute

// LateRun is by how much the created_at of a run and of what it made may be before their making, as far as lists go: they
// were due then, and were stored later where there was a backlog. What was created before an instant is looked for among
// the records that were stored up to this long after it.
const LateRun = 10 * time.Minute

// CreatedWithin narrows a list by id to what can have been created between two instants, either of which may be missing:
// ids are in order of creation, and lists go along them (architecture.md §2). late is how much later than created_at says a record may have
// been stored. values are what the records have in common. Clocks that are set say nothing about ids: there it narrows
// nothing.
func CreatedWithin[P ~func(*sql.Selector)](d Deps, ps []P, values Values, after, before *time.Time, late time.Duration) []P {
	if d.DB.VirtualClocks || time.Since(d.Now()).Abs() > clockSkew {
		return ps
	}
	along := values.along()
	if after != nil {
		ps = append(ps, P(along.beside(sql.OpGTE, id.Floor(after.Add(-clockSkew)))))
	}
	if before != nil {
		ps = append(ps, P(along.beside(sql.OpLT, id.Floor(before.Add(clockSkew+late)))))
	}
	return ps
}
