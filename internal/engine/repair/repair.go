// Package repair carries on what operators began by hand and what takes time: it gives back what pauses held, and retries
// failed messages, in batches of what may be done per second. Each batch commits with the row that says how far it has come,
// so that any process continues where another one stopped.
package repair

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pgrepair"
)

// batches is how many pauses or retries one look takes.
const batches = 50

// Repairs carries repairs on.
type Repairs struct{ *state.Shared }

// DuePauses returns pauses that are over and still hold something.
func (r Repairs) DuePauses(ctx context.Context) ([]string, error) {
	return pgrepair.DuePauses(ctx, r.DB, time.Now(), batches)
}

// Release gives back a batch of what each pause holds.
func (r Repairs) Release(ctx context.Context, pauses []string) error {
	var failed error
	for _, id := range pauses {
		err := r.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error { return pgrepair.ReleasePause(ctx, tx, id, time.Now()) })
		failed = errors.Join(failed, err) // the others are independent of it
	}
	return failed
}

// DueRetries returns retries of failed messages whose next batch is due.
func (r Repairs) DueRetries(ctx context.Context) ([]string, error) {
	return pgrepair.DueRetries(ctx, r.DB, time.Now(), batches)
}

// Retry retries the next batch of each.
func (r Repairs) Retry(ctx context.Context, retries []string) error {
	var failed error
	for _, id := range retries {
		var traced []state.TraceChange
		err := r.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
			traced = nil
			retry, err := pgrepair.ClaimRetry(ctx, tx, id, time.Now())
			if err != nil || retry == nil {
				return err
			}
			at, err := r.Clocks.ReadNow(ctx, retry.EnvironmentID)
			if err != nil {
				return err
			}
			retried, err := retry.Advance(ctx, tx, at, time.Now())
			for _, m := range retried {
				traced = append(traced, state.TraceChange{EnvironmentID: retry.EnvironmentID, NotificationID: m.NotificationID})
			}
			return err
		})
		if err == nil {
			r.Traced(traced)
		}
		failed = errors.Join(failed, err)
	}
	return failed
}
