package sms

import (
	"regexp"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var isendpro = provider.Definition{
	ID: "isendpro-sms", Name: "iSendPro", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{secretField("apiKey", "Key ID"), optional(fieldFrom)},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return open(d, c, gateway{
			request: func(m *provider.Message, t *text) *provider.Request {
				return &provider.Request{
					URL: "https://apirest.isendpro.com/cgi-bin/sms",
					Body: json(map[string]any{
						"keyid": c.Secret("apiKey"), "num": digits(t.to), "sms": t.content, "emetteur": as(digits, t.from),
						"tracker": isendproTracker(m), "smslong": "999", "ucs2": whenUnicode(t.content, "1"),
					}),
				}
			},
			read: func(ans *provider.Answer) reply { // Unverified: the codes other than 0 and 3
				code := ans.At("etat.etat.0.code", "etat.etat.code")
				return reply{failed: code != "" && code != "0", code: code, text: ans.At("etat.etat.0.message", "etat.etat.message")}
			},
			ownID: isendproTracker,
			codes: classes([]string{"3"}, nil),
		})
	},
}

var notAlphanumeric = regexp.MustCompile(`[^A-Za-z0-9]`)

// isendproTracker is our id as the vendor takes it: letters and digits, at most 50.
func isendproTracker(m *provider.Message) string {
	tracker := notAlphanumeric.ReplaceAllString(m.ID, "")
	return tracker[:min(len(tracker), 50)]
}
