package chat

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/google/uuid"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var msteams = provider.Definition{
	ID: "msteams", Name: "Microsoft Teams", Channel: workflow.ChannelChat,
	Endpoints: []workflow.EndpointType{workflow.EndpointWebhook, workflow.EndpointMSTeamsChannel, workflow.EndpointMSTeamsUser},
	Credentials: []provider.Field{
		{Name: "clientId", Label: "Bot app id", Kind: provider.KindString},
		{Name: "secretKey", Label: "App secret", Kind: provider.KindString, Secret: true},
		{Name: "tenantId", Label: "The app's home directory", Kind: provider.KindString},
		{Name: "redirectUrl", Label: "Where the browser goes after connecting", Kind: provider.KindURL},
	},
	New: newTeams,
}

const (
	teamsService = "https://smba.trafficmanager.net/teams/v3/conversations"
	teamsScope   = "https://api.botframework.com/.default"
	// teamsAnyTenant is where a bot of several tenants gets its token.
	teamsAnyTenant = "botframework.com"
	// teamsKnown bounds the conversations that are remembered; beyond it they are asked for again.
	teamsKnown = 10_000
)

type teams struct {
	client *provider.Client
	hook   *hook
	id     string
	secret string
	grant  *provider.Grant

	mu            sync.Mutex
	conversations map[string]string // by customer tenant and user
}

func newTeams(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
	client := d.Client()
	t := &teams{client: client, id: c.String("clientId"), secret: c.Secret("secretKey"), conversations: map[string]string{}}
	t.hook = &hook{client: client, body: teamsCard, read: readTeamsHook}
	tenant := cmp.Or(c.String("tenantId"), teamsAnyTenant)
	t.grant = d.NewGrant(client, "msteams", tenant, t.id, t.secret)
	t.grant.Fetch = func(ctx context.Context) (provider.AccessToken, error) {
		return client.FetchToken(ctx, &provider.Request{
			URL: "https://login.microsoftonline.com/" + url.PathEscape(tenant) + "/oauth2/v2.0/token",
			Body: provider.Form(url.Values{
				"grant_type": {"client_credentials"}, "client_id": {t.id}, "client_secret": {t.secret}, "scope": {teamsScope},
			}),
		})
	}
	return t, nil
}

// Send posts through the target's webhook, or as the bot.
func (t *teams) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	switch m.Target.EndpointType {
	case workflow.EndpointMSTeamsChannel, workflow.EndpointMSTeamsUser:
		return t.asBot(ctx, m)
	default:
		return t.hook.Send(ctx, m)
	}
}

// teamsCard is the content when it is a JSON object itself, else a text. The hosts of workflows get it as a card, because
// their usual flow posts nothing else.
func teamsCard(m *provider.Message) map[string]any {
	var own map[string]any
	dec := json.NewDecoder(bytes.NewReader([]byte(m.Content.Body)))
	dec.UseNumber()
	if dec.Decode(&own) == nil && !dec.More() {
		return own
	}
	target, err := webhookURL(m)
	if u, parseErr := url.Parse(target); err != nil || parseErr != nil || !teamsWorkflowHost(u.Hostname()) {
		return text(m)
	}
	return map[string]any{
		"type": "message", "text": m.Content.Body,
		"attachments": []any{map[string]any{
			"contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": nil,
			"content": map[string]any{
				"type": "AdaptiveCard", "$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "version": "1.4",
				"body": []any{map[string]any{"type": "TextBlock", "text": m.Content.Body, "wrap": true}},
			},
		}},
	}
}

func teamsWorkflowHost(host string) bool {
	host = strings.ToLower(host)
	return strings.HasSuffix(host, ".logic.azure.com") || strings.HasSuffix(host, ".powerplatform.com")
}

// readTeamsHook reads an answer. Older addresses answer 200 to a failure and name it in the body.
func readTeamsHook(ans *provider.Answer) (*provider.Receipt, *provider.Error) {
	said := strings.TrimSpace(string(ans.Body))
	if ans.OK() && strings.HasPrefix(said, "Webhook message delivery failed") {
		failure := ans.Failure("", said)
		failure.Class = provider.Permanent
		if strings.Contains(said, "429") {
			failure.Class = provider.Transient
		}
		return nil, failure
	}
	// Unverified: the second header.
	id := cmp.Or(ans.Header.Get("Request-Id"), ans.Header.Get("X-Ms-Workflow-Run-Id"), uuid.NewString())
	return &provider.Receipt{ID: id}, nil
}

