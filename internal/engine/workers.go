package engine

import (
	"context"
	"log/slog"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/queue"
	"github.com/carillon/carillon/internal/postgres/pgdue"
)

// laneWorkers are how many workers a lane has. Sends have workers of their own, because a provider that hangs holds them,
// and those must not be the ones that fan out.
type laneWorkers struct{ fanOut, send int }

var workersOf = map[event.Lane]laneWorkers{
	event.LaneUrgent: {fanOut: 4, send: 32},
	event.LaneNormal: {fanOut: 4, send: 64},
	event.LaneBulk:   {fanOut: 2, send: 16},
}

// maxEvents bounds the events that a worker takes at once.
const maxEvents = 100

// startWorkers works on what this process commits, until drain. ctx cuts the work off.
func (e *Engine) startWorkers(ctx context.Context) {
	for lane, n := range workersOf {
		for range n.fanOut {
			e.fanningOut.Go(func() { e.fanOutLane(ctx, lane) })
		}
		e.Background.Go(func() { e.sendLane(ctx, lane, n.send) })
	}
}

// drain lets the workers finish what they were handed, and ends them: the sends last, since fanning out brings more.
func (e *Engine) drain() {
	e.Queue.Events.Close()
	e.fanningOut.Wait()
	e.Queue.Messages.Close()
}

func (e *Engine) fanOutLane(ctx context.Context, lane event.Lane) {
	for {
		ids := e.Queue.Events.Take(ctx, lane, maxEvents)
		if len(ids) == 0 {
			return
		}
		e.Meter.TakenUp(string(pgdue.DueEvents), len(ids))
		if lane != event.LaneUrgent {
			e.fanOut.AwaitBackpressure(ctx)
		}
		if err := e.fanOut.Events(ctx, ids); err != nil && ctx.Err() == nil {
			e.Logger.WarnContext(ctx, "events are left to their due time", slog.Int("events", len(ids)), slog.String("error", err.Error()))
		}
	}
}

// sendLane begins a send for what waits whenever there is room for one.
func (e *Engine) sendLane(ctx context.Context, lane event.Lane, most int) {
	room := make(chan struct{}, most)
	for {
		select {
		case room <- struct{}{}:
		case <-ctx.Done():
			return
		}
		ids := e.Queue.Messages.Take(ctx, lane, queue.MessagesPerSend)
		if len(ids) == 0 {
			return
		}
		e.Meter.TakenUp(string(pgdue.DueMessages), len(ids))
		e.Background.Go(func() {
			defer func() { <-room }()
			if err := e.worker.SendAside(ctx, ids); err != nil && ctx.Err() == nil {
				e.Logger.WarnContext(ctx, "messages are left to their due time", slog.Int("messages", len(ids)), slog.String("error", err.Error()))
			}
		})
	}
}
