package sms

import (
	"cmp"
	"net/url"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var bandwidth = provider.Definition{
	ID: "bandwidth", Name: "Bandwidth", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{textField("user", "API user name"), secretField("password", "API password"), textField("accountSid", "Account ID"), fieldFrom, optional(textField("applicationId", "Application ID"))},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				account := c.String("accountSid")
				return &provider.Request{
					URL:    "https://messaging.bandwidth.com/api/v2/users/" + url.PathEscape(account) + "/messages",
					Secure: provider.Basic(c.String("user"), c.Secret("password")), // Unverified: for new accounts, which may need OAuth
					Body: json(map[string]any{
						"applicationId": cmp.Or(c.String("applicationId"), account),
						"to":            []any{plus(t.to)}, "from": as(plus, t.from), "text": t.content,
					}),
				}
			},
			read: func(ans *provider.Answer) reply {
				return reply{id: ans.At("id"), date: moment(ans.At("time")), code: ans.At("type"), text: ans.At("description")}
			},
		})
	},
}
