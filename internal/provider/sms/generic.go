package sms

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"golang.org/x/net/http/httpguts"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var generic = provider.Definition{
	ID: "generic-sms", Name: "Generic SMS", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{
		{Name: "baseUrl", Label: "Address to post to", Kind: provider.KindURL, Required: true, Secret: true, Destination: true},
		{Name: "apiKeyRequestHeader", Label: "API key: header name", Kind: provider.KindString, Required: true},
		{Name: "apiKey", Label: "API key", Kind: provider.KindString, Required: true, Secret: true},
		{Name: "secretKeyRequestHeader", Label: "Secret key: header name", Kind: provider.KindString},
		{Name: "secretKey", Label: "Secret key", Kind: provider.KindString, Secret: true},
		fieldFrom,
		{Name: "idPath", Label: "Path to the message id in the answer", Kind: provider.KindString, Default: "id"},
		{Name: "datePath", Label: "Path to the date in the answer", Kind: provider.KindString, Default: "date"},
		{Name: "authenticateByToken", Label: "Fetch a token first", Kind: provider.KindBool},
		{Name: "domain", Label: "Address of the token", Kind: provider.KindURL, RequiredIf: "authenticateByToken", Secret: true, Destination: true},
		{
			Name: "authenticationTokenKey", Label: "Name of the token in the answer and of its header",
			Kind: provider.KindString, RequiredIf: "authenticateByToken",
		},
	},
	New: newGeneric,
}

type genericAdapter struct {
	client                        *provider.Client
	url, tokenURL, tokenKey, from string
	idPath, datePath              string
	keys                          http.Header
	prefix, secret                string
	now                           func() time.Time
}

func newGeneric(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
	a := &genericAdapter{
		client: d.Client(), url: c.URL("baseUrl", ""), from: c.String("from"),
		idPath: cmp.Or(c.String("idPath"), "id"), datePath: cmp.Or(c.String("datePath"), "date"),
		keys: http.Header{}, prefix: d.Prefix, secret: cmp.Or(c.Secret("secretKey"), c.Secret("apiKey")), now: d.Now,
	}
	for _, name := range []string{"apiKey", "secretKey"} {
		header := c.String(name + "RequestHeader")
		if header == "" || c.Secret(name) == "" {
			continue
		}
		if !httpguts.ValidHeaderFieldName(header) {
			return nil, fault.Invalidf("credentials."+name+"RequestHeader", "must be a header name")
		}
		a.keys.Set(header, c.Secret(name))
	}
	if c.Bool("authenticateByToken") {
		a.tokenURL, a.tokenKey = c.URL("domain", ""), c.String("authenticationTokenKey")
		if !httpguts.ValidHeaderFieldName(a.tokenKey) {
			return nil, fault.Invalidf("credentials.authenticationTokenKey", "must be a header name")
		}
	}
	return a, nil
}

// Send posts one text to the operator's own address, with a fresh token when the integration asks for one.
func (a *genericAdapter) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	t, err := compose(m, a.from)
	if err != nil {
		return nil, err
	}
	secure := a.keys.Clone()
	if a.tokenURL != "" {
		token, err := a.token(ctx)
		if err != nil {
			return nil, err
		}
		secure.Set(a.tokenKey, token)
	}
	req := &provider.Request{
		URL: a.url, Origin: provider.OriginCredentials, Secure: secure,
		Body: &provider.JSON{Root: provider.Present(map[string]any{
			"to": t.to, "from": t.from, "sender": t.from, "content": t.content, "id": m.ID, "customData": t.custom,
		})},
		Sign: m.Webhook(a.prefix, a.secret, a.now()).Sign,
	}
	req.Apply(m, provider.Style{}, interpreted...)
	ans, err := a.client.Do(ctx, req)
	if err != nil {
		return nil, err
	}
	if !ans.OK() {
		return nil, ans.Failure("", "")
	}
	return &provider.Receipt{ID: cmp.Or(ans.At(a.idPath), m.ID), Date: moment(ans.At(a.datePath))}, nil
}

// token is fetched for every message: the document keeps no lifetime that would allow caching.
func (a *genericAdapter) token(ctx context.Context) (string, error) {
	ans, err := a.client.Do(ctx, &provider.Request{URL: a.tokenURL, Origin: provider.OriginCredentials, Secure: a.keys})
	if err != nil {
		return "", beforeTheMessage(err)
	}
	if !ans.OK() {
		return "", ans.Failure("", "")
	}
	data, _ := ans.Value("data").(map[string]any)
	token := provider.Text(data[a.tokenKey])
	if token == "" {
		return "", provider.Failf(provider.Fault, "the answer to the token request holds no token")
	}
	return token, nil
}

// beforeTheMessage: a lost token request is no lost message, so nothing is unknown about it.
func beforeTheMessage(err error) error {
	if e := provider.AsError(err); e != nil && e.Class == provider.Unknown {
		e.Class = provider.Transient
	}
	return err
}
