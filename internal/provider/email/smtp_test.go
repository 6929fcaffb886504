package email

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"io"
	"log/slog"
	"maps"
	"math/big"
	"mime"
	"mime/multipart"
	"net"
	"net/mail"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/smtp/smtpsink"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/workflow"
)

// bundle is one SMTP server on loopback and the credentials that reach it.
type bundle struct {
	sink        *smtpsink.Sink
	mails       chan smtpsink.Mail
	connections chan net.Conn
	creds       provider.Credentials
	deps        provider.Deps
	ca          string
}

// serve starts the server after change has given it its manners.
func serve(t *testing.T, implicitTLS bool, change func(*bundle)) *bundle {
	t.Helper()
	certificate, ca := selfSigned(t)
	b := &bundle{
		mails: make(chan smtpsink.Mail, 64), connections: make(chan net.Conn, 64), ca: ca,
		deps: provider.Deps{
			Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return providertest.Now },
			Timeout: stall.Limit(10 * time.Second),
		},
	}
	b.sink = &smtpsink.Sink{
		Deliver: func(m smtpsink.Mail) error { b.mails <- m; return nil },
		TLS:     &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12},
		User:    "ada", Password: "MARKER-PASSWORD",
	}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	b.deps.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err == nil {
			b.connections <- conn
		}
		return conn, err
	}
	b.creds = provider.Credentials{
		"host": "127.0.0.1", "port": strconv.Itoa(listener.Addr().(*net.TCPAddr).Port), "from": "shop@example.com",
		"senderName": "Ladenüberblick", "user": "ada", "password": "MARKER-PASSWORD",
		"tlsOptions": map[string]any{"ca": ca},
	}
	if change != nil {
		change(b)
	}
	if implicitTLS {
		b.creds["secure"] = true
		listener = tls.NewListener(listener, b.sink.TLS)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- b.sink.Serve(ctx, listener) }()
	t.Cleanup(func() { cancel(); require.NoError(t, <-done) })
	return b
}

func selfSigned(t *testing.T) (tls.Certificate, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, string(ca)
}

func (b *bundle) open(t *testing.T) provider.Adapter {
	t.Helper()
	registry, err := provider.NewRegistry(Providers()...)
	require.NoError(t, err)
	a, err := registry.Open(b.deps, "nodemailer", b.creds)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, a.(io.Closer).Close()) })
	return a
}

func TestSMTPRoundTrip(t *testing.T) {
	t.Parallel()
	for name, implicit := range map[string]bool{"StartTLS": false, "ImplicitTLS": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := serve(t, implicit, nil)
			b.creds["requireTls"] = !implicit
			m := providertest.Message(workflow.ChannelEmail)
			m.Content.Title = "Größe paßt – ✓ bestellt und längst unterwegs zu Ihnen nach Hause, bitte prüfen"
			m.Email.Headers["Bcc"] = "leak@example.com"
			adapter := b.open(t)
			receipt, err := adapter.Send(t.Context(), m)
			require.NoError(t, err)
			require.Regexp(t, `^<[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}@example\.com>$`, receipt.ID)
			require.Equal(t, receipt.ID, adapter.(provider.Namer).ReceiptID(m.ID), "known before the call")

			got := <-b.mails
			require.Equal(t, "shop@example.com", got.From)
			require.Equal(t, []string{"ada@example.com", "cc@example.com", "bcc@example.com"}, got.To)
			parsed, err := mail.ReadMessage(bytes.NewReader(got.Data))
			require.NoError(t, err)
			subject, err := new(mime.WordDecoder).DecodeHeader(parsed.Header.Get("Subject"))
			require.NoError(t, err)
			require.Equal(t, m.Content.Title, subject)
			require.Equal(t, receipt.ID, parsed.Header.Get("Message-Id"))
			require.Equal(t, "1042", parsed.Header.Get("X-Order"))
			require.Equal(t, "<cc@example.com>", parsed.Header.Get("Cc"))
			require.Equal(t, "<reply@example.com>", parsed.Header.Get("Reply-To"))
			require.Empty(t, parsed.Header.Get("Bcc"))
			from, err := parsed.Header.AddressList("From")
			require.NoError(t, err)
			require.Equal(t, "Ladenüberblick", from[0].Name)
			date, err := parsed.Header.Date()
			require.NoError(t, err)
			require.True(t, date.Equal(providertest.Now))

			parts := leaves(t, parsed.Header.Get("Content-Type"), parsed.Body)
			require.Len(t, parts, 4)
			require.Equal(t, "text/plain", parts[0].kind)
			require.Equal(t, m.Content.Text, parts[0].body)
			require.Equal(t, "text/html", parts[1].kind)
			require.Equal(t, m.Content.HTML, parts[1].body)
			require.Equal(t, "multipart/mixed multipart/alternative multipart/related", parts[1].inside)
			require.Equal(t, leaf{"image/png", "<logo>", "inline", "\x89PNG", "multipart/mixed multipart/alternative multipart/related"}, parts[2])
			require.Equal(t, leaf{"text/plain", "", "attachment", "total 12.5", "multipart/mixed"}, parts[3])
		})
	}
}

