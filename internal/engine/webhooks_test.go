package engine_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/webhookdelivery"
	"github.com/carillon/carillon/internal/engine"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgwebhook"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/egress"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/rest/client/webhook"
)

// withWebhooks lets addresses of this machine be called.
func (b *bundle) withWebhooks() { b.withHTTPSteps() }

// endpoint makes a webhook endpoint and returns it with its secret.
func (b *bundle) endpoint(url string, change ...func(*ent.WebhookEndpointCreate)) (endpointID, secret string) {
	b.tb.Helper()
	endpointID, secret = id.New(time.Now()), provider.NewWebhookSecret()
	sealed, err := provider.SealWebhookSecret(b.config.Secrets, endpointID, secret)
	require.NoError(b.tb, err)
	create := b.db.Ent.WebhookEndpoint.Create().SetID(endpointID).SetURL(url).SetSecret(sealed)
	for _, c := range change {
		c(create)
	}
	require.NoError(b.tb, create.Exec(b.ctx))
	return endpointID, secret
}

func only(types ...workflow.WebhookEventType) func(*ent.WebhookEndpointCreate) {
	return func(c *ent.WebhookEndpointCreate) { c.SetEventTypes(types) }
}

// deliveries are those to an endpoint, in the order in which they were recorded.
func (b *bundle) deliveries(endpointID string) []*ent.WebhookDelivery {
	b.tb.Helper()
	list, err := b.db.Ent.WebhookDelivery.Query().Where(webhookdelivery.EndpointID(endpointID)).Order(ent.Asc("id")).All(b.ctx)
	require.NoError(b.tb, err)
	return list
}

func typesOf(list []*ent.WebhookDelivery) (types []workflow.WebhookEventType) {
	for _, d := range list {
		types = append(types, d.EventType)
	}
	return types
}

// nextAttempt makes the waiting deliveries due, as time does, and attempts them.
func (b *bundle) nextAttempt() {
	b.tb.Helper()
	b.exec(`UPDATE webhook_deliveries SET due_at = clock_timestamp() WHERE due_at IS NOT NULL`)
	b.wake(pgdue.DueWebhooks)
}

func answerOK(_ int, w http.ResponseWriter)   { w.WriteHeader(http.StatusNoContent) }
func answerDown(_ int, w http.ResponseWriter) { http.Error(w, "down", http.StatusServiceUnavailable) }

