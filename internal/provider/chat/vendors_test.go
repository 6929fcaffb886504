package chat

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/workflow"
)

func no(status int, body string, class provider.Class, code, text string) providertest.Failure {
	return providertest.Failure{
		Name: "Code" + code + text, Reply: providertest.Reply{Status: status, Body: body},
		Want: provider.Error{Class: class, Code: code, Text: text},
	}
}

func message(change func(*provider.Message)) *provider.Message {
	m := providertest.Message(workflow.ChannelChat)
	if change != nil {
		change(m)
	}
	return m
}

func TestDiscord(t *testing.T) {
	t.Parallel()
	slow := no(429, `{"message":"You are being rate limited.","retry_after":1.5,"global":false}`, provider.Transient, "", "You are being rate limited.")
	slow.Want.RetryAfter = 1500 * time.Millisecond
	providertest.Run(t, providertest.Case{
		Definition: discord, Origin: provider.OriginTarget, NeedsID: true,
		Message: message(func(m *provider.Message) {
			m.Target.Endpoint.URL += "?thread_id=7"
			m.Overrides = map[string]any{"username": "Shop", "avatar_url": "https://shop.example/a.png", "embeds": []any{map[string]any{"title": "t"}}}
		}),
		Replies: []providertest.Reply{{Body: `{"id":"1118","timestamp":"2023-06-13T10:00:00.000000+00:00"}`}},
		Receipt: provider.Receipt{ID: "1118", Data: map[string]string{"id": "1118"}, Date: time.Date(2023, 6, 13, 10, 0, 0, 0, time.UTC)},
		Failures: []providertest.Failure{
			no(404, `{"message":"Unknown Webhook","code":10015}`, provider.Permanent, "10015", "Unknown Webhook"), slow,
		},
	})
}

func TestDiscordMentionsOnDemand(t *testing.T) {
	t.Parallel()
	providertest.Run(t, providertest.Case{
		Name: "discord-mentions", Definition: discord, Origin: provider.OriginTarget, NeedsID: true,
		Message: message(func(m *provider.Message) {
			m.Overrides = map[string]any{"allowed_mentions": map[string]any{"parse": []any{"users"}}}
		}),
		Replies: []providertest.Reply{{Body: `{"id":"1118"}`}}, Receipt: provider.Receipt{ID: "1118", Data: map[string]string{"id": "1118"}},
	})
}

func TestHooks(t *testing.T) {
	t.Parallel()
	providertest.Run(t, providertest.Case{
		Definition: mattermost, Origin: provider.OriginTarget,
		Message: message(func(m *provider.Message) {
			m.Target.Endpoint.Channel = "town-square"
			m.Merge = map[string]any{"iconUrl": "https://shop.example/i.png"}
		}),
		Replies: []providertest.Reply{{Body: "ok", Header: map[string]string{"X-Request-Id": "mm1"}}}, Receipt: provider.Receipt{ID: "mm1"},
		Failures: []providertest.Failure{no(400, `{"id":"web.incoming_webhook.invalid.app_error","message":"Invalid webhook"}`, provider.Permanent, "", "Invalid webhook")},
	})
	providertest.Run(t, providertest.Case{
		Definition: ryver, Origin: provider.OriginTarget, Message: message(nil),
		Replies: []providertest.Reply{{Status: 204}}, Receipt: provider.Receipt{ID: "204"},
	})
	providertest.Run(t, providertest.Case{
		Definition: zulip, Origin: provider.OriginTarget,
		Message: message(func(m *provider.Message) {
			m.Target.Endpoint.URL = "https://zulip.example.com/api/v1/external/slack_incoming?api_key=MARKERKEY&stream=shop&topic=orders"
		}),
		Replies: []providertest.Reply{{Body: `{"result":"success","msg":""}`}},
		Failures: []providertest.Failure{
			no(200, `{"result":"error","msg":"no stream","code":"STREAM_DOES_NOT_EXIST"}`, provider.Permanent, "STREAM_DOES_NOT_EXIST", "no stream"),
			no(429, `{"result":"error","msg":"slow","code":"RATE_LIMIT_HIT"}`, provider.Transient, "RATE_LIMIT_HIT", "slow"),
		},
	})
	providertest.Run(t, providertest.Case{
		Definition: getstream, Origin: provider.OriginTarget, NeedsID: false,
		Credentials: provider.Credentials{"apiKey": "MARKER-KEY"},
		Message: message(func(m *provider.Message) {
			m.Overrides = map[string]any{"_passthrough": map[string]any{"headers": map[string]any{"X-Shop": "1", "x-api-key": "stolen"}}}
		}),
		Replies: []providertest.Reply{{Header: map[string]string{"X-WEBHOOK-ID": "gs1"}}}, Receipt: provider.Receipt{ID: "gs1"},
		Failures: []providertest.Failure{no(400, `{"code":4,"message":"bad input","StatusCode":400}`, provider.Permanent, "4", "bad input")},
	})
	providertest.Run(t, providertest.Case{
		Name: "getstream-server", Definition: getstream, Origin: provider.OriginTarget, NeedsID: true,
		Credentials: provider.Credentials{"apiKey": "MARKER-KEY", "secretKey": "MARKER-SECRET"},
		Message: message(func(m *provider.Message) {
			m.Target.Endpoint.URL = "https://chat.stream-io-api.com/channels/messaging/MARKER-CHANNEL/message"
			m.Overrides = map[string]any{"userId": "shop", "message": map[string]any{"parentId": "p1"}}
		}),
		Replies: []providertest.Reply{{Status: 201, Body: `{"message":{"id":"gs2"}}`}}, Receipt: provider.Receipt{ID: "gs2"},
	})
}

