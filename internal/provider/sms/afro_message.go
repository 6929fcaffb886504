package sms

import (
	"net/http"
	"net/url"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var afroMessage = provider.Definition{
	ID: "afro-message", Name: "Afro Message", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{secretField("apiKey", "API token"), {Name: "from", Label: "Identifier ID", Kind: provider.KindString, Required: true}, textField("senderName", "Sender name")},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				return &provider.Request{
					Method: http.MethodGet, URL: "https://api.afromessage.com/api/send", Header: acceptJSON(),
					Secure: provider.Bearer(c.Secret("apiKey")),
					Query: url.Values(provider.PresentForm(map[string]string{
						// from is the account's identifier, whatever sender a trigger names
						"from": c.String("from"), "sender": c.String("senderName"), "to": plus(t.to), "message": t.content,
					})),
				}
			},
			read: func(ans *provider.Answer) reply {
				said := ans.At("acknowledge")
				return reply{
					id: ans.At("response.message_id"), failed: said != "" && said != "success", text: ans.At("response.errors.0"),
				}
			},
		})
	},
}
