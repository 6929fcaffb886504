package sms

import (
	"regexp"
	"strings"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var smsCentral = provider.Definition{
	ID: "sms-central", Name: "SMS Central", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{textField("user", "User name"), secretField("password", "Password"), fieldFrom, fieldBaseURL},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return open(d, c, gateway{
			request: func(m *provider.Message, t *text) *provider.Request {
				return &provider.Request{
					URL: c.URL("baseUrl", "https://my.smscentral.com.au/api/v3.2"), Origin: originOf(c, "baseUrl"),
					Body: provider.PresentForm(map[string]string{
						"USERNAME": c.String("user"), "PASSWORD": c.Secret("password"), "ACTION": "send",
						"ORIGINATOR": as(digits, t.from), "RECIPIENT": digits(t.to), "MESSAGE_TEXT": t.content, "REFERENCE": m.ID,
					}),
				}
			},
			plain: true,
			read: func(ans *provider.Answer) reply { // "0", or a code of three digits and words
				said := centralError.FindStringSubmatch(strings.TrimSpace(string(ans.Body)))
				if said == nil {
					return reply{}
				}
				return reply{failed: true, code: said[1], text: strings.TrimSpace(said[2])}
			},
			ownID: func(m *provider.Message) string { return m.ID },
		})
	},
}

var centralError = regexp.MustCompile(`^(\d{3})\b\s*(.*)`)
