package provider_test

import (
	"context"
	"encoding/base64"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/workflow"
)

// opening is a provider whose adapter is given; its credentials hold a key, a webhook's address and a plain name.
func opening(t *testing.T, channel workflow.Channel, adapter provider.Adapter, c provider.Credentials) provider.Adapter {
	t.Helper()
	registry, err := provider.NewRegistry(provider.Definition{
		ID: "vendor", Channel: channel, Endpoints: []workflow.EndpointType{workflow.EndpointWebhook},
		Credentials: []provider.Field{
			{Name: "apiKey", Label: "Key", Kind: provider.KindString, Secret: true, Alias: "key"},
			{Name: "hook", Label: "Hook", Kind: provider.KindURL, Secret: true},
			{Name: "name", Label: "Name", Kind: provider.KindString},
		},
		New: func(_ provider.Deps, got provider.Credentials) (provider.Adapter, error) {
			if h, ok := adapter.(*held); ok {
				h.credentials = got
			}
			return adapter, nil
		},
	})
	require.NoError(t, err)
	opened, err := registry.Open(provider.Deps{Now: func() time.Time { return providertest.Now }}, "vendor", c)
	require.NoError(t, err)
	return opened
}

// held is an adapter that keeps a connection and has its own limit of time.
type held struct {
	credentials provider.Credentials
	limit       time.Duration
	closed      int
}

func (h *held) Send(ctx context.Context, _ *provider.Message) (*provider.Receipt, error) {
	<-ctx.Done()
	return nil, provider.ClassifyNet(context.Cause(ctx), true, provider.OriginVendor)
}
func (h *held) TimeLimit(*provider.Message) time.Duration { return h.limit }
func (h *held) Close() error                              { h.closed++; return errors.New("closed") }

// TestErrorsHideSecrets in every form in which vendors echo them: of the integration, of the target and of overrides.
func TestErrorsHideSecrets(t *testing.T) {
	t.Parallel()
	const key = `k&y "quoted" + /slash/`
	hook := "https://hooks.example/services/T0000LONG/api?sig=SIGNATURE1&v=1"
	for name, hidden := range map[string]string{
		"Key": key, "Escaped": url.QueryEscape(key), "PathEscaped": url.PathEscape(key), "Base64": base64.StdEncoding.EncodeToString([]byte(key)),
		"JSON": `k&y \"quoted\" + /slash/`, "JSONForHTML": `k\u0026y \"quoted\" + /slash/`, "Hook": hook, "RequestURI": "/services/T0000LONG/api?sig=SIGNATURE1&v=1", "PathPart": "T0000LONG", "QueryPart": "SIGNATURE1",
		"Target": "https://chat.example/CHANNELSECRET", "TargetPart": "CHANNELSECRET", "Token": "xoxb-1", "Override": "https://other.example/OVERRIDDEN", "OverridePart": "OVERRIDDEN",
		"HMAC": "hmac-override", "KeyOverride": "key-override",
	} {
		fails := sends(func(context.Context, *provider.Message) (*provider.Receipt, error) {
			return nil, &provider.Error{Class: provider.Fault, Status: 403, Code: "code <" + hidden + ">", Text: "text <" + hidden + "> of Shop"}
		})
		m := &provider.Message{
			Target:    provider.Target{ConnectionToken: "xoxb-1", Endpoint: workflow.EndpointData{URL: "https://chat.example/CHANNELSECRET"}},
			Overrides: map[string]any{"webhookUrl": "https://other.example/OVERRIDDEN", "apiKey": "key-override"},
			Merge:     map[string]any{"hmacSecretKey": "hmac-override"},
		}
		for alias := range map[string]bool{"apiKey": true, "key": true} {
			adapter := opening(t, workflow.ChannelChat, fails, provider.Credentials{alias: key, "hook": hook, "name": "Shop"})
			_, err := adapter.Send(t.Context(), m)
			require.Equal(t, &provider.Error{Class: provider.Fault, Status: 403, Code: "code <***>", Text: "text <***> of Shop"}, provider.AsError(err), name)
		}
		warns := sends(func(context.Context, *provider.Message) (*provider.Receipt, error) {
			return &provider.Receipt{ID: "v", Warning: "beware of " + hidden}, nil
		})
		receipt, err := opening(t, workflow.ChannelChat, warns, provider.Credentials{"apiKey": key, "hook": hook}).Send(t.Context(), m)
		require.NoError(t, err)
		require.Equal(t, "beware of ***", receipt.Warning, name)
	}
}

