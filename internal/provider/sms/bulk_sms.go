package sms

import (
	"encoding/base64"
	"strings"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var bulkSMS = provider.Definition{
	ID: "bulk-sms", Name: "BulkSMS", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{secretField("apiToken", "API token (id:secret)"), optional(fieldFrom)},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		token := c.Secret("apiToken")
		if strings.Contains(token, ":") { // without one it is encoded already
			token = base64.StdEncoding.EncodeToString([]byte(token))
		}
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				body := map[string]any{
					"to": plus(t.to), "body": t.content, "from": bulkSender(t.from), "encoding": whenUnicode(t.content, "UNICODE"),
				}
				if n := parts(t.content); n > bulkParts {
					body["longMessageMaxParts"] = n
				}
				return &provider.Request{
					URL: "https://api.bulksms.com/v1/messages", Secure: provider.Scheme("Basic", token), Body: json(body),
				}
			},
			read: func(ans *provider.Answer) reply {
				return reply{
					id: ans.At("0.id"), date: moment(ans.At("0.submission.date")),
					code: ans.At("type"), text: ans.At("detail", "title"),
				}
			},
		})
	},
}

// bulkParts is how many texts the vendor sends for one message by default.
const bulkParts = 3

func bulkSender(from string) map[string]any {
	switch {
	case from == "":
		return nil
	case numeric(from):
		return map[string]any{"type": "INTERNATIONAL", "address": digits(from)}
	}
	return map[string]any{"type": "ALPHANUMERIC", "address": from}
}
