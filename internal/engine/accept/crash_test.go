package accept_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
)

// TestAcceptLosesNothingAcknowledged cuts the database's connections again and again while events are accepted.
func TestAcceptLosesNothingAcknowledged(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	b.workflow(t, "good", oneStep)
	a := b.acceptor(t)
	var acknowledged sync.Map
	var wg sync.WaitGroup
	var done atomic.Bool
	for caller := range 8 {
		wg.Go(func() {
			for n := 0; !done.Load(); n++ {
				id := fmt.Sprintf("t-%d-%d", caller, n)
				outcomes, err := a.Accept(t.Context(), accept.Request{Items: []accept.Acceptance{b.item("good", id)}})
				switch {
				case err == nil && outcomes[0].EventID != "":
					acknowledged.Store(id, outcomes[0].EventID)
				case err != nil && fault.KindOf(err) != fault.Unavailable:
					t.Errorf("a lost connection is not our fault: %v", err)
					return
				}
			}
		})
	}
	for range 15 {
		_, err := b.db.Pool.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid()`)
		if err != nil {
			require.Equal(t, fault.Unavailable, fault.KindOf(postgres.Translate(err)))
		}
	}
	done.Store(true)
	wg.Wait()

	rows, err := b.db.Pool.Query(t.Context(), `SELECT transaction_id, id FROM events`)
	require.NoError(t, err)
	stored := map[string]string{}
	for rows.Next() {
		var transaction, id string
		require.NoError(t, rows.Scan(&transaction, &id))
		stored[transaction] = id
	}
	require.NoError(t, rows.Err())
	acknowledged.Range(func(transaction, id any) bool {
		require.Equal(t, id, stored[transaction.(string)]) //nolint:forcetypeassert // stored above
		return true
	})
	require.Equal(t, len(stored), b.count(t, "events WHERE due_at IS NOT NULL"), "every event is due")
	require.Equal(t, len(stored), b.count(t, "transaction_claims"))
}
