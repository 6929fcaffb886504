package rest

import (
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

// The headers of rate limits (decisions.md §16).
const (
	headerLimit     = "RateLimit-Limit"
	headerRemaining = "RateLimit-Remaining"
	headerReset     = "RateLimit-Reset"
	headerPolicy    = "RateLimit-Policy"
)

// Limits are token buckets, one per environment and category. Each process has buckets of its own.
type Limits struct {
	perSecond map[Category]int
	now       func() time.Time

	mu      sync.Mutex
	buckets map[bucketKey]*rate.Limiter
}

type bucketKey struct {
	environment string
	category    Category
}

// NewLimits permits so many requests per second of each category; now is real time.
func NewLimits(perSecond map[Category]int, now func() time.Time) *Limits {
	return &Limits{perSecond: perSecond, now: now, buckets: map[bucketKey]*rate.Limiter{}}
}

// Limit takes a request's cost out of its bucket, tells the caller how full that is, and refuses when it does not hold
// as much.
func (l *Limits) Limit(header http.Header, v viewer.Viewer, category Category, cost int) error {
	limit, kind := l.perSecond[category], "single"
	if cost > 1 {
		kind = "bulk"
	}
	bucket, now := l.bucket(v.EnvironmentID, category), l.now()
	cost = min(cost, bucket.Burst()) // a small bucket, once full, lets a bulk request pass
	passes := bucket.AllowN(now, cost)
	tokens := max(bucket.TokensAt(now), 0)
	header.Set(headerLimit, strconv.Itoa(limit))
	header.Set(headerRemaining, strconv.Itoa(int(tokens)))
	header.Set(headerReset, seconds(float64(bucket.Burst())-tokens, limit))
	header.Set(headerPolicy, fmt.Sprintf(`%d;w=1;burst=%d;comment="token bucket";category="%s";cost="%s";serviceLevel="self-hosted"`,
		limit, bucket.Burst(), category, kind))
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

func (l *Limits) bucket(environment string, category Category) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := bucketKey{environment, category}
	bucket := l.buckets[key]
	if bucket == nil {
		limit := l.perSecond[category]
		bucket = rate.NewLimiter(rate.Limit(limit), limit+(limit+9)/10) // a tenth above the limit
		l.buckets[key] = bucket
	}
	return bucket
}
