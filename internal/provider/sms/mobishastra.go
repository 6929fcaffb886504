package sms

import (
	"regexp"
	"strings"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var mobishastra = provider.Definition{
	ID: "mobishastra", Name: "Mobishastra", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{required(fieldBaseURL), textField("user", "User name"), secretField("password", "Password"), fieldFrom},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				language := "English"
				if !isGSM7(t.content) {
					language = "Unicode"
				}
				return &provider.Request{
					URL: c.Address("baseUrl"), Origin: provider.OriginCredentials,
					Body: &provider.JSON{Root: []any{provider.Present(map[string]any{
						"user": c.String("user"), "pwd": c.Secret("password"), "number": digits(t.to), "msg": t.content,
						"sender": as(digits, t.from), "language": language,
					})}},
				}
			},
			read: func(ans *provider.Answer) reply {
				id, said := strings.TrimSpace(ans.At("0.msg_id")), ans.At("0.str_response", "0.response")
				return reply{id: id, failed: id == "" || id == "0", code: mobishastraCode.FindString(said), text: said}
			},
			codes: classes([]string{"005", "009", "010"}, []string{"013"}),
		})
	},
}

// Unverified: the codes, for this endpoint.
var mobishastraCode = regexp.MustCompile(`\b0\d\d\b`)
