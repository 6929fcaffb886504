package email

import (
	"bytes"
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"net/url"
	"testing"

	"github.com/emersion/go-sasl"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/smtp/smtpsink"
	"github.com/carillon/carillon/internal/workflow"
)

// smtpVendors are the ways to log in to a server, each with the credentials of its own.
var smtpVendors = map[string]struct {
	id       string
	implicit bool // TLS from the first byte
	creds    func(own *bundle) provider.Credentials
	only     []string // the ways to log in that the server offers
}{
	"nodemailer":        {id: "nodemailer", creds: func(own *bundle) provider.Credentials { return own.creds }},
	"nodemailer-secure": {id: "nodemailer", implicit: true, creds: func(own *bundle) provider.Credentials { return own.creds }},
	"emailjs": {id: "emailjs", creds: func(own *bundle) provider.Credentials {
		return provider.Credentials{
			"host": "127.0.0.1", "port": own.creds.String("port"), "user": "ada", "password": "MARKER-PASSWORD",
			"from": "shop@example.com", "senderName": "Ladenüberblick",
		}
	}},
	"emailjs-old-names": {id: "emailjs", implicit: true, creds: func(own *bundle) provider.Credentials {
		return provider.Credentials{
			"host": "127.0.0.1", "port": own.creds.String("port"), "secure": "true", "apiKey": "ada", "secretKey": "MARKER-PASSWORD",
			"from": "shop@example.com", "senderName": "Ladenüberblick",
		}
	}},
	"outlook365": {id: "outlook365", only: []string{sasl.Login}, creds: func(own *bundle) provider.Credentials {
		own.sink.User = "shop@example.com"
		return provider.Credentials{
			"host": "127.0.0.1", "port": own.creds.String("port"), "password": "MARKER-PASSWORD", "tlsOptions": map[string]any{"ca": own.ca},
			"from": "shop@example.com", "senderName": "Ladenüberblick",
		}
	}},
}

// openAs opens the provider id with credentials c for the server.
func (b *bundle) openAs(t *testing.T, id string, c provider.Credentials) provider.Adapter {
	t.Helper()
	registry, err := provider.NewRegistry(Providers()...)
	require.NoError(t, err)
	a, err := registry.Open(b.deps, id, c)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, a.(io.Closer).Close()) })
	return a
}

func TestSMTPVendorsLogIn(t *testing.T) {
	t.Parallel()
	for name, v := range smtpVendors {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var creds provider.Credentials
			b := serve(t, v.implicit, func(own *bundle) {
				own.sink.Mechanisms = v.only
				own.deps.Roots = x509.NewCertPool()
				require.True(t, own.deps.Roots.AppendCertsFromPEM([]byte(own.ca)))
				creds = v.creds(own)
			})
			m := providertest.Message(workflow.ChannelEmail)
			m.Email.Headers["List-Unsubscribe"] = "<https://notify.example/leave>"
			receipt, err := b.openAs(t, v.id, creds).Send(t.Context(), m)
			require.NoError(t, err)
			got := <-b.mails
			require.Equal(t, "shop@example.com", got.From)
			require.Equal(t, []string{"ada@example.com", "cc@example.com", "bcc@example.com"}, got.To)
			parsed, err := mail.ReadMessage(bytes.NewReader(got.Data))
			require.NoError(t, err)
			require.Equal(t, receipt.ID, parsed.Header.Get("Message-Id"))
			require.Equal(t, "Order shipped", parsed.Header.Get("Subject"))
			require.Equal(t, "<https://notify.example/leave>", parsed.Header.Get("List-Unsubscribe"))
			require.Empty(t, parsed.Header.Get("Bcc"))

			creds["password"], creds["secretKey"] = "MARKER-WRONG", ""
			if v.id == "nodemailer" {
				delete(creds, "secretKey")
			}
			_, err = b.openAs(t, v.id, creds).Send(t.Context(), m)
			require.Equal(t, faulty, provider.AsError(err).Class)
			require.NotContains(t, err.Error(), "MARKER")
		})
	}
}

// TestOutlookNeedsTLS: without TLS the password stays here.
func TestOutlookNeedsTLS(t *testing.T) {
	t.Parallel()
	var creds provider.Credentials
	b := serve(t, false, func(own *bundle) {
		creds = smtpVendors["outlook365"].creds(own)
		own.sink.TLS, own.sink.InsecureLogin, own.sink.Mechanisms = nil, true, []string{sasl.Login}
	})
	_, err := b.openAs(t, "outlook365", creds).Send(t.Context(), providertest.Message(workflow.ChannelEmail))
	require.Equal(t, faulty, provider.AsError(err).Class)
	require.Contains(t, err.Error(), "STARTTLS")
}

