package run

import (
	"time"

	"github.com/carillon/carillon/internal/engine/pace"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
)

// spare is how many more rows than notifications are read of a paced event: several subscriptions may be one subscriber's.
const spare = 50

// most is how many notifications a page of the event makes, and limit how many rows are read for it. Pages that are written at once
// make PageSize together, or half of that where messages go out through providers, whose contents take more memory; only audiences are
// read in pages of PageSize (chosen), since they choose few of what is read.
func (f *FanOut) most(s *EventContext) (most, limit int) {
	if s.PerSecond == nil {
		most = f.PageSize / pageWriters
		if s.definition.Sends {
			most /= 2
		}
		most = max(1, most)
		return most, most
	}
	most = pace.Page(*s.PerSecond, f.PageSize)
	return most, min(f.PageSize, most+spare)
}

// cut shortens the rows of a page to what the event may make at its pace. full reports whether more rows follow.
func (f *FanOut) cut(s *EventContext, rows *[]pgfanout.PageRow, full bool, most int) bool {
	if s.PerSecond == nil {
		return full
	}
	list := *rows
	*rows = list[:pace.Take(len(list), most, func(i int) bool { return list[i].ID == list[i-1].ID }, func(int) bool { return true })]
	return full || len(*rows) < len(list)
}

// move is the move of the event behind a page, and when the next page of a paced one is due.
func (f *FanOut) move(s *EventContext, p *page) *pgfanout.Move {
	m := &pgfanout.Move{EnvironmentID: s.EnvironmentID, ID: s.ID, From: p.before, To: p.after, Notified: len(p.batch.runs), Last: p.last, Lease: f.Lease}
	if s.PerSecond != nil && !p.last {
		var due time.Time
		if p.before.Due != nil {
			due = *p.before.Due
		}
		now, frozen := f.Clocks.FrozenAt(s.EnvironmentID)
		wall := time.Now()
		if !frozen {
			now = wall
		}
		next := pace.Next(*s.PerSecond, m.Notified, due, now)
		m.To.Due, m.DueAt = &next, &next
		if frozen { // only the environment's clock decides when it continues
			m.DueAt, m.RetryAt = &wall, &next
		}
	}
	return m
}
