package usecase

import (
	"time"

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
// been stored. Clocks that are set say nothing about ids: there it narrows nothing.
func (o Order) CreatedWithin(d Deps, after, before *time.Time, late time.Duration) Order {
	if d.DB.VirtualClocks || time.Since(d.Now()).Abs() > clockSkew {
		return o
	}
	if after != nil {
		o.from = id.Floor(after.Add(-clockSkew))
	}
	if before != nil {
		o.to = id.Floor(before.Add(clockSkew + late))
	}
	return o
}