func TestOutlookReplies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reply *smtpsink.Refusal
		want  provider.Class
	}{
		{smtpsink.Refuse(550, [3]int{5, 7, 60}, "Client does not have permissions to send as this sender"), faulty},
		{smtpsink.Refuse(550, [3]int{5, 7, 30}, "Basic authentication is not supported"), faulty},
		{smtpsink.Refuse(554, [3]int{5, 2, 0}, "Submission rejected"), permanent},
		{smtpsink.Refuse(432, [3]int{4, 3, 2}, "Concurrent connections limit exceeded"), transient},
		{smtpsink.Refuse(451, [3]int{4, 7, 0}, "Temporary server error"), transient},
	} {
		var creds provider.Credentials
		b := serve(t, false, func(own *bundle) {
			creds = smtpVendors["outlook365"].creds(own)
			own.sink.Deliver = func(smtpsink.Mail) error { return c.reply }
		})
		_, err := b.openAs(t, "outlook365", creds).Send(t.Context(), providertest.Message(workflow.ChannelEmail))
		require.Equal(t, c.want, provider.AsError(err).Class, c.reply.Message)
		require.Equal(t, c.reply.Code, provider.AsError(err).Status)
	}
}

// TestOutlookPrefersLogin: the vendor's own way, also where a server offers others.
func TestOutlookPrefersLogin(t *testing.T) {
	t.Parallel()
	var creds provider.Credentials
	b := serve(t, false, func(own *bundle) {
		creds = smtpVendors["outlook365"].creds(own)
		own.sink.Mechanisms = []string{sasl.Plain, sasl.Login}
	})
	_, err := b.openAs(t, "outlook365", creds).Send(t.Context(), providertest.Message(workflow.ChannelEmail))
	require.NoError(t, err)
	require.Equal(t, sasl.Login, (<-b.mails).Login)
}

// TestOutlookByToken: an application that names a host sends by SMTP. A token that is not taken is fetched anew, once.
func TestOutlookByToken(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tokens []string // as the vendor hands them out
		status int
		taken  bool
		class  provider.Class
	}{
		"Taken":     {[]string{"TOKEN"}, 200, true, 0},
		"Withdrawn": {[]string{"OLD", "TOKEN"}, 200, true, 0},
		"Refused":   {[]string{"OLD", "OLDER"}, 200, false, faulty},
		"NoToken":   {[]string{""}, 401, false, faulty},
		"Busy":      {[]string{""}, 503, false, transient},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var creds provider.Credentials
			var asked []url.Values
			b := serve(t, false, func(own *bundle) {
				creds = smtpVendors["outlook365"].creds(own)
				delete(creds, "password")
				creds["tenantId"], creds["clientId"], creds["secretKey"] = "tenant-1", "client-1", "MARKER-SECRET"
				own.sink.Password, own.sink.Mechanisms = "TOKEN", []string{sasl.Login, "XOAUTH2"}
				own.deps.Vendor = trip(func(r *http.Request) *http.Response {
					if r.URL.String() != "https://login.microsoftonline.com/tenant-1/oauth2/v2.0/token" || r.ParseForm() != nil {
						t.Error(r.URL)
					}
					w := httptest.NewRecorder()
					w.WriteHeader(c.status)
					_, _ = io.WriteString(w, `{"access_token":"`+c.tokens[min(len(asked), len(c.tokens)-1)]+`","expires_in":3600}`)
					asked = append(asked, r.PostForm)
					return w.Result()
				})
			})
			_, err := b.openAs(t, "outlook365", creds).Send(t.Context(), providertest.Message(workflow.ChannelEmail))
			require.Len(t, asked, len(c.tokens))
			require.Equal(t, url.Values{
				"grant_type": {"client_credentials"}, "client_id": {"client-1"}, "client_secret": {"MARKER-SECRET"},
				"scope": {"https://outlook.office365.com/.default"},
			}, asked[0])
			if !c.taken {
				require.Equal(t, c.class, provider.AsError(err).Class)
				return
			}
			require.NoError(t, err)
			require.Equal(t, "XOAUTH2", (<-b.mails).Login)
		})
	}
}