// TestErrorsHideSecretsWithinBase64: whatever stands before and behind the secret, as in Basic authentication.
func TestErrorsHideSecretsWithinBase64(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"token?~>of+the/shop", "token?~>of+the/shops", "token?~>of+the/shops!", "key"} {
		hide := provider.Redactor([]string{key})
		for _, alphabet := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
			for _, user := range []string{":", "u:", "us:", "use:", "a longer user:"} {
				text := alphabet.EncodeToString([]byte(user + key + " and more"))
				from, to := (len(user)*8+5)/6, (len(user)+len(key))*8/6
				require.Equal(t, "Basic "+text[:from]+"***"+text[to:], hide("Basic "+text), "%s%s", user, key)
			}
		}
	}
}

// TestReadableErrors: short words of an address and secrets of two letters are left, or no text would remain.
func TestReadableErrors(t *testing.T) {
	t.Parallel()
	fails := sends(func(context.Context, *provider.Message) (*provider.Receipt, error) {
		return nil, provider.Failf(provider.Permanent, "the api of ab at /hooks refused v=1")
	})
	adapter := opening(t, workflow.ChannelSMS, fails, provider.Credentials{"apiKey": "ab", "hook": "https://h.example/hooks/api?v=1"})
	_, err := adapter.Send(t.Context(), &provider.Message{})
	require.EqualError(t, err, "permanent: the api of ab at /hooks refused v=1")
}

// TestLongestSecretFirst: a secret that is part of another leaves no rest of the other.
func TestLongestSecretFirst(t *testing.T) {
	t.Parallel()
	fails := sends(func(context.Context, *provider.Message) (*provider.Receipt, error) {
		return nil, provider.Failf(provider.Permanent, "of TOKEN-AND-MORE")
	})
	_, err := opening(t, workflow.ChannelChat, fails, provider.Credentials{"apiKey": "TOKEN"}).
		Send(t.Context(), &provider.Message{Target: provider.Target{ConnectionToken: "TOKEN-AND-MORE"}})
	require.EqualError(t, err, "permanent: of ***")
}

// TestErrorsAreStorable: valid text of bounded length, whatever the vendor wrote, and the class of a plain error.
func TestErrorsAreStorable(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		want provider.Error
	}{
		"Long":    {&provider.Error{Class: provider.Transient, Text: strings.Repeat("ü", 501)}, provider.Error{Class: provider.Transient, Text: strings.Repeat("ü", 500)}},
		"Fits":    {&provider.Error{Code: strings.Repeat("ü", 500)}, provider.Error{Code: strings.Repeat("ü", 500)}},
		"Bytes":   {&provider.Error{Text: "a\x00b\xffc", Code: "\x00E\xff"}, provider.Error{Text: "abc", Code: "E"}},
		"Plain":   {errors.New("secret detail"), provider.Error{Class: provider.Permanent, Text: "the message could not be built"}},
		"Wrapped": {errors.Join(errors.New("x"), provider.Failf(provider.Unknown, "y")), provider.Error{Class: provider.Unknown, Text: "y"}},
		"Marks": {
			&provider.Error{Class: provider.Permanent, DropToken: true, BrokenConnection: true, RetryAfter: time.Minute, GoneSince: providertest.Now},
			provider.Error{Class: provider.Permanent, DropToken: true, BrokenConnection: true, RetryAfter: time.Minute, GoneSince: providertest.Now},
		},
	} {
		adapter := opening(t, workflow.ChannelSMS, sends(func(context.Context, *provider.Message) (*provider.Receipt, error) { return nil, c.err }), nil)
		_, err := adapter.Send(t.Context(), &provider.Message{})
		require.Equal(t, &c.want, provider.AsError(err), name)
	}
}

// TestReceiptsHaveADate: the vendor's, else that of now, and an id that the database takes.
func TestReceiptsHaveADate(t *testing.T) {
	t.Parallel()
	dated := providertest.Now.Add(-time.Hour)
	for want, at := range map[time.Time]time.Time{providertest.Now: {}, dated: dated} {
		adapter := opening(t, workflow.ChannelSMS, sends(func(context.Context, *provider.Message) (*provider.Receipt, error) {
			return &provider.Receipt{ID: "a\x00\xffb", Date: at, Warning: strings.Repeat("w", 600)}, nil
		}), nil)
		got, err := adapter.Send(t.Context(), &provider.Message{})
		require.NoError(t, err)
		require.Equal(t, &provider.Receipt{ID: "ab", Date: want, Warning: strings.Repeat("w", 500)}, got)
	}
}

