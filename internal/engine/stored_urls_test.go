package engine_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/engine"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/workflow"
)

// holders are the tables with a row that holds the text.
func (b *bundle) holders(text string) (found []string) {
	b.tb.Helper()
	rows, err := b.db.Pool.Query(b.ctx, `SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`)
	require.NoError(b.tb, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(b.tb, err)
	require.Greater(b.tb, len(tables), 20)
	for _, table := range tables {
		var holds bool
		sql := `SELECT EXISTS (SELECT FROM ` + pgx.Identifier{table}.Sanitize() + ` t WHERE position($1 IN t::text) > 0)`
		require.NoError(b.tb, b.db.Pool.QueryRow(b.ctx, sql, text).Scan(&holds))
		if holds {
			found = append(found, table)
		}
	}
	return found
}

// TestURLsOfEarlierReleases deliver as they are, and are sealed where they are stored.
func TestURLsOfEarlierReleases(t *testing.T) {
	t.Parallel()
	b, v := wired(t, func(w http.ResponseWriter, _ vendorCall) { _, _ = io.WriteString(w, `{}`) })
	hook := b.integration("chat-webhook", workflow.ChannelChat, false)
	who := b.subscriber("u1")
	b.db.Ent.SubscriberChannel.Create().SetSubscriberID(who.ID).SetProviderID("chat-webhook").
		SetCredentials(workflow.ChannelCredentials{WebhookURL: v.URL + "/MARKER-setting"}).ExecX(b.ctx)
	b.db.Ent.ChannelEndpoint.Create().SetIdentifier("one").SetIntegrationID(hook).SetSubscriberID(who.ID).SetSubscriberExternalID("u1").
		SetType(workflow.EndpointWebhook).SetEndpoint(workflow.EndpointData{URL: v.URL + "/MARKER-endpoint"}).SetContextKeys([]string{}).ExecX(b.ctx)
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{{StepID: "chat", Type: workflow.StepChat, Chat: &workflow.TextControls{Body: "hello"}}}})

	b.fanOut(b.triggered(wf, to("u1")))
	b.exec(`UPDATE messages SET direct_webhook_url = $1, envelope = jsonb_set(envelope, '{endpoint,url}', to_jsonb($1::text)) WHERE target = 'endpoint:one'`,
		v.URL+"/MARKER-message")
	b.wake(pgdue.DueMessages)
	require.Len(t, v.to("/MARKER-setting"), 1)
	require.Len(t, v.to("/MARKER-message"), 1)

	// An event that was accepted before the upgrade brings a setting along, and sends the endpoint's message elsewhere.
	b.fanOut(b.triggered(wf, &workflow.Recipients{Direct: []workflow.SubscriberInput{{
		SubscriberID: "u1", Channels: []workflow.ChannelInput{{ProviderID: "chat-webhook", Credentials: workflow.ChannelCredentials{WebhookURL: v.URL + "/MARKER-inline"}}},
	}}}, func(e *ent.EventCreate) {
		e.SetOverrides(map[string]any{"providers": map[string]any{"chat-webhook": map[string]any{"one": map[string]any{"endpoint": map[string]any{"url": v.URL + "/MARKER-override"}}}}})
	}))
	b.wake(pgdue.DueMessages)
	require.Len(t, v.to("/MARKER-inline"), 1)
	require.Len(t, v.to("/MARKER-override"), 1)
	require.ElementsMatch(t, []string{"channel_endpoints", "events", "messages"}, b.holders("MARKER"), "the setting is sealed when it is changed")

	require.NoError(t, b.engine.SealStoredURLs(b.ctx))
	require.Empty(t, b.holders("MARKER"))
	b.exec(`UPDATE messages SET direct_webhook_url = $1 WHERE target = 'endpoint:one'`, "https://late.example/MARKER")
	require.NoError(t, b.engine.SealStoredURLs(b.ctx))
	require.Empty(t, b.holders("MARKER"), "written by an earlier release that still ran")
	b.fanOut(b.triggered(wf, to("u1")))
	b.wake(pgdue.DueMessages)
	require.Len(t, v.to("/MARKER-inline"), 2)
	require.Len(t, v.to("/MARKER-endpoint"), 1)
	require.Empty(t, b.holders("MARKER"))
}

