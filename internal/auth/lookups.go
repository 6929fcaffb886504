package auth

import (
	"context"
	"sync"
	"time"

	"github.com/carillon/carillon/internal/postgres"
)

// lookups finds keys for many requests at once. It never waits for company: a query takes what queued while the one
// before it ran, so an idle server answers at once and a busy one asks seldom.
type lookups struct {
	find func(context.Context, [][]byte) ([]postgres.KeyAccess, error)

	mu      sync.Mutex
	queue   []lookup
	running bool
}

type lookup struct {
	hash string
	done chan<- found
}

type found struct {
	access postgres.KeyAccess
	ok     bool
	err    error
}

// lookupTimeout bounds one query, which runs on no request's time because several requests share it.
const lookupTimeout = 5 * time.Second

// get is what the key with the given hash gives access to, as of a query that began after the call.
func (l *lookups) get(ctx context.Context, hash []byte) (postgres.KeyAccess, bool, error) {
	done := make(chan found, 1)
	l.mu.Lock()
	l.queue = append(l.queue, lookup{string(hash), done})
	if !l.running {
		l.running = true
		go l.run() //nolint:contextcheck // several requests share a query: none of them may end it
	}
	l.mu.Unlock()
	select {
	case f := <-done:
		return f.access, f.ok, f.err
	case <-ctx.Done():
		return postgres.KeyAccess{}, false, postgres.Translate(ctx.Err())
	}
}

// run answers until nothing is queued.
func (l *lookups) run() {
	for {
		l.mu.Lock()
		batch := l.queue
		l.queue = nil
		if len(batch) == 0 {
			l.running = false
			l.mu.Unlock()
			return
		}
		l.mu.Unlock()
		l.answer(batch)
	}
}

func (l *lookups) answer(batch []lookup) {
	ctx, cancel := context.WithTimeout(context.Background(), lookupTimeout)
	defer cancel()
	asked := make(map[string]struct{}, len(batch))
	hashes := make([][]byte, 0, len(batch))
	for _, b := range batch {
		if _, twice := asked[b.hash]; !twice {
			asked[b.hash] = struct{}{}
			hashes = append(hashes, []byte(b.hash))
		}
	}
	keys, err := l.find(ctx, hashes)
	byHash := make(map[string]postgres.KeyAccess, len(keys))
	for _, k := range keys {
		byHash[string(k.Hash)] = k
	}
	for _, b := range batch {
		access, ok := byHash[b.hash]
		b.done <- found{access, ok, err}
	}
}