// leaf is one part of a mail and the multiparts around it.
type leaf struct{ kind, id, disposition, body, inside string }

func leaves(t *testing.T, contentType string, body io.Reader) []leaf {
	t.Helper()
	kind, params, err := mime.ParseMediaType(contentType)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(kind, "multipart/"), kind)
	var out []leaf
	r := multipart.NewReader(body, params["boundary"])
	for {
		p, err := r.NextPart() // decodes quoted-printable itself
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		if inner := p.Header.Get("Content-Type"); strings.HasPrefix(inner, "multipart/") {
			out = append(out, leaves(t, inner, p)...)
			continue
		}
		l := leaf{id: p.Header.Get("Content-Id")}
		l.kind, _, err = mime.ParseMediaType(p.Header.Get("Content-Type"))
		require.NoError(t, err)
		if d := p.Header.Get("Content-Disposition"); d != "" {
			l.disposition, _, err = mime.ParseMediaType(d)
			require.NoError(t, err)
		}
		var content io.Reader = p
		if p.Header.Get("Content-Transfer-Encoding") == "base64" {
			content = base64.NewDecoder(base64.StdEncoding, p)
		}
		data, err := io.ReadAll(content)
		require.NoError(t, err)
		l.body = strings.TrimSpace(string(data))
		out = append(out, l)
	}
	for i := range out {
		out[i].inside = strings.TrimSpace(kind + " " + out[i].inside)
	}
	return out
}

func TestSMTPUndisclosedRecipients(t *testing.T) {
	t.Parallel()
	b := serve(t, false, nil)
	m := providertest.Message(workflow.ChannelEmail)
	m.Email = &provider.Email{BCC: []string{"a@example.com", "b@bücher.example"}}
	m.Content.Text = ""
	_, err := b.open(t).Send(t.Context(), m)
	require.NoError(t, err)
	got := <-b.mails
	require.Equal(t, []string{"a@example.com", "b@xn--bcher-kva.example"}, got.To)
	parsed, err := mail.ReadMessage(bytes.NewReader(got.Data))
	require.NoError(t, err)
	require.Equal(t, "undisclosed-recipients:;", parsed.Header.Get("To"))
	require.True(t, strings.HasPrefix(parsed.Header.Get("Content-Type"), "text/html"))
}

func TestSMTPOverridesMeetTheInput(t *testing.T) {
	t.Parallel()
	b := serve(t, false, nil)
	m := providertest.Message(workflow.ChannelEmail)
	m.Overrides = map[string]any{"cc": []any{"other@example.com"}, "headers": map[string]any{"X-Order": "7"}}
	m.Merge = map[string]any{"subject": "Merged", "_passthrough": map[string]any{"headers": map[string]any{"X-Pass": "1"}}}
	_, err := b.open(t).Send(t.Context(), m)
	require.NoError(t, err)
	got := <-b.mails
	require.Equal(t, []string{"ada@example.com", "other@example.com", "bcc@example.com"}, got.To)
	require.Contains(t, string(got.Data), "Subject: Merged\r\n")
	require.Contains(t, string(got.Data), "X-Order: 7\r\n")
	require.Contains(t, string(got.Data), "X-Pass: 1\r\n")
}

