package engine_test

import (
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/webhookdelivery"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgwebhook"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/workflow"
)

// TestWebhooksDoNotCrowd: an endpoint has a bounded number of calls under way. What it has beyond them is left as it is, so that it
// neither holds up another nor waits when a call ends.
func TestWebhooksDoNotCrowd(t *testing.T) {
	t.Parallel()
	b := setup(t)
	crowded, _ := b.endpoint("https://example.com", only(workflow.WebhookSubscriberCreated))
	for i := range pgdue.CallsPerEndpoint + 5 {
		b.subscriber("u" + string(rune('a'+i)))
	}
	other, _ := b.endpoint("https://example.org", only(workflow.WebhookSubscriberCreated))
	b.subscriber("last")
	claim := func() (claimed []pgwebhook.Delivery, of map[string]int, found int) {
		t.Helper()
		claimed, found, err := pgwebhook.Claim(b.ctx, b.db, time.Minute, 100)
		require.NoError(t, err)
		of = map[string]int{}
		for _, d := range claimed {
			of[d.EndpointID]++
		}
		return claimed, of, found
	}
	claimed, of, found := claim()
	require.Equal(t, pgdue.CallsPerEndpoint+1, found)
	require.Equal(t, map[string]int{crowded: pgdue.CallsPerEndpoint, other: 1}, of)
	_, of, found = claim()
	require.Zero(t, len(of)+found)
	next, err := pgdue.Next(b.ctx, b.db)
	require.NoError(t, err)
	require.True(t, next[pgdue.DueWebhooks].After(time.Now()), "of what is due no call can be made: no process is late")

	_, err = pgwebhook.Record(b.ctx, b.db, []pgwebhook.Outcome{{Delivery: &claimed[0], Status: workflow.WebhookDelivered}}, time.Time{})
	require.NoError(t, err)
	_, of, _ = claim()
	require.Equal(t, map[string]int{crowded: 1}, of)
}

// TestWebhooksFollowAtOnce: an endpoint that answers is called again and again, beside one that hangs.
func TestWebhooksFollowAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.config.Clock = nil
	b.withWebhooks()
	let := make(chan struct{})
	hanging := listen(t, func(int, http.ResponseWriter) { <-let })
	var calls atomic.Int32
	answering := listen(t, func(n int, w http.ResponseWriter) { answerOK(n, w); calls.Add(1) })
	for _, receiver := range []*callee{hanging, answering} {
		b.endpoint(receiver.URL, only(workflow.WebhookSubscriberCreated))
	}
	const subscribers = 40 * pgdue.CallsPerEndpoint
	for i := range subscribers {
		b.subscriber("u" + strconv.Itoa(i))
	}
	b.work()
	t.Cleanup(func() { close(let) }) // before the engine stops
	require.Eventually(t, func() bool { return calls.Load() == subscribers }, stall.Limit(4*time.Second), time.Millisecond)
}

// TestWebhooksOfAChain: a delivery that waits for an earlier one about its subscriber is due when that is, however often it is looked
// for, and at once when its endpoint is not ordered any more.
func TestWebhooksOfAChain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.withWebhooks()
	endpointID, _ := b.endpoint(listen(t, answerDown).URL, func(c *ent.WebhookEndpointCreate) { c.SetOrdered(true) },
		only(workflow.WebhookSubscriberCreated, workflow.WebhookSubscriberUpdated))
	require.NoError(t, b.subscriber("a").Update().SetFirstName("1").Exec(b.ctx))
	for range 2 { // the second attempt is repeated after five minutes
		b.nextAttempt()
	}
	b.exec(`UPDATE webhook_deliveries SET due_at = clock_timestamp() WHERE tries = 0`)
	require.Equal(t, 1, b.wake(pgdue.DueWebhooks))
	list := b.deliveries(endpointID)
	require.Equal(t, []int{2, 0}, []int{list[0].Attempts, list[1].Attempts})
	require.Equal(t, *list[0].DueAt, *list[1].DueAt)
	require.NoError(t, pgwebhook.Unchain(b.ctx, b.db.Pool, endpointID))
	list = b.deliveries(endpointID)
	require.True(t, list[0].DueAt.After(time.Now()), "it is to be repeated")
	require.False(t, list[1].DueAt.After(time.Now()))
}

// TestUnchainIsBounded: one request does not change all that waits, however much that is.
func TestUnchainIsBounded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.withWebhooks()
	endpointID, _ := b.endpoint("https://hooks.example", func(c *ent.WebhookEndpointCreate) { c.SetOrdered(true) }, only(workflow.WebhookSubscriberCreated))
	b.exec(`INSERT INTO webhook_deliveries (id, created_at, updated_at, environment_id, endpoint_id, event_type, payload, status, attempt_log, due_at)
SELECT lpad(n::text, 24, '0'), now(), now(), $1, $2, 'subscriber.created', '{}', 'pending', '[]', now() + n * interval '1 minute'
FROM generate_series(1, 10001) n`, b.scope.EnvironmentID, endpointID)
	require.NoError(t, pgwebhook.Unchain(b.ctx, b.db.Pool, endpointID))
	var waiting []string
	for _, d := range b.db.Ent.WebhookDelivery.Query().Where(webhookdelivery.DueAtGT(time.Now())).AllX(b.ctx) {
		waiting = append(waiting, d.ID)
	}
	require.Equal(t, []string{"000000000000000000010001"}, waiting)
}
