package sms

import (
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var fortySixElks = provider.Definition{
	ID: "forty-six-elks", Name: "46elks", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{textField("user", "API user name"), secretField("password", "API password"), fieldFrom},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				return &provider.Request{
					URL: "https://api.46elks.com/a1/sms", Secure: provider.Basic(c.String("user"), c.Secret("password")),
					Header: acceptJSON(),
					Body:   provider.PresentForm(map[string]string{"from": as(plus, t.from), "to": plus(t.to), "message": t.content}),
				}
			},
			read: func(ans *provider.Answer) reply {
				r := reply{id: ans.At("id"), date: moment(ans.At("created"))}
				if ans.At("status") == "failed" {
					r.failed, r.text = true, "the status is failed" // its message is our own text
				}
				return r
			},
		})
	},
}
