package deliver

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/carillon/carillon/internal/postgres/pgmessage"
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
		if err := pgmessage.ExtendLeases(ctx, w.DB, open.list(), w.Lease); err != nil {
			w.Logger.WarnContext(ctx, "leases not extended", slog.String("error", err.Error()))
		}
	}
}