func (t *teams) asBot(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	switch {
	case t.id == "" || t.secret == "":
		return nil, provider.Failf(provider.Fault, "the integration has no bot: set clientId and secretKey")
	case m.Target.Workspace == "":
		return nil, provider.Failf(provider.Permanent, "the endpoint's connection names no tenant")
	}
	body := map[string]any{"type": "message", "text": m.Content.Body}
	conversation, known := m.Target.Endpoint.ChannelID, false
	if m.Target.EndpointType == workflow.EndpointMSTeamsUser {
		var err error
		if conversation, known, err = t.conversation(ctx, m); err != nil {
			return nil, err
		}
	} else {
		body["channelData"] = map[string]any{
			"tenant": map[string]any{"id": m.Target.Workspace}, "team": map[string]any{"id": m.Target.Endpoint.TeamID},
			"channel": map[string]any{"id": conversation},
		}
	}
	req := &provider.Request{URL: teamsService + "/" + url.PathEscape(conversation) + "/activities", Body: &provider.JSON{Root: body}}
	apply(req, m, provider.Style{}, interpreted...)
	ans, err := t.authorized(ctx, req)
	if err != nil {
		return nil, err
	}
	if !ans.OK() {
		if known && ans.Status == 404 {
			t.forget(m)
		}
		return nil, teamsFailure(ans)
	}
	receipt := ans.Accepted(ctx, m, ans.At("id"))
	if activity := ans.At("id"); activity != "" {
		receipt.Data = map[string]string{"conversation": conversation, "activity": activity}
	}
	return receipt, nil
}

// Recall deletes what the bot has posted. What came through a webhook cannot be deleted.
func (t *teams) Recall(ctx context.Context, _ *provider.Message, data map[string]string) error {
	if t.id == "" || t.secret == "" {
		return provider.Failf(provider.Fault, "the integration has no bot: set clientId and secretKey")
	}
	ans, err := t.authorized(ctx, &provider.Request{
		Method: http.MethodDelete,
		URL:    teamsService + "/" + url.PathEscape(data["conversation"]) + "/activities/" + url.PathEscape(data["activity"]),
	})
	if err != nil {
		return err
	}
	if ans.OK() || ans.Status == http.StatusNotFound {
		return nil
	}
	return teamsFailure(ans)
}

func (t *teams) authorized(ctx context.Context, req *provider.Request) (*provider.Answer, error) {
	return t.grant.Do(ctx, func(token string) *provider.Request {
		with := *req
		with.Secure = provider.Bearer(token)
		return &with
	})
}

func teamsKey(m *provider.Message) string { return m.Target.Workspace + "/" + m.Target.Endpoint.UserID }

// conversation is the id of the bot's conversation with a user, which stays the same.
func (t *teams) conversation(ctx context.Context, m *provider.Message) (id string, known bool, err error) {
	t.mu.Lock()
	id = t.conversations[teamsKey(m)]
	t.mu.Unlock()
	if id != "" {
		return id, true, nil
	}
	ans, err := t.authorized(ctx, &provider.Request{URL: teamsService, Body: &provider.JSON{Root: map[string]any{
		"isGroup": false, "bot": map[string]any{"id": t.id}, "members": []any{map[string]any{"id": m.Target.Endpoint.UserID}},
		"channelData": map[string]any{"tenant": map[string]any{"id": m.Target.Workspace}},
	}}})
	if err != nil {
		return "", false, provider.BeforeSending(err)
	}
	if id = ans.At("id"); !ans.OK() || id == "" {
		return "", false, teamsFailure(ans)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.conversations) >= teamsKnown {
		t.conversations = map[string]string{}
	}
	t.conversations[teamsKey(m)] = id
	return id, false, nil
}

func (t *teams) forget(m *provider.Message) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.conversations, teamsKey(m))
}

func teamsFailure(ans *provider.Answer) *provider.Error {
	failure := ans.Failure(ans.At("error.code"), ans.At("error.message"))
	switch {
	case ans.OK(): // a conversation without an id
		failure.Class = provider.Permanent
	case ans.Status == 412:
		failure.Class = provider.Transient
	case ans.Status == 403 && failure.Code != "": // of this conversation, not of the integration
		failure.Class = provider.Permanent
	}
	return failure
}
