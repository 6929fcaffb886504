package pginbox_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pginbox"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

func TestBumpInbox(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	env := s.Here.Scope.EnvironmentID
	delta := func(subscriber, scope string, total, unread, unseen int) pginbox.InboxDelta {
		return pginbox.InboxDelta{EnvironmentID: env, SubscriberID: subscriber, Scope: scope, ContextKeys: []string{"k"}, Total: total, Unread: unread, Unseen: unseen}
	}
	bump := func(deltas ...pginbox.InboxDelta) (sequences []int64) {
		s.InTx(func(tx pgx.Tx) {
			var err error
			sequences, err = pginbox.BumpInbox(s.Ctx, tx, deltas)
			require.NoError(t, err)
		})
		return sequences
	}
	state := func(subscriber, scope string) string {
		return pgtest.Ask[string](s, `SELECT concat_ws(' ', sequence, total, unread, unseen, context_keys) FROM inbox_states
			WHERE environment_id = $1 AND subscriber_id = $2 AND scope = $3`, env, subscriber, scope)
	}
	require.Empty(t, bump())
	require.Equal(t, []int64{1, 1, 1}, bump(delta("b", "", 1, 2, 3), delta("a", "x", 5, 5, 5), delta("b", "", 10, 20, 30)), "one step for each inbox")
	require.Equal(t, `1 11 22 33 ["k"]`, state("b", ""))
	require.Equal(t, `1 5 5 5 ["k"]`, state("a", "x"))
	require.Equal(t, []int64{2, 1}, bump(delta("b", "", -1, -2, -3), delta("b", "x", 0, 0, 0)))
	require.Equal(t, `2 10 20 30 ["k"]`, state("b", ""))
	require.Equal(t, `1 5 5 5 ["k"]`, state("a", "x"), "other inboxes stay")
}
