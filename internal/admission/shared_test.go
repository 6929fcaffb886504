package admission_test

import (
	"context"
	"net/http"
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