func TestGrafana(t *testing.T) {
	t.Parallel()
	providertest.Run(t, providertest.Case{
		Definition: grafana, Origin: provider.OriginTarget, RandomID: true,
		Credentials: provider.Credentials{"alertUid": "a1", "title": "Shop", "state": "alerting", "externalLink": "https://shop.example/o/1"},
		Message:     message(func(m *provider.Message) { m.Target.Setting = workflow.ChannelCredentials{AlertUID: "own"} }),
		Replies:     []providertest.Reply{{Body: "Ok.", Header: map[string]string{"Date": "Sat, 01 Mar 2025 09:29:00 GMT"}}},
		Receipt:     provider.Receipt{Date: time.Date(2025, 3, 1, 9, 29, 0, 0, time.UTC)},
		Failures:    []providertest.Failure{no(403, "Integration key was not found. Permission denied.", provider.Permanent, "", "Integration key was not found. Permission denied.")},
	})
}

func TestRocketChat(t *testing.T) {
	t.Parallel()
	creds := provider.Credentials{"token": "MARKER-TOKEN", "user": "u1"}
	room := func(m *provider.Message) {
		m.Target.Endpoint = workflow.EndpointData{URL: "https://rocket.example.com/MARKER-BASE/", Channel: "GENERAL"}
	}
	providertest.Run(t, providertest.Case{
		Definition: rocketChat, Origin: provider.OriginTarget, NeedsID: true, Credentials: creds, Message: message(room),
		Replies: []providertest.Reply{{Body: `{"message":{"_id":"rc1","ts":"2026-01-21T10:00:00.000Z"},"success":true}`}},
		Receipt: provider.Receipt{ID: "rc1", Date: time.Date(2026, 1, 21, 10, 0, 0, 0, time.UTC)},
		Failures: []providertest.Failure{
			no(200, `{"success":false,"error":"no permission"}`, provider.Permanent, "", "no permission"),
			no(400, `{"success":false,"error":"error-too-many-requests"}`, provider.Transient, "", "error-too-many-requests"),
		},
	})
	a, err := rocketChat.New(provider.Deps{}, creds)
	require.NoError(t, err)
	_, err = a.Send(t.Context(), message(nil))
	require.ErrorContains(t, err, "room")
}

func TestWhatsApp(t *testing.T) {
	t.Parallel()
	creds := provider.Credentials{"apiToken": "MARKER-TOKEN", "phoneNumberIdentification": "1063"}
	phone := func(m *provider.Message) {
		m.Target = provider.Target{EndpointType: workflow.EndpointPhone, Endpoint: workflow.EndpointData{PhoneNumber: "+447700900123"}}
	}
	yes := []providertest.Reply{{Body: `{"messaging_product":"whatsapp","messages":[{"id":"wamid.1"}]}`}}
	code := func(code string, class provider.Class) providertest.Failure {
		return no(400, `{"error":{"message":"m","code":`+code+`,"error_data":{"details":"d"}}}`, class, code, "d")
	}
	providertest.Run(t, providertest.Case{
		Definition: whatsapp, NeedsID: true, Credentials: creds, Replies: yes, Receipt: provider.Receipt{ID: "wamid.1"},
		Message: message(func(m *provider.Message) {
			phone(m)
			m.Merge = map[string]any{"text": map[string]any{"previewUrl": true}, "context": map[string]any{"messageId": "x"}}
		}),
		Failures: []providertest.Failure{
			code("131056", provider.Transient), code("190", provider.Fault), code("131047", provider.Permanent), code("200", provider.Fault),
		},
	})
	providertest.Run(t, providertest.Case{
		Name: "whatsapp-business-template", Definition: whatsapp, NeedsID: true, Credentials: creds, Replies: yes, Receipt: provider.Receipt{ID: "wamid.1"},
		Message: message(func(m *provider.Message) {
			phone(m)
			m.Overrides = map[string]any{"template": map[string]any{"name": "order", "language": map[string]any{"code": "en"}}}
		}),
	})
	providertest.Run(t, providertest.Case{
		Name: "whatsapp-business-layers", Definition: whatsapp, NeedsID: true, Credentials: creds, Replies: yes, Receipt: provider.Receipt{ID: "wamid.1"},
		Message: message(func(m *provider.Message) {
			phone(m)
			m.Overrides = map[string]any{"template": map[string]any{"name": "order", "language": map[string]any{"code": "en"}}}
			m.Merge = map[string]any{"template": map[string]any{"language": map[string]any{"code": "de"}, "components": []any{map[string]any{"type": "button", "subType": "url"}}}}
		}),
	})
}

