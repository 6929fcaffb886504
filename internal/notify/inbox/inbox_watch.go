package inbox

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/realtime"
)

// Watch sends what changes in an inbox, beginning after a sequence (nil: now, with an update that only has the inbox's
// sequence). A client that was away names the last sequence it saw and misses nothing, whichever process it reaches; when the
// inbox has not come that far, because it was made anew, the client receives everything from the beginning. The channel
// ends with ctx, or when the inbox can be read no longer. announce, unless nil, is called before each update, and
// before the channel ends, so that no goroutine waits for each of ten thousand open inboxes.
func (n *Inbox) Watch(ctx context.Context, subscriberID *string, contextKeys []string, after *int, announce func()) (<-chan *InboxUpdate, error) {
	if n.Live == nil {
		return nil, fault.Unavailablef(usecase.ErrNoHub, "Live updates are not served here.")
	}
	view, err := n.Open(ctx, subscriberID, contextKeys)
	if err != nil {
		return nil, err
	}
	if announce == nil {
		announce = func() {}
	}
	w := &inboxWatch{inbox: n, view: view, updates: make(chan *InboxUpdate), announce: announce}
	w.watch = n.Live.Call(realtime.Inbox(view.Subscriber.EnvironmentID, view.Subscriber.ID), func(news []any) { w.look(ctx, news) })
	if after != nil {
		w.after, w.doubt = int64(*after), *after > 0
	} else if err := w.begin(ctx); err != nil {
		w.watch.Close()
		return nil, err
	}
	w.gone = n.present(ctx, view)
	context.AfterFunc(ctx, w.end)
	w.begun.Store(true)
	w.watch.Look()
	return w.updates, nil
}

type inboxWatch struct {
	inbox    *Inbox
	view     *InboxView
	watch    *realtime.Watch
	gone     func()
	announce func()
	updates  chan *InboxUpdate
	begun    atomic.Bool

	mu    sync.Mutex // held during a look at the inbox, and while the watch ends
	after int64
	doubt bool         // whether the inbox may not have come as far as after
	first *InboxUpdate // the sequence of the inbox at the beginning
	over  bool
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

// look sends what happened since the last one: news, or what it reads.
func (w *inboxWatch) look(ctx context.Context, news []any) {
	if !w.begun.Load() {
		return // it will look by itself
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over {
		return
	}
	switch err := w.pass(ctx, news); {
	case err == nil:
	case ctx.Err() == nil && fault.KindOf(err) == fault.Unavailable:
		time.AfterFunc(lookAgain, w.watch.Look)
	default:
		w.finish()
	}
}

// end ends the watch once no look is running.
func (w *inboxWatch) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.over {
		w.finish()
	}
}

func (w *inboxWatch) finish() {
	w.over = true
	w.watch.Close()
	w.gone()
	w.announce()
	close(w.updates)
}

// checkSequence begins anew when the inbox has not come as far as the client says.
func (w *inboxWatch) checkSequence(ctx context.Context) error {
	if !w.doubt {
		return nil
	}
	state, err := w.inbox.State(ctx, w.view)
	if err != nil {
		return err
	}
	w.doubt = false
	if state == nil || state.Sequence < w.after {
		w.after, w.first = 0, &InboxUpdate{State: state}
	}
	return nil
}

// pass sends news as far as they continue what was sent. Where they do not, and without any, it reads what happened.
func (w *inboxWatch) pass(ctx context.Context, news []any) error {
	if news == nil || w.doubt || w.first != nil {
		return w.catchUp(ctx)
	}
	if _, err := usecase.Require(ctx, w.view.need()); err != nil {
		return err
	}
	for _, told := range news {
		update, ok := told.(*InboxUpdate)
		switch {
		case !ok, update.State.Scope == w.view.scopeKey() && update.Sequence > w.after+1:
			return w.catchUp(ctx)
		case update.State.Scope != w.view.scopeKey(), update.Sequence <= w.after:
			continue
		}
		if !w.send(ctx, update) {
			return context.Cause(ctx)
		}
		w.after = update.Sequence
	}
	return nil
}

// catchUp sends everything that happened so far.
func (w *inboxWatch) catchUp(ctx context.Context) error {
	if err := w.checkSequence(ctx); err != nil {
		return err
	}
	if w.first != nil {
		if !w.send(ctx, w.first) {
			return context.Cause(ctx)
		}
		w.first = nil
	}
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
	w.announce()
	select {
	case w.updates <- update:
		return true
	case <-ctx.Done():
		return false
	}
}
