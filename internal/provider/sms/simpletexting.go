package sms

import (
	"regexp"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var simpletexting = provider.Definition{
	ID: "simpletexting", Name: "SimpleTexting", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{secretField("apiKey", "API key"), fieldFrom},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				return &provider.Request{
					URL: "https://api-app2.simpletexting.com/v2/api/messages", Secure: provider.Bearer(c.Secret("apiKey")),
					Body: json(map[string]any{
						"contactPhone": tenDigits(t.to), "accountPhone": tenDigits(t.from), "mode": "AUTO", "text": t.content,
					}),
				}
			},
			read: func(ans *provider.Answer) reply {
				return reply{id: ans.At("id"), code: ans.At("errorCode", "code"), text: ans.At("message")}
			},
		})
	},
}

var northAmerican = regexp.MustCompile(`^1([2-9]\d{2}[2-9]\d{6})$`)

// tenDigits is a number of the United States or Canada without its country code; others stay as they are.
func tenDigits(number string) string {
	if m := northAmerican.FindStringSubmatch(digits(number)); m != nil {
		return m[1]
	}
	return plus(number)
}
