package auth

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccess"
)

// lookups finds keys for many requests at once.
type lookups struct {
	gather postgres.Gather[[]byte, *pgaccess.FoundKey] // by hash
}

func newLookups(db *postgres.DB) *lookups {
	l := &lookups{}
	l.gather.Ask = func(ctx context.Context, hashes [][]byte) ([]*pgaccess.FoundKey, error) {
		checks := make([]*pgaccess.KeyCheck, len(hashes))
		for i, hash := range hashes {
			checks[i] = &pgaccess.KeyCheck{Hash: hash}
		}
		batch := &pgx.Batch{}
		pgaccess.QueueKeys(batch, checks)
		if err := db.Pool.SendBatch(ctx, batch).Close(); err != nil {
			return nil, postgres.Translate(err)
		}
		answers := make([]*pgaccess.FoundKey, len(checks))
		for i, c := range checks {
			answers[i] = c.Found()
		}
		return answers, nil
	}
	return l
}

// get is what the key with the given hash gives access to, as of a query that began after the call.
func (l *lookups) get(ctx context.Context, hash []byte) (*pgaccess.FoundKey, error) {
	return l.gather.Get(ctx, hash)
}
