package email

import (
	"maps"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// emailjs is plain SMTP under an old name, not the hosted service of that name. Its forms call user and password either so
// or by the names of a key and its secret.
var emailjs = provider.Definition{
	ID: "emailjs", Name: "EmailJS", Channel: workflow.ChannelEmail,
	Credentials: []provider.Field{
		{Name: "host", Label: "Host", Kind: provider.KindString, Check: provider.CheckHost, Required: true, Destination: true},
		{Name: "port", Label: "Port, 465 or 587 when empty", Kind: provider.KindNumber, Check: provider.CheckPort, Destination: true},
		{Name: "secure", Label: "TLS from the first byte", Kind: provider.KindBool},
		{Name: "user", Alias: "apiKey", Label: "User", Kind: provider.KindString, Required: true},
		{Name: "password", Alias: "secretKey", Label: "Password", Kind: provider.KindString, Required: true, Secret: true},
		{Name: "apiKey", Label: "User, when that is empty", Kind: provider.KindString, Secret: true},
		{Name: "secretKey", Label: "Password, when that is empty", Kind: provider.KindString, Secret: true},
		fieldHello, fieldFrom, fieldSenderName,
	},
	Capabilities: provider.Capabilities{Attachments: true},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		own := maps.Clone(c)
		maps.DeleteFunc(own, func(name string, _ any) bool { // what only nodemailer has
			return name == "domain" || name == "accountSid" || name == "tlsOptions" || name == "requireTls" || name == "ignoreTls"
		})
		own["user"] = first(c.String("user"), c.String("apiKey"))
		own["password"] = first(c.Secret("password"), c.Secret("secretKey"))
		switch {
		case c.String("port") == "" && c.Bool("secure"):
			own["port"] = "465"
		case c.String("port") == "":
			own["port"] = "587"
		}
		return newSMTP(d, own)
	},
}
