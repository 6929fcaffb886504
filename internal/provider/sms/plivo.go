package sms

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var plivo = provider.Definition{
	ID: "plivo", Name: "Plivo", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{textField("accountSid", "Auth ID"), secretField("token", "Auth token"), fieldFrom},
	Receipts: &provider.ReceiptReader{Verify: provider.VerifyPassword, Parse: provider.StatusReport{
		Outcomes: provider.Outcomes{
			"delivered":   provider.OutcomeDelivered,
			"failed":      provider.OutcomeFailed,
			"undelivered": provider.OutcomeFailed,
			"rejected":    provider.OutcomeFailed,
		},
		MessageID: "MessageUUID", State: "Status", Recipient: "To", Details: []string{"ErrorCode"},
	}.Parse},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				return &provider.Request{
					URL:    "https://api.plivo.com/v1/Account/" + url.PathEscape(c.String("accountSid")) + "/Message/", // the slash is required
					Secure: provider.Basic(c.String("accountSid"), c.Secret("token")),
					Body: json(map[string]any{
						"src": as(plus, t.from), "dst": plus(t.to), "text": t.content, "url": d.Receipts, "method": when(d.Receipts, "POST"),
					}),
				}
			},
			read: func(ans *provider.Answer) reply {
				r := reply{id: ans.At("message_uuid.0"), text: ans.At("error")}
				if fields, ok := ans.Value("error").(map[string]any); ok { // what is wrong, by field
					var said []string
					for _, name := range slices.Sorted(maps.Keys(fields)) {
						said = append(said, name+": "+provider.Text(fields[name]))
					}
					r.text = strings.Join(said, "; ")
				}
				return r
			},
		})
	},
}
