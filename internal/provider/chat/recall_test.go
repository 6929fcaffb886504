package chat

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// scripted answers the requests one after the other, and keeps each as text.
type scripted struct {
	replies []func(http.ResponseWriter)
	heard   []string
}

func (a *scripted) RoundTrip(r *http.Request) (*http.Response, error) {
	body := []byte(nil)
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	var text strings.Builder
	text.WriteString(r.Method + " " + r.URL.String())
	for _, name := range []string{"Authorization", "X-Auth-Token", "X-User-Id"} {
		if value := r.Header.Get(name); value != "" {
			text.WriteString("\n" + name + ": " + value)
		}
	}
	if len(body) > 0 {
		text.WriteString("\n" + string(body))
	}
	rec := httptest.NewRecorder()
	a.replies[len(a.heard)](rec)
	a.heard = append(a.heard, text.String())
	return rec.Result(), nil
}

func reply(status int, body string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// TestRecall sends a message of each vendor that deletes messages, and deletes it by what its receipt holds.
func TestRecall(t *testing.T) {
	t.Parallel()
	teamsToken := reply(200, `{"access_token":"TOKEN","expires_in":3599}`)
	for name, c := range map[string]struct {
		definition  provider.Definition
		credentials provider.Credentials
		message     *provider.Message
		sent        []func(http.ResponseWriter)
		gone        []func(http.ResponseWriter) // answers that say that the message is deleted, one of them for each call
		refused     func(http.ResponseWriter)
		want        string
		class       provider.Class
		code        string
	}{
		"Slack": {
			definition: slack, message: bot(),
			sent:    []func(http.ResponseWriter){reply(200, `{"ok":true,"channel":"D024","ts":"1503435956.000247"}`)},
			gone:    []func(http.ResponseWriter){reply(200, `{"ok":true,"channel":"D024","ts":"1503435956.000247"}`), reply(200, `{"ok":false,"error":"message_not_found"}`)},
			refused: reply(200, `{"ok":false,"error":"cant_delete_message"}`),
			want:    "POST https://slack.com/api/chat.delete\nAuthorization: Bearer " + bot().Target.ConnectionToken + "\n" + `{"channel":"D024","ts":"1503435956.000247"}`,
			class:   provider.Permanent, code: "cant_delete_message",
		},
		"Discord": {
			definition: discord, message: message(func(m *provider.Message) {
				m.Target.Endpoint.URL = "https://discord.com/api/webhooks/1/token?wait=false&thread_id=7"
			}),
			sent:    []func(http.ResponseWriter){reply(200, `{"id":"1118"}`)},
			gone:    []func(http.ResponseWriter){reply(204, ""), reply(404, `{"message":"Unknown Message","code":10008}`)},
			refused: reply(404, `{"message":"Unknown Webhook","code":10015}`),
			want:    "DELETE https://discord.com/api/webhooks/1/token/messages/1118?thread_id=7",
			class:   provider.Permanent, code: "10015",
		},
		"RocketChat": {
			definition: rocketChat, credentials: provider.Credentials{"token": "TOKEN", "user": "USER"},
			message: message(func(m *provider.Message) {
				m.Target.Endpoint = workflow.EndpointData{URL: "https://chat.example/", Channel: "room"}
			}),
			sent:    []func(http.ResponseWriter){reply(200, `{"message":{"_id":"m1","rid":"room"},"success":true}`)},
			gone:    []func(http.ResponseWriter){reply(200, `{"success":true}`), reply(400, `{"success":false,"error":"No message found with the id of \"m1\"."}`)},
			refused: reply(400, `{"success":false,"error":"not allowed"}`),
			want:    "POST https://chat.example/api/v1/chat.delete\nX-Auth-Token: TOKEN\nX-User-Id: USER\n" + `{"msgId":"m1","roomId":"room"}`,
			class:   provider.Permanent,
		},
		"Teams": {
			definition: msteams, credentials: provider.Credentials{"clientId": "bot-1", "secretKey": "SECRET", "tenantId": "home"},
			message: message(func(m *provider.Message) {
				m.Target = provider.Target{
					EndpointType: workflow.EndpointMSTeamsChannel, Workspace: "customer-tenant",
					Endpoint: workflow.EndpointData{TeamID: "team-1", ChannelID: "19:x@thread.tacv2"},
				}
			}),
			sent:    []func(http.ResponseWriter){teamsToken, reply(201, `{"id":"1:abc"}`)},
			gone:    []func(http.ResponseWriter){reply(200, ""), reply(404, `{"error":{"code":"ActivityNotFoundInConversation"}}`)},
			refused: reply(403, `{"error":{"code":"MessageWritesBlocked","message":"blocked"}}`),
			want:    "DELETE https://smba.trafficmanager.net/teams/v3/conversations/19:x@thread.tacv2/activities/1:abc\nAuthorization: Bearer TOKEN",
			class:   provider.Permanent, code: "MessageWritesBlocked",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := &scripted{replies: append(append(append([]func(http.ResponseWriter){}, c.sent...), c.gone...), c.refused)}
			registry, err := provider.NewRegistry(c.definition)
			require.NoError(t, err)
			adapter, err := registry.Open(provider.Deps{Vendor: a, Chosen: a}, c.definition.ID, c.credentials)
			require.NoError(t, err)
			receipt, err := adapter.Send(t.Context(), c.message)
			require.NoError(t, err)
			recaller, ok := adapter.(provider.Recaller)
			require.True(t, ok)
			for range c.gone {
				require.NoError(t, recaller.Recall(t.Context(), c.message, receipt.Data))
				require.Equal(t, c.want, a.heard[len(a.heard)-1])
			}
			failure := provider.AsError(recaller.Recall(t.Context(), c.message, receipt.Data))
			require.Equal(t, c.class, failure.Class)
			require.Equal(t, c.code, failure.Code)
		})
	}
}

