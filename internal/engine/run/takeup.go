package run

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
)

const (
	takeUpLimit   = 200 // events of one transaction
	takeUpStreams = 4   // of them that one take-up streams; others are free for other workers meanwhile
)

// TakeUp fans out the overdue events of the first of these lanes that has some, one transaction's worth of them.
func (f *FanOut) TakeUp(ctx context.Context, lanes []event.Lane) error {
	for _, lane := range lanes {
		if lane != event.LaneUrgent {
			f.AwaitBackpressure(ctx)
		}
		if found, err := f.takeUpLane(ctx, lane); found > 0 || err != nil {
			return err
		}
	}
	return nil
}

func (f *FanOut) takeUpLane(ctx context.Context, lane event.Lane) (found int, err error) {
	got, err := f.fanOutClaimed(ctx, takeUpStreams, lockWait, func(ctx context.Context, tx pgx.Tx) ([]pgfanout.EventRow, error) {
		return pgfanout.ClaimDueEvents(ctx, tx, string(lane), time.Now(), takeUpLimit)
	})
	switch {
	case err == nil:
	case isAway(ctx, err):
		return 0, err
	default: // one of them is at fault: those that are overdue, each alone if need be
		f.Logger.WarnContext(ctx, "overdue events are taken up one by one", slog.String("lane", string(lane)), slog.String("error", err.Error()))
		ids, err := pgfanout.DueEventIDs(ctx, f.DB, string(lane), time.Now(), takeUpLimit)
		if err != nil {
			return 0, err
		}
		return len(ids), f.Events(ctx, ids)
	}
	return got.found, errors.Join(f.streams(ctx, got.streams), f.Events(ctx, got.left))
}

// The pauses of a fan-out while clients wait for their events to be accepted. If they still wait then, fan-out continues, half a second later, and
// with more events at once.
const (
	pause  = 5 * time.Millisecond
	pauses = 100
)

// AwaitBackpressure lets requests that wait to be accepted go first.
func (f *FanOut) AwaitBackpressure(ctx context.Context) {
	for n := 0; n < pauses && f.Backpressure() && ctx.Err() == nil; n++ {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
}
