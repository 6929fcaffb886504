package email

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/mail"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/workflow"
)

type trip func(*http.Request) *http.Response

// RoundTrip calls f.
func (f trip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r), nil }

// TestSESMail looks into the mail that the golden file masks.
func TestSESMail(t *testing.T) {
	t.Parallel()
	var sent struct {
		FromEmailAddress string
		Destination      struct{ ToAddresses, CcAddresses, BccAddresses []string }
		Content          struct{ Raw struct{ Data []byte } }
	}
	a := answering(t, "ses", shop("secretKey", "s"), func(w http.ResponseWriter, r *http.Request) {
		require.NoError(t, json.NewDecoder(r.Body).Decode(&sent))
		_, _ = io.WriteString(w, `{"MessageId":"1"}`)
	})
	m := providertest.Message(workflow.ChannelEmail)
	m.Overrides = map[string]any{"subject": "Overridden", "headers": map[string]any{"List-Unsubscribe": "<https://notify.example/leave>"}}
	_, err := a.Send(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, `"The Shop, Ltd." <shop@example.com>`, sent.FromEmailAddress)
	require.Equal(t, []string{"ada@example.com"}, sent.Destination.ToAddresses)
	require.Equal(t, []string{"cc@example.com"}, sent.Destination.CcAddresses)
	require.Equal(t, []string{"bcc@example.com"}, sent.Destination.BccAddresses)
	raw := string(sent.Content.Raw.Data)
	got, err := mail.ReadMessage(strings.NewReader(raw))
	require.NoError(t, err)
	for name, want := range map[string]string{
		"Subject": "Overridden", "Cc": "<cc@example.com>", "Bcc": "", "Reply-To": "<reply@example.com>", "X-Order": "1042",
		"List-Unsubscribe": "<https://notify.example/leave>",
	} {
		require.Equal(t, want, got.Header.Get(name), name)
	}
	for _, part := range []string{"<p>Your order is on its way</p>", base64.StdEncoding.EncodeToString([]byte("total 12.5")), "Content-ID: <logo>"} {
		require.Contains(t, strings.ReplaceAll(raw, "Content-Id", "Content-ID"), part)
	}
}

// TestPlunkWasSentBefore: the vendor knows the key of an earlier try that reached it.
func TestPlunkWasSentBefore(t *testing.T) {
	t.Parallel()
	a := answering(t, "plunk", shop(), func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusConflict)
		_, _ = io.WriteString(w, `{"success":false,"error":{"code":"IDEMPOTENCY_KEY_REUSED","details":{"originalStatusCode":200}}}`)
	})
	receipt, err := a.Send(t.Context(), providertest.Message(workflow.ChannelEmail))
	require.NoError(t, err)
	require.Empty(t, receipt.ID)
}

// TestBrazeKnowsNobody: the first call decides; every failure of it means that nothing went out.
func TestBrazeKnowsNobody(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]provider.Class{
		`{"users":[]}`: permanent, `{"users":[{"external_id":""}]}`: permanent, `cut`: transient,
	} {
		calls := 0
		a := answering(t, "braze", shop("baseUrl", "https://b.example.com", "applicationId", "app"), func(w http.ResponseWriter, _ *http.Request) {
			calls++
			_, _ = io.WriteString(w, body)
		})
		_, err := a.Send(t.Context(), providertest.Message(workflow.ChannelEmail))
		require.Equal(t, want, provider.AsError(err).Class, body)
		require.Equal(t, 1, calls)
	}
	refused := answering(t, "braze", shop("baseUrl", "https://b.example.com", "applicationId", "app"), func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
	})
	_, err := refused.Send(t.Context(), providertest.Message(workflow.ChannelEmail))
	require.Equal(t, faulty, provider.AsError(err).Class)
}

