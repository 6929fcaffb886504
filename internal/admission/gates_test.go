package admission_test

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
)

// TestGatesAreApart: calls that accept events, calls that ask the database and beginning subscriptions do not wait for each other.
func TestGatesAreApart(t *testing.T) {
	t.Parallel()
	accept, _ := full(t, time.Millisecond)
	work, _ := full(t, time.Millisecond)
	begin, _ := full(t, time.Millisecond)
	accepts, works, begins := admission.Request{Accepts: true}, admission.Request{}, admission.Request{Begins: true}
	for full, gates := range map[*admission.Request]admission.Gates{&accepts: {Accept: accept}, &works: {Work: work}, &begins: {Begin: begin}} {
		for _, r := range []*admission.Request{&accepts, &works, &begins} {
			leave, err := gates.Enter(t.Context(), *r)
			require.Equal(t, r == full, admission.Refused(err))
			if err == nil {
				leave()
			}
		}
	}
	gates := admission.NewGates(time.Millisecond)
	require.NotSame(t, gates.Accept, gates.Work)
	leave, err := gates.Enter(t.Context(), admission.Request{})
	require.NoError(t, err)
	leave()
	require.False(t, admission.Refused(nil))
	require.False(t, admission.Refused(fault.Unavailablef(nil, "the database is away")))
}

// TestCallsOfViewers take turns by environment, people who logged in pass always, and strangers take turns by network.
func TestCallsOfViewers(t *testing.T) {
	t.Parallel()
	scope := viewer.Scope{EnvironmentID: "e"}
	require.Equal(t, admission.Request{Environment: "e"}, admission.RequestOf(viewer.Viewer{Scope: scope, APIKeyID: "k"}))
	require.Equal(t, admission.Request{Environment: "e", Always: true}, admission.RequestOf(viewer.Viewer{Scope: scope, SessionID: "s"}))
	ctx := viewer.WithAddress(t.Context(), "203.0.113.7")
	require.Equal(t, admission.Request{Environment: "203.0.113.0/24", Stranger: true}, admission.StrangersRequest(ctx))
}

// moving is a clock that the test moves.
type moving struct{ atomic.Int64 }

func (m *moving) now() time.Time       { return time.Unix(1_700_000_000, m.Load()) }
func (m *moving) pass(d time.Duration) { m.Add(int64(d)) }

// TestRateLimitHeaders: what a caller may count on, of decisions.md §16: limit, rest, reset, policy, and when to come again.
func TestRateLimitHeaders(t *testing.T) {
	t.Parallel()
	clock := &moving{}
	limits := admission.NewLimits(map[admission.Category]int{admission.CategoryTrigger: 60, admission.CategoryConfiguration: 5}, clock.now, nil)
	v := viewer.Viewer{Scope: viewer.Scope{EnvironmentID: "e"}}
	limit := func(v viewer.Viewer, c admission.Category, cost int) (http.Header, error) {
		h := http.Header{}
		err := limits.Limit(t.Context(), h, v, c, cost)
		require.Equal(t, err == nil, h.Get("Retry-After") == "", "only a refused call is told when to come again")
		return h, err
	}
	h, err := limit(v, admission.CategoryTrigger, 1)
	require.NoError(t, err)
	require.Equal(t, []string{"60", "65", "1"}, []string{h.Get(admission.HeaderLimit), h.Get(admission.HeaderRemaining), h.Get(admission.HeaderReset)})
	require.Equal(t, `60;w=1;burst=66;comment="token bucket";category="trigger";cost="single";serviceLevel="self-hosted"`, h.Get(admission.HeaderPolicy))
	clock.pass(time.Second)
	h, err = limit(v, admission.CategoryTrigger, admission.BulkCost)
	require.NoError(t, err, "a small bucket, once full, lets a bulk call pass")
	require.Contains(t, h.Get(admission.HeaderPolicy), `cost="bulk"`)
	require.Equal(t, []string{"0", "2"}, []string{h.Get(admission.HeaderRemaining), h.Get(admission.HeaderReset)})
	h, err = limit(v, admission.CategoryTrigger, 1)
	require.Equal(t, fault.RateLimited, fault.KindOf(err))
	require.Equal(t, "1", h.Get("Retry-After"))
	h, err = limit(v, admission.CategoryTrigger, admission.BulkCost)
	require.Equal(t, fault.RateLimited, fault.KindOf(err))
	require.Equal(t, "2", h.Get("Retry-After"), "66 tokens at 60 a second")

	for _, other := range []viewer.Viewer{{Scope: viewer.Scope{EnvironmentID: "other"}}, {Scope: v.Scope, APIKeyID: "another key"}} {
		_, err = limit(other, admission.CategoryTrigger, 1)
		require.Equal(t, other.EnvironmentID == "other", err == nil, "an environment's keys share its bucket")
	}
	_, err = limit(v, admission.CategoryConfiguration, 1)
	require.NoError(t, err, "categories have buckets of their own")
	clock.pass(500 * time.Millisecond)
	h, err = limit(v, admission.CategoryTrigger, 1)
	require.NoError(t, err)
	require.Equal(t, "29", h.Get(admission.HeaderRemaining))
}

// away is a store that does not answer, and counts how often it was asked.
type away struct{ asked atomic.Int64 }

func (a *away) LeaseRate(context.Context, postgres.RateLease) (granted, left float64, err error) {
	a.asked.Add(1)
	return 0, 0, errors.New("away")
}

// TestStoreAway: calls pass while the store does not answer; one that needs it fails by itself.
func TestStoreAway(t *testing.T) {
	t.Parallel()
	clock, store := &moving{}, &away{}
	limits := admission.NewLimits(map[admission.Category]int{admission.CategoryGlobal: 10}, clock.now, store)
	for range 5 {
		clock.pass(2 * time.Second)
		require.NoError(t, limits.Limit(t.Context(), http.Header{}, viewer.Viewer{}, admission.CategoryGlobal, 1))
	}
	require.EqualValues(t, 5, store.asked.Load())
}

// TestCallerOfStoreLeaves: who has gone waits for no lease.
func TestCallerOfStoreLeaves(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	limits := admission.NewLimits(map[admission.Category]int{admission.CategoryGlobal: 10}, (&moving{}).now, &away{})
	require.Equal(t, fault.RateLimited, fault.KindOf(limits.Limit(ctx, http.Header{}, viewer.Viewer{}, admission.CategoryGlobal, 1)))
}
