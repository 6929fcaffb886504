package notify

import (
	"context"
	"errors"
	"time"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/realtime"
)

// Watch tells what changes in an inbox, beginning after a sequence (nil: now, with an update that only says where the inbox
// stands). A client that was away names the last sequence it saw and misses nothing, whichever process it reaches. The
// channel ends with ctx, or when the inbox can be read no longer.
func (n *Inbox) Watch(ctx context.Context, subscriberID *string, contextKeys []string, after *int) (<-chan *InboxUpdate, error) {
	if n.live == nil {
		return nil, fault.Unavailablef(errNoHub, "Live updates are not served here.")
	}
	view, err := n.Open(ctx, subscriberID, contextKeys)
	if err != nil {
		return nil, err
	}
	w := &inboxWatch{inbox: n, view: view, updates: make(chan *InboxUpdate)}
	watch := n.live.Watch(realtime.Inbox(view.Subscriber.EnvironmentID, view.Subscriber.ID))
	if after != nil {
		w.after = int64(*after)
	} else if err := w.begin(ctx); err != nil {
		watch.Close()
		return nil, err
	}
	gone := n.present(ctx, view)
	go func() {
		defer close(w.updates)
		defer watch.Close()
		defer gone()
		w.run(ctx, watch)
	}()
	return w.updates, nil
}

var errNoHub = errors.New("no hub")

type inboxWatch struct {
	inbox   *Inbox
	view    *InboxView
	after   int64
	first   *InboxUpdate // where the inbox stands at the beginning
	updates chan *InboxUpdate
}

func (w *inboxWatch) begin(ctx context.Context) error {
	state, err := w.inbox.State(ctx, w.view)
	if err != nil {
		return err
	}
	w.first = &InboxUpdate{State: state}
	if state != nil {
		w.after, w.first.Sequence = state.Sequence, state.Sequence
	}
	return nil
}

// lookAgain is the pause after a look that failed because the database was away.
const lookAgain = time.Second

func (w *inboxWatch) run(ctx context.Context, watch *realtime.Watch) {
	if w.first != nil && !w.send(ctx, w.first) {
		return
	}
	w.first = nil
	again := time.NewTimer(0) // the first look
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-watch.C:
		case <-again.C:
		}
		looked := make(chan error, 1)
		go func() { looked <- w.catchUp(ctx) }() // so that no deep stack waits for the next change
		switch err := <-looked; {
		case err == nil:
		case ctx.Err() != nil, fault.KindOf(err) != fault.Unavailable:
			return
		default:
			again.Reset(lookAgain)
		}
	}
}

// catchUp sends everything that happened so far.
func (w *inboxWatch) catchUp(ctx context.Context) error {
	for {
		update, err := w.inbox.Since(ctx, w.view, w.after)
		if err != nil || update == nil {
			return err
		}
		if !w.send(ctx, update) {
			return context.Cause(ctx)
		}
		w.after = update.Sequence
		if !update.More {
			return nil
		}
	}
}

func (w *inboxWatch) send(ctx context.Context, update *InboxUpdate) bool {
	select {
	case w.updates <- update:
		return true
	case <-ctx.Done():
		return false
	}
}
