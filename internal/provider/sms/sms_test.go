package sms

import (
	"context"
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/workflow"
)

const queued = `{"sid":"SM1","status":"queued","date_created":"Fri, 24 May 2019 17:44:46 +0000","error_code":null}`

var queuedAt = time.Date(2019, 5, 24, 17, 44, 46, 0, time.UTC)

func twilioSays(status int, body string, want provider.Error) providertest.Failure {
	return providertest.Failure{Name: "Code" + want.Code, Reply: providertest.Reply{Status: status, Body: body}, Want: want}
}

func TestTwilio(t *testing.T) {
	t.Parallel()
	creds := provider.Credentials{"accountSid": "AC0MARKER", "token": "MARKER-TOKEN", "from": "+44 (20) 7946-0000"}
	m := providertest.Message(workflow.ChannelSMS)
	m.Merge = map[string]any{"statusCallback": "https://example.com/cb", "_passthrough": map[string]any{
		"body": map[string]any{"MediaUrl": []any{"https://example.com/1", "https://example.com/2"}},
	}}
	providertest.Run(t, providertest.Case{
		Definition: twilio, Credentials: creds, Message: m,
		Replies: []providertest.Reply{{Status: 201, Body: queued}},
		Receipt: provider.Receipt{ID: "SM1", Date: queuedAt}, NeedsID: true,
		Failures: []providertest.Failure{
			twilioSays(400, `{"code":21211,"message":"bad number","status":400}`,
				provider.Error{Class: provider.Permanent, Code: "21211", Text: "bad number"}),
			twilioSays(400, `{"code":14107,"message":"rate"}`, provider.Error{Class: provider.Transient, Code: "14107"}),
			twilioSays(400, `{"code":30001,"message":"queue"}`, provider.Error{Class: provider.Transient, Code: "30001"}),
			twilioSays(201, `{"sid":"SM1","status":"failed","error_code":21610,"error_message":"opted out"}`,
				provider.Error{Class: provider.Permanent, Code: "21610", Text: "opted out"}),
			twilioSays(401, `{"code":20003,"message":"auth"}`, provider.Error{Class: provider.Fault, Code: "20003"}),
		},
	})
	providertest.Run(t, providertest.Case{
		Name: "twilio-receipts", Definition: twilio, Credentials: creds,
		Deps:    func(d *provider.Deps) { d.Receipts = inboundAddress },
		Replies: []providertest.Reply{{Status: 201, Body: queued}},
		Receipt: provider.Receipt{ID: "SM1", Date: queuedAt}, NeedsID: true,
	})
	service := providertest.Message(workflow.ChannelSMS)
	service.SenderFrom = "MG0123456789abcdef0123456789abcdef"
	service.Overrides = map[string]any{"to": "0044 7700 900999", "content": "Other text"}
	providertest.Run(t, providertest.Case{
		Name: "twilio-service", Definition: twilio, Credentials: creds, Message: service,
		Replies: []providertest.Reply{{Status: 201, Body: queued}},
		Receipt: provider.Receipt{ID: "SM1", Date: queuedAt}, NeedsID: true,
	})
}

func TestDemoRelay(t *testing.T) {
	t.Parallel()
	m := providertest.Message(workflow.ChannelSMS)
	m.SenderFrom = "Foreign"
	providertest.Run(t, providertest.Case{
		Definition: demo, Message: m,
		Deps: func(d *provider.Deps) {
			d.Demo.SMS = provider.DemoSMS{AccountSID: "AC1", Token: "operator-token", From: "Carillon"}
		},
		Replies: []providertest.Reply{{Status: 201, Body: queued}},
		Receipt: provider.Receipt{ID: "SM1", Date: queuedAt}, NeedsID: true,
	})
}

type quota struct {
	ok    bool
	taken []string
}

func (q *quota) Take(_ context.Context, providerID, messageID string) (bool, error) {
	q.taken = append(q.taken, providerID+" "+messageID)
	return q.ok, nil
}

