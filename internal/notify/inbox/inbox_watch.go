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
		w.after = int64(*after)
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
	read  time.Time    // when the last read began
	again bool         // whether another one is to follow recheck after it
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

// recheck is for how long after a read news of what it may have read are passed over, which come late while much happens. After it the
// inbox is read once more if there were any: it may have gone back.
const recheck = time.Second

// pass sends news as far as they continue what was sent. Where they do not, and without any, it reads what happened.
func (w *inboxWatch) pass(ctx context.Context, news []any) error {
	if news == nil || w.first != nil {
		return w.catchUp(ctx)
	}
	if _, err := usecase.Require(ctx, w.view.need()); err != nil {
		return err
	}
	for _, told := range news {
		update, ok := told.(*InboxUpdate)
		switch {
		case ok && update.State.Scope != w.view.scopeKey():
			continue
		case ok && update.Sequence <= w.after && time.Since(w.read) < recheck:
			if !w.again {
				w.again = true
				time.AfterFunc(recheck, w.watch.Look)
			}
			continue
		case !ok, update.Sequence != w.after+1:
			return w.catchUp(ctx)
		}
		if !w.send(ctx, update) {
			return context.Cause(ctx)
		}
		w.after = update.Sequence
	}
	return nil
}

// catchUp sends everything that happened so far. It begins anew when the inbox has not come as far as what was sent: it was made anew, or
// Postgres continues from an earlier moment, after the promotion of an asynchronous standby or a restore.
func (w *inboxWatch) catchUp(ctx context.Context) error {
	w.read, w.again = time.Now(), false
	if w.first != nil {
		if !w.send(ctx, w.first) {
			return context.Cause(ctx)
		}
		w.first = nil
	}
	for {
		update, now, err := w.inbox.Since(ctx, w.view, w.after)
		if err != nil {
			return err
		}
		anew := update == nil && w.after > 0 && (now == nil || now.Sequence < w.after)
		switch {
		case anew:
			update = &InboxUpdate{State: now}
		case update == nil:
			return nil
		}
		if !w.send(ctx, update) {
			return context.Cause(ctx)
		}
		w.after = update.Sequence
		if !anew && !update.More {
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
