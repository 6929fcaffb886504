package accept_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/viewer"
)

func TestAcceptBroadcastRemembersWhoIsThere(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	a := b.acceptor(t)
	b.workflow(t, "news", oneStep)
	broadcast := func(transactionID string) map[string]any {
		item := accept.Acceptance{
			EnvironmentID: b.environment, Kind: event.KindBroadcast, Workflow: "news", TransactionID: transactionID,
			Payload: []byte(`{}`), Reachable: true,
		}
		outcome := acceptAll(t, a, item)[0]
		var checkpoint map[string]any
		err := b.db.Pool.QueryRow(t.Context(), `SELECT checkpoint FROM events WHERE id = $1`, outcome.EventID).Scan(&checkpoint)
		require.NoError(t, err)
		return checkpoint
	}
	nobody := broadcast("nobody")
	require.Empty(t, nobody["max_subscriber_id"])
	require.NotEmpty(t, nobody["max_event_id"])
	ctx := viewer.SystemContext(t.Context())
	b.db.Ent.Subscriber.Create().SetEnvironmentID(b.environment).SetSubscriberID("first").SaveX(ctx)
	newest := b.db.Ent.Subscriber.Create().SetEnvironmentID(b.environment).SetSubscriberID("second").SaveX(ctx)
	two := broadcast("two")
	require.Equal(t, newest.ID, two["max_subscriber_id"])
	require.Greater(t, two["max_event_id"], nobody["max_event_id"])
}