func TestDemoQuota(t *testing.T) {
	t.Parallel()
	q := &quota{}
	deps := provider.Deps{Quota: q, Demo: provider.Demo{SMS: provider.DemoSMS{AccountSID: "AC1", Token: "t"}}}
	a, err := demo.New(deps, nil) // without any way out: a request would fail otherwise
	require.NoError(t, err)
	m := providertest.Message(workflow.ChannelSMS)
	_, err = a.Send(t.Context(), m)
	require.Equal(t, provider.Permanent, provider.AsError(err).Class)
	require.Equal(t, "DEMO_QUOTA", provider.AsError(err).Code)
	require.Equal(t, []string{"svc-sms " + m.ID}, q.taken)
}

func TestDemoCatches(t *testing.T) {
	t.Parallel()
	catcher := &providertest.Catcher{}
	a, err := demo.New(provider.Deps{Catcher: catcher}, nil)
	require.NoError(t, err)
	m := providertest.Message(workflow.ChannelSMS)
	receipt, err := a.Send(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, m.ID, receipt.ID)
	require.Len(t, catcher.Seen, 1)
	require.Equal(t, "+44 7700 900123", catcher.Seen[0].Target)
	require.Equal(t, m.Content.Body, catcher.Seen[0].Text)
}

var genericCreds = provider.Credentials{
	"baseUrl": "https://sms.example.com/MARKER-PATH", "apiKeyRequestHeader": "x-api-key", "apiKey": "MARKER-API",
	"secretKeyRequestHeader": "x-secret", "secretKey": "MARKER-SECRET", "from": "Shop",
	"idPath": "data.0.id", "datePath": "data.0.date",
}

func TestGeneric(t *testing.T) {
	t.Parallel()
	m := providertest.Message(workflow.ChannelSMS)
	m.Overrides = map[string]any{"customData": map[string]any{"tier": "gold"}, "priority": "high"}
	providertest.Run(t, providertest.Case{
		Definition: generic, Credentials: genericCreds, Message: m, Origin: provider.OriginCredentials,
		Replies: []providertest.Reply{{Body: `{"data":[{"id":12345678901234567890,"date":"2024-01-02T03:04:05Z"}]}`}},
		Receipt: provider.Receipt{ID: "12345678901234567890", Date: time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)},
	})
	withToken := provider.Credentials{
		"authenticateByToken": "true", "domain": "auth.example.com/token", "authenticationTokenKey": "access.token",
	}
	maps.Copy(withToken, genericCreds)
	providertest.Run(t, providertest.Case{
		Name: "generic-sms-token", Definition: generic, Credentials: withToken, Origin: provider.OriginCredentials,
		Replies: []providertest.Reply{{Body: `{"data":{"access.token":"fresh"}}`}, {Body: "not json"}},
		Receipt: provider.Receipt{ID: m.ID},
	})
}

func TestGenericNamesTheWrongFields(t *testing.T) {
	t.Parallel()
	err := generic.Validate(provider.Credentials{"baseUrl": "ftp://user@x", "apiKey": "k", "authenticateByToken": true})
	var f *fault.Error
	require.ErrorAs(t, err, &f)
	var paths []string
	for _, field := range f.Fields {
		paths = append(paths, field.Path)
	}
	require.Equal(t, []string{
		"credentials.baseUrl", "credentials.apiKeyRequestHeader", "credentials.from", "credentials.domain",
		"credentials.authenticationTokenKey",
	}, paths)
	_, err = generic.New(provider.Deps{}, provider.Credentials{"apiKeyRequestHeader": "not a name", "apiKey": "k"})
	require.ErrorContains(t, err, "credentials.apiKeyRequestHeader")
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"+44 (7700) 900-123": "+447700900123", "0044.7700.900123": "+447700900123", "07700 900123": "07700900123",
	} {
		require.Equal(t, want, plus(in))
	}
	require.Equal(t, "447700900123", digits("+44 7700 900123"))
	require.True(t, numeric("+44 20"))
	require.False(t, numeric("Shop24"))
	require.Equal(t, "My-Shop", as(plus, "My-Shop"))
}
