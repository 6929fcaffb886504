package sms

import (
	"cmp"
	"net/url"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var sinch = provider.Definition{
	ID: "sinch", Name: "Sinch", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{{Name: "accountSid", Alias: "servicePlanId", Label: "Service plan ID", Kind: provider.KindString, Required: true}, secretField("apiToken", "API token"), {Name: "region", Label: "Region", Kind: provider.KindString, Options: []string{"us", "eu", "au", "br", "ca"}, Default: "eu"}, fieldFrom},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		// The document has no credential for the plan: it is in accountSid, or under its own name, which then wins.
		plan := cmp.Or(c.String("servicePlanId"), c.String("accountSid"))
		region := cmp.Or(c.String("region"), "eu")
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				return &provider.Request{
					URL:    "https://" + region + ".sms.api.sinch.com/xms/v1/" + url.PathEscape(plan) + "/batches",
					Secure: provider.Bearer(c.Secret("apiToken")),
					Body:   json(map[string]any{"from": as(digits, t.from), "to": []any{digits(t.to)}, "body": t.content}),
				}
			},
			read: func(ans *provider.Answer) reply {
				return reply{id: ans.At("id"), date: moment(ans.At("created_at")), code: ans.At("code"), text: ans.At("text")}
			},
		})
	},
}