// TestWebhooksReportARun follows one event to the webhook's receiver, which verifies every delivery.
func TestWebhooksReportARun(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.withWebhooks()
	receiver := listen(t, answerOK)
	endpointID, secret := b.endpoint(receiver.URL)
	narrow, _ := b.endpoint(receiver.URL+"/narrow", only(workflow.WebhookMessageSent),
		func(c *ent.WebhookEndpointCreate) { c.SetChannels([]workflow.Channel{workflow.ChannelEmail}) })
	elsewhere, _ := b.endpoint(receiver.URL+"/elsewhere", func(c *ent.WebhookEndpointCreate) { c.SetWorkflows([]string{"another"}) },
		only(workflow.WebhookEventAccepted, workflow.WebhookMessageSent))
	inactive, _ := b.endpoint(receiver.URL+"/inactive", func(c *ent.WebhookEndpointCreate) { c.SetActive(false) })

	b.subscriber("u1")
	ev := b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("hello"), emailStep()}}), to("u1"))
	b.fanOut(ev)
	messages := b.messages(ev)
	require.Len(t, messages, 2)
	for _, m := range messages {
		if m.Channel == workflow.ChannelEmail {
			require.NoError(t, b.engine.Send(b.ctx, []string{m.ID}))
		}
	}
	got := b.deliveries(endpointID)
	require.Equal(t, []workflow.WebhookEventType{
		workflow.WebhookSubscriberCreated, workflow.WebhookWorkflowPublished, workflow.WebhookEventAccepted, workflow.WebhookNotificationStarted,
	}, typesOf(got)[:4])
	require.ElementsMatch(t, []workflow.WebhookEventType{workflow.WebhookMessageSent, workflow.WebhookMessageSent, workflow.WebhookNotificationFinished}, typesOf(got)[4:])
	require.Equal(t, []workflow.WebhookEventType{workflow.WebhookMessageSent}, typesOf(b.deliveries(narrow)), "of its channel")
	require.Empty(t, b.deliveries(elsewhere), "of another workflow")
	require.Empty(t, b.deliveries(inactive))

	require.Equal(t, len(got)+1, b.wake(pgdue.DueWebhooks))
	verifier, err := webhook.New(secret)
	require.NoError(t, err)
	verified := map[string]map[string]any{}
	for i, body := range receiver.bodies {
		if verifier.Verify(receiver.heads[i], []byte(body)) == nil {
			var event map[string]any
			require.NoError(t, json.Unmarshal([]byte(body), &event))
			verified[receiver.heads[i].Get("Webhook-Id")] = event
		}
	}
	require.Len(t, verified, len(got), "each is signed, those of the other endpoint by another secret")
	for _, d := range b.deliveries(endpointID) {
		require.Equal(t, workflow.WebhookDelivered, d.Status)
		require.Nil(t, d.DueAt)
		require.NotNil(t, d.FinishedAt)
		require.Equal(t, http.StatusNoContent, *d.AttemptLog[0].HTTPStatus)
		require.Equal(t, string(d.EventType), verified[d.ID]["type"])
	}
	sent := verified[got[slices.IndexFunc(got, func(d *ent.WebhookDelivery) bool { return d.Payload["data"].(map[string]any)["channel"] == "email" })].ID]
	data := sent["data"].(map[string]any)
	require.Equal(t, []any{"u1", "email", ev, "sent", "mail"}, []any{data["subscriberId"], data["channel"], data["eventId"], data["status"], data["stepId"]})
	require.Equal(t, float64(1), sent["version"])
}

// TestWebhooksOfChanges reports what happens to messages afterwards, and to records.
func TestWebhooksOfChanges(t *testing.T) {
	t.Parallel()
	b := setup(t)
	endpointID, _ := b.endpoint("https://example.com")
	person := b.subscriber("u1")
	ev := b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("hello")}}), to("u1"))
	b.fanOut(ev)
	m := b.messages(ev)[0]
	b.exec(`UPDATE messages SET read = true, archived = true WHERE id = $1`, m.ID)
	b.exec(`UPDATE messages SET seen = true, updated_at = now() WHERE id = $1`, m.ID)
	b.exec(`UPDATE messages SET status = 'error', error_id = 'X' WHERE id = $1`, m.ID)
	for i, kind := range (workflow.ReceiptKind("")).Values() {
		receipt := id.New(time.Now())
		b.exec(`INSERT INTO receipts (id, created_at, updated_at, environment_id, integration_id, provider_event_id, kind, provider_message_id, recipient, occurred_at, permanent, detail)
VALUES ($1, now(), now(), $2, $3, $4, $5, 'p', '', now(), false, 'why')`, receipt, b.scope.EnvironmentID, b.email, strconv.Itoa(i), kind)
		b.exec(`UPDATE receipts SET message_id = $2 WHERE id = $1`, receipt, m.ID)
	}
	require.NoError(t, person.Update().SetFirstName("Ada").SetIsOnline(true).Exec(b.ctx))
	require.NoError(t, person.Update().SetIsOnline(false).Exec(b.ctx))
	b.exec(`INSERT INTO preference_changes (id, created_at, updated_at, environment_id, context_keys, scope, subscriber_id, workflow_id, enabled, channels, changed_by)
VALUES ($1, now(), now(), $2, '[]', '', $3, '', false, '{}', 'test')`, id.New(time.Now()), b.scope.EnvironmentID, person.ID)
	b.exec(`UPDATE integrations SET breaker = 'open', breaker_cause = 'refused' WHERE id = $1`, b.email)
	b.exec(`UPDATE integrations SET breaker = 'closed' WHERE id = $1`, b.email)
	require.NoError(t, person.Update().SetDeleted(true).Exec(b.ctx))
	b.db.Ent.AlertIncident.Create().SetRuleID(b.alertRule(workflow.AlertLag, 60).ID).SetOpenedAt(time.Now()).SetValue(70).SetPeak(80).SetThreshold(60).
		SetToldAt(time.Now()).SetClosedAt(time.Now()).SaveX(b.ctx)
	b.exec(`UPDATE webhook_endpoints SET disabled_at = now(), disabled_reason = 'test' WHERE id = $1`, endpointID)

	list := b.deliveries(endpointID)
	types := typesOf(list)
	for _, want := range workflow.WebhookEventTypes {
		if want != workflow.WebhookPing {
			require.Equal(t, 1, len(slices.DeleteFunc(slices.Clone(types), func(have workflow.WebhookEventType) bool { return have != want })), want)
		}
	}
	for _, d := range list {
		if d.EventType == workflow.WebhookSubscriberUpdated {
			require.Equal(t, map[string]any{"subscriberId": "u1", "changed": []any{"firstName"}}, d.Payload["data"])
		}
		about := d.SubscriberID != nil && *d.SubscriberID == person.ID
		require.Equal(t, strings.Contains(string(d.EventType), "message") || strings.Contains(string(d.EventType), "subscriber") ||
			strings.Contains(string(d.EventType), "notification") || d.EventType == workflow.WebhookPreferenceChanged, about, d.EventType)
	}
}

