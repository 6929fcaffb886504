package chat

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/workflow"
)

func TestChatWebhook(t *testing.T) {
	t.Parallel()
	m := providertest.Message(workflow.ChannelChat)
	m.Target.Endpoint.Channel = "general"
	m.Overrides = map[string]any{"iconUrl": "https://example.com/i.png"}
	providertest.Run(t, providertest.Case{
		Definition: webhook, Message: m, Origin: provider.OriginTarget,
		Credentials: provider.Credentials{"secretKey": "MARKER-SECRET"},
		Replies:     []providertest.Reply{{Body: `{"id":77}`}},
		Receipt:     provider.Receipt{ID: "77"}, NeedsID: true,
	})
	unsigned := providertest.Message(workflow.ChannelChat)
	unsigned.Merge = map[string]any{"webhookUrl": "https://other.example.com/in?token=OTHERSECRET"}
	providertest.Run(t, providertest.Case{
		Name: "chat-webhook-unsigned", Definition: webhook, Message: unsigned, Origin: provider.OriginTarget,
		Replies: []providertest.Reply{{Body: "ok"}},
	})
	own := providertest.Message(workflow.ChannelChat)
	own.Overrides = map[string]any{"hmacSecretKey": "PER-TRIGGER-KEY"}
	providertest.Run(t, providertest.Case{
		Name: "chat-webhook-own-key", Definition: webhook, Message: own, Origin: provider.OriginTarget,
		Replies: []providertest.Reply{{Body: `{}`}},
	})
}

func bot() *provider.Message {
	m := providertest.Message(workflow.ChannelChat)
	m.Target = provider.Target{
		EndpointType: workflow.EndpointSlackChannel, Endpoint: workflow.EndpointData{ChannelID: "C1"},
		ConnectionToken: "xoxb-MARKER-TOKEN", Workspace: "T1",
	}
	return m
}

func slackSays(word string, class provider.Class, broken bool) providertest.Failure {
	return providertest.Failure{
		Name: word, Reply: providertest.Reply{Body: `{"ok":false,"error":"` + word + `"}`},
		Want: provider.Error{Class: class, Code: word, Text: word, BrokenConnection: broken},
	}
}

func TestSlack(t *testing.T) {
	t.Parallel()
	m := providertest.Message(workflow.ChannelChat)
	m.Overrides = map[string]any{"blocks": []any{map[string]any{"type": "divider", "blockId": "b1"}}, "icon_emoji": ":bell:"}
	m.Merge = map[string]any{"unfurlLinks": false}
	providertest.Run(t, providertest.Case{
		Name: "slack-webhook", Definition: slack, Message: m, Origin: provider.OriginTarget,
		Replies: []providertest.Reply{{Body: "ok", Header: map[string]string{"X-Slack-Req-Id": "req-1"}}},
		Receipt: provider.Receipt{ID: "req-1"},
		Failures: []providertest.Failure{
			{
				Name: "NotOk", Reply: providertest.Reply{Body: "no_text"},
				Want: provider.Error{Class: provider.Permanent, Code: "no_text", Text: "no_text"},
			},
			{
				Name: "Rollup", Reply: providertest.Reply{Status: 500, Body: "rollup_error"},
				Want: provider.Error{Class: provider.Transient, Code: "rollup_error", Text: "rollup_error"},
			},
			{
				Name: "Prohibited", Reply: providertest.Reply{Status: 403, Body: "action_prohibited"},
				Want: provider.Error{Class: provider.Permanent, Code: "action_prohibited"},
			},
		},
	})
	providertest.Run(t, providertest.Case{
		Name: "slack-bot", Definition: slack, Message: bot(),
		Replies: []providertest.Reply{{Body: `{"ok":true,"channel":"C024","ts":"1503435956.000247"}`}},
		Receipt: provider.Receipt{Data: map[string]string{"channel": "C024", "ts": "1503435956.000247"}}, RandomID: true,
		Failures: []providertest.Failure{
			slackSays("channel_not_found", provider.Permanent, false),
			slackSays("ratelimited", provider.Transient, false),
			slackSays("internal_error", provider.Transient, false),
			slackSays("token_revoked", provider.Permanent, true),
		},
	})
}

// TestSlackWithoutUsableToken: the token is one workspace's, so that the integration is not at fault.
func TestSlackWithoutUsableToken(t *testing.T) {
	t.Parallel()
	for _, token := range []string{"", "xoxb-1\n"} {
		m := bot()
		m.Target.ConnectionToken = token
		a := newSlack(provider.Deps{Vendor: http.DefaultTransport}, nil)
		_, err := a.Send(t.Context(), m)
		require.Equal(t, provider.Permanent, provider.AsError(err).Class)
		err = a.Recall(t.Context(), m, nil)
		require.Equal(t, provider.Permanent, provider.AsError(err).Class)
	}
}

func TestDemo(t *testing.T) {
	t.Parallel()
	catcher := &providertest.Catcher{}
	providertest.Run(t, providertest.Case{
		Definition: demo, Message: bot(),
		Deps:     func(d *provider.Deps) { d.Catcher = catcher },
		Replies:  []providertest.Reply{{Body: `{"ok":true}`}},
		RandomID: true,
	})
}

func TestDemoCatches(t *testing.T) {
	t.Parallel()
	catcher := &providertest.Catcher{}
	a, err := demo.New(provider.Deps{Catcher: catcher}, nil)
	require.NoError(t, err)
	m := bot()
	m.Target.ConnectionToken = ""
	receipt, err := a.Send(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, m.ID, receipt.ID)
	require.Equal(t, []provider.CaughtMessage{{
		MessageID: m.ID, ProviderID: "svc-slack", Channel: workflow.ChannelChat, Target: "C1",
		Text: m.Content.Body, Payload: m.Payload,
	}}, catcher.Seen)
}
