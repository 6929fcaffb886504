package engine_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/workflow"
)

// TestPushWebhookIsToldAll: the digest before the step, and the subscriber's channel settings.
func TestPushWebhookIsToldAll(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.virtual(year25)
	who := b.subscriber("u1")
	b.integration("push-webhook", workflow.ChannelPush, false)
	b.db.Ent.SubscriberChannel.Create().SetSubscriberID(who.ID).SetProviderID("push-webhook").
		SetCredentials(workflow.ChannelCredentials{DeviceTokens: []string{"t1"}}).SaveX(b.ctx)
	push := func(id string) workflow.Step {
		return workflow.Step{StepID: id, Type: workflow.StepPush, Push: &workflow.PushControls{Subject: "T", Body: "B"}}
	}
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{push("each"), digestStep(tenMinutes()), push("all")}})
	b.numbered(wf, 0, 1)
	b.numbered(wf, 3, 2)
	b.until(60)
	sent := b.vendor.messages()
	require.Len(t, sent, 3)
	require.Empty(t, sent[0].Step)
	step, err := json.Marshal(sent[2].Step)
	require.NoError(t, err)
	require.JSONEq(t, `{"digest":true,"events":[{"n":1},{"n":2}],"total_count":2}`, string(step))
	require.Equal(t, "u1", sent[2].Subscriber["subscriberId"])
	require.Equal(t, []any{map[string]any{
		"providerId": "push-webhook", "credentials": map[string]any{"deviceTokens": []any{"t1"}},
	}}, sent[2].Subscriber["channels"])
}