// TestWebhooksAreRolledBack: what did not happen is not reported.
func TestWebhooksAreRolledBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	endpointID, _ := b.endpoint("https://example.com")
	tx, err := b.db.Pool.Begin(b.ctx)
	require.NoError(t, err)
	_, err = tx.Exec(b.ctx, `UPDATE integrations SET breaker = 'open' WHERE id = $1`, b.email)
	require.NoError(t, err)
	require.NoError(t, tx.Rollback(b.ctx))
	require.Empty(t, b.deliveries(endpointID))
}

// TestWebhookTriggersAreEnabledOnDemand: writes of the hot path pay for webhooks from the transaction on that makes an endpoint active.
func TestWebhookTriggersAreEnabledOnDemand(t *testing.T) {
	t.Parallel()
	b := setup(t)
	enabled := func() (n int) {
		t.Helper()
		require.NoError(t, b.db.Pool.QueryRow(b.ctx, `SELECT count(*) FILTER (WHERE enabled) FROM webhook_hot_triggers()`).Scan(&n))
		return n
	}
	const triggers = 5
	require.Zero(t, enabled())
	endpointID, _ := b.endpoint("https://example.com", func(c *ent.WebhookEndpointCreate) { c.SetActive(false) })
	require.Zero(t, enabled(), "no endpoint is active yet")

	writer, err := b.db.Pool.Begin(b.ctx)
	require.NoError(t, err)
	_, err = writer.Exec(b.ctx, `LOCK TABLE messages IN ROW EXCLUSIVE MODE`)
	require.NoError(t, err)
	activated := make(chan error, 1)
	go func() {
		_, err := b.db.Pool.Exec(b.ctx, `UPDATE webhook_endpoints SET active = true WHERE id = $1`, endpointID)
		activated <- err
	}()
	require.Eventually(t, func() (waits bool) {
		return b.db.Pool.QueryRow(b.ctx, `SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'messages'::regclass)`).Scan(&waits) == nil && waits
	}, stall.Limit(time.Minute), time.Millisecond, "it waits for what is being written")
	require.NoError(t, writer.Commit(b.ctx))
	require.NoError(t, <-activated)
	require.Equal(t, triggers, enabled())

	require.NoError(t, pgwebhook.DisableTriggers(b.ctx, b.db))
	require.Equal(t, triggers, enabled(), "an endpoint is active")
	b.exec(`UPDATE webhook_endpoints SET active = false`)
	require.NoError(t, pgwebhook.DisableTriggers(b.ctx, b.db))
	require.Zero(t, enabled())
	b.exec(`UPDATE webhook_endpoints SET active = true`)
	b.subscriber("u1")
	b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("hello")}}), to("u1"))
	require.Contains(t, typesOf(b.deliveries(endpointID)), workflow.WebhookEventAccepted)
}

