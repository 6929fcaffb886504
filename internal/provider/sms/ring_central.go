package sms

import (
	"context"
	"net/url"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var ringCentral = provider.Definition{
	ID: "ring-central", Name: "RingCentral", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{textField("clientId", "Client ID"), secretField("secretKey", "Client secret"), secretField("token", "JWT credential"), fieldFrom, {Name: "secure", Label: "Use the sandbox", Kind: provider.KindBool}},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		host := "https://platform.ringcentral.com"
		if c.Bool("secure") {
			host = "https://platform.devtest.ringcentral.com"
		}
		client := d.Client()
		grant := d.NewGrant(client, host, c.String("clientId"), c.Secret("secretKey"), c.Secret("token"))
		grant.Fetch = func(ctx context.Context) (provider.AccessToken, error) {
			return client.FetchToken(ctx, &provider.Request{
				URL: host + "/restapi/oauth/token", Secure: provider.Basic(c.String("clientId"), c.Secret("secretKey")),
				Body: provider.Form(url.Values{
					"grant_type": {"urn:ietf:params:oauth:grant-type:jwt-bearer"}, "assertion": {c.Secret("token")},
				}),
			})
		}
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				return &provider.Request{
					URL: host + "/restapi/v1.0/account/~/extension/~/sms",
					Body: json(map[string]any{
						"from": map[string]any{"phoneNumber": as(plus, t.from)},
						"to":   []any{map[string]any{"phoneNumber": plus(t.to)}}, "text": t.content,
					}),
				}
			},
			do: func(ctx context.Context, req *provider.Request) (*provider.Answer, error) {
				return grant.Do(ctx, func(token string) *provider.Request {
					authorized := *req
					authorized.Secure = provider.Bearer(token)
					return &authorized
				})
			},
			read: func(ans *provider.Answer) reply {
				return reply{
					id: ans.At("id"), date: moment(ans.At("creationTime")), failed: ans.At("messageStatus") == "SendingFailed", code: ans.At("errorCode"), text: ans.At("message"),
				}
			},
			codes: classes(nil, []string{"CMN-301"}),
		})
	},
}
