package chat

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var rocketChat = provider.Definition{
	ID: "rocket-chat", Name: "Rocket.Chat", Channel: workflow.ChannelChat, Endpoints: webhookOnly,
	Credentials: []provider.Field{
		{Name: "token", Label: "Personal access token", Kind: provider.KindString, Required: true, Secret: true},
		{Name: "user", Label: "User id", Kind: provider.KindString, Required: true},
		fieldServer,
	},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return rocketChatAdapter{&hook{
			client: d.Client(), style: provider.Style{Case: provider.SnakeCase}, path: "/api/v1/chat.sendMessage",
			server: c.URL("baseUrl", ""),
			secure: http.Header{"X-Auth-Token": {c.Secret("token")}, "X-User-Id": {c.String("user")}},
			body: func(m *provider.Message) map[string]any {
				return map[string]any{"message": map[string]any{"rid": m.Target.Endpoint.Channel, "msg": m.Content.Body}}
			},
			read: readRocketChat,
		}}, nil
	},
}

// rocketChatAdapter takes the server's base address where other systems have the address of a hook.
type rocketChatAdapter struct{ *hook }

// Send posts one message to a room.
func (r rocketChatAdapter) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	if m.Target.Endpoint.Channel == "" {
		return nil, provider.Failf(provider.Permanent, "the target names no room: set its channel")
	}
	return r.hook.Send(ctx, m)
}

// Recall deletes a message of the integration's own user.
func (r rocketChatAdapter) Recall(ctx context.Context, m *provider.Message, data map[string]string) error {
	server, err := webhookURL(m)
	if err != nil {
		return err
	}
	if err := r.admits(server); err != nil {
		return err
	}
	ans, err := r.client.Do(ctx, &provider.Request{
		URL: strings.TrimRight(server, "/") + "/api/v1/chat.delete", Origin: provider.OriginTarget, Secure: r.secure,
		Body: &provider.JSON{Root: map[string]any{"roomId": data["room"], "msgId": data["id"]}},
	})
	if err != nil {
		return err
	}
	if _, failure := readRocketChat(ans); failure != nil && !strings.HasPrefix(failure.Text, "No message found") {
		return failure
	}
	return nil
}

func readRocketChat(ans *provider.Answer) (*provider.Receipt, *provider.Error) {
	if !ans.OK() || ans.At("success") == "false" {
		failure := ans.Failure("", ans.At("error", "message"))
		if strings.Contains(failure.Text, "error-too-many-requests") {
			failure.Class = provider.Transient
		}
		return nil, failure
	}
	receipt := &provider.Receipt{ID: ans.At("message._id")}
	if room := ans.At("message.rid"); receipt.ID != "" && room != "" {
		receipt.Data = map[string]string{"id": receipt.ID, "room": room}
	}
	if at, err := time.Parse(time.RFC3339, ans.At("message.ts")); err == nil {
		receipt.Date = at.UTC()
	}
	return receipt, nil
}
