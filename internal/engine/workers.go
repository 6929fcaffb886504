package engine

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/queue"
	"github.com/carillon/carillon/internal/postgres/pgdue"
)

// laneWorkers are how many workers a lane has. Sends have workers of their own, because a provider that hangs holds them,
// and those must not be the ones that fan out. Fanning out page by page has too, because an event may take minutes.
type laneWorkers struct{ fanOut, stream, send int }

var workersOf = map[event.Lane]laneWorkers{
	event.LaneUrgent: {fanOut: 4, stream: 2, send: 32},
	event.LaneNormal: {fanOut: 4, stream: 2, send: 64},
	event.LaneBulk:   {fanOut: 2, stream: 2, send: 16},
}

// maxEvents bounds the events that a worker takes at once.
const maxEvents = 100

// streamTurn is how long an event is fanned out page by page before those of other environments that wait have their turn.
const streamTurn = time.Second

// startWorkers works on what this process commits, until drain. ctx cuts the work off.
func (e *Engine) startWorkers(ctx context.Context) {
	for lane, n := range workersOf {
		for range n.fanOut {
			e.fanningOut.Go(func() { e.fanOutLane(ctx, lane) })
		}
		for range n.stream {
			e.streaming.Go(func() { e.streamLane(ctx, lane) })
		}
		e.Background.Go(func() { e.sendLane(ctx, lane, n.send) })
	}
}

// drain lets the workers finish what they were handed, and ends them: the sends last, since fanning out brings more.
func (e *Engine) drain() {
	e.Queue.Events.Close()
	e.fanningOut.Wait()
	e.Queue.Streams.Close()
	e.streaming.Wait()
	e.Queue.Messages.Close()
}

func (e *Engine) fanOutLane(ctx context.Context, lane event.Lane) {
	for {
		items := e.Queue.Events.Take(ctx, lane, maxEvents)
		if len(items) == 0 {
			return
		}
		e.Meter.TakenUp(string(pgdue.DueEvents), len(items))
		if lane != event.LaneUrgent {
			e.fanOut.AwaitBackpressure(ctx)
		}
		streams, left, err := e.fanOut.Small(ctx, queue.IDs(items))
		if err != nil && ctx.Err() == nil {
			e.leftToDueTime(ctx, len(items), err)
		}
		var returned []queue.Item
		for _, item := range items {
			switch {
			case slices.Contains(streams, item.ID):
				e.Queue.Streams.Put(lane, item.EnvironmentID, item.ID)
			case slices.Contains(left, item.ID):
				returned = append(returned, item)
			}
		}
		e.Queue.Events.Return(lane, returned...)
	}
}

// streamLane fans out events page by page, one at a time.
func (e *Engine) streamLane(ctx context.Context, lane event.Lane) {
	for {
		items := e.Queue.Streams.Take(ctx, lane, 1)
		if len(items) == 0 {
			return
		}
		item, until := items[0], time.Now().Add(streamTurn)
		more, err := e.fanOut.Stream(ctx, item.ID, func() bool {
			return time.Now().After(until) && e.Queue.Streams.OthersWait(lane, item.EnvironmentID)
		})
		if err != nil && ctx.Err() == nil {
			e.leftToDueTime(ctx, 1, err)
		}
		if more {
			e.Queue.Streams.Return(lane, item)
		}
	}
}

func (e *Engine) leftToDueTime(ctx context.Context, events int, err error) {
	e.Logger.WarnContext(ctx, "events are left to their due time", slog.Int("events", events), slog.String("error", err.Error()))
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
		ids := queue.IDs(e.Queue.Messages.Take(ctx, lane, queue.MessagesPerSend))
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
