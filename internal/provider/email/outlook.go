package email

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// outlook sends through a mailbox: by SMTP with its password, or as an application (tenant, client and its secret), because
// passwords are on their way out there. An application sends by Microsoft Graph, and by SMTP when the integration names a
// host: that needs another right (SMTP.SendAsApp) than Graph does (Mail.Send).
var outlook = provider.Definition{
	ID: "outlook365", Name: "Microsoft Outlook365", Channel: workflow.ChannelEmail,
	Credentials: []provider.Field{
		fieldFrom, fieldSenderName,
		{Name: "password", Label: "Password, for SMTP", Kind: provider.KindString, Secret: true},
		{Name: "tenantId", Label: "OAuth: tenant ID", Kind: provider.KindString},
		{Name: "clientId", Label: "OAuth: client ID", Kind: provider.KindString},
		{Name: "secretKey", Label: "OAuth: client secret", Kind: provider.KindString, Secret: true},
		{Name: "host", Label: "SMTP host", Kind: provider.KindString, Check: provider.CheckHost, Default: "smtp.office365.com", Destination: true},
		{Name: "port", Label: "SMTP port", Kind: provider.KindNumber, Check: provider.CheckPort, Default: "587", Destination: true},
		{Name: "tlsOptions", Label: "TLS options", Kind: provider.KindObject, Secret: true, Local: true},
		fieldHello,
	},
	Capabilities: provider.Capabilities{Attachments: true},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		application := c.String("tenantId") != "" && c.String("clientId") != "" && c.Secret("secretKey") != ""
		switch {
		case application && c.String("host") == "":
			return newGraph(d, c), nil
		case !application && c.Secret("password") == "":
			return nil, fault.Invalidf("credentials.password", "Password is required, or tenant ID, client ID and client secret together")
		}
		own := provider.Credentials{
			"host": first(c.String("host"), "smtp.office365.com"), "port": first(c.String("port"), "587"), "requireTls": true,
			"user": c.String("from"), "password": c.Secret("password"), "from": c.String("from"),
			"senderName": c.String("senderName"), "tlsOptions": c.Object("tlsOptions"), "ehloName": c.String("ehloName"),
		}
		server, err := smtpServer(d, own)
		if err != nil {
			return nil, err
		}
		server.Mechanisms = []string{"LOGIN", "PLAIN"} // the vendor offers the first alone
		if application {
			server.Tokens = timedGrant{outlookGrant(d, d.Client(), c, "https://outlook.office365.com/.default"), d.Timeout}
		}
		adapter, err := openSMTP(d, own, server)
		if err != nil {
			return nil, err
		}
		return &outlookAdapter{adapter}, nil
	},
}

// outlookAdapter classifies those of the server's replies that concern the mailbox, not the mail.
type outlookAdapter struct{ *smtpAdapter }

// outlookFaults: passwords blocked or retired, and no right to send as this sender. Unverified: that 554 5.2.0 is for good,
// and the limits, which are 30 messages a minute, 10,000 recipients a day and 3 connections at a time.
var outlookFaults = []string{"5.7.139", "5.7.30", "5.7.57", "5.7.60"}

// Send hands one mail to the server.
func (a *outlookAdapter) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	receipt, err := a.smtpAdapter.Send(ctx, m)
	if failure := provider.AsError(err); failure != nil && slices.Contains(outlookFaults, failure.Code) {
		failure.Class = provider.Fault
	}
	return receipt, err
}

// timedGrant gives a request for an access token the time of a call over HTTP: the attempt to send by SMTP has much more.
type timedGrant struct {
	*provider.Grant
	limit time.Duration
}

// Token is the kept access token, or a new one.
func (g timedGrant) Token(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, g.limit)
	defer cancel()
	return g.Grant.Token(ctx)
}

