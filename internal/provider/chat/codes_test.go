package chat

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// answers is a vendor that always answers so.
func answers(status int, body string) http.RoundTripper {
	return roundTrip(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
	})
}

func send(t *testing.T, d provider.Definition, creds provider.Credentials, vendor http.RoundTripper, m *provider.Message) (*provider.Receipt, *provider.Error) {
	t.Helper()
	adapter, err := d.New(provider.Deps{Vendor: vendor, Chosen: vendor, Now: time.Now}, creds)
	require.NoError(t, err)
	receipt, err := adapter.Send(t.Context(), m)
	return receipt, provider.AsError(err)
}

// TestCodesOfVendors are those of push-chat.md: what is the account's fault, what passes, what concerns this message alone,
// and what ends the connection of one workspace (a * before the code).
func TestCodesOfVendors(t *testing.T) {
	t.Parallel()
	phone := message(func(m *provider.Message) {
		m.Target = provider.Target{EndpointType: workflow.EndpointPhone, Endpoint: workflow.EndpointData{PhoneNumber: "+447700900123"}}
	})
	phoneCreds := provider.Credentials{"apiToken": "t", "phoneNumberIdentification": "1063"}
	for name, c := range map[string]struct {
		definition  provider.Definition
		credentials provider.Credentials
		message     *provider.Message
		status      int
		answer      string // %s is the code
		want        map[provider.Class]string
	}{
		"SlackBot": {
			slack, nil, bot(), 200, `{"ok":false,"error":"%s"}`,
			map[provider.Class]string{
				provider.Transient: "ratelimited rate_limited internal_error fatal_error service_unavailable request_timeout team_added_to_org",
				provider.Permanent: "*invalid_auth *not_authed *token_revoked *token_expired *account_inactive *missing_scope *no_permission " +
					"*org_login_required *ekm_access_denied channel_not_found not_in_channel is_archived msg_too_long no_text",
			},
		},
		"SlackHook": {
			slack, nil, message(nil), 400, `%s`,
			map[provider.Class]string{provider.Permanent: "invalid_payload user_not_found channel_is_archived no_service"},
		},
		"WhatsApp": {
			whatsapp, phoneCreds, phone, 400, `{"error":{"message":"m","code":%s}}`,
			map[provider.Class]string{
				provider.Transient: "1 2 4 80007 130429 131000 131016 131056 131057 133004",
				provider.Fault:     "0 10 190 200 210 299 131005 131031", provider.Permanent: "100 131026 131047 131051 132000 2000",
			},
		},
		"Discord": {
			discord, nil, message(nil), 404, `{"message":"m","code":%s}`, map[provider.Class]string{provider.Permanent: "10015 50035"},
		},
		"Zulip": {
			zulip, nil, message(nil), 200, `{"result":"error","msg":"m","code":"%s"}`,
			map[provider.Class]string{provider.Permanent: "BAD_REQUEST STREAM_DOES_NOT_EXIST"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for class, codes := range c.want {
				for code := range strings.FieldsSeq(codes) {
					code, broken := strings.CutPrefix(code, "*")
					_, failure := send(t, c.definition, c.credentials, answers(c.status, fmt.Sprintf(c.answer, code)), c.message)
					require.NotNil(t, failure, code)
					require.Equal(t, []any{class, code, broken}, []any{failure.Class, failure.Code, failure.BrokenConnection}, code)
				}
			}
		})
	}
}

// TestSlackWords: only the vendor's short words are codes; pages of a proxy are not.
func TestSlackWords(t *testing.T) {
	t.Parallel()
	for said, code := range map[string]string{
		"invalid_payload": "invalid_payload", "": "", "<html>": "", "Not Found": "", "no.dots": "", strings.Repeat("a", 40): strings.Repeat("a", 40), strings.Repeat("a", 41): "",
	} {
		require.Equal(t, code, slackCode(said), said)
	}
}

// TestNoTarget: nothing is sent without one, and each failure says what is missing.
func TestNoTarget(t *testing.T) {
	t.Parallel()
	unheard := roundTrip(func(r *http.Request) (*http.Response, error) {
		return nil, fmt.Errorf("unexpected call of %s", r.URL.Host)
	})
	none := message(func(m *provider.Message) { m.Target.Endpoint = workflow.EndpointData{} })
	for _, c := range []struct {
		definition  provider.Definition
		credentials provider.Credentials
		text        string
	}{
		{discord, nil, "the target has no webhook URL"},
		{mattermost, nil, "the target has no webhook URL"},
		{ryver, nil, "the target has no webhook URL"},
		{zulip, nil, "the target has no webhook URL"},
		{slack, nil, "the target has no webhook URL"},
		{msteams, nil, "the target has no webhook URL"},
		{webhook, nil, "the target has no webhook URL"},
		{getstream, provider.Credentials{"apiKey": "k", "secretKey": "s"}, "the target has no webhook URL"},
		{rocketChat, provider.Credentials{"token": "t", "user": "u"}, "the target names no room: set its channel"},
		{whatsapp, provider.Credentials{"apiToken": "t", "phoneNumberIdentification": "1"}, "the target has no phone number"},
	} {
		_, failure := send(t, c.definition, c.credentials, unheard, none)
		require.NotNil(t, failure, c.definition.ID)
		require.Equal(t, []any{provider.Permanent, c.text}, []any{failure.Class, failure.Text}, c.definition.ID)
	}
}