func TestSMTPReusesTheConnection(t *testing.T) {
	t.Parallel()
	b := serve(t, false, nil)
	a := b.open(t)
	m := providertest.Message(workflow.ChannelEmail)
	for range 5 {
		_, err := a.Send(t.Context(), m)
		require.NoError(t, err)
	}
	require.Len(t, b.connections, 1)
	require.Len(t, b.mails, 5)

	require.NoError(t, (<-b.connections).Close()) // the kept connection dies; the next mail must not notice
	_, err := a.Send(t.Context(), m)
	require.NoError(t, err)
	require.Len(t, b.connections, 1)
	require.Len(t, b.mails, 6)
}

func TestSMTPLogin(t *testing.T) {
	t.Parallel()
	t.Run("LoginMechanism", func(t *testing.T) {
		t.Parallel()
		b := serve(t, false, func(b *bundle) { b.sink.Mechanisms = []string{"LOGIN"} })
		_, err := b.open(t).Send(t.Context(), providertest.Message(workflow.ChannelEmail))
		require.NoError(t, err)
	})
	t.Run("WrongPassword", func(t *testing.T) {
		t.Parallel()
		b := serve(t, false, func(b *bundle) { b.creds["password"] = "MARKER-WRONG" })
		failure := b.fails(t, providertest.Message(workflow.ChannelEmail))
		require.Equal(t, provider.Fault, failure.Class)
		require.Equal(t, 535, failure.Status)
	})
	t.Run("NoLogin", func(t *testing.T) {
		t.Parallel()
		b := serve(t, false, func(b *bundle) { delete(b.creds, "user") })
		failure := b.fails(t, providertest.Message(workflow.ChannelEmail))
		require.Equal(t, provider.Fault, failure.Class)
		require.Equal(t, 530, failure.Status)
	})
	t.Run("WithoutTLSOnlyWhenSwitchedOff", func(t *testing.T) {
		t.Parallel()
		b := serve(t, false, func(b *bundle) {
			b.sink.TLS, b.sink.InsecureLogin = nil, true
			b.creds["host"] = "sink.example" // loopback names are exempt
			dial := b.deps.Dial
			b.deps.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
				return dial(ctx, network, strings.Replace(address, "sink.example", "127.0.0.1", 1))
			}
		})
		failure := b.fails(t, providertest.Message(workflow.ChannelEmail))
		require.Equal(t, provider.Fault, failure.Class)
		b.creds["ignoreTls"] = "true"
		_, err := b.open(t).Send(t.Context(), providertest.Message(workflow.ChannelEmail))
		require.NoError(t, err)
	})
}

func TestSMTPTrust(t *testing.T) {
	t.Parallel()
	t.Run("UnknownAuthority", func(t *testing.T) {
		t.Parallel()
		for _, implicit := range []bool{false, true} {
			b := serve(t, implicit, func(b *bundle) { delete(b.creds, "tlsOptions") })
			failure := b.fails(t, providertest.Message(workflow.ChannelEmail))
			require.Equal(t, provider.Fault, failure.Class)
			require.Equal(t, "the certificate is not trusted", failure.Text)
		}
	})
	t.Run("RejectUnauthorizedOff", func(t *testing.T) {
		t.Parallel()
		b := serve(t, true, func(b *bundle) { b.creds["tlsOptions"] = `{"rejectUnauthorized":false,"minVersion":"TLSv1.3"}` })
		_, err := b.open(t).Send(t.Context(), providertest.Message(workflow.ChannelEmail))
		require.NoError(t, err)
	})
	t.Run("RequireTLS", func(t *testing.T) {
		t.Parallel()
		b := serve(t, false, func(b *bundle) { b.sink.TLS = nil; b.creds["requireTls"] = true })
		require.Equal(t, provider.Fault, b.fails(t, providertest.Message(workflow.ChannelEmail)).Class)
	})
}

func TestSMTPUTF8(t *testing.T) {
	t.Parallel()
	m := providertest.Message(workflow.ChannelEmail)
	m.Email.To = []string{"übung@example.com"}
	b := serve(t, false, nil)
	require.Equal(t, provider.Permanent, b.fails(t, m).Class)
	b = serve(t, false, func(own *bundle) { own.sink.UTF8 = true })
	_, err := b.open(t).Send(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, "übung@example.com", (<-b.mails).To[0])
}

