package repairs

import (
	"context"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/digest"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgrepair"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/realtime"
)

// Windows are the use cases of ending open digest windows by hand.
type Windows struct{ usecase.Deps }

// DigestInput names an open digest window.
type DigestInput struct {
	ID     string // global or internal id
	DryRun *bool
}

// DigestPayload is what became of a window.
type DigestPayload struct {
	Digest   *ent.Digest
	Events   int  // that continue now, or that were dropped
	Complete bool // nothing is left of the window; else call again
	DryRun   bool
}

// Release closes a window now: its run continues with what was collected.
func (w *Windows) Release(ctx context.Context, in DigestInput) (*DigestPayload, error) {
	at, err := w.Instant(ctx)
	if err != nil {
		return nil, err
	}
	return try(ctx, w.Deps, usecase.RepairDelivery, isDry(in.DryRun), func(ctx context.Context, db *ent.Client) (*DigestPayload, error) {
		found, err := openWindow(ctx, db, in.ID)
		if err != nil {
			return nil, err
		}
		tx, scope := usecase.TxScope(ctx)
		if err := pgrepair.ReleaseWindow(ctx, tx, scope, found.ID, at); err != nil {
			return nil, err
		}
		w.Publish(ctx, realtime.Notification(scope.EnvironmentID, found.NotificationID))
		out := &DigestPayload{Events: found.Total, Complete: true, DryRun: isDry(in.DryRun)}
		if out.Digest, err = db.Digest.Get(ctx, found.ID); err != nil {
			return nil, err
		}
		return out, usecase.Audit(ctx, db, "release", found, map[string]any{"events": found.Total})
	})
}

const (
	dropBatch = 500    // runs that share a transaction
	dropLimit = 50_000 // runs of one call
)

// Drop ends a window without continuing: the notifications in it are cancelled, those of its latest events first.
func (w *Windows) Drop(ctx context.Context, in DigestInput) (*DigestPayload, error) {
	out := &DigestPayload{DryRun: isDry(in.DryRun)}
	for before, looked := "", 0; looked < dropLimit; {
		runs, err := w.drop(ctx, in.ID, before, out)
		switch {
		case err != nil:
			return nil, err
		case len(runs) < dropBatch:
			out.Complete = true
			return out, nil
		}
		before, looked = runs[len(runs)-1], looked+len(runs)
	}
	return out, nil
}

// drop cancels a batch of a window's runs; with the last one also the run that would have continued.
func (w *Windows) drop(ctx context.Context, globalID, before string, out *DigestPayload) ([]string, error) {
	at, err := w.Instant(ctx)
	if err != nil {
		return nil, err
	}
	return try(ctx, w.Deps, usecase.RepairDelivery, out.DryRun, func(ctx context.Context, db *ent.Client) ([]string, error) {
		found, err := openWindow(ctx, db, globalID)
		if err != nil {
			return nil, err
		}
		tx, scope := usecase.TxScope(ctx)
		runs, err := pgrepair.WindowRuns(ctx, tx, scope, found.ID, before, dropBatch)
		if err != nil {
			return nil, err
		}
		cancelled := runs
		if len(runs) < dropBatch {
			cancelled = append(cancelled, found.NotificationID)
		}
		if _, err := pgrun.CancelRuns(ctx, tx, scope, cancelled, at, nil); err != nil {
			return nil, err
		}
		for _, runID := range cancelled {
			w.Publish(ctx, realtime.Notification(scope.EnvironmentID, runID))
		}
		if out.Digest, err = db.Digest.Get(ctx, found.ID); err != nil {
			return nil, err
		}
		if before == "" {
			out.Events = found.Total
			err = usecase.Audit(ctx, db, "drop", found, map[string]any{"events": found.Total})
		}
		return runs, err
	})
}

// openWindow finds a window and locks it, as long as it is open.
func openWindow(ctx context.Context, db *ent.Client, globalID string) (*ent.Digest, error) {
	recordID, err := usecase.RecordID("Digest", globalID)
	if err != nil {
		return nil, err
	}
	tx, scope := usecase.TxScope(ctx)
	open, err := pgrepair.LockWindow(ctx, tx, scope, recordID)
	if err != nil {
		return nil, err
	}
	found, err := db.Digest.Query().Where(digest.ID(recordID)).Only(ctx)
	switch {
	case err != nil:
		return nil, usecase.NotFound(err, "Digest %s was not found.", globalID)
	case !open:
		return nil, fault.Conflictf("DIGEST_CLOSED", "The digest window is not open any more; its status is %s.", found.Status)
	}
	return found, nil
}
