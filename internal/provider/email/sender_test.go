package email

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/workflow"
)

// mailers are one credential set for each e-mail provider, without its sender.
var mailers = map[string]provider.Credentials{
	"mailgun": {"apiKey": "k", "domain": "d.example"}, "mailjet": {"apiKey": "k", "secretKey": "s"}, "mandrill": {"apiKey": "k"},
	"postmark": {"apiKey": "k"}, "sendgrid": {"apiKey": "k"}, "sendinblue": {"apiKey": "k"}, "ses": {"apiKey": "k", "secretKey": "s"},
	"netcore": {"apiKey": "k"}, "infobip-email": {"apiKey": "k", "baseUrl": "x.example"}, "resend": {"apiKey": "k"}, "plunk": {"apiKey": "k"},
	"mailersend": {"apiKey": "k"}, "mailtrap": {"apiKey": "k"}, "sparkpost": {"apiKey": "k"},
	"outlook365":    {"tenantId": "t", "clientId": "c", "secretKey": "s"},
	"email-webhook": {"webhookUrl": "https://x.example", "secretKey": "s"},
	"braze":         {"apiKey": "k", "baseUrl": "https://x.example", "applicationId": "a"},
	"nodemailer":    {"host": "h", "port": "25"}, "emailjs": {"host": "h", "user": "u", "password": "p"},
}

type toServer struct{ address string }

// RoundTrip brings every request to the server.
func (s toServer) RoundTrip(r *http.Request) (*http.Response, error) {
	out := r.Clone(r.Context())
	out.URL = &url.URL{Scheme: "http", Host: s.address, Path: r.URL.Path}
	return http.DefaultTransport.RoundTrip(out)
}

// bodies are the requests that sending m through a provider makes; the vendor answers all of them with answer.
func bodies(t *testing.T, id string, creds provider.Credentials, m *provider.Message) (all string, err error) {
	t.Helper()
	var heard strings.Builder
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw := new(strings.Builder)
		_ = r.Write(raw)
		var object map[string]any
		if text := raw.String(); json.Unmarshal([]byte(text[strings.Index(text, "\r\n\r\n")+4:]), &object) == nil {
			plain, _ := provider.EncodeJSON(object)
			heard.Write(plain)
		} else {
			heard.WriteString(raw.String())
		}
		heard.WriteString(r.URL.Path + "\n")
		_, _ = w.Write([]byte(`{"access_token":"t","expires_in":3600,"users":[{"external_id":"u"}],"message":"success","dispatch_id":"x"}`))
	}))
	defer server.Close()
	registry, err := provider.NewRegistry(Providers()...)
	require.NoError(t, err)
	transport := toServer{server.Listener.Addr().String()}
	a, err := registry.Open(provider.Deps{Vendor: transport, Chosen: transport}, id, creds)
	require.NoError(t, err)
	_, err = a.Send(t.Context(), m)
	return heard.String(), err
}

// TestSenderWithItsName is taken apart for every provider, wherever it stands.
func TestSenderWithItsName(t *testing.T) {
	t.Parallel()
	for _, d := range Providers() {
		creds, known := mailers[d.ID]
		if d.ID == "svc-email" {
			continue // its sender is the operator's
		}
		require.True(t, known, d.ID)
		for where, c := range map[string]struct {
			credential, message, name string
			want                      string
		}{
			"Credentials":       {credential: `Carillon Shop <shop@example.com>`, want: "Carillon Shop"},
			"Message":           {credential: `other@example.com`, message: `"Carillon Shop" <shop@example.com>`, want: "Carillon Shop"},
			"NameBesideWins":    {credential: `other@example.com`, message: `Nobody <shop@example.com>`, name: "Carillon Shop", want: "Carillon Shop"},
			"NameOfTheMessages": {credential: `Nobody <other@example.com>`, message: `Carillon Shop <shop@example.com>`, want: "Carillon Shop"},
		} {
			t.Run(d.ID+"/"+where, func(t *testing.T) {
				t.Parallel()
				creds := provider.Merge(map[string]any{"from": c.credential}, creds)
				m := providertest.Message(workflow.ChannelEmail)
				m.Email.From, m.Email.SenderName = c.message, c.name
				l, err := compose(m, "", "")
				require.NoError(t, err)
				if c.message != "" {
					require.Equal(t, "shop@example.com", l.from)
					require.Equal(t, c.want, l.senderName)
				}
				if d.ID == "nodemailer" || d.ID == "emailjs" || d.ID == "ses" {
					return // the mail's own head says it, which other tests read
				}
				sent, err := bodies(t, d.ID, creds, m)
				require.NoError(t, err)
				require.Contains(t, sent, "shop@example.com")
				require.Contains(t, sent, c.want)
				require.NotContains(t, sent, "Nobody")
				require.NotContains(t, sent, `<shop@example.com>"<`)
				for _, twice := range []string{`"email":"Carillon Shop`, `"Email":"Carillon Shop`, `"from_email":"Carillon Shop`, `"address":"Carillon Shop`} {
					require.NotContains(t, sent, twice)
				}
			})
		}
	}
}

