package provider_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/egress"
	"github.com/carillon/carillon/internal/provider/inapp"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/provider/vendors"
	"github.com/carillon/carillon/internal/workflow"
)

func registered(tb testing.TB) *provider.Registry {
	tb.Helper()
	r, err := vendors.Registry()
	require.NoError(tb, err)
	return r
}

func TestRegistryByChannel(t *testing.T) {
	t.Parallel()
	registry := registered(t)
	for id, want := range map[string]workflow.Channel{
		"clickatell": workflow.ChannelSMS, "braze": workflow.ChannelEmail, "svc": workflow.ChannelInApp,
		"apns": workflow.ChannelPush, "svc-slack": workflow.ChannelChat,
	} {
		d, ok := registry.Lookup(id)
		require.True(t, ok)
		require.Equal(t, want, d.Channel)
	}
	require.False(t, registry.Has("fax"))
	require.True(t, registry.TakesSettings("fcm"))
	require.False(t, registry.TakesSettings("twilio"))
	require.False(t, registry.TakesSettings("fax"))
	for _, d := range registry.All() {
		require.Equal(t, registry.ReadsReceipts(d.ID), d.Capabilities.Receipts, d.ID)
	}
}

// TestWhichAreDemoSenders: they are told by their ids, and need no credentials of the user's.
func TestWhichAreDemoSenders(t *testing.T) {
	t.Parallel()
	var found []string
	for _, d := range registered(t).All() {
		if workflow.DemoSender(d.ID) {
			found = append(found, d.ID)
			require.Empty(t, d.Credentials, d.ID)
		}
	}
	require.ElementsMatch(t, []string{"svc-email", "svc-sms", "svc-slack"}, found)
}

// TestDocumentedProviders: the API document lists the registry's ids in its order; -update writes them there.
func TestDocumentedProviders(t *testing.T) {
	t.Parallel()
	const path = "../docs/api.md"
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	registry, text := registered(t), string(raw)
	for name, ids := range map[string][]string{"ProviderId": registry.IDs(), "SubscriberChannelProviderId": registry.SettingIDs()} {
		row := regexp.MustCompile(`(?m)^\| (` + name + `(?: \([^|]*\))?) \| .* \|$`)
		require.Regexp(t, row, text)
		text = row.ReplaceAllString(text, "| $1 | `"+strings.Join(ids, "`, `")+"` |")
	}
	providertest.Golden(t, path, []byte(text))
}

func TestRegistryRefusesMistakes(t *testing.T) {
	t.Parallel()
	good := inapp.Providers()[0]
	for name, change := range map[string]func(*provider.Definition){
		"malformed id":   func(d *provider.Definition) { d.ID = "Two Words" },
		"no channel":     func(d *provider.Definition) { d.Channel = "fax" },
		"no constructor": func(d *provider.Definition) { d.New = nil },
		"twice":          func(*provider.Definition) {},
	} {
		bad := good
		change(&bad)
		_, err := provider.NewRegistry(good, bad)
		if name != "twice" {
			_, err = provider.NewRegistry(bad)
		}
		require.ErrorContains(t, err, name)
	}
}

// TestDefinitions holds for every provider: the fields are the documented ones, and keys are marked as secret.
func TestDefinitions(t *testing.T) {
	t.Parallel()
	secret := regexp.MustCompile(`(?i)^(password|token|apiKey|secretKey|webhookUrl|accessKey|serviceAccount|apiToken)$`)
	registry := registered(t)
	for _, d := range registry.All() {
		require.NotEmpty(t, d.Name, d.ID)
		seen := map[string]bool{}
		for _, f := range d.Credentials {
			require.False(t, seen[f.Name], "%s.%s", d.ID, f.Name)
			seen[f.Name] = true
			require.NotEmpty(t, f.Label, "%s.%s", d.ID, f.Name)
			require.NotEmpty(t, f.Kind, "%s.%s", d.ID, f.Name)
			require.Equal(t, secret.MatchString(f.Name) || f.Secret, f.Secret, "%s.%s", d.ID, f.Name)
		}
	}
}

