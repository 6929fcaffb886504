package chat

import (
	"cmp"
	"context"
	"strings"

	"github.com/google/uuid"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var slack = provider.Definition{
	ID: "slack", Name: "Slack", Channel: workflow.ChannelChat,
	Credentials: []provider.Field{
		{Name: "applicationId", Label: "Application id", Kind: provider.KindString},
		{Name: "clientId", Label: "Client id", Kind: provider.KindString},
		{Name: "secretKey", Label: "Client secret", Kind: provider.KindString, Secret: true},
		{Name: "redirectUrl", Label: "Where the browser goes after connecting", Kind: provider.KindURL},
		{Name: "hmac", Label: "Sign connect requests", Kind: provider.KindBool},
		{Name: "baseUrl", Label: "Base address in place of the vendor's", Kind: provider.KindURL, Destination: true},
	},
	Endpoints: slackEndpoints,
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return newSlack(d, c), nil
	},
}

// slackStyle: an event's payload is the sender's own.
var slackStyle = provider.Style{Case: provider.SnakeCase, Free: []string{"event_payload"}}

type slackAdapter struct {
	client *provider.Client
	api    string
	origin provider.Origin
}

func newSlack(d provider.Deps, c provider.Credentials) *slackAdapter {
	s := &slackAdapter{client: d.Client(), api: c.URL("baseUrl", "https://slack.com") + "/api/"}
	if c.String("baseUrl") != "" {
		s.origin = provider.OriginCredentials
	}
	return s
}

// Send posts through the target's incoming webhook, or as the workspace's bot.
func (s *slackAdapter) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	switch m.Target.EndpointType {
	case workflow.EndpointSlackChannel, workflow.EndpointSlackUser:
		return s.asBot(ctx, m)
	default:
		return s.asWebhook(ctx, m)
	}
}

func (s *slackAdapter) asWebhook(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	u, err := webhookURL(m)
	if err != nil {
		return nil, err
	}
	req := &provider.Request{
		URL: u, Origin: provider.OriginTarget,
		Body: &provider.JSON{Root: map[string]any{"text": m.Content.Body}},
	}
	apply(req, m, slackStyle, interpreted...)
	ans, err := s.client.Do(ctx, req)
	if err != nil {
		return nil, err
	}
	said := strings.TrimSpace(string(ans.Body))
	if ans.OK() && (said == "ok" || ans.Broken) { // a cut-off yes is still a yes: the status came first
		return slackReceipt(ans), nil
	}
	return nil, ans.Failure(slackCode(said), said)
}

// slackCode is the answer of a webhook when it is one of Slack's short words.
func slackCode(said string) string {
	if said == "" || len(said) > 40 || strings.Trim(said, "abcdefghijklmnopqrstuvwxyz_") != "" {
		return ""
	}
	return said
}

func (s *slackAdapter) asBot(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	if m.Target.ConnectionToken == "" {
		return nil, provider.Failf(provider.Permanent, "the endpoint has no connection with an access token")
	}
	req := &provider.Request{
		URL: s.api + "chat.postMessage", Origin: s.origin,
		Secure: provider.Bearer(m.Target.ConnectionToken), SecureOfTarget: true,
		Body: &provider.JSON{Root: map[string]any{
			"channel": cmp.Or(m.Target.Endpoint.ChannelID, m.Target.Endpoint.UserID),
			"text":    m.Content.Body,
		}},
	}
	apply(req, m, slackStyle, interpreted...)
	ans, err := s.client.Do(ctx, req)
	if err != nil {
		return nil, err
	}
	if ans.OK() && (ans.At("ok") == "true" || ans.Broken) {
		receipt := slackReceipt(ans)
		if ts := ans.At("ts"); ts != "" { // in a direct message the channel is another than the user that was named
			receipt.Data = map[string]string{"channel": cmp.Or(ans.At("channel"), m.Target.Endpoint.ChannelID), "ts": ts}
		}
		return receipt, nil
	}
	return nil, slackFailure(ans)
}

// Recall deletes what the bot has posted. What came through an incoming webhook cannot be deleted.
func (s *slackAdapter) Recall(ctx context.Context, m *provider.Message, data map[string]string) error {
	if m.Target.ConnectionToken == "" {
		return provider.Failf(provider.Permanent, "the endpoint has no connection with an access token")
	}
	ans, err := s.client.Do(ctx, &provider.Request{
		URL: s.api + "chat.delete", Origin: s.origin,
		Secure: provider.Bearer(m.Target.ConnectionToken), SecureOfTarget: true,
		Body: &provider.JSON{Root: map[string]any{"channel": data["channel"], "ts": data["ts"]}},
	})
	if err != nil {
		return err
	}
	if ans.OK() && (ans.At("ok") == "true" || ans.Broken || ans.At("error") == "message_not_found") {
		return nil
	}
	return slackFailure(ans)
}

func slackReceipt(ans *provider.Answer) *provider.Receipt {
	return &provider.Receipt{ID: cmp.Or(ans.Header.Get("X-Slack-Req-Id"), uuid.NewString())}
}

// slackFailure reads the error word, which normally comes with status 200.
func slackFailure(ans *provider.Answer) *provider.Error {
	code := ans.At("error")
	failure := ans.Failure(code, code)
	switch code {
	case "ratelimited", "rate_limited", "internal_error", "fatal_error", "service_unavailable", "request_timeout",
		"team_added_to_org":
		failure.Class = provider.Transient
	case "invalid_auth", "not_authed", "token_revoked", "token_expired", "account_inactive", "missing_scope",
		"no_permission", "org_login_required", "ekm_access_denied":
		// The token belongs to one workspace's connection: other targets of the integration are well.
		failure.Class, failure.BrokenConnection = provider.Permanent, true
	}
	return failure
}
