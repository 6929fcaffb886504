package pgdue_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/workflow"
)

// wanted are pauses of one kind of the environment, with targets from a number on.
func wanted(s *pgtest.Store, kind workflow.PauseKind, from, n int, since *time.Time) []pgdue.NewPause {
	list := make([]pgdue.NewPause, n)
	for i := range list {
		list[i] = pgdue.NewPause{
			ID: id.New(time.Now()), EnvironmentID: s.Here.Scope.EnvironmentID, Kind: kind, Target: fmt.Sprint(kind, from+i), Since: since,
		}
	}
	return list
}

func begun(tb testing.TB, s *pgtest.Store, list []pgdue.NewPause) map[string]string {
	tb.Helper()
	var lasting map[string]string
	require.NoError(tb, pgx.BeginFunc(s.Ctx, s.Pool, func(tx pgx.Tx) (err error) {
		lasting, err = pgdue.Begin(s.Ctx, tx, list, time.Now())
		return err
	}))
	return lasting
}

// TestPausesHaveOneLimit, whoever begins them; rules leave room beside pauses of subscribers.
func TestPausesHaveOneLimit(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM pauses`)
	lasts := func() int { return pgtest.Ask[int](s, `SELECT count(*)::int FROM pauses WHERE resumed_at IS NULL`) }
	opened := time.Now().Add(-time.Hour)

	ofRules := wanted(s, workflow.PauseSubscriber, 0, 60, &opened)
	lasting := begun(t, s, append(ofRules, ofRules[3]))
	require.Len(t, lasting, pgdue.MaxPausedSubscribers)
	require.Contains(t, lasting, ofRules[49].ID, "the first come first")
	again := wanted(s, workflow.PauseSubscriber, 0, 1, nil)
	require.Equal(t, map[string]string{again[0].ID: ofRules[0].ID}, begun(t, s, again), "it lasts already")
	require.Len(t, begun(t, s, wanted(s, workflow.PauseSubscriber, 100, 1, nil)), 1, "people may pause more of them")

	s.Exec(`UPDATE pauses SET resumed_at = now() WHERE id = $1`, ofRules[0].ID)
	require.Empty(t, begun(t, s, wanted(s, workflow.PauseSubscriber, 0, 1, &opened)), "people have ended it")
	now := time.Now()
	require.Empty(t, begun(t, s, wanted(s, workflow.PauseSubscriber, 0, 1, &now)), "50 of subscribers last")

	mixed := append(wanted(s, workflow.PauseSubscriber, 200, 60, nil), wanted(s, workflow.PauseWorkflow, 0, 1, &opened)...)
	require.Contains(t, begun(t, s, mixed), mixed[60].ID, "what holds more comes before subscribers")
	require.Equal(t, pgdue.MaxPauses, lasts())
	for _, since := range []*time.Time{nil, &now} {
		require.Empty(t, begun(t, s, wanted(s, workflow.PauseWorkflow, 1, 2, since)))
	}
	other := wanted(s, workflow.PauseWorkflow, 1, 1, nil)
	other[0].EnvironmentID = s.There.Scope.EnvironmentID
	require.Len(t, begun(t, s, other), 1, "of another environment")
}

// TestPausesCountEachOther: transactions that begin pauses at the same time do not pass the limit together.
func TestPausesCountEachOther(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM pauses`)
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			_ = pgx.BeginFunc(s.Ctx, s.Pool, func(tx pgx.Tx) error { // what fails begins nothing, which the count shows
				_, err := pgdue.Begin(s.Ctx, tx, wanted(s, workflow.PauseBroadcast, 100*n, 40, nil), time.Now())
				return err
			})
		})
	}
	all.Wait()
	require.Equal(t, pgdue.MaxPauses, pgtest.Ask[int](s, `SELECT count(*)::int FROM pauses`))
}
