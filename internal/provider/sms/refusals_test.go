package sms

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/workflow"
)

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func send(t *testing.T, d provider.Definition, creds provider.Credentials, vendor http.RoundTripper, m *provider.Message) (*provider.Receipt, *provider.Error) {
	t.Helper()
	adapter, err := d.New(provider.Deps{Vendor: vendor, Chosen: vendor, Now: func() time.Time { return providertest.Now }}, creds)
	require.NoError(t, err, d.ID)
	receipt, err := adapter.Send(t.Context(), m)
	return receipt, provider.AsError(err)
}

// sent is no class of failure: the message is sent.
const sent = provider.Class(255)

// TestNoPhoneNumber: no vendor is called, whatever else the message has.
func TestNoPhoneNumber(t *testing.T) {
	t.Parallel()
	unheard := roundTrip(func(r *http.Request) (*http.Response, error) {
		return nil, errors.New("unexpected call of " + r.URL.Host)
	})
	for _, v := range vendors {
		m := providertest.Message(workflow.ChannelSMS)
		m.Target.Phone = ""
		_, failure := send(t, v.definition, v.creds, unheard, m)
		require.NotNil(t, failure, v.definition.ID)
		require.Equal(t, []any{provider.Permanent, "the message has no phone number"}, []any{failure.Class, failure.Text}, v.definition.ID)
	}
}

// TestRefusalsInAnswersOfSuccess: what vendors say with a status of 200, which concerns the account, passes, or is about this
// text alone; and what is no refusal.
func TestRefusalsInAnswersOfSuccess(t *testing.T) {
	t.Parallel()
	const connection = "endpoint=https://shop.communication.azure.com/;accesskey=TQ=="
	azureSays := func(status int) string {
		return fmt.Sprintf(`{"value":[{"httpStatusCode":%d,"successful":false,"errorMessage":"why"}]}`, status)
	}
	for _, c := range []struct {
		definition provider.Definition
		creds      provider.Credentials
		said       string
		class      provider.Class // of the failure, or sent
		code, text string
		id         string // of the receipt, when it is none
	}{
		{azure, with(shop, provider.Credentials{"accessKey": connection}), azureSays(400), permanent, "", "why", ""},
		{azure, with(shop, provider.Credentials{"accessKey": connection}), azureSays(401), faulty, "", "why", ""},
		{azure, with(shop, provider.Credentials{"accessKey": connection}), azureSays(429), transient, "", "why", ""},
		{azure, with(shop, provider.Credentials{"accessKey": connection}), azureSays(500), transient, "", "why", ""},
		{azure, with(shop, provider.Credentials{"accessKey": connection}), `{"value":[{"messageId":"a1","successful":true}]}`, sent, "", "", "a1"},
		{gupshup, provider.Credentials{"user": "u", "password": "p"}, "error | 103 | m", faulty, "103", "m", ""},
		{gupshup, provider.Credentials{"user": "u", "password": "p"}, "error|106|a | b", faulty, "106", "a | b", ""},
		{gupshup, provider.Credentials{"user": "u", "password": "p"}, "error | 175 | m", permanent, "175", "m", ""},
		{gupshup, provider.Credentials{"user": "u", "password": "p"}, "error | 102", faulty, "102", "", ""},
		{gupshup, provider.Credentials{"user": "u", "password": "p"}, " success|4477|g-1\n", sent, "", "", "g-1"},
		{gupshup, provider.Credentials{"user": "u", "password": "p"}, "<html>", sent, "", "", ""},
		{sms77, with(shop, provider.Credentials{"apiKey": "k"}), `{"success":"902"}`, faulty, "902", "", ""},
		{sms77, with(shop, provider.Credentials{"apiKey": "k"}), `700`, transient, "700", "", ""},
		{sms77, with(shop, provider.Credentials{"apiKey": "k"}), `{"success":"101","messages":[{"success":true,"id":7}]}`, sent, "", "", "7"},
		{sms77, with(shop, provider.Credentials{"apiKey": "k"}), `{}`, sent, "", "", ""},
		{infobip, with(shop, provider.Credentials{"apiKey": "k", "baseUrl": "https://x.api.infobip.com"}), `{"messages":[{"status":{"groupId":2,"name":"N"}}]}`, permanent, "N", "", ""},
		{infobip, with(shop, provider.Credentials{"apiKey": "k", "baseUrl": "https://x.api.infobip.com"}), `{"messages":[{"status":{"groupId":4,"name":"N"}}]}`, permanent, "N", "", ""},
		{infobip, with(shop, provider.Credentials{"apiKey": "k", "baseUrl": "https://x.api.infobip.com"}), `{"messages":[{"messageId":"i","status":{"groupId":3}}]}`, sent, "", "", "i"},
	} {
		receipt, failure := send(t, c.definition, c.creds, answers{200, c.said}, providertest.Message(workflow.ChannelSMS))
		if c.class == sent {
			require.Nil(t, failure, "%s %s", c.definition.ID, c.said)
			require.Equal(t, c.id, receipt.ID, "%s %s", c.definition.ID, c.said)
			continue
		}
		require.NotNil(t, failure, "%s %s", c.definition.ID, c.said)
		require.Equal(t, []any{c.class, c.code}, []any{failure.Class, failure.Code}, "%s %s", c.definition.ID, c.said)
		if c.text != "" {
			require.Equal(t, c.text, failure.Text, "%s %s", c.definition.ID, c.said)
		}
	}
}