// TestTeamsBotNeedsItsParts: what the integration lacks is its fault, what the endpoint lacks concerns the endpoint.
func TestTeamsBotNeedsItsParts(t *testing.T) {
	t.Parallel()
	m := message(func(m *provider.Message) {
		m.Target = provider.Target{EndpointType: workflow.EndpointMSTeamsUser, Endpoint: workflow.EndpointData{UserID: "29:user"}}
	})
	creds := provider.Credentials{"clientId": "bot", "secretKey": "s", "tenantId": "home"}
	for _, c := range []struct {
		creds provider.Credentials
		class provider.Class
		text  string
	}{
		{nil, provider.Fault, "the integration has no bot: set clientId and secretKey"},
		{provider.Credentials{"clientId": "bot"}, provider.Fault, "the integration has no bot: set clientId and secretKey"},
		{creds, provider.Permanent, "the endpoint's connection names no tenant"},
	} {
		_, failure := send(t, msteams, c.creds, answers(200, ""), m)
		require.NotNil(t, failure)
		require.Equal(t, []any{c.class, c.text}, []any{failure.Class, failure.Text})
	}
	m.Target.Workspace = "customer"
	for _, c := range []struct {
		status int
		said   string
		class  provider.Class
	}{
		{200, `{"id":""}`, provider.Permanent}, // a conversation without an id
		{403, `{"error":{"code":"BotNotInConversationRoster"}}`, provider.Permanent},
		{403, ``, provider.Fault}, // without a code it is the integration's
		{412, `{"error":{"code":"PreconditionFailed"}}`, provider.Transient},
	} {
		vendor := roundTrip(func(r *http.Request) (*http.Response, error) {
			if r.URL.Host == "login.microsoftonline.com" {
				return answers(200, `{"access_token":"T","expires_in":3599}`).RoundTrip(r)
			}
			return answers(c.status, c.said).RoundTrip(r)
		})
		_, failure := send(t, msteams, creds, vendor, m)
		require.NotNil(t, failure, c.said)
		require.Equal(t, c.class, failure.Class, "%d %s", c.status, c.said)
	}
}

// TestTeamsCards: a JSON object is a card of its own, anything else a text, which only the hosts of workflows get as a card.
func TestTeamsCards(t *testing.T) {
	t.Parallel()
	for host, flow := range map[string]bool{
		"prod-1.westeurope.logic.azure.com": true, "default.environment.api.PowerPlatform.com": true, "shop.webhook.office.com": false,
		"logic.azure.com.evil.example": false, "evillogic.azure.com": false,
	} {
		require.Equal(t, flow, teamsWorkflowHost(host), host)
	}
	for body, own := range map[string]bool{
		`{"type":"message"}`: true, `{}`: true, `{"a":1} trailing`: false, `{"a":1} {"b":2}`: false, `[1]`: false, `"text"`: false, `plain`: false, `{broken`: false,
	} {
		got := teamsCard(message(func(m *provider.Message) { m.Content.Body = body }))
		require.Equal(t, !own, got["text"] == body, body)
	}
	large := teamsCard(message(func(m *provider.Message) { m.Content.Body = `{"n":12345678901234567890}` }))
	require.Equal(t, "12345678901234567890", fmt.Sprint(large["n"]), "numbers keep their digits")
}

// TestGetStreamHosts: the app's secret goes to Stream's own host only.
func TestGetStreamHosts(t *testing.T) {
	t.Parallel()
	for target, own := range map[string]bool{
		"https://chat.stream-io-api.com/channels/messaging/c/message": true, "https://chat.stream-io-api.com.evil.example/x": false,
		"https://relay.example.com/x": false, "https://chat.stream-io-api.com@evil.example/x": false,
	} {
		var heard *http.Request
		vendor := roundTrip(func(r *http.Request) (*http.Response, error) {
			heard = r
			return answers(200, `{"message":{"id":"gs"}}`).RoundTrip(r)
		})
		_, failure := send(t, getstream, provider.Credentials{"apiKey": "k", "secretKey": "s"}, vendor, message(func(m *provider.Message) { m.Target.Endpoint.URL = target }))
		require.Nil(t, failure, target)
		require.Equal(t, own, heard.Header.Get("Stream-Auth-Type") == "jwt", target)
		require.Equal(t, !own, heard.Header.Get("X-Api-Key") != "", target)
	}
}
