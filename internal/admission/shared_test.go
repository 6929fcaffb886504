package admission_test

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/viewer"
)

// counted is a store that counts how often it is asked.
type counted struct {
	*postgres.DB
	asked chan struct{}
}

func (c counted) LeaseRate(ctx context.Context, l postgres.RateLease) (granted, left float64, err error) {
	defer func() { c.asked <- struct{}{} }()
	return c.DB.LeaseRate(ctx, l)
}

// Processes share the limits: what one has let pass another lets pass no more. Large limits are asked for ahead, in parts.
func TestLimitsAreShared(t *testing.T) {
	t.Parallel()
	db, frozen := pgtest.New(t), time.Date(2025, 3, 1, 9, 30, 0, 0, time.UTC)
	passed := time.Duration(0)
	asked := make(chan struct{}, 1000)
	process := func() func(environment string, category admission.Category) (remaining string, err error) {
		limits := admission.NewLimits(map[admission.Category]int{
			admission.CategoryTrigger: 1000, admission.CategoryConfiguration: 10,
		}, func() time.Time { return frozen.Add(passed) }, counted{db, asked})
		return func(environment string, category admission.Category) (string, error) {
			header := http.Header{}
			err := limits.Limit(t.Context(), header, viewer.Viewer{Scope: viewer.Scope{EnvironmentID: environment}}, category, 1)
			return header.Get(admission.HeaderRemaining), err
		}
	}
	first, second := process(), process()
	for i := range 11 { // 10 and a tenth
		ask := first
		if i%2 == 1 {
			ask = second
		}
		remaining, err := ask("a", admission.CategoryConfiguration)
		require.NoError(t, err, i)
		if i == 0 {
			require.Equal(t, "10", remaining)
		}
	}
	for _, ask := range []func(string, admission.Category) (string, error){first, second} {
		_, err := ask("a", admission.CategoryConfiguration)
		require.Equal(t, fault.RateLimited, fault.KindOf(err))
	}
	_, err := second("b", admission.CategoryConfiguration)
	require.NoError(t, err, "another environment")

	before := len(asked)
	for range 1000 {
		_, err := first("a", admission.CategoryConfiguration)
		require.Equal(t, fault.RateLimited, fault.KindOf(err))
	}
	require.Equal(t, before, len(asked), "an empty bucket is not asked: a small limit costs no more questions than it lets pass")

	passed = 100 * time.Millisecond
	_, err = second("a", admission.CategoryConfiguration)
	require.NoError(t, err, "a tenth of a second is one more")
	_, err = first("a", admission.CategoryConfiguration)
	require.Equal(t, fault.RateLimited, fault.KindOf(err))

	before = len(asked)
	for range 500 {
		_, err := first("a", admission.CategoryTrigger)
		require.NoError(t, err)
	}
	require.Less(t, len(asked)-before, 25, "parts of 50")
}

// Calls that arrive together, more than a lease brings, all pass as long as the bucket holds as many, bulks as well.
func TestCallsAtOncePassUpToTheLimit(t *testing.T) {
	t.Parallel()
	frozen := time.Date(2025, 3, 1, 9, 30, 0, 0, time.UTC)
	for _, c := range []struct{ limit, calls, cost, pass int }{
		{limit: 1000, calls: 500, cost: 1, pass: 500},
		{limit: 1000, calls: 20, cost: admission.BulkCost, pass: 11},
		{limit: 10, calls: 20, cost: 1, pass: 11},
	} {
		var looks atomic.Int64 // at the clock: one of each call before it waits, and one of the first lease
		all := make(chan struct{})
		limits := admission.NewLimits(map[admission.Category]int{admission.CategoryTrigger: c.limit}, func() time.Time {
			if looks.Add(1) == int64(c.calls)+1 {
				close(all)
			}
			return frozen
		}, held{pgtest.New(t), all})
		var passed atomic.Int64
		var calls sync.WaitGroup
		for range c.calls {
			calls.Go(func() {
				if limits.Limit(t.Context(), http.Header{}, viewer.Viewer{}, admission.CategoryTrigger, c.cost) == nil {
					passed.Add(1)
				}
			})
		}
		calls.Wait()
		require.EqualValues(t, c.pass, passed.Load(), c)
	}
}

// held is a store that answers once all calls wait for it.
type held struct {
	*postgres.DB
	until <-chan struct{}
}

func (h held) LeaseRate(ctx context.Context, l postgres.RateLease) (granted, left float64, err error) {
	<-h.until
	return h.DB.LeaseRate(ctx, l)
}

// Calls pass when the store takes longer to answer, or to fail, than tokens are kept.
func TestCallsPassWhenTheStoreIsSlow(t *testing.T) {
	t.Parallel()
	for _, failure := range []error{nil, context.DeadlineExceeded} {
		var passed atomic.Int64
		now := func() time.Time {
			return time.Date(2025, 3, 1, 9, 30, 0, 0, time.UTC).Add(time.Duration(passed.Load()))
		}
		limits := admission.NewLimits(map[admission.Category]int{admission.CategoryTrigger: 10}, now, slow(func(want float64) (granted, left float64, err error) {
			passed.Add(int64(2 * time.Second))
			return want, 10, failure
		}))
		require.NoError(t, limits.Limit(t.Context(), http.Header{}, viewer.Viewer{}, admission.CategoryTrigger, 1), "%v", failure)
		require.Equal(t, 2*time.Second, time.Duration(passed.Load()), "asked once")
	}
}

type slow func(want float64) (granted, left float64, err error)

func (s slow) LeaseRate(_ context.Context, l postgres.RateLease) (granted, left float64, err error) {
	return s(l.Want)
}
