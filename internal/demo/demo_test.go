package demo

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"net"
	"net/http"
	"net/smtp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/smtp/smtpsink"
)

func TestReadMail(t *testing.T) {
	t.Parallel()
	const mail = "Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nMessage-Id: <1@example.com>\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n" +
		"--a\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n" +
		"--b\r\nContent-Type: text/html\r\n\r\n<p>no</p>\r\n" +
		"--b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nf=C3=BCr dich\r\n--b--\r\n--a--\r\n"
	got, err := readMail(smtpsink.Mail{From: "a@example.com", To: []string{"b@example.com"}, Data: []byte(mail)})
	require.NoError(t, err)
	require.Equal(t, &Mail{From: "a@example.com", To: []string{"b@example.com"}, Subject: "Grüße", MessageID: "<1@example.com>", Text: "für dich"}, got)

	got, err = readMail(smtpsink.Mail{Data: []byte("Subject: only HTML\r\nContent-Type: text/html\r\n\r\n<p>x</p>")})
	require.NoError(t, err)
	require.Empty(t, got.Text)
}

func TestServeSinkPrintsAddressAndMails(t *testing.T) {
	t.Parallel()
	ln, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var out bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- ServeSink(ctx, ln, &out, slog.New(slog.DiscardHandler)) }()
	require.NoError(t, smtp.SendMail(ln.Addr().String(), nil, "a@example.com", []string{"b@example.com"}, []byte("Subject: Hello\r\n\r\nText")))
	cancel()
	require.NoError(t, <-served)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Equal(t, ln.Addr().String(), lines[0])
	require.JSONEq(t, `{"from":"a@example.com","to":["b@example.com"],"subject":"Hello","messageId":"","text":"Text"}`, lines[1])
}

func TestHooksTellGenuineCalls(t *testing.T) {
	t.Parallel()
	hooks, err := StartHooks(t.Context(), "secret", "svc")
	require.NoError(t, err)
	t.Cleanup(hooks.Stop)
	const body = `{"content":"hello","target":["phone"]}`
	mac := hmac.New(sha256.New, []byte("secret"))
	mac.Write([]byte(body))
	post := func(channel, header, value string) int {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, hooks.URL(channel), strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set(header, value)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		return resp.StatusCode
	}
	require.Equal(t, http.StatusOK, post("push", "X-Svc-Signature", hex.EncodeToString(mac.Sum(nil))))
	require.Equal(t, http.StatusForbidden, post("chat", "X-Svc-Signature", strings.Repeat("0", 64)))
	require.Equal(t, http.StatusForbidden, post("sms", "X-Api-Key", "another"))

	calls := hooks.Calls()
	require.Len(t, calls, 3)
	require.True(t, calls[0].Genuine)
	require.Equal(t, "hello", calls[0].Text())
	require.Equal(t, "phone", calls[0].to())
	require.False(t, calls[1].Genuine)
	require.False(t, calls[2].Genuine)
}

func TestCompare(t *testing.T) {
	t.Parallel()
	a, b, c := delivery{"sms", "1", "a"}, delivery{"sms", "1", "b"}, delivery{"sms", "2", "c"}
	missing, surplus := compare([]delivery{a, a, b}, []delivery{b, c, a})
	require.Equal(t, []delivery{a}, missing)
	require.Equal(t, []delivery{c}, surplus)
	missing, surplus = compare([]delivery{a}, []delivery{a, a})
	require.Empty(t, missing)
	require.Equal(t, []delivery{a}, surplus)
}
