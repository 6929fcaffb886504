package sms

import (
	"net/http"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var clickatell = provider.Definition{
	ID: "clickatell", Name: "Clickatell", Channel: workflow.ChannelSMS,
	ListedAfter: "mailtrap", // where the API document has it, among the ids of e-mail
	Credentials: []provider.Field{secretField("apiKey", "API key"), optional(fieldFrom)},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				return &provider.Request{
					URL: "https://platform.clickatell.com/messages", Secure: http.Header{"Authorization": {c.Secret("apiKey")}}, // bare, no scheme
					Body: json(map[string]any{"to": []any{digits(t.to)}, "content": t.content, "from": as(digits, t.from)}),
				}
			},
			read: func(ans *provider.Answer) reply {
				return reply{
					id: ans.At("messages.0.apiMessageId"), failed: ans.Value("messages.0.accepted") == false,
					code: ans.At("errorCode", "messages.0.errorCode", "messages.0.error.code"),
					text: ans.At("errorDescription", "error", "messages.0.errorDescription", "messages.0.error", "messages.0.error.description"),
				}
			},
		})
	},
}
