package push

import (
	"testing"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/workflow"
)

func TestPushWebhook(t *testing.T) {
	t.Parallel()
	creds := provider.Credentials{"webhookUrl": "https://push.example.com/MARKER-PATH", "secretKey": "MARKER-SECRET"}
	providertest.Run(t, providertest.Case{
		Definition: webhook, Credentials: creds, Origin: provider.OriginCredentials,
		Replies: []providertest.Reply{{Body: `{"id":"p-1"}`}},
		Receipt: provider.Receipt{ID: "p-1"}, NeedsID: true,
	})
	m := providertest.Message(workflow.ChannelPush)
	m.Overrides = map[string]any{
		"webhookUrl": "https://other.example.com/in?token=OTHERSECRET", "hmacSecretKey": "PER-TRIGGER-KEY",
		"sound": "bell", "_passthrough": map[string]any{"headers": map[string]any{"X-Tenant": "acme"}},
	}
	m.Merge = map[string]any{"title": "Merged"}
	m.Step = map[string]any{"digest": true, "events": []any{map[string]any{"orderId": "1"}}, "total_count": 1}
	providertest.Run(t, providertest.Case{
		Name: "push-webhook-overridden", Definition: webhook, Credentials: creds, Message: m, Origin: provider.OriginTarget,
		Replies: []providertest.Reply{{Body: ""}},
	})
}
