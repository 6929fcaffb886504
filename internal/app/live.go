package app

import (
	"context"
	"sync"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/notify/inbox"
	"github.com/carillon/carillon/internal/realtime"
)

// live is what carries changes to those who watch.
type live struct {
	hub     *realtime.Hub
	nats    *realtime.ViaNATS // nil: Postgres carries them, or they stay in the process
	cancel  context.CancelFunc
	running sync.WaitGroup
	closing chan struct{} // closed when the server stops
}

// openLive chooses what carries live events between processes: NATS where it is configured, else the database; behind a
// transaction pooler nothing can, and watchers look for themselves.
func (a *App) openLive() error {
	a.live.closing = make(chan struct{})
	cfg := realtime.Config{Logger: a.log}
	switch {
	case a.cfg.NATSURL != "":
		var err error
		if a.live.nats, err = realtime.ConnectNATS(a.cfg.NATSURL, a.log); err != nil {
			return err
		}
		cfg.Broker = a.live.nats
	case !a.cfg.DatabasePooler:
		cfg.Broker = realtime.ViaPostgres{DB: a.db.DB}
	}
	a.live.hub = realtime.NewHub(cfg)
	return nil
}

// startLive exchanges signals with other processes and records who is online, until stopLive.
func (a *App) startLive(ctx context.Context) {
	ctx, a.live.cancel = context.WithCancel(context.WithoutCancel(ctx))
	a.live.running.Go(func() { a.live.hub.Run(ctx) })
	a.live.running.Go(func() { a.services.Presence.Run(ctx) })
}

func (a *App) stopLive() {
	if a.live.cancel != nil {
		a.live.cancel()
		a.live.running.Wait()
	}
}

// announce publishes new in-app messages to watchers.
func (a *App) announce(_ context.Context, changes []state.InboxChange) {
	inbox.Announce(a.live.hub, changes)
}

// trace reports to those who follow notifications that traces grew; most of the time there is no follower.
func (a *App) trace(changes []state.TraceChange) {
	topics := make([]realtime.Topic, 0, len(changes))
	followed := map[string]bool{}
	for _, c := range changes {
		wanted, known := followed[c.EnvironmentID]
		if !known {
			wanted = a.live.hub.Followed(realtime.Notifications(c.EnvironmentID))
			followed[c.EnvironmentID] = wanted
		}
		if wanted {
			topics = append(topics, realtime.Notification(c.EnvironmentID, c.NotificationID))
		}
	}
	if len(topics) > 0 {
		a.live.hub.Publish(topics...)
	}
}
