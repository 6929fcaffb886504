package auth

import (
	"context"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccess"
)

// lookups finds keys for many requests at once.
type lookups struct {
	gather postgres.Gather[string, found] // by hash
}

type found struct {
	access pgaccess.KeyAccess
	ok     bool
}

func newLookups(find func(context.Context, [][]byte) ([]pgaccess.KeyAccess, error)) *lookups {
	l := &lookups{}
	l.gather.Ask = func(ctx context.Context, hashes []string) ([]found, error) {
		asked := make(map[string]struct{}, len(hashes))
		distinct := make([][]byte, 0, len(hashes))
		for _, hash := range hashes {
			if _, twice := asked[hash]; !twice {
				asked[hash] = struct{}{}
				distinct = append(distinct, []byte(hash))
			}
		}
		keys, err := find(ctx, distinct)
		byHash := make(map[string]pgaccess.KeyAccess, len(keys))
		for _, k := range keys {
			byHash[string(k.Hash)] = k
		}
		answers := make([]found, len(hashes))
		for i, hash := range hashes {
			answers[i].access, answers[i].ok = byHash[hash]
		}
		return answers, err
	}
	return l
}

// get is what the key with the given hash gives access to, as of a query that began after the call.
func (l *lookups) get(ctx context.Context, hash []byte) (pgaccess.KeyAccess, bool, error) {
	f, err := l.gather.Get(ctx, string(hash))
	return f.access, f.ok, err
}