// TestRedirectsStayHere: what redirects an endpoint for one trigger is no part of any vendor's request.
func TestRedirectsStayHere(t *testing.T) {
	t.Parallel()
	m := message(func(m *provider.Message) {
		m.Target.EndpointIdentifier = "my-endpoint"
		m.Merge = map[string]any{
			"my-endpoint": map[string]any{"endpoint": map[string]any{"url": "https://x.example"}, "more": 1},
			"another":     map[string]any{"endpoint": map[string]any{"url": "https://y.example"}},
			"kept":        map[string]any{"endpoint": "z", "more": 1},
		}
	})
	req := &provider.Request{Body: &provider.JSON{Root: map[string]any{"text": "a"}}}
	apply(req, m, provider.Style{})
	require.Equal(t, map[string]any{"text": "a", "kept": map[string]any{"endpoint": "z", "more": 1}}, req.Body.(*provider.JSON).Root)
	require.Len(t, m.Merge, 3)
}

func TestTeamsWebhook(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*provider.Message){
		"msteams-text": func(*provider.Message) {},
		"msteams-card": func(m *provider.Message) { m.Content.Body = `{"type":"message","summary":"own"}` },
		"msteams-flow": func(m *provider.Message) {
			m.Target.Endpoint.URL = "https://Prod-1.westeurope.Logic.azure.com:443/workflows/MARKERFLOW/triggers/manual/paths/invoke?sig=MARKERSIG"
		},
	} {
		providertest.Run(t, providertest.Case{
			Name: name, Definition: msteams, Origin: provider.OriginTarget, Message: message(change),
			Replies: []providertest.Reply{{Body: "1", Header: map[string]string{"Request-Id": "t1"}}}, Receipt: provider.Receipt{ID: "t1"},
			Failures: []providertest.Failure{
				no(200, "Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429", provider.Transient, "", "Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429"),
				no(200, "Webhook message delivery failed with error: 404", provider.Permanent, "", "Webhook message delivery failed with error: 404"),
			},
		})
	}
}

func TestTeamsBot(t *testing.T) {
	t.Parallel()
	creds := provider.Credentials{"clientId": "bot-1", "secretKey": "MARKER-SECRET", "tenantId": "home"}
	target := func(kind workflow.EndpointType, data workflow.EndpointData) *provider.Message {
		return message(func(m *provider.Message) {
			m.Target = provider.Target{EndpointType: kind, Endpoint: data, Workspace: "customer-tenant"}
		})
	}
	posted := providertest.Reply{Status: 201, Body: `{"id":"1:abc"}`}
	base := providertest.Case{
		Definition: msteams, Credentials: creds, NeedsID: true, Receipt: provider.Receipt{ID: "1:abc"},
		TokenURL: "https://login.microsoftonline.com/home/oauth2/v2.0/token",
		Token:    providertest.Reply{Body: `{"access_token":"TOKEN","expires_in":3599}`},
		Failures: []providertest.Failure{
			no(403, `{"error":{"code":"BotNotInConversationRoster","message":"not installed"}}`, provider.Permanent, "BotNotInConversationRoster", "not installed"),
			no(412, `{"error":{"code":"PreconditionFailed","message":"again"}}`, provider.Transient, "PreconditionFailed", "again"),
		},
	}
	channel := base
	channel.Name = "msteams-channel"
	channel.Message = target(workflow.EndpointMSTeamsChannel, workflow.EndpointData{TeamID: "team-1", ChannelID: "19:x@thread.tacv2"})
	channel.Replies = []providertest.Reply{posted}
	channel.Receipt.Data = map[string]string{"conversation": "19:x@thread.tacv2", "activity": "1:abc"}
	providertest.Run(t, channel)
	user := base
	user.Name = "msteams-user"
	user.Message = target(workflow.EndpointMSTeamsUser, workflow.EndpointData{UserID: "29:user"})
	user.Replies = []providertest.Reply{{Status: 201, Body: `{"id":"a:1/2"}`}, posted}
	user.Receipt.Data = map[string]string{"conversation": "a:1/2", "activity": "1:abc"}
	providertest.Run(t, user)

	a, err := msteams.New(provider.Deps{}, provider.Credentials{})
	require.NoError(t, err)
	_, err = a.Send(t.Context(), channel.Message)
	require.Equal(t, provider.Fault, provider.AsError(err).Class)
}

// TestEveryProviderHasACase: a golden file, and in it or in the tests of this package what the vendor answers.
func TestEveryProviderHasACase(t *testing.T) {
	t.Parallel()
	providertest.RunFiles(t, Providers())
}
