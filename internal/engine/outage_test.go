package engine_test

import (
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/workflow"
)

// TestLeaseEndsDuringAnOutage: right after an outage that leases did not outlast, a process leaves what others were sending to them for a
// moment, and takes up what is still there afterwards.
func TestLeaseEndsDuringAnOutage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.leasing(time.Hour)
	called := make(chan struct{}, 3)
	goOn := make(chan struct{})
	answer := sync.OnceFunc(func() { close(goOn) })
	t.Cleanup(answer)
	b.vendor.answer = func(*provider.Message) (*provider.Receipt, error) {
		called <- struct{}{}
		<-goOn
		return &provider.Receipt{ID: "x"}, nil
	}
	ev := b.mailed()
	done := make(chan error, 1)
	go func() { done <- b.engine.Send(b.ctx, []string{b.messages(ev)[0].ID}) }()
	await(t, called)

	another := b.config
	another.Lease = 2 * time.Second
	other := b.newEngine(another)
	found := make(chan int, 1)
	require.NoError(t, pgx.BeginFunc(b.ctx, b.db.Pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(b.ctx, `LOCK TABLE messages IN ACCESS EXCLUSIVE MODE`)
		require.NoError(t, err)
		_, err = tx.Exec(b.ctx, `UPDATE messages SET leased_until = now() - interval '1 second'`)
		require.NoError(t, err)
		go func() {
			n, err := other.Wake(b.ctx, pgdue.DueMessages)
			found <- n
			done <- err
		}()
		require.Eventually(t, func() bool {
			var waited bool
			err := b.db.Pool.QueryRow(b.ctx, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
	AND query_start < clock_timestamp() - $1::interval)`, another.Lease/2).Scan(&waited)
			require.NoError(t, err)
			return waited
		}, stall.Limit(time.Minute), 10*time.Millisecond)
		return nil
	}))
	select {
	case <-called:
		require.FailNow(t, "its process may have it under way")
	case n := <-found:
		require.Equal(t, 1, n)
	}
	require.NoError(t, await(t, done))
	require.Empty(t, called)

	go func() {
		var n int
		var err error
		for n == 0 && err == nil {
			n, err = other.Wake(b.ctx, pgdue.DueMessages)
		}
		done <- err
	}()
	await(t, called)
	answer()
	require.NoError(t, await(t, done))
	require.NoError(t, await(t, done))
	m := b.messages(ev)[0]
	require.Equal(t, []any{workflow.MessageSent, 2}, []any{m.Status, m.Attempts})
}
