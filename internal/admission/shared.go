package admission

import (
	"context"
	"sync"
	"time"

	"github.com/carillon/carillon/internal/postgres"
)

// Store holds the buckets that all processes share; it is *postgres.DB.
type Store interface {
	LeaseRate(ctx context.Context, l postgres.RateLease) (granted, left float64, err error)
}

const (
	// leasesPerSecond is how often a busy process asks for tokens: it takes as many as last so long, ahead of the requests
	// that need them.
	leasesPerSecond = 20
	// leaseLasts is how long tokens are kept that no call asks for; the shared bucket has refilled meanwhile.
	leaseLasts   = time.Second
	leaseTimeout = 2 * time.Second
)

// sharedBucket is this process's part of a bucket that all processes share.
type sharedBucket struct {
	store       Store
	now         func() time.Time
	key         bucketKey
	rate, burst float64

	mu      sync.Mutex
	own     float64       // leased and not spent
	waiting float64       // needed by the calls that wait for a lease
	left    float64       // in the shared bucket, when it was asked last
	asked   time.Time     // when that was answered
	leasing chan struct{} // closed when the lease that is under way has come; nil: none is
}

// take spends tokens, and reports whether there were as many, and about how many there are now in all. It refuses only once the
// bucket does not hold as many: calls at once may need several leases.
func (b *sharedBucket) take(ctx context.Context, cost float64) (passes bool, tokens float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for {
		if b.now().Sub(b.asked) > leaseLasts {
			b.own = 0
		}
		if b.own >= cost {
			b.own -= cost
			if size := b.size(); b.own < size/2 && b.estimate() >= size {
				b.lease(ctx, size) // ahead of time: no call waits for it
			}
			return true, b.own + b.estimate()
		}
		if !b.asked.IsZero() && b.own+b.estimate() < cost || ctx.Err() != nil {
			return false, b.own + b.estimate()
		}
		b.waiting += cost
		b.lease(ctx, b.waiting-b.own+b.size())
		coming := b.leasing
		b.mu.Unlock()
		select {
		case <-coming:
		case <-ctx.Done():
		}
		b.mu.Lock()
		b.waiting -= cost
	}
}

// size is how many tokens a lease takes beside those that are needed at once. Small limits are counted one by one.
func (b *sharedBucket) size() float64 { return float64(int(b.rate / leasesPerSecond)) }

// estimate is how many tokens the shared bucket holds now, if no other process has taken any.
func (b *sharedBucket) estimate() float64 {
	return min(b.burst, b.left+max(0, b.now().Sub(b.asked).Seconds())*b.rate)
}

// lease asks for tokens, unless that is under way. When the store does not answer, the tokens are granted: a request that
// needs the store fails by itself.
func (b *sharedBucket) lease(ctx context.Context, want float64) {
	if b.leasing != nil {
		return
	}
	done := make(chan struct{})
	b.leasing = done
	now := b.now()
	go func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaseTimeout) // several requests wait for it
		defer cancel()
		granted, left, err := b.store.LeaseRate(ctx, postgres.RateLease{
			EnvironmentID: b.key.environment, Category: string(b.key.category), PerSecond: b.rate, Burst: b.burst, Want: want, Now: now,
		})
		b.mu.Lock()
		defer b.mu.Unlock()
		if err != nil {
			granted, left = want, 0
		}
		b.own, b.left, b.asked = b.own+granted, left, b.now() // the calls that wait need the tokens, however long it took
		b.leasing = nil
		close(done)
	}()
}
