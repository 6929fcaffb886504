package activity

import (
	"context"
	"slices"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/notification"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/workflow"
)

// NotificationWatchFilter narrows which notifications are reported; the fields that are set combine with AND.
type NotificationWatchFilter struct {
	TransactionID *string
	SubscriberID  *string // external
	Workflow      *string // id, slug or identifier
	FailuresOnly  *bool   // only notifications something failed in
}

// gather is how long changes are collected, so that a notification that goes through several steps at once is reported once.
const gather = 20 * time.Millisecond

// Watch sends notifications whenever their trace grows, as they are then. With a transaction it begins with those that
// are there already. The channel ends with ctx, or when the viewer may read no longer.
func (n *Notifications) Watch(ctx context.Context, filter *NotificationWatchFilter) (<-chan *ent.Notification, error) {
	if n.Live == nil {
		return nil, fault.Unavailablef(usecase.ErrNoHub, "Live updates are not served here.")
	}
	v, err := usecase.Require(ctx, usecase.ReadActivity)
	if err != nil {
		return nil, err
	}
	if filter == nil {
		filter = &NotificationWatchFilter{}
	}
	w := &notificationWatch{
		notifications: n, filter: filter, seen: map[id.ID]int{}, updates: make(chan *ent.Notification),
		follow: n.Live.Follow(realtime.Notifications(v.EnvironmentID)),
	}
	if err := w.check(ctx); err != nil {
		w.follow.Close()
		return nil, err
	}
	go func() {
		defer close(w.updates)
		defer w.follow.Close()
		w.run(ctx)
	}()
	return w.updates, nil
}

type notificationWatch struct {
	notifications *Notifications
	filter        *NotificationWatchFilter
	follow        *realtime.Follow
	seen          map[id.ID]int // entries of the trace that were reported
	updates       chan *ent.Notification
}

// maxRemembered bounds what is remembered of reported notifications; one that is forgotten may be reported again.
const maxRemembered = 10_000

// check refuses a filter that names what does not exist.
func (w *notificationWatch) check(ctx context.Context) error {
	_, err := usecase.Read(ctx, w.notifications.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (any, error) {
		_, _, err := w.listFilter().predicates(ctx, db)
		return nil, err
	})
	return err
}

func (w *notificationWatch) listFilter() *NotificationFilter {
	return &NotificationFilter{TransactionID: w.filter.TransactionID, SubscriberID: w.filter.SubscriberID, Workflow: w.filter.Workflow}
}

func (w *notificationWatch) run(ctx context.Context) {
	if w.filter.TransactionID != nil && !w.send(ctx, nil) {
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.follow.C:
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(gather):
		}
		changed, missed := w.follow.Take()
		if missed {
			changed = nil // the newest that the filter finds
		}
		if (missed || len(changed) > 0) && !w.send(ctx, changed) {
			return
		}
	}
}

// send sends what is new of the named notifications, or of the newest ones; false when the watch ends.
func (w *notificationWatch) send(ctx context.Context, ids []id.ID) bool {
	for batch := range slices.Chunk(ids, usecase.MaxPage) {
		if !w.tellBatch(ctx, batch) {
			return false
		}
	}
	return len(ids) > 0 || w.tellBatch(ctx, nil)
}

func (w *notificationWatch) tellBatch(ctx context.Context, ids []id.ID) bool {
	rows, err := w.newest(ctx, ids)
	if err != nil {
		return fault.KindOf(err) == fault.Unavailable && ctx.Err() == nil
	}
	slices.Reverse(rows)
	for _, row := range rows {
		decisions := decided(row)
		if decisions <= w.seen[row.ID] || w.filter.FailuresOnly != nil && *w.filter.FailuresOnly && !failed(row) {
			continue
		}
		if len(w.seen) >= maxRemembered {
			w.seen = map[id.ID]int{}
		}
		w.seen[row.ID] = decisions
		select {
		case w.updates <- row:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// newest are the newest notifications that meet the filter, only the named ones unless ids is nil.
func (w *notificationWatch) newest(ctx context.Context, ids []id.ID) ([]*ent.Notification, error) {
	return usecase.Read(ctx, w.notifications.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) ([]*ent.Notification, error) {
		ps, values, err := w.listFilter().predicates(ctx, db)
		if err != nil {
			return nil, err
		}
		if ids != nil {
			ps = append(ps, notification.IDIn(ids...))
		}
		page, err := usecase.Paginate(ctx, db.Notification.Query(), ps, usecase.Page{First: new(usecase.MaxPage)}, w.notifications.Newest(nil, values))
		if err != nil {
			return nil, err
		}
		return page.Nodes(), nil
	})
}

// decided is how many decisions are on the trace, repeated ones counted.
func decided(row *ent.Notification) (n int) {
	for _, e := range row.Trace {
		n += e.Times()
	}
	return n
}

// failures are the reasons that say that something failed.
var failures = []workflow.Reason{
	workflow.ReasonRejected, workflow.ReasonExhausted, workflow.ReasonOutcomeUnknown, workflow.ReasonRenderFailed,
	workflow.ReasonStopOnFail, workflow.ReasonParked,
}

func failed(row *ent.Notification) bool {
	return slices.ContainsFunc(row.Trace, func(e workflow.TraceEntry) bool { return slices.Contains(failures, e.Reason) })
}
