package pgcount_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/carillon/carillon/internal/postgres/pgcount"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// TestFirstCountsAtOnce: of two transactions that count an event for the first time, on connections that share a row, the later one adds
// to the count of the other.
func TestFirstCountsAtOnce(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	ofShard := map[uint32]*pgx.Conn{}
	var pair []*pgx.Conn
	for pair == nil {
		conn, err := pgx.ConnectConfig(s.Ctx, s.Pool.Config().ConnConfig)
		require.NoError(t, err)
		defer func() { _ = conn.Close(s.Ctx) }()
		shard := conn.PgConn().PID() % 8
		if other := ofShard[shard]; other != nil {
			pair = []*pgx.Conn{other, conn}
		}
		ofShard[shard] = conn
	}
	const events = 1_000 // of which a few are counted by both in the same moment
	count := func(n int) pgcount.Count {
		return pgcount.Count{EnvironmentID: s.Here.Scope.EnvironmentID, EventID: fmt.Sprint("event", n), Sent: 1}
	}
	var both errgroup.Group
	turns := make(chan struct{})
	for _, conn := range pair {
		both.Go(func() error {
			for n := range events {
				select { // the two meet before each event
				case turns <- struct{}{}:
				case <-turns:
				}
				b := &pgx.Batch{}
				pgcount.Add(b, []pgcount.Count{count(n)})
				if err := conn.SendBatch(s.Ctx, b).Close(); err != nil {
					t.Error(err)
				}
			}
			return nil
		})
	}
	require.NoError(t, both.Wait())
	counts, err := pgcount.Of(s.Ctx, s.Pool, s.Here.Scope, []string{count(0).EventID, count(events - 1).EventID})
	require.NoError(t, err)
	for _, c := range counts {
		require.Equal(t, 2, c.Sent)
	}
	require.Len(t, counts, 2)
}
