package main_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/smtp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/client"
)

// posted is one call of a reply callback.
type posted struct {
	signature, key string
	body           []byte
}

// TestRepliesReachTheirCallback answers a mail over SMTP, as the mail server of its reader does.
func TestRepliesReachTheirCallback(t *testing.T) {
	t.Parallel()
	calls := make(chan posted, 10)
	var down atomic.Bool
	down.Store(true)
	callback := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		calls <- posted{signature: r.Header.Get("X-Svc-Signature"), key: r.Header.Get("Idempotency-Key"), body: body}
		if down.Swap(false) {
			w.WriteHeader(http.StatusBadGateway)
		}
	}))
	t.Cleanup(callback.Close)
	proxy := newInterceptor(t, vendorAnswer)
	smtpAddr, key := freeAddr(t), newKey()
	cert, certKey := proxy.files(t)
	p := serveMigrated(t, key,
		"HTTPS_PROXY="+proxy.URL, "NO_PROXY=127.0.0.1", "SSL_CERT_FILE="+proxy.CertFile,
		"CARILLON_EGRESS_ALLOW=127.0.0.1", "CARILLON_INBOUND_DOMAIN=reply.example", "CARILLON_INBOUND_SMTP_ADDR="+smtpAddr,
		"CARILLON_INBOUND_TLS_CERT="+cert, "CARILLON_INBOUND_TLS_KEY="+certKey)
	server := mailServer{addr: smtpAddr, roots: x509.NewCertPool()}
	server.roots.AddCert(proxy.authority.Leaf)
	v := &vendors{client: &client.Client{URL: p.URL(), Key: key}, proxy: proxy}
	graphQL(t, v.client, saveWorkflow, replyWorkflow(callback.URL+"/replies?token=1"), nil)
	graphQL(t, v.client, `mutation { createIntegration(input: {providerId: "sendgrid", primary: true, credentials: {apiKey: "k", from: "a@b.example"}}) { integration { id } } }`, nil, nil)
	graphQL(t, v.client, `mutation { createSubscriber(input: {subscriberId: "ada", email: "ada@b.example"}) { subscriber { id } } }`, nil, nil)
	sent := v.mailOf(t, "ask")
	address := sent.ReplyTo.Email
	require.Regexp(t, `^reply-[0-9a-f]{24}-[a-z2-7]{26}@reply\.example$`, address)

	mail := strings.ReplaceAll(`From: Ada <ada@b.example>
To: <`+address+`>
Subject: =?utf-8?q?Re=3A_caf=C3=A9?=
Message-ID: <1@b.example>
Auto-Submitted: no
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

Yes, caf=E9.
--x
Content-Type: text/plain
Content-Disposition: attachment; filename=a.txt
Content-Transfer-Encoding: base64

aGVsbG8=
--x--
`, "\n", "\r\n")
	for _, stranger := range []string{
		"ada@b.example", "reply@reply.example", strings.Replace(address, "@", "x@", 1), strings.Replace(address, "reply.example", "b.example", 1),
		strings.Replace(address, "-", "-0", 1),
	} {
		require.ErrorContains(t, server.deliver(stranger, mail), "550", stranger)
	}
	for range 2 { // mail servers repeat themselves
		require.NoError(t, server.deliver(strings.ToUpper(address), mail))
	}
	var out struct{ ReplySecret string }
	graphQL(t, v.client, `{ replySecret }`, nil, &out)
	first, second := <-calls, <-calls
	require.Equal(t, first, second, "tried again, under the same key")
	require.Equal(t, hexOf(out.ReplySecret, string(first.body)), first.signature)
	require.NotEmpty(t, first.key)
	require.JSONEq(t, `{"from":[{"name":"Ada","address":"ada@b.example"}],"to":[{"name":"","address":"`+address+`"}],"cc":[],"subject":"Re: café",
		"text":"Yes, café.","html":"","messageId":"1@b.example","inReplyTo":"","autoSubmitted":"no","date":null,
		"attachments":[{"name":"a.txt","mime":"text/plain","cid":"","size":5,"file":"aGVsbG8="}]}`, member(t, first.body, "mail"))
	require.JSONEq(t, `"ada"`, member(t, first.body, "subscriberId"))
	until(t, patience, "the reply is delivered", func(ctx context.Context) (bool, error) {
		var out struct {
			Replies struct{ Nodes []struct{ Status string } }
		}
		err := v.client.GraphQL(ctx, `{ replies(first: 5) { nodes { status } } }`, nil, &out)
		require.Len(t, out.Replies.Nodes, 1)
		return out.Replies.Nodes[0].Status == "DELIVERED", err
	})
	require.Empty(t, calls, "a repeated mail is the same reply")

	c, err := server.greet(false)
	require.NoError(t, err, "who cannot encrypt is heard as well")
	defer func() { _ = c.Close() }()
	require.NoError(t, c.Hello("b.example"))
	said, err := c.Text.Cmd("MAIL FROM:<ada@b.example> SIZE=99000000")
	require.NoError(t, err)
	c.Text.StartResponse(said)
	_, _, err = c.Text.ReadResponse(250)
	c.Text.EndResponse(said)
	require.ErrorContains(t, err, "552", "too large")
	require.NoError(t, c.Mail("ada@b.example"))
	for range 20 {
		require.NoError(t, c.Rcpt(address))
	}
	require.ErrorContains(t, c.Rcpt(address), "452", "too many recipients")
}

// mailServer is where replies are delivered.
type mailServer struct {
	addr  string
	roots *x509.CertPool
}

func (s mailServer) greet(secure bool) (*smtp.Client, error) {
	c, err := smtp.Dial(s.addr)
	if err != nil || !secure {
		return c, err
	}
	return c, c.StartTLS(&tls.Config{ServerName: "127.0.0.1", RootCAs: s.roots, MinVersion: tls.VersionTLS12})
}

// deliver hands over one mail under encryption.
func (s mailServer) deliver(to, mail string) error {
	c, err := s.greet(true)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }()
	if err := errors.Join(c.Mail("ada@b.example"), c.Rcpt(to)); err != nil {
		return err
	}
	w, err := c.Data()
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, mail); err != nil {
		return err
	}
	return w.Close()
}

// TestReplyCallbackNeedsADomain is refused by the field's name.
func TestReplyCallbackNeedsADomain(t *testing.T) {
	t.Parallel()
	key := newKey()
	p := serveMigrated(t, key)
	err := (&client.Client{URL: p.URL(), Key: key}).GraphQL(t.Context(), saveWorkflow, replyWorkflow("https://a.example"), nil)
	require.ErrorContains(t, err, "replyCallback.active")
}

const saveWorkflow = `mutation($input: CreateWorkflowInput!) { createWorkflow(input: $input) { workflow { id } } }`

func replyWorkflow(callback string) object {
	return object{"input": object{"identifier": "ask", "name": "Ask", "definition": object{"steps": []object{{
		"stepId": "mail", "type": "EMAIL", "email": object{"subject": "How was it?", "html": "<p>Tell us</p>"},
		"replyCallback": object{"active": true, "url": callback},
	}}}}}
}

// freeAddr is an address of the loopback interface that is free now.
func freeAddr(t *testing.T) string {
	t.Helper()
	addr, err := child.FreeAddr(t.Context())
	require.NoError(t, err)
	return addr
}