// TestUnstorableData: what a target answers as the id of a message neither keeps its outcome from being stored nor fills the database.
func TestUnstorableData(t *testing.T) {
	t.Parallel()
	a := &scripted{replies: []func(http.ResponseWriter){
		reply(200, `{"id":"11\u000018"}`), reply(200, `{"id":"`+strings.Repeat("1", 2000)+`"}`),
	}}
	registry, err := provider.NewRegistry(discord)
	require.NoError(t, err)
	adapter, err := registry.Open(provider.Deps{Vendor: a, Chosen: a}, "discord", nil)
	require.NoError(t, err)
	receipt, err := adapter.Send(t.Context(), message(nil))
	require.NoError(t, err)
	require.Equal(t, map[string]string{"id": "1118"}, receipt.Data)
	receipt, err = adapter.Send(t.Context(), message(nil))
	require.NoError(t, err)
	require.Nil(t, receipt.Data)
}

// TestRecallOfOthers: what came through an incoming webhook has nothing by which it could be deleted, and other vendors delete
// nothing.
func TestRecallOfOthers(t *testing.T) {
	t.Parallel()
	a := &scripted{replies: []func(http.ResponseWriter){reply(200, "ok")}}
	registry, err := provider.NewRegistry(slack, mattermost)
	require.NoError(t, err)
	adapter, err := registry.Open(provider.Deps{Vendor: a, Chosen: a}, "slack", nil)
	require.NoError(t, err)
	receipt, err := adapter.Send(t.Context(), message(nil))
	require.NoError(t, err)
	require.Nil(t, receipt.Data)

	adapter, err = registry.Open(provider.Deps{Vendor: a, Chosen: a}, "mattermost", nil)
	require.NoError(t, err)
	recaller, ok := adapter.(provider.Recaller)
	require.True(t, ok)
	require.Equal(t, provider.Permanent, provider.AsError(recaller.Recall(t.Context(), message(nil), nil)).Class)
	require.Len(t, a.heard, 1)
}
