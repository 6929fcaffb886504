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

// LongAttempt is after how long an attempt is moved aside. A mail server has ten minutes for its last reply, and such attempts
// must not delay the others: after LongAttempt one gives back the worker and the slot among all attempts that it occupies, and
// an integration whose attempts do not end gets no more messages than it may have attempts.
const LongAttempt = 5 * time.Second

const (
	slowAttempts = 8                // times as many as ConcurrentAttempts may be under way beside them
	deferPause   = 10 * time.Second // and up to twice as much more
	stoppingTime = 2 * time.Second  // to record attempts that were interrupted
)

// SendAside is Send that returns while attempts that take long are still under way.
func (w *Worker) SendAside(ctx context.Context, messageIDs []string) error {
	return w.send(ctx, messageIDs, w.deliverAside)
}

// deliverAside delivers, and returns while attempts that take long are still under way.
func (w *Worker) deliverAside(ctx context.Context, deliveries []*Delivery) error {
	done := make(chan error, 1)
	w.Background.Go(func() { done <- w.Deliver(ctx, deliveries) })
	patience := time.NewTimer(LongAttempt)
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

// attemptSlot is the slot of one attempt among all attempts, and among those that take long once it does.
type attemptSlot struct {
	mu     sync.Mutex
	give   func() // the place among all attempts
	slow   chan struct{}
	long   *atomic.Int64 // the integration's attempts that take long
	isLong bool
	isSlow bool // holds a place among the slow ones
	left   bool
	timer  *time.Timer
}

func newAttemptSlot(slow chan struct{}, long *atomic.Int64, give func()) *attemptSlot {
	s := &attemptSlot{give: give, slow: slow, long: long}
	s.timer = time.AfterFunc(LongAttempt, s.move)
	return s
}

// move changes over to the places of attempts that take long, if one is free.
func (s *attemptSlot) move() {
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

func (s *attemptSlot) release() {
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

// deferSlow defers messages of integrations that are slow and have as many under way as they may have attempts, twice over for
// the urgent lane and once for the bulk one. Their attempts do not begin; they come back after a while.
func (w *Worker) deferSlow(deliveries []*Delivery) (admitted []*Delivery, deferred []string) {
	under := map[*openAdapter]int{}
	for _, d := range deliveries {
		if d.attempt != nil && !d.interrupted && int(d.adapter.long.Load()) >= max(w.AttemptsPerIntegration/4, 1) {
			if int(d.adapter.under.Load())+under[d.adapter] >= w.AttemptsPerIntegration*(4-max(rank(d.Lane), 0))/2 {
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
