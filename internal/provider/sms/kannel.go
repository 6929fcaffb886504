package sms

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var kannel = provider.Definition{
	ID: "kannel", Name: "Kannel", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{destination(textField("host", "Host")), destination(provider.Field{Name: "port", Label: "Port", Kind: provider.KindNumber, Check: provider.CheckPort, Required: true}), optional(textField("user", "User name")), optional(secretField("password", "Password")), fieldFrom, {Name: "secure", Label: "Use https", Kind: provider.KindBool}},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		scheme := "http://"
		if c.Bool("secure") {
			scheme = "https://"
		}
		host := strings.TrimRight(c.String("host"), "/")
		if _, rest, found := strings.Cut(host, "://"); found {
			host = rest
		}
		if address, err := netip.ParseAddr(host); err == nil && address.Is6() {
			host = "[" + host + "]"
		}
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				query := url.Values(provider.PresentForm(map[string]string{
					"username": c.String("user"), "password": c.Secret("password"),
					"from": as(plus, t.from), "to": plus(t.to), "text": t.content,
					"coding": whenUnicode(t.content, "2"), "charset": whenUnicode(t.content, "UTF-8"),
				}))
				return &provider.Request{
					Method: http.MethodGet, URL: scheme + host + ":" + c.String("port") + "/cgi-bin/sendsms",
					Origin: provider.OriginCredentials, Query: query,
				}
			},
			plain: true,
			read: func(ans *provider.Answer) reply {
				said := strings.TrimSpace(string(ans.Body))
				if strings.HasPrefix(said, kannelNoRoute) { // about this number alone, although the status is that of a refused log-in
					return reply{code: kannelNoRoute, text: said}
				}
				return reply{}
			},
			codes: map[string]provider.Class{kannelNoRoute: provider.Permanent},
			ownID: func(m *provider.Message) string { return m.ID },
		})
	},
}

// kannelNoRoute begins the answer for a number that no carrier of the gateway takes.
const kannelNoRoute = "Not routable"