func TestValidateCredentials(t *testing.T) {
	t.Parallel()
	registry := registered(t)
	require.NoError(t, registry.ValidateCredentials("nodemailer", provider.Credentials{
		"host": "mail.example.com", "port": 587.0, "from": "a@example.com", "secure": "false", "tlsOptions": `{"ca":""}`, "unknown": 1,
	}))
	err := registry.ValidateCredentials("nodemailer", provider.Credentials{"port": "MARKER", "secure": []any{}, "from": map[string]any{}})
	var f *fault.Error
	require.ErrorAs(t, err, &f)
	require.Equal(t, fault.Invalid, f.Kind)
	require.Len(t, f.Fields, 4)
	require.NotContains(t, err.Error(), "MARKER")
	require.ErrorContains(t, registry.ValidateCredentials("sendgrid", provider.Credentials{
		"apiKey": "k", "from": "a@example.com", "region": "mars",
	}), "credentials.region")
	require.ErrorContains(t, registry.ValidateCredentials("email-webhook", provider.Credentials{
		"webhookUrl": "https://user:pw@example.com", "secretKey": "k",
	}), "credentials.webhookUrl")
	require.ErrorContains(t, registry.ValidateCredentials("fcm-nobody", nil), "providerId")

	hidden := func(name string) bool { return name == "apiKeyRequestHeader" }
	require.ErrorContains(t, registry.ValidateWithoutSecrets("generic-sms", nil, hidden), "credentials.from")
	require.NoError(t, registry.ValidateWithoutSecrets("generic-sms", provider.Credentials{"from": "Shop"}, hidden))
	require.ErrorContains(t, registry.ValidateWithoutSecrets("generic-sms", provider.Credentials{"from": "Shop", "baseUrl": "no URL"}, hidden), "credentials.baseUrl",
		"what is given is checked")
	require.False(t, registry.Has("fcm-nobody"))
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func inPEM(t *testing.T, key any) string {
	t.Helper()
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}))
}

// wellFormed are the credentials that must have a certain form.
func wellFormed(t *testing.T, id string) provider.Credentials {
	t.Helper()
	switch id {
	case "nodemailer":
		return provider.Credentials{"secretKey": nil}
	case "ses", "sns":
		return provider.Credentials{"region": "eu-west-1"}
	case "azure-sms":
		return provider.Credentials{"accessKey": "endpoint=https://marker.example.com/;accesskey=TUFSS0VS"}
	case "fcm":
		key, err := rsa.GenerateKey(rand.Reader, 2048)
		require.NoError(t, err)
		account, err := json.Marshal(map[string]string{
			"project_id": "MARKER", "client_email": "marker@example.com", "private_key": inPEM(t, key),
		})
		require.NoError(t, err)
		return provider.Credentials{"serviceAccount": string(account)}
	case "apns":
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		require.NoError(t, err)
		return provider.Credentials{"secretKey": inPEM(t, key)}
	case "pusher-beams":
		return provider.Credentials{"instanceId": "marker"}
	case "appio":
		return provider.Credentials{"AppIOBaseUrl": nil}
	default:
		return nil
	}
}

// TestNoSecretInNetworkErrors plants a marker in every credential and makes the network fail with texts that quote the
// whole request.
func TestNoSecretInNetworkErrors(t *testing.T) {
	t.Parallel()
	registry := registered(t)
	for _, d := range registry.All() {
		creds := provider.Credentials{}
		for _, f := range d.Credentials {
			switch f.Kind {
			case provider.KindBool, provider.KindObject:
			case provider.KindNumber:
				creds[f.Name] = "25"
			case provider.KindURL:
				creds[f.Name] = "https://MARKER" + f.Name + ".example.com/MARKER"
			default:
				creds[f.Name] = "MARKER" + f.Name
			}
			if len(f.Options) > 0 {
				creds[f.Name] = f.Options[0]
			}
		}
		creds["from"] = "marker@example.com"
		maps.Copy(creds, wellFormed(t, d.ID))
		fail := func(r *http.Request) (*http.Response, error) {
			return nil, errors.New(r.URL.String() + r.Header.Get("Authorization") + " MARKER")
		}
		deps := provider.Deps{
			Vendor: roundTrip(fail), Chosen: roundTrip(fail), Log: slog.New(slog.DiscardHandler), Catcher: &providertest.Catcher{},
			Now: func() time.Time { return providertest.Now },
		}
		way, err := egress.New(egress.Config{})
		require.NoError(t, err)
		deps.Dial = way.DialContext
		adapter, err := registry.Open(deps, d.ID, creds)
		require.NoError(t, err, d.ID)
		m := providertest.Message(d.Channel)
		m.Target.ConnectionToken = "MARKERTOKEN"
		ctx, cancel := context.WithCancel(t.Context())
		if d.ID == "nodemailer" || d.ID == "emailjs" {
			cancel() // no look-up of a name on the network
		}
		_, err = adapter.Send(ctx, m)
		cancel()
		if err != nil {
			require.NotContains(t, err.Error(), "MARKER", d.ID)
			require.NotContains(t, strings.ToLower(err.Error()), "example.com", d.ID)
		}
	}
}

