package deliver

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres/pgmessage"
)

// LongCall is after how long a call is moved aside. A mail server has ten minutes for its last reply, and such calls must not
// hold up the others: after LongCall one gives back the worker and the place among all calls that it holds, and an
// integration whose calls do not end gets no more messages than it may have calls.
const LongCall = 5 * time.Second

const (
	slowCalls    = 8                // times as many as Calls may be under way beside them
	deferPause   = 10 * time.Second // and up to twice as much more
	stoppingTime = 2 * time.Second  // to record calls that were interrupted
)

// SendAside is Send that returns while calls that take long are still under way.
func (w *Worker) SendAside(ctx context.Context, messageIDs []string) error {
	return w.send(ctx, messageIDs, w.deliverAside)
}

// deliverAside delivers, and returns while calls that take long are still under way.
func (w *Worker) deliverAside(ctx context.Context, deliveries []*Delivery) error {
	done := make(chan error, 1)
	w.Background.Go(func() { done <- w.Deliver(ctx, deliveries) })
	patience := time.NewTimer(LongCall)
	defer patience.Stop()
	select {
	case err := <-done:
		return err
	case <-patience.C:
	}
	w.Background.Go(func() {
		if err := <-done; err != nil {
			w.Logger.WarnContext(ctx, "outcomes not recorded", slog.String("error", err.Error()))
		}
	})
	return nil
}

// callSlot is the place of one call among all calls, and among those that take long once it does.
type callSlot struct {
	mu     sync.Mutex
	give   func() // the place among all calls
	slow   chan struct{}
	long   *atomic.Int64 // the integration's calls that take long
	isLong bool
	isSlow bool // holds a place among the slow ones
	left   bool
	timer  *time.Timer
}

func newCallSlot(slow chan struct{}, long *atomic.Int64, give func()) *callSlot {
	s := &callSlot{give: give, slow: slow, long: long}
	s.timer = time.AfterFunc(LongCall, s.move)
	return s
}

// move changes over to the places of calls that take long, if one is free.
func (s *callSlot) move() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left || s.isLong {
		return
	}
	s.isLong = true
	s.long.Add(1)
	select {
	case s.slow <- struct{}{}:
		s.isSlow = true
		s.give()
	default:
	}
}

func (s *callSlot) release() {
	s.timer.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left = true
	if s.isLong {
		s.long.Add(-1)
	}
	if s.isSlow {
		<-s.slow
	} else {
		s.give()
	}
}

// deferSlow defers messages of integrations that are slow and have as many under way as they may have calls, twice over for
// the urgent lane and once for the bulk one. Their attempts do not begin; they come back after a while.
func (w *Worker) deferSlow(deliveries []*Delivery) (admitted []*Delivery, deferred []string) {
	under := map[*openAdapter]int{}
	for _, d := range deliveries {
		if d.attempt != nil && !d.interrupted && int(d.adapter.long.Load()) >= max(w.CallsPerIntegration/4, 1) {
			if int(d.adapter.under.Load())+under[d.adapter] >= w.CallsPerIntegration*(4-max(rank(d.Lane), 0))/2 {
				deferred = append(deferred, d.ID)
				continue
			}
			under[d.adapter]++
		}
		admitted = append(admitted, d)
	}
	return admitted, deferred
}

// deferTime is how long messages are deferred.
func deferTime() time.Duration {
	return deferPause + rand.N(2*deferPause) //nolint:gosec // spreads load, guards nothing
}

// deferMessages leaves messages to whoever claims them after a while.
func deferMessages(ctx context.Context, tx pgx.Tx, messageIDs []string) error {
	if len(messageIDs) == 0 {
		return nil
	}
	return pgmessage.HoldMessages(ctx, tx, messageIDs, deferTime())
}