// TestTokenOfTheGenericVendor: without one nothing is sent, and a token request that got lost is no lost message.
func TestTokenOfTheGenericVendor(t *testing.T) {
	t.Parallel()
	creds := provider.Credentials{
		"baseUrl": "https://sms.example.com/send", "apiKeyRequestHeader": "X-Key", "apiKey": "k", "from": "Shop",
		"authenticateByToken": "true", "domain": "https://login.example.com/token", "authenticationTokenKey": "X-Token",
	}
	for name, c := range map[string]struct {
		status int
		token  string
		lost   error
		class  provider.Class
		text   string
	}{
		"Token":      {200, `{"data":{"X-Token":"T"}}`, nil, sent, ""},
		"NoToken":    {200, `{"data":{}}`, nil, faulty, "the answer to the token request holds no token"},
		"Elsewhere":  {200, `{"X-Token":"T"}`, nil, faulty, "the answer to the token request holds no token"},
		"Unreadable": {200, `<html>`, nil, faulty, "the answer to the token request holds no token"},
		"Down":       {503, ``, nil, transient, ""},
		"Lost":       {0, "", io.ErrUnexpectedEOF, transient, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var tokens []string
			vendor := roundTrip(func(r *http.Request) (*http.Response, error) {
				if r.URL.Host == "login.example.com" {
					require.Equal(t, "k", r.Header.Get("X-Key"))
					if c.lost != nil { // written, and never answered
						httptrace.ContextClientTrace(r.Context()).WroteRequest(httptrace.WroteRequestInfo{})
						return nil, c.lost
					}
					return answers{c.status, c.token}.RoundTrip(r)
				}
				tokens = append(tokens, r.Header.Get("X-Token"))
				return answers{200, `{"id":"g-1"}`}.RoundTrip(r)
			})
			receipt, failure := send(t, generic, creds, vendor, providertest.Message(workflow.ChannelSMS))
			if c.class == sent {
				require.Nil(t, failure)
				require.Equal(t, "g-1", receipt.ID)
				require.Equal(t, []string{"T"}, tokens)
				return
			}
			require.Empty(t, tokens, "nothing is sent without a token")
			require.NotNil(t, failure)
			require.Equal(t, c.class, failure.Class)
			require.Contains(t, failure.Text, c.text)
		})
	}
}

// TestCompose: the nearest layer counts for each of the four, and what is not given stays the integration's.
func TestCompose(t *testing.T) {
	t.Parallel()
	m := providertest.Message(workflow.ChannelSMS)
	got, err := compose(m, "Shop")
	require.NoError(t, err)
	require.Equal(t, &text{to: m.Target.Phone, from: "Shop", content: m.Content.Body}, got)
	m.SenderFrom, m.CustomData = "Own", map[string]any{"a": 1}
	m.Overrides = map[string]any{"to": "1", "content": "outer", "customData": map[string]any{"b": 2}}
	m.Merge = map[string]any{"content": "inner", "customData": "no object"}
	got, err = compose(m, "Shop")
	require.NoError(t, err)
	require.Equal(t, &text{to: "1", from: "Own", content: "inner", custom: map[string]any{"b": 2}}, got)
	m.Overrides, m.Merge, m.Content.Body, m.Content.Text = nil, nil, "", "plain"
	got, err = compose(m, "")
	require.NoError(t, err)
	require.Equal(t, &text{to: m.Target.Phone, from: "Own", content: "plain", custom: map[string]any{"a": 1}}, got)
	for sender, want := range map[string]string{"Shop 24": "Shop 24", "0044 20-79": "+442079", "+": "+", "": "", strings.Repeat("7", 5): "77777"} {
		require.Equal(t, want, as(plus, sender), sender)
	}
}
