package deliver

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
)

// LongAttempt is after how long an attempt is moved aside. A mail server has ten minutes for its last reply, and such attempts
// must not delay the others: after LongAttempt one gives back the slot among all attempts that it occupies, and
// an integration whose attempts do not end gets no more messages than it may have attempts.
const LongAttempt = 5 * time.Second

// BatchPatience is how long a batch of deliveries counts among those under way. A batch whose calls take longer continues beside others, so
// that what is due behind it does not wait for its provider.
const BatchPatience = time.Second

const (
	slowAttempts = 8               // times as many as ConcurrentAttempts may be under way beside them
	stoppingTime = 2 * time.Second // to record attempts that were interrupted
	deferPause   = LongAttempt / 2 // is the least time for which a message is deferred, while the integration has work
)

// SendAside is Send that returns while attempts that take long are still under way.
func (w *Worker) SendAside(ctx context.Context, messageIDs []string) error {
	return w.send(ctx, messageIDs, w.deliverAside)
}

// deliverAside delivers, and returns while attempts that take long are still under way.
func (w *Worker) deliverAside(ctx context.Context, deliveries []*Delivery) error {
	done := make(chan error, 1)
	w.Background.Go(func() { done <- w.Deliver(ctx, deliveries) })
	patience := time.NewTimer(BatchPatience)
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

// deferMessages leaves messages to whoever claims them after a while, which grows with the time that they have waited.
func (w *Worker) deferMessages(ctx context.Context, tx pgx.Tx, deferred []*Delivery) error {
	if len(deferred) == 0 {
		return nil
	}
	ids, pauses := make([]string, len(deferred)), make([]time.Duration, len(deferred))
	for i, d := range deferred {
		ids[i], pauses[i] = d.ID, state.Deferral(d.now.Sub(later(d.CreatedAt, d.envelope.Again)), deferPause)
	}
	return pgmessage.DeferMessages(ctx, tx, ids, pauses, w.DB.VirtualClocks)
}