// TestURLsUnderAnOlderKey are sealed under the present one once, and opened by it alone.
func TestURLsUnderAnOlderKey(t *testing.T) {
	t.Parallel()
	b, v := wired(t, func(w http.ResponseWriter, _ vendorCall) { _, _ = io.WriteString(w, `{}`) })
	b.integration("chat-webhook", workflow.ChannelChat, false)
	older, present := secret.Generate(), secret.Generate()
	at := func(key string) *engine.Engine {
		keeper, err := secret.NewKeeper(key)
		require.NoError(t, err)
		cfg := b.config
		cfg.Secrets = keeper
		e, err := engine.New(cfg)
		require.NoError(t, err)
		return e
	}
	inClear := `{"webhookUrl": "` + v.URL + `/MARKER"}`
	who := b.subscriber("u1")
	b.db.Ent.SubscriberChannel.Create().SetSubscriberID(who.ID).SetProviderID("chat-webhook").SetCredentials(workflow.ChannelCredentials{}).ExecX(b.ctx)
	stored := func() (text string) {
		require.NoError(t, b.db.Pool.QueryRow(b.ctx, `SELECT credentials ->> 'webhookUrl' FROM subscriber_channels`).Scan(&text))
		return text
	}
	b.exec(`UPDATE subscriber_channels SET credentials = $1`, inClear)
	require.NoError(t, at(older).SealStoredURLs(b.ctx))
	first := stored()
	require.NoError(t, at(older).SealStoredURLs(b.ctx))
	require.Equal(t, first, stored())
	b.exec(`UPDATE subscriber_channels SET credentials = $1`, inClear)
	require.NoError(t, at(older).SealStoredURLs(b.ctx))
	require.Contains(t, stored(), "MARKER", "all was sealed: the rows are not looked at again")
	b.exec(`UPDATE subscriber_channels SET credentials = jsonb_build_object('webhookUrl', $1::text)`, first)

	require.NoError(t, at(present+","+older).SealStoredURLs(b.ctx))
	require.NotEqual(t, first, stored())
	keeper, err := secret.NewKeeper(present)
	require.NoError(t, err)
	url, err := keeper.OpenURL(b.scope.EnvironmentID, stored())
	require.NoError(t, err)
	require.Equal(t, v.URL+"/MARKER", url)
}

// TestURLsOfOtherEnvironments do not open: the message fails, and no call is made.
func TestURLsOfOtherEnvironments(t *testing.T) {
	t.Parallel()
	b, v := wired(t, func(w http.ResponseWriter, _ vendorCall) { _, _ = io.WriteString(w, `{}`) })
	b.integration("chat-webhook", workflow.ChannelChat, false)
	stolen, err := b.config.Secrets.SealURL("another", v.URL+"/stolen")
	require.NoError(t, err)
	b.db.Ent.SubscriberChannel.Create().SetSubscriberID(b.subscriber("u1").ID).SetProviderID("chat-webhook").
		SetCredentials(workflow.ChannelCredentials{WebhookURL: stolen}).ExecX(b.ctx)
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{{StepID: "chat", Type: workflow.StepChat, Chat: &workflow.TextControls{Body: "hello"}}}})
	ev := b.triggered(wf, to("u1"))
	b.fanOut(ev)
	b.wake(pgdue.DueMessages)
	require.Empty(t, v.to("/stolen"))
	require.Equal(t, workflow.MessageError, b.messages(ev)[0].Status)
}

// TestWaitingRunsUnderAKeyOfOtherProcesses are tried again, and not ended: the process that has the key continues them.
func TestWaitingRunsUnderAKeyOfOtherProcesses(t *testing.T) {
	t.Parallel()
	b, v := wired(t, func(w http.ResponseWriter, _ vendorCall) { _, _ = io.WriteString(w, `{}`) })
	b.integration("chat-webhook", workflow.ChannelChat, false)
	b.subscriber("u1")
	wait := workflow.Step{StepID: "wait", Type: workflow.StepDelay, Delay: &workflow.DelayControls{Type: workflow.DelayRegular, Amount: 1, Unit: workflow.UnitHours}}
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{wait, inAppStep("x")}})
	sealed, err := b.config.Secrets.SealURL(b.scope.EnvironmentID, v.URL+"/hook")
	require.NoError(t, err)
	ev := b.triggered(wf, to("u1"), func(e *ent.EventCreate) {
		e.SetOverrides(map[string]any{"providers": map[string]any{"chat-webhook": map[string]any{"one": map[string]any{"endpoint": map[string]any{"url": sealed}}}}})
	})
	b.fanOut(ev)

	older := b.config
	older.Secrets = newKeeper(t)
	without, err := engine.New(older)
	require.NoError(t, err)
	due := `UPDATE notifications SET due_at = now() - interval '1 minute'`
	b.exec(due)
	_, err = without.Wake(b.ctx, pgdue.DueNotifications)
	require.NoError(t, err)
	require.Equal(t, workflow.RunWaiting, b.runs(ev)[0].Status, "%v", reasons(b.runs(ev)[0]))

	b.exec(due)
	b.wake(pgdue.DueNotifications)
	require.Equal(t, workflow.RunCompleted, b.runs(ev)[0].Status)
}
