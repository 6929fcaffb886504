package inbox

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pginbox"
	"github.com/carillon/carillon/internal/viewer"
)

// Presence keeps isOnline and lastOnlineAt of the subscribers whose inboxes are open in this process. A process that dies
// stops saying so, and the others notice.
type Presence struct {
	db     *postgres.DB
	now    func() time.Time
	logger *slog.Logger

	mu      sync.Mutex
	open    map[id.ID]int // watches of each subscriber
	changed map[id.ID]bool
	woken   chan struct{}
}

const (
	// presenceBeat is how often a process says who is online; presenceEnd is how long after the last report a subscriber counts
	// as online.
	presenceBeat = 20 * time.Second
	presenceEnd  = 3 * presenceBeat
	// presenceBatch bounds one write.
	presenceBatch = 1000
)

func newPresence(cfg usecase.Config) *Presence {
	return &Presence{
		db: cfg.DB, now: cfg.Now, logger: cfg.Logger, open: map[id.ID]int{}, changed: map[id.ID]bool{}, woken: make(chan struct{}, 1),
	}
}

// present marks the owner of an inbox as online while it watches; others who look at the inbox do not count.
func (n *Inbox) present(ctx context.Context, view *InboxView) (gone func()) {
	if v, _ := viewer.FromContext(ctx); v.SubscriberID != view.Subscriber.ID || n.presence == nil {
		return func() {}
	}
	n.presence.move(view.Subscriber.ID, 1)
	return func() { n.presence.move(view.Subscriber.ID, -1) }
}

func (p *Presence) move(subscriberID id.ID, by int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.open[subscriberID]
	p.open[subscriberID] = before + by
	if before+by == 0 {
		delete(p.open, subscriberID)
	}
	if (before == 0) == (before+by == 0) {
		return
	}
	p.changed[subscriberID] = true
	select {
	case p.woken <- struct{}{}:
	default:
	}
}

// Run writes who comes and goes until ctx ends, and then that all are offline.
func (p *Presence) Run(ctx context.Context) {
	beat := time.NewTicker(presenceBeat)
	defer beat.Stop()
	for {
		select {
		case <-ctx.Done():
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer cancel()
			p.mu.Lock()
			for subscriberID := range p.open {
				p.changed[subscriberID] = true
			}
			p.open = map[id.ID]int{}
			p.mu.Unlock()
			p.write(ctx, p.take())
			return
		case <-beat.C:
			p.write(ctx, p.everybody())
			if err := pginbox.EndPresence(ctx, p.db, p.now().Add(-presenceEnd), presenceBatch); err != nil && ctx.Err() == nil {
				p.logger.WarnContext(ctx, "subscribers that went offline not recorded", "error", err.Error())
			}
		case <-p.woken:
			p.write(ctx, p.take())
		}
	}
}

// take is who came (true) or went since the last call.
func (p *Presence) take() map[id.ID]bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	moved := make(map[id.ID]bool, len(p.changed))
	for subscriberID := range p.changed {
		moved[subscriberID] = p.open[subscriberID] > 0
	}
	p.changed = map[id.ID]bool{}
	return moved
}

func (p *Presence) everybody() map[id.ID]bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	here := make(map[id.ID]bool, len(p.open))
	for subscriberID := range p.open {
		here[subscriberID] = true
	}
	return here
}

func (p *Presence) write(ctx context.Context, online map[id.ID]bool) {
	for batch := range slices.Chunk(slices.Sorted(maps.Keys(online)), presenceBatch) {
		flags := make([]bool, len(batch))
		for i, subscriberID := range batch {
			flags[i] = online[subscriberID]
		}
		if err := pginbox.SetPresence(ctx, p.db, p.now().UTC(), batch, flags); err != nil && ctx.Err() == nil {
			p.logger.WarnContext(ctx, "who is online not recorded", "error", err.Error())
		}
	}
}