// TestReceiptsHaveAShortID: what a vendor answers is stored in an index, up to the length that its reports name.
func TestReceiptsHaveAShortID(t *testing.T) {
	t.Parallel()
	adapter := opening(t, workflow.ChannelSMS, sends(func(context.Context, *provider.Message) (*provider.Receipt, error) {
		return &provider.Receipt{ID: strings.Repeat("a", 255) + "ü"}, nil
	}), nil)
	got, err := adapter.Send(t.Context(), &provider.Message{})
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("a", 255), got.ID)
}

// TestAdaptersOwnLimit: the time of a call is the adapter's where it has one, and its connections can be dropped.
func TestAdaptersOwnLimit(t *testing.T) {
	t.Parallel()
	h := &held{limit: time.Nanosecond}
	adapter := opening(t, workflow.ChannelSMS, h, nil)
	_, err := adapter.Send(t.Context(), &provider.Message{})
	require.Equal(t, &provider.Error{Class: provider.Unknown, Text: "no answer within the time limit"}, provider.AsError(err))
	require.EqualError(t, adapter.(interface{ Close() error }).Close(), "closed")
	require.Equal(t, 1, h.closed)
	bare := opening(t, workflow.ChannelSMS, sends(nil), nil)
	require.NoError(t, bare.(interface{ Close() error }).Close(), "one without connections has nothing to close")
}

// TestEndpointOfAnotherType is refused before the adapter is called; without a type there is nothing to refuse.
func TestEndpointOfAnotherType(t *testing.T) {
	t.Parallel()
	calls := 0
	adapter := opening(t, workflow.ChannelChat, sends(func(context.Context, *provider.Message) (*provider.Receipt, error) {
		calls++
		return &provider.Receipt{}, nil
	}), nil)
	for kind, want := range map[workflow.EndpointType]int{workflow.EndpointPhone: 0, workflow.EndpointWebhook: 1, "": 2} {
		before := calls
		_, err := adapter.Send(t.Context(), &provider.Message{Target: provider.Target{EndpointType: kind}})
		require.Equal(t, want > 0, err == nil, kind)
		require.Equal(t, want > 0, calls > before, kind)
	}
}

// TestBareSender: e-mail vendors take the sender's address and name apart; other channels keep what was written.
func TestBareSender(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ given, want provider.Credentials }{
		"Bare":      {provider.Credentials{"from": "shop@example.com"}, provider.Credentials{"from": "shop@example.com"}},
		"Named":     {provider.Credentials{"from": "The Shop <shop@example.com>"}, provider.Credentials{"from": "shop@example.com", "senderName": "The Shop"}},
		"OwnName":   {provider.Credentials{"from": "The Shop <shop@example.com>", "senderName": "Own"}, provider.Credentials{"from": "shop@example.com", "senderName": "Own"}},
		"Brackets":  {provider.Credentials{"from": "<shop@example.com>"}, provider.Credentials{"from": "shop@example.com", "senderName": ""}},
		"Domain":    {provider.Credentials{"from": "shop@bücher.example"}, provider.Credentials{"from": "shop@xn--bcher-kva.example", "senderName": ""}},
		"Malformed": {provider.Credentials{"from": "shop"}, provider.Credentials{"from": "shop"}},
		"None":      {provider.Credentials{}, provider.Credentials{}},
	} {
		h, before := &held{}, len(c.given)
		opening(t, workflow.ChannelEmail, h, c.given)
		require.Equal(t, c.want, h.credentials, name)
		require.Len(t, c.given, before, "%s: the stored credentials are not changed", name)
		opening(t, workflow.ChannelSMS, h, c.given)
		require.Equal(t, c.given, h.credentials, name)
	}
}

// TestOpenRefuses what ValidateCredentials refuses, in the same words, and what the constructor refuses.
func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	registry, err := provider.NewRegistry(provider.Definition{
		ID: "vendor", Channel: workflow.ChannelSMS, Credentials: []provider.Field{{Name: "apiKey", Label: "Key", Kind: provider.KindString, Required: true}},
		New: func(provider.Deps, provider.Credentials) (provider.Adapter, error) { return nil, errors.New("mistake") },
	})
	require.NoError(t, err)
	for id, c := range map[string]provider.Credentials{"vendor": nil, "other": {"apiKey": "k"}} {
		_, opened := registry.Open(provider.Deps{}, id, c)
		require.Error(t, opened)
		require.Equal(t, registry.ValidateCredentials(id, c), opened)
	}
	_, err = registry.Open(provider.Deps{}, "vendor", provider.Credentials{"apiKey": "k"})
	require.EqualError(t, err, "mistake")
}
