package sms

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var firetext = provider.Definition{
	ID: "firetext", Name: "FireText", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{secretField("apiKey", "API key"), fieldFrom},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				return &provider.Request{
					URL: "https://www.firetext.co.uk/api/sendsms",
					Body: provider.PresentForm(map[string]string{
						"apiKey": c.Secret("apiKey"), "to": digits(t.to), "from": as(digits, t.from), "message": t.content,
					}),
				}
			},
			plain: true,
			read: func(ans *provider.Answer) reply { // "code:credits text"; anything else is a no as well
				said := firetextLine.FindStringSubmatch(strings.TrimSpace(string(ans.Body)))
				if said == nil {
					return reply{failed: true}
				}
				r := reply{id: ans.Header.Get("X-Message"), failed: said[1] != "0", code: said[1], text: said[3]}
				if at, err := http.ParseTime(ans.Header.Get("Date")); err == nil {
					r.date = at.UTC()
				}
				return r
			},
			ownID: func(m *provider.Message) string { return m.ID },
		})
	},
}

// Unverified: which numbers the vendor's errors have.
var firetextLine = regexp.MustCompile(`^(\d+):(\d+)\s+(.*)$`)