// TestSMTPQuotedAddresses: what is before the @ may be quoted, and is given to the server so.
func TestSMTPQuotedAddresses(t *testing.T) {
	t.Parallel()
	b := serve(t, false, nil)
	m := providertest.Message(workflow.ChannelEmail)
	m.Email.From = `Shop <"the shop"@example.com>`
	m.Email.To, m.Email.CC, m.Email.BCC = []string{`"ada> lovelace"@example.com`}, []string{`"plain"@example.com`}, []string{"plain@example.com"}
	_, err := b.open(t).Send(t.Context(), m)
	require.NoError(t, err)
	got := <-b.mails
	require.Equal(t, "the shop@example.com", got.From, "as the server reads it")
	require.Equal(t, []string{"ada> lovelace@example.com", "plain@example.com"}, got.To)
	parsed, err := mail.ReadMessage(bytes.NewReader(got.Data))
	require.NoError(t, err)
	require.Equal(t, `"Shop" <"the shop"@example.com>`, parsed.Header.Get("From"))
	require.Equal(t, `"Shop" <"the shop"@example.com>`, named("Shop", `"the shop"@example.com`))
}

func TestSMTPBadAddress(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "nobody", "a@b@c", "a b@example.com"} {
		m := providertest.Message(workflow.ChannelEmail)
		m.Email.To = []string{bad}
		b := serve(t, false, nil)
		require.Equal(t, provider.Permanent, b.fails(t, m).Class, bad)
	}
}

func TestNodemailerNamesTheWrongField(t *testing.T) {
	t.Parallel()
	registry, err := provider.NewRegistry(Providers()...)
	require.NoError(t, err)
	good := provider.Credentials{"host": "h", "port": 587, "from": "a@example.com"}
	for path, bad := range map[string]provider.Credentials{
		"credentials.port":       {"port": "x"},
		"credentials.host":       {"host": " "},
		"credentials.secure":     {"secure": "maybe"},
		"credentials.tlsOptions": {"tlsOptions": map[string]any{"minVersion": "TLSv9"}},
		"credentials.secretKey":  {"domain": "d", "accountSid": "s", "secretKey": "no key"},
	} {
		c := provider.Credentials{}
		maps.Copy(c, good)
		maps.Copy(c, bad)
		_, err := registry.Open(provider.Deps{}, "nodemailer", c)
		require.ErrorContains(t, err, path)
	}
}

func TestDemoSMTPRelay(t *testing.T) {
	t.Parallel()
	b := serve(t, false, func(own *bundle) { own.sink.TLS, own.sink.InsecureLogin = nil, true })
	b.deps.Demo.Email = provider.DemoEmail{
		SMTPURL: "smtp://ada:MARKER-PASSWORD@127.0.0.1:" + b.creds.String("port"), From: "demo@carillon.example",
	}
	registry, err := provider.NewRegistry(Providers()...)
	require.NoError(t, err)
	a, err := registry.Open(b.deps, "svc-email", nil)
	require.NoError(t, err)
	m := providertest.Message(workflow.ChannelEmail)
	m.Email.From = "foreign@example.com"
	_, err = a.Send(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, "demo@carillon.example", (<-b.mails).From)
}

// TestMessageIDsAreInOrder: the Message-IDs of mails ascend with the ids of their messages, and stay what they are.
func TestMessageIDsAreInOrder(t *testing.T) {
	t.Parallel()
	var made []string
	for i := range 100 {
		made = append(made, messageID(id.New(time.Unix(int64(1_800_000_000+i), 0)), "shop@example.com"))
	}
	require.True(t, slices.IsSorted(made), made)
	require.Equal(t, "<65f1a0b1-c2d3-849c-b4bd-dc9c8ebf1864@example.com>", messageID("65f1a0b1c2d3e4f5a6b7c8d9", "a@example.com"), "a mail that is repeated after an upgrade has the same")
	require.NotEqual(t, messageID("65f1a0b1c2d3e4f5a6b7c8d9", "a@example.com"), messageID("65f1a0b1c2d3e4f5a6b7c8da", "a@example.com"))
	require.Len(t, messageID("other", "shop@example.com"), len(made[0]))
}
