// Package repairs owns the use cases of what operators do by hand to what was triggered: sending messages again, replaying
// notifications, recalling, ending digest windows, and pausing (semantics.md §13). Each can be tried: a dry run does everything
// in a transaction that is rolled back, so that what it answers is what would happen.
package repairs

import (
	"context"
	"errors"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/notify/usecase"
)

// Services are the use cases of this package.
type Services struct {
	Resends *Resends
	Replays *Replays
	Recalls *Recalls
	Windows *Windows
	Pauses  *Pauses
	Retries *Retries

	Broadcasts *Broadcasts
}

// New builds the use cases.
func New(b usecase.Deps, cfg usecase.Config) Services {
	return Services{Resends: &Resends{b}, Replays: &Replays{b}, Recalls: &Recalls{b, cfg.CountRuns, recallBatch, recallChanges, recallLooks}, Windows: &Windows{b}, Pauses: &Pauses{b}, Retries: &Retries{b}, Broadcasts: &Broadcasts{b}}
}

// errDryRun takes a dry run back.
var errDryRun = errors.New("dry run")

// try is usecase.Write, which a dry run takes back in the end.
func try[T any](ctx context.Context, b usecase.Deps, need usecase.Need, dry bool, fn func(ctx context.Context, db *ent.Client) (T, error)) (T, error) {
	var out T
	_, err := usecase.Write(ctx, b, need, func(ctx context.Context, db *ent.Client) (struct{}, error) {
		var err error
		if out, err = fn(ctx, db); err == nil && dry {
			err = errDryRun
		}
		return struct{}{}, err
	})
	if err != nil && !errors.Is(err, errDryRun) {
		return *new(T), err
	}
	return out, nil
}

func isDry(dry *bool) bool { return dry != nil && *dry }