func TestGuardedProvidersRefuseInside(t *testing.T) {
	t.Parallel()
	registry := registered(t)
	way, err := egress.New(egress.Config{})
	require.NoError(t, err)
	deps := provider.Deps{
		Vendor: way.Vendor(), Chosen: way.Guarded(), Dial: way.DialContext, Log: slog.New(slog.DiscardHandler),
	}
	inside := "http://169.254.169.254/latest"
	for id, c := range map[string]struct {
		creds provider.Credentials
		want  provider.Class
	}{
		"email-webhook": {provider.Credentials{"webhookUrl": inside, "secretKey": "k"}, provider.Fault},
		"push-webhook":  {provider.Credentials{"webhookUrl": inside, "secretKey": "k"}, provider.Fault},
		"generic-sms": {provider.Credentials{
			"baseUrl": inside, "apiKeyRequestHeader": "k", "apiKey": "k", "from": "f",
		}, provider.Fault},
		"nodemailer":   {provider.Credentials{"host": "127.0.0.1", "port": "25", "from": "a@example.com"}, provider.Fault},
		"sendgrid":     {provider.Credentials{"apiKey": "k", "from": "a@example.com", "baseUrl": inside}, provider.Fault},
		"chat-webhook": {nil, provider.Permanent},
		"slack":        {nil, provider.Permanent},
	} {
		adapter, err := registry.Open(deps, id, c.creds)
		require.NoError(t, err, id)
		d, _ := registry.Lookup(id)
		m := providertest.Message(d.Channel)
		if d.Channel == workflow.ChannelChat {
			m.Target.Endpoint.URL = inside
		}
		_, err = adapter.Send(t.Context(), m)
		require.Error(t, err, id)
		require.Equal(t, "EGRESS_REFUSED", provider.AsError(err).Code, id)
		require.Contains(t, provider.AsError(err).Text, "CARILLON_EGRESS_ALLOW", id)
		require.Regexp(t, `169\.254\.169\.254|127\.0\.0\.1`, provider.AsError(err).Text, id)
		require.Equal(t, c.want, provider.AsError(err).Class, id)
	}
}

func TestEndpointTypes(t *testing.T) {
	t.Parallel()
	registry := registered(t)
	adapter, err := registry.Open(provider.Deps{}, "chat-webhook", nil)
	require.NoError(t, err)
	m := providertest.Message(workflow.ChannelChat)
	m.Target.EndpointType = workflow.EndpointPhone
	_, err = adapter.Send(t.Context(), m)
	require.Equal(t, provider.Permanent, provider.AsError(err).Class)
}

func TestErrorText(t *testing.T) {
	t.Parallel()
	e := &provider.Error{Class: provider.Transient, Status: 503, Code: "busy", Text: "try later"}
	require.EqualError(t, e, "transient: 503 (busy): try later")
	require.EqualError(t, provider.Failf(provider.Fault, "no %s", "key"), "fault: no key")
	require.Nil(t, provider.AsError(os.ErrClosed))
}

// TestCredentialsOfOneLine: what would end a header is refused where it is entered, and so is what can be no server.
func TestCredentialsOfOneLine(t *testing.T) {
	t.Parallel()
	d := provider.Definition{Credentials: []provider.Field{
		{Name: "apiKey", Label: "Key", Kind: provider.KindString, Secret: true},
		{Name: "pem", Label: "PEM", Kind: provider.KindText},
		{Name: "port", Label: "Port", Kind: provider.KindNumber, Check: provider.CheckPort},
		{Name: "host", Label: "Host", Kind: provider.KindString, Check: provider.CheckHost},
		{Name: "from", Label: "From", Kind: provider.KindString, Check: provider.CheckEmail},
	}}
	require.NoError(t, d.Validate(provider.Credentials{
		"apiKey": " key ", "pem": "one\ntwo", "port": "65535", "host": "2001:db8::1", "from": "ada@example.com",
	}))
	for name, values := range map[string][]any{
		"apiKey": {"key\n", "key\r\nBcc: x", "k\x00"}, "port": {"0", "-1", "65536", "smtp", 0}, "host": {"http://h.example", "h.example/", "u@h"},
		"from": {"nobody", "a@b@c", "a b"},
	} {
		for _, v := range values {
			require.ErrorContains(t, d.Validate(provider.Credentials{name: v}), "credentials."+name, "%v", v)
		}
	}
}
