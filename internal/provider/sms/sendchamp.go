package sms

import (
	"cmp"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var sendchamp = provider.Definition{
	ID: "sendchamp", Name: "Sendchamp", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{secretField("apiKey", "API key"), fieldFrom},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				route := t.customText("route", "")
				if route != "dnd" && route != "non_dnd" {
					route = "international"
				}
				return &provider.Request{
					URL: "https://api.sendchamp.com/api/v1/sms/send", Secure: provider.Bearer(c.Secret("apiKey")),
					Body: json(map[string]any{
						"to": []any{digits(t.to)}, "message": t.content, "sender_name": as(digits, t.from), "route": route,
					}),
				}
			},
			read: func(ans *provider.Answer) reply {
				status := ans.At("status")
				return reply{
					id: cmp.Or(ans.At("data.id"), ans.At("data.business_id")), date: moment(ans.At("data.created_at")),
					failed: status != "" && status != "success", code: ans.At("code"), text: ans.At("message"),
				}
			},
		})
	},
}
