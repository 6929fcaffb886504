package engine

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/postgres"
)

// lanes are the lanes in the order in which overdue events are taken up.
var lanes = []event.Lane{event.LaneUrgent, event.LaneNormal, event.LaneBulk}

const (
	takeUpLimit   = 200 // events of one transaction
	takeUpStreams = 4   // of them that a worker streams before it looks again; others are free for other workers meanwhile
	takeUpWorkers = 4   // for the urgent and the normal lane, and as many for the bulk lane
)

// startTakeUp sets workers to events whose job was lost, for example with the process that was to do it. The bulk lane has
// workers of its own, since one of its events may take minutes to stream.
func (e *Engine) startTakeUp(ctx context.Context) {
	if e.DB.VirtualClocks { // events of an environment follow its clock one after the other
		e.working.Go(func() { e.loop(ctx, "events", func() (int, error) { return e.Wake(ctx, postgres.DueEvents) }) })
		return
	}
	for _, some := range [][]event.Lane{lanes[:2], lanes[2:]} {
		room := make(chan struct{}, takeUpWorkers)
		e.working.Go(func() { e.loop(ctx, "events", func() (int, error) { return 0, e.hire(ctx, room, some) }) })
	}
}

// hire sets as many workers as there is room for to overdue events, if there are any. Each works until none is left, so
// that one which streams for minutes holds up no other.
func (e *Engine) hire(ctx context.Context, room chan struct{}, lanes []event.Lane) error {
	overdue := false
	for _, lane := range lanes {
		ids, err := e.DB.DueEventIDs(ctx, string(lane), time.Now(), 1)
		if err != nil {
			return err
		}
		overdue = overdue || len(ids) > 0
	}
	if !overdue {
		return nil
	}
	for range takeUpWorkers {
		select {
		case room <- struct{}{}:
			e.working.Go(func() {
				defer func() { <-room }()
				e.takeUpAll(ctx, lanes)
			})
		default:
			return nil
		}
	}
	return nil
}

// takeUpAll takes up overdue events until none is left.
func (e *Engine) takeUpAll(ctx context.Context, lanes []event.Lane) {
	for ctx.Err() == nil {
		found, err := e.takeUp(ctx, lanes...)
		if err != nil && ctx.Err() == nil {
			e.Logger.WarnContext(ctx, "overdue events not taken up", slog.String("error", err.Error()))
		}
		if found == 0 || err != nil {
			return
		}
	}
}

// takeUp fans out the overdue events of the first of these lanes that has some, one transaction's worth of them.
func (e *Engine) takeUp(ctx context.Context, lanes ...event.Lane) (found int, err error) {
	for _, lane := range lanes {
		if lane != event.LaneUrgent {
			e.awaitBackpressure(ctx)
		}
		if found, err = e.takeUpLane(ctx, lane); found > 0 || err != nil {
			return found, err
		}
	}
	return 0, nil
}

func (e *Engine) takeUpLane(ctx context.Context, lane event.Lane) (found int, err error) {
	got, err := e.fanOutClaimed(ctx, takeUpStreams, func(ctx context.Context, tx pgx.Tx) ([]postgres.EventRow, error) {
		return postgres.ClaimDueEvents(ctx, tx, string(lane), time.Now(), takeUpLimit)
	})
	switch {
	case err == nil:
	case isInfrastructureError(ctx, err):
		return 0, err
	default: // one of them is at fault: those that are overdue, each alone if need be
		e.Logger.WarnContext(ctx, "overdue events are taken up one by one", slog.String("lane", string(lane)), slog.String("error", err.Error()))
		ids, err := e.DB.DueEventIDs(ctx, string(lane), time.Now(), takeUpLimit)
		if err != nil {
			return 0, err
		}
		return len(ids), e.FanOut(ctx, ids)
	}
	return got.found, errors.Join(e.streams(ctx, got.streams), e.FanOut(ctx, got.left))
}