// outlookGrant is an application's way to its access tokens for one service.
func outlookGrant(d provider.Deps, client *provider.Client, c provider.Credentials, scope string) *provider.Grant {
	tokens := "https://login.microsoftonline.com/" + url.PathEscape(c.String("tenantId")) + "/oauth2/v2.0/token"
	grant := d.NewGrant(client, tokens, scope, c.String("clientId"), c.Secret("secretKey"))
	grant.Fetch = func(ctx context.Context) (provider.AccessToken, error) {
		return client.FetchToken(ctx, &provider.Request{URL: tokens, Body: provider.Form(url.Values{
			"grant_type": {"client_credentials"}, "client_id": {c.String("clientId")}, "client_secret": {c.Secret("secretKey")},
			"scope": {scope},
		})})
	}
	return grant
}

func newGraph(d provider.Deps, c provider.Credentials) provider.Adapter {
	grant := outlookGrant(d, d.Client(), c, "https://graph.microsoft.com/.default")
	return httpAdapter{
		interpreted: inputNames, // as by SMTP
		request: func(_ context.Context, m *provider.Message, l *letter) (*provider.Request, error) {
			if err := l.override(provider.Extra(m, provider.Style{})); err != nil {
				return nil, err
			}
			if err := l.requireVendorAddresses(); err != nil {
				return nil, err
			}
			return &provider.Request{
				URL:  "https://graph.microsoft.com/v1.0/users/" + url.PathEscape(c.String("from")) + "/sendMail",
				Body: &provider.JSON{Root: map[string]any{"message": graphMessage(l), "saveToSentItems": false}},
			}, nil
		},
		do: func(ctx context.Context, req *provider.Request) (*provider.Answer, error) {
			return grant.Do(ctx, func(token string) *provider.Request {
				authorized := *req
				authorized.Secure = provider.Bearer(token)
				return &authorized
			})
		},
		read: func(ans *provider.Answer) reply {
			return reply{id: ans.Header.Get("Request-Id"), code: ans.At("error.code"), text: ans.At("error.message")}
		},
	}.open(d, c)
}

// graphMessage has one body only.
func graphMessage(l *letter) map[string]any {
	body := map[string]any{"contentType": "HTML", "content": l.html}
	if l.html == "" {
		body = map[string]any{"contentType": "Text", "content": l.text}
	}
	message := map[string]any{
		"subject": l.subject, "body": body, "from": graphPerson(l.from, l.senderName), "toRecipients": graphPeople(l.to),
		"ccRecipients": graphPeople(l.cc), "bccRecipients": graphPeople(l.bcc), "internetMessageHeaders": graphHeaders(l),
		"attachments": l.files(func(a provider.Attachment) map[string]any {
			file := map[string]any{
				"@odata.type": "#microsoft.graph.fileAttachment", "name": fileName(a), "contentType": mimeType(a), "contentBytes": encoded(a),
				"isInline": inline(a),
			}
			if inline(a) {
				file["contentId"] = contentID(a)
			}
			return file
		}),
	}
	if l.replyTo != "" {
		message["replyTo"] = []any{graphPerson(l.replier())}
	}
	return provider.Present(message)
}

func graphPerson(address, name string) any {
	return map[string]any{"emailAddress": provider.Present(map[string]any{"address": address, "name": name})}
}

func graphPeople(list []string) []any {
	var out []any
	for _, recipient := range list {
		out = append(out, graphPerson(apart(recipient)))
	}
	return out
}

// graphHeaders: the vendor takes headers of the sender's own only, not those to unsubscribe. Unverified: that it takes no
// more than five.
func graphHeaders(l *letter) []any {
	var out []any
	var left []string
	for _, h := range l.headerList("name", "value") {
		name, _ := h.(map[string]any)["name"].(string)
		if strings.HasPrefix(strings.ToLower(name), "x-") && len(out) < 5 {
			out = append(out, h)
		} else {
			left = append(left, name)
		}
	}
	l.leaveHeaders("the vendor takes five headers at most, whose names begin with x-", left)
	return out
}
