package admission

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/viewer"
)

// Category is a class of operations that share a rate limit (decisions.md §16).
type Category string

// The categories.
const (
	CategoryTrigger       Category = "trigger"
	CategoryConfiguration Category = "configuration"
	CategoryGlobal        Category = "global"
)

// BulkCost is what a bulk trigger or broadcast counts; everything else counts 1.
const BulkCost = 100

// Limiter decides whether a request of a category may pass, and reports to its sender in headers how many more may. An error of
// kind fault.RateLimited refuses it.
type Limiter interface {
	Limit(ctx context.Context, header http.Header, v viewer.Viewer, category Category, cost int) error
}

// The headers of rate limits (decisions.md §16).
const (
	HeaderLimit     = "RateLimit-Limit"
	HeaderRemaining = "RateLimit-Remaining"
	HeaderReset     = "RateLimit-Reset"
	HeaderPolicy    = "RateLimit-Policy"
)

// Limits are token buckets, one per environment and category, which all processes share by way of a store. Without one, each
// process has buckets of its own.
type Limits struct {
	perSecond map[Category]int
	now       func() time.Time
	store     Store // nil: none

	mu      sync.Mutex
	buckets map[bucketKey]*rate.Limiter
	shared  map[bucketKey]*sharedBucket
}

type bucketKey struct {
	environment string
	category    Category
}

// NewLimits permits so many requests per second of each category; now is real time.
func NewLimits(perSecond map[Category]int, now func() time.Time, store Store) *Limits {
	return &Limits{perSecond: perSecond, now: now, store: store, buckets: map[bucketKey]*rate.Limiter{}, shared: map[bucketKey]*sharedBucket{}}
}

// Limit takes a request's cost out of its bucket, reports how full that is, and refuses when it does not hold
// as much.
func (l *Limits) Limit(ctx context.Context, header http.Header, v viewer.Viewer, category Category, cost int) error {
	limit, kind := l.perSecond[category], "single"
	if cost > 1 {
		kind = "bulk"
	}
	burst := limit + (limit+9)/10 // a tenth above the limit
	cost = min(cost, burst)       // a small bucket, once full, lets a bulk request pass
	passes, tokens := l.take(ctx, bucketKey{v.EnvironmentID, category}, limit, burst, cost)
	header.Set(HeaderLimit, strconv.Itoa(limit))
	header.Set(HeaderRemaining, strconv.Itoa(int(tokens)))
	header.Set(HeaderReset, seconds(float64(burst)-tokens, limit))
	header.Set(HeaderPolicy, fmt.Sprintf(`%d;w=1;burst=%d;comment="token bucket";category="%s";cost="%s";serviceLevel="self-hosted"`,
		limit, burst, category, kind))
	if passes {
		return nil
	}
	header.Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil((float64(cost)-tokens)/float64(limit))))))
	return &fault.Error{Kind: fault.RateLimited, Message: "Too many requests."}
}

// seconds is how long so many tokens take, in whole seconds.
func seconds(tokens float64, perSecond int) string {
	return strconv.Itoa(int(math.Ceil(tokens / float64(perSecond))))
}

// take spends tokens of a bucket, and reports whether there were as many, and how many there are now.
func (l *Limits) take(ctx context.Context, key bucketKey, limit, burst, cost int) (passes bool, tokens float64) {
	l.mu.Lock()
	if l.store != nil {
		shared := l.shared[key]
		if shared == nil {
			shared = &sharedBucket{store: l.store, now: l.now, key: key, rate: float64(limit), burst: float64(burst)}
			l.shared[key] = shared
		}
		l.mu.Unlock()
		return shared.take(ctx, float64(cost))
	}
	defer l.mu.Unlock()
	bucket := l.buckets[key]
	if bucket == nil {
		bucket = rate.NewLimiter(rate.Limit(limit), burst)
		l.buckets[key] = bucket
	}
	now := l.now()
	passes = bucket.AllowN(now, cost)
	return passes, max(bucket.TokensAt(now), 0)
}