// TestVendorsEvaluateNothing: what a reader wrote is no template of a vendor that takes every content for one.
func TestVendorsEvaluateNothing(t *testing.T) {
	t.Parallel()
	const written = "{% abort_message %}{{{${email_address}}}} {$ %} }} {"
	const page = "&#123;% abort_message %}&#123;&#123;{&#36;{email_address}}}} {$ %} }} {"
	const text = "{\u200b% abort_message %}{\u200b{\u200b{$\u200b{email_address}}}} {$ %} }} {"
	sent := func(id string, creds provider.Credentials, change func(*provider.Message)) (body map[string]any) {
		t.Helper()
		a := answering(t, id, creds, func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/users/export/ids") {
				_, _ = io.WriteString(w, `{"users":[{"external_id":"u1"}]}`)
				return
			}
			assert.NoError(t, json.NewDecoder(r.Body).Decode(&body))
			_, _ = io.WriteString(w, `{"message":"success","dispatch_id":"1","messageId":"1","success":true}`)
		})
		m := providertest.Message(workflow.ChannelEmail)
		m.Content.Title, m.Content.HTML, m.Content.Text = written, written, written
		change(m)
		_, err := a.Send(t.Context(), m)
		require.NoError(t, err)
		if id == "braze" {
			return body["messages"].(map[string]any)["email"].(map[string]any)
		}
		return body
	}
	for _, vendor := range []struct {
		id            string
		creds         provider.Credentials
		subject, html string
		values        string // of overrides, for templates of the vendor's
	}{
		{"braze", shop("baseUrl", "https://b.example.com", "applicationId", "app"), "subject", "body", "triggerProperties"},
		{"sendinblue", shop(), "subject", "htmlContent", "params"},
		{"plunk", shop(), "subject", "body", "data"},
	} {
		got := sent(vendor.id, vendor.creds, func(*provider.Message) {})
		require.Equal(t, []any{text, page}, []any{got[vendor.subject], got[vendor.html]}, vendor.id)
		got = sent(vendor.id, vendor.creds, func(m *provider.Message) { m.Overrides = map[string]any{vendor.values: map[string]any{"a": "b"}} })
		require.Equal(t, []any{written, written}, []any{got[vendor.subject], got[vendor.html]}, "%s: the author writes for the vendor's language", vendor.id)
	}
	got := sent("sendinblue", shop(), func(m *provider.Message) { m.CustomData = map[string]any{"templateParams": map[string]any{"a": "b"}} })
	require.Equal(t, written, got["htmlContent"])
	plain := sent("braze", shop("baseUrl", "https://b.example.com", "applicationId", "app"), func(*provider.Message) {})
	require.Equal(t, text, plain["plaintext_body"])
}

func TestVendorsNeedARecipient(t *testing.T) {
	t.Parallel()
	for _, v := range vendors {
		a := answering(t, v.definition.ID, v.creds, func(http.ResponseWriter, *http.Request) { t.Error("nothing must go out") })
		m := providertest.Message(workflow.ChannelEmail)
		m.Email.To = nil
		_, err := a.Send(t.Context(), m)
		require.Equal(t, permanent, provider.AsError(err).Class, v.definition.ID)
		m.Email.To = []string{"a@example.com\r\nBcc: b@example.com"}
		_, err = a.Send(t.Context(), m)
		require.ErrorContains(t, err, "line break in to", v.definition.ID)
	}
}

func TestMistakesInCredentials(t *testing.T) {
	t.Parallel()
	registry, err := provider.NewRegistry(Providers()...)
	require.NoError(t, err)
	for _, c := range []struct {
		id, path string
		creds    provider.Credentials
	}{
		{"ses", "credentials.region", shop("secretKey", "s", "region", "evil.example/")},
		{"outlook365", "credentials.password", provider.Credentials{"from": "a@example.com", "tenantId": "t", "clientId": "c"}},
		{"emailjs", "credentials.user", provider.Credentials{"from": "a@example.com", "host": "h", "password": "p"}},
		{"emailjs", "credentials.password", provider.Credentials{"from": "a@example.com", "host": "h", "apiKey": "u"}},
		{"emailjs", "credentials.host", provider.Credentials{"from": "a@example.com", "user": "u", "password": "p"}},
		{"mailgun", "credentials.domain", shop()},
		{"infobip-email", "credentials.baseUrl", shop()},
		{"braze", "credentials.applicationId", shop("baseUrl", "b.example.com")},
	} {
		_, err := registry.Open(provider.Deps{}, c.id, c.creds)
		require.ErrorContains(t, err, c.path, c.id)
	}
}