// TestWebhookFailures follows a delivery through its eight attempts, its replay, and its endpoint's end.
func TestWebhookFailures(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.withWebhooks()
	receiver := listen(t, func(n int, w http.ResponseWriter) {
		if n <= 8 {
			answerDown(n, w)
		} else {
			answerOK(n, w)
		}
	})
	endpointID, _ := b.endpoint(receiver.URL, only(workflow.WebhookSubscriberCreated))
	b.subscriber("u1")
	began := time.Now()
	require.Equal(t, 1, b.wake(pgdue.DueWebhooks))
	first := b.deliveries(endpointID)[0]
	require.Equal(t, workflow.WebhookPending, first.Status)
	require.WithinRange(t, *first.DueAt, began.Add(5*time.Second), time.Now().Add(7*time.Second))
	require.Equal(t, "down\n", *first.AttemptLog[0].Body)
	require.NotNil(t, b.db.Ent.WebhookEndpoint.GetX(b.ctx, endpointID).FailingSince)
	require.Zero(t, b.wake(pgdue.DueWebhooks), "not before it is due")
	for range 7 {
		b.nextAttempt()
	}
	failed := b.deliveries(endpointID)[0]
	require.Equal(t, []any{workflow.WebhookFailed, 8, 8, (*time.Time)(nil)}, []any{failed.Status, failed.Attempts, len(failed.AttemptLog), failed.DueAt})
	b.nextAttempt()
	require.Len(t, receiver.bodies, 8, "it was given up")

	n, err := pgwebhook.Again(b.ctx, b.db.Pool, b.scope, pgwebhook.Replay{EndpointID: endpointID, FailedOnly: true}, 10)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	b.wake(pgdue.DueWebhooks)
	again := b.deliveries(endpointID)[0]
	require.Equal(t, []any{workflow.WebhookDelivered, 9}, []any{again.Status, again.Attempts})
	require.Equal(t, receiver.heads[0].Get("Webhook-Id"), receiver.heads[8].Get("Webhook-Id"))
	require.Equal(t, receiver.bodies[0], receiver.bodies[8])
	require.Nil(t, b.db.Ent.WebhookEndpoint.GetX(b.ctx, endpointID).FailingSince, "it succeeded")
}

// TestWebhookEndpointIsDisabled after days of failures, or at once when it is gone; deliveries that wait then fail.
func TestWebhookEndpointIsDisabled(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.withWebhooks()
	failing, gone := listen(t, answerDown), listen(t, func(_ int, w http.ResponseWriter) { w.WriteHeader(http.StatusGone) })
	one, _ := b.endpoint(failing.URL, only(workflow.WebhookSubscriberCreated))
	other, _ := b.endpoint(gone.URL, only(workflow.WebhookSubscriberCreated))
	watcher, _ := b.endpoint("https://example.com", only(workflow.WebhookEndpointDisabled))
	b.subscriber("u1")
	b.wake(pgdue.DueWebhooks)
	require.True(t, b.db.Ent.WebhookEndpoint.GetX(b.ctx, one).Active)
	require.False(t, b.db.Ent.WebhookEndpoint.GetX(b.ctx, other).Active, "410 Gone")
	b.exec(`UPDATE webhook_endpoints SET failing_since = now() - interval '4 days 23 hours' WHERE id = $1`, one)
	b.nextAttempt()
	require.True(t, b.db.Ent.WebhookEndpoint.GetX(b.ctx, one).Active)
	b.exec(`UPDATE webhook_endpoints SET failing_since = now() - interval '5 days 1 hour' WHERE id = $1`, one)
	b.nextAttempt()
	disabled := b.db.Ent.WebhookEndpoint.GetX(b.ctx, one)
	require.False(t, disabled.Active)
	require.Contains(t, *disabled.DisabledReason, "No delivery has succeeded since")
	require.Len(t, b.deliveries(watcher), 2, "the other endpoints are told of both")
	calls := len(failing.bodies)
	b.nextAttempt()
	require.Len(t, failing.bodies, calls)
	require.Equal(t, workflow.WebhookFailed, b.deliveries(one)[0].Status)
	b.subscriber("u2")
	require.Len(t, b.deliveries(one), 1, "nothing is recorded for it any more")
}

