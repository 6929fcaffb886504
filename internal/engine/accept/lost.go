package accept

import (
	"context"
	"log/slog"
	"time"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
)

// publication is what is to be done once events are committed that were stored with what follows from them.
type publication struct {
	publish func(context.Context) // nil: nothing
	eventID string                // of one of the events
	// until is when it is too late: soon after, another process may take up what was stored.
	until time.Time
}

// publish does what is to be done after a commit that ended with err. When its connection was lost, the events may be there all the same.
// First attempts are stored as begun: those that are not made would count as calls whose outcome is not known.
func (a *Acceptor) publish(ctx context.Context, p publication, err error) {
	ctx = context.WithoutCancel(ctx)
	switch {
	case p.publish == nil:
	case err == nil:
		a.publishing.Go(func() { p.publish(ctx) })
	case isLost(err):
		a.publishing.Go(func() {
			if a.appears(ctx, p) {
				a.Logger.WarnContext(ctx, "events were stored by a commit whose connection was lost", slog.Any("error", err))
				p.publish(ctx)
			}
		})
	}
}

// isLost reports whether err leaves open whether a transaction was committed: Postgres has not answered, or it ended the connection
// (admin_shutdown, crash_shutdown), which it does after a commit that has begun.
func isLost(err error) bool {
	switch postgres.Code(err) {
	case "57P01", "57P02":
		return true
	case "":
		return !postgres.Retryable(err) && fault.KindOf(postgres.Translate(err)) == fault.Unavailable
	}
	return false
}

// lookAgainAfter is the pause between two looks for what may be committed still.
const lookAgainAfter = 100 * time.Millisecond

// appears looks for the events until it is too late.
func (a *Acceptor) appears(ctx context.Context, p publication) bool {
	ctx, cancel := context.WithDeadline(ctx, p.until)
	defer cancel()
	for {
		if found, err := pgaccept.IsStored(ctx, a.DB, p.eventID); found && err == nil {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(lookAgainAfter):
		}
	}
}
