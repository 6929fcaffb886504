package deliver

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/workflow"
)

// openMessages are messages whose outcomes are not recorded yet.
type openMessages struct {
	mu  sync.Mutex
	ids map[string]bool
}

func newOpenMessages(deliveries []*Delivery) *openMessages {
	o := &openMessages{ids: make(map[string]bool, len(deliveries))}
	for _, d := range deliveries {
		o.ids[d.ID] = true
	}
	return o
}

func (o *openMessages) remove(outcomes []pgmessage.MessageOutcome) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i := range outcomes {
		delete(o.ids, outcomes[i].MessageID)
	}
}

func (o *openMessages) list() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Collect(maps.Keys(o.ids))
}

func (o *openMessages) has(messageID string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.ids[messageID]
}

// underWay are the open messages of all batches of a process.
type underWay struct{ batches sync.Map } // of *openMessages

func (u *underWay) add(open *openMessages) (remove func()) {
	u.batches.Store(open, nil)
	return func() { u.batches.Delete(open) }
}

func (u *underWay) has(messageID string) (found bool) {
	u.batches.Range(func(batch, _ any) bool {
		open, _ := batch.(*openMessages)
		found = open.has(messageID)
		return !found
	})
	return found
}

// leaveToOwners leaves out of claimed messages, and extends, those that are under way although their leases ended while the database did
// not answer: those of this process, and right after an outage those of others, which may be there as well.
func (w *Worker) leaveToOwners(ctx context.Context, tx pgx.Tx, claimed []pgmessage.ClaimedMessage, afterOutage bool) ([]pgmessage.ClaimedMessage, error) {
	var own, others []string
	left := slices.DeleteFunc(claimed, func(m pgmessage.ClaimedMessage) bool {
		switch {
		case m.LastOutcome != workflow.AttemptIntent:
			return false
		case w.underWay.has(m.ID):
			own = append(own, m.ID)
			return true
		case afterOutage:
			others = append(others, m.ID)
			return true
		}
		return false
	})
	if err := pgmessage.ExtendLeases(ctx, tx, own, w.Lease); err != nil {
		return nil, err
	}
	return left, pgmessage.ExtendLeases(ctx, tx, others, w.Lease/2)
}

// extendLeases keeps open messages to this process until all are recorded.
func (w *Worker) extendLeases(ctx context.Context, open *openMessages, recorded <-chan struct{}) {
	tick := time.NewTicker(w.Lease / 3)
	defer tick.Stop()
	for {
		select {
		case <-recorded:
			return
		case <-tick.C:
		}
		if err := pgmessage.ExtendLeases(ctx, w.DB.Pool, open.list(), w.Lease); err != nil {
			w.Logger.WarnContext(ctx, "leases not extended", slog.String("error", err.Error()))
		}
	}
}