// TestWebhooksInOrder: of an ordered endpoint one delivery about a subscriber follows the other; others do not wait.
func TestWebhooksInOrder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.withWebhooks()
	down := true
	receiver := listen(t, func(n int, w http.ResponseWriter) {
		if down {
			answerDown(n, w)
		} else {
			answerOK(n, w)
		}
	})
	endpointID, _ := b.endpoint(receiver.URL, func(c *ent.WebhookEndpointCreate) { c.SetOrdered(true) },
		only(workflow.WebhookSubscriberCreated, workflow.WebhookSubscriberUpdated))
	a := b.subscriber("a")
	require.NoError(t, a.Update().SetFirstName("1").Exec(b.ctx))
	require.NoError(t, a.Update().SetFirstName("2").Exec(b.ctx))
	b.subscriber("b")
	b.wake(pgdue.DueWebhooks)
	attempts := func() (list []int) {
		for _, d := range b.deliveries(endpointID) {
			list = append(list, d.Attempts)
		}
		return list
	}
	require.Equal(t, []int{1, 0, 0, 1}, attempts())
	down = false
	for range 3 {
		b.nextAttempt()
	}
	require.Equal(t, []int{2, 1, 1, 2}, attempts())
	for i, d := range b.deliveries(endpointID)[:3] {
		require.Equal(t, workflow.WebhookDelivered, d.Status)
		require.Equal(t, d.ID, receiver.heads[slices.IndexFunc(receiver.heads, func(h http.Header) bool { return h.Get("Webhook-Id") == d.ID })].Get("Webhook-Id"), i)
	}
}

// TestWebhookSecretsOverlap: until the overlap of a rotation ends both secrets verify a delivery.
func TestWebhookSecretsOverlap(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.withWebhooks()
	receiver := listen(t, answerOK)
	endpointID, old := b.endpoint(receiver.URL, only(workflow.WebhookSubscriberCreated))
	fresh := provider.NewWebhookSecret()
	sealed, err := provider.SealWebhookSecret(b.config.Secrets, endpointID, fresh)
	require.NoError(t, err)
	b.exec(`UPDATE webhook_endpoints SET previous_secret = secret, secret = $2, previous_secret_until = now() + interval '1 hour' WHERE id = $1`, endpointID, sealed)
	b.subscriber("u1")
	b.wake(pgdue.DueWebhooks)
	verifies := func(secret string, i int) error {
		v, err := webhook.New(secret)
		require.NoError(t, err)
		return v.Verify(receiver.heads[i], []byte(receiver.bodies[i]))
	}
	require.NoError(t, verifies(old, 0))
	require.NoError(t, verifies(fresh, 0))
	b.exec(`UPDATE webhook_endpoints SET previous_secret_until = now() - interval '1 second' WHERE id = $1`, endpointID)
	b.subscriber("u2")
	b.wake(pgdue.DueWebhooks)
	require.ErrorIs(t, verifies(old, 1), webhook.ErrSignature)
	require.NoError(t, verifies(fresh, 1))
}

// TestWebhooksStayOutside: an address inside the operator's network is not called.
func TestWebhooksStayOutside(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.withHTTPSteps(func(c *engine.Config) { c.Deps.Chosen = guarded(t) })
	receiver := listen(t, answerOK)
	endpointID, _ := b.endpoint(receiver.URL, only(workflow.WebhookSubscriberCreated))
	b.subscriber("u1")
	b.wake(pgdue.DueWebhooks)
	require.Empty(t, receiver.bodies)
	require.Contains(t, *b.deliveries(endpointID)[0].AttemptLog[0].ErrorText, "public addresses only")
}

// guarded is the way out of a server that calls public addresses only.
func guarded(t *testing.T) http.RoundTripper {
	t.Helper()
	out, err := egress.New(egress.Config{})
	require.NoError(t, err)
	return out.Guarded()
}