// TestSenderThatIsNone is refused with advice, before anything is sent.
func TestSenderThatIsNone(t *testing.T) {
	t.Parallel()
	m := providertest.Message(workflow.ChannelEmail)
	m.Email.From = "Carillon shop@example.com"
	sent, err := bodies(t, "resend", provider.Credentials{"apiKey": "k", "from": "shop@example.com"}, m)
	require.Empty(t, sent)
	require.Equal(t, provider.Permanent, provider.AsError(err).Class)
	require.ErrorContains(t, err, "a name belongs into the sender's name")
}

// TestInternationalAddresses go out in ASCII through every vendor; letters before the @ go nowhere but to a mail server.
func TestInternationalAddresses(t *testing.T) {
	t.Parallel()
	for _, d := range Providers() {
		if d.ID == "svc-email" || d.ID == "nodemailer" || d.ID == "emailjs" {
			continue // TestSMTPUTF8
		}
		t.Run(d.ID, func(t *testing.T) {
			t.Parallel()
			creds := provider.Merge(map[string]any{"from": "laden@köln.example"}, mailers[d.ID])
			m := providertest.Message(workflow.ChannelEmail)
			m.Email.To, m.Email.CC, m.Email.BCC, m.Email.ReplyTo = []string{"ada@münchen.example"}, []string{"cc@münchen.example"}, nil, "re@münchen.example"
			sent, err := bodies(t, d.ID, creds, m)
			require.NoError(t, err)
			require.Contains(t, sent, "ada@xn--mnchen-3ya.example")
			require.NotContains(t, sent, "münchen")
			require.NotContains(t, sent, "köln")

			m.Email.To = []string{"jürgen@example.com"}
			sent, err = bodies(t, d.ID, creds, m)
			if d.ID == "email-webhook" {
				require.NoError(t, err, "the operator's own address takes what it likes")
				return
			}
			require.NotContains(t, sent, "jürgen")
			failure := provider.AsError(err)
			require.NotNil(t, failure)
			require.Equal(t, provider.Permanent, failure.Class)
			require.Contains(t, failure.Text, "SMTPUTF8")
		})
	}
}

// TestReplyToHeader: a header Reply-To is the address for replies, with the name that may be beside it, through every provider. A mail
// has it once.
func TestReplyToHeader(t *testing.T) {
	t.Parallel()
	for _, d := range Providers() {
		if d.ID == "svc-email" || d.ID == "nodemailer" || d.ID == "emailjs" || d.ID == "ses" {
			continue // TestSMTPReplyToHeader
		}
		t.Run(d.ID, func(t *testing.T) {
			t.Parallel()
			creds := provider.Merge(map[string]any{"from": "shop@example.com"}, mailers[d.ID])
			m := providertest.Message(workflow.ChannelEmail)
			m.Email.ReplyTo, m.Email.Headers = "", map[string]string{"reply-to": "Help Desk <help@example.com>"}
			sent, err := bodies(t, d.ID, creds, m)
			require.NoError(t, err)
			require.Contains(t, sent, "help@example.com")
			require.Contains(t, sent, "Help Desk")
			if d.ID != "email-webhook" { // its receiver gets the headers as they were given
				require.NotContains(t, sent, `"reply-to"`)
				require.NotContains(t, sent, `:"Help Desk <help@example.com>"`, "a member for an address holds no name")
			}
			m.Email.ReplyTo = "desk@example.com"
			sent, err = bodies(t, d.ID, creds, m)
			require.NoError(t, err)
			require.Contains(t, sent, "desk@example.com")
			if d.ID != "email-webhook" {
				require.NotContains(t, sent, "help@example.com")
			}
		})
	}
}

// TestCopiesWithTheirNames: vendors that take addresses and names in members of their own get them so.
func TestCopiesWithTheirNames(t *testing.T) {
	t.Parallel()
	for _, d := range Providers() {
		if d.ID == "svc-email" || d.ID == "nodemailer" || d.ID == "emailjs" || d.ID == "ses" || d.ID == "email-webhook" || d.ID == "braze" {
			continue // servers read the text, the operator's own address takes it as it is, and Braze has no copies
		}
		t.Run(d.ID, func(t *testing.T) {
			t.Parallel()
			m := providertest.Message(workflow.ChannelEmail)
			m.Email.CC = []string{"Bob Builder <bob@example.com>"}
			sent, err := bodies(t, d.ID, provider.Merge(map[string]any{"from": "shop@example.com"}, mailers[d.ID]), m)
			require.NoError(t, err)
			require.Contains(t, sent, "bob@example.com")
			for _, member := range []string{"email", "Email", "address"} {
				require.NotContains(t, sent, `"`+member+`":"Bob Builder`)
			}
		})
	}
}
