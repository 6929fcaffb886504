package email

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"net/mail"
	"regexp"
	"strings"
	"testing"

	"github.com/emersion/go-msgauth/dkim"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/workflow"
)

func TestDKIM(t *testing.T) {
	t.Parallel()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	der, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	text := string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	published := "v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(key.Public().(ed25519.PublicKey))
	b := serve(t, false, func(own *bundle) {
		own.creds["domain"], own.creds["accountSid"] = "example.com", "sel1"
		own.creds["secretKey"] = strings.ReplaceAll(text, "\n", `\n`)
	})
	m := providertest.Message(workflow.ChannelEmail)
	m.Email.Attachments = nil
	m.Email.Headers = map[string]string{"List-Unsubscribe": "<https://notify.example/u>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
	_, err = b.open(t).Send(t.Context(), m)
	require.NoError(t, err)
	got := <-b.mails
	verify := func(data []byte) error {
		found, err := dkim.VerifyWithOptions(bytes.NewReader(data), &dkim.VerifyOptions{LookupTXT: func(name string) ([]string, error) {
			require.Equal(t, "sel1._domainkey.example.com", name)
			return []string{published}, nil
		}})
		require.NoError(t, err)
		require.Len(t, found, 1)
		return found[0].Err
	}
	require.NoError(t, verify(got.Data))
	require.Error(t, verify(bytes.Replace(got.Data, []byte("notify.example"), []byte("attack.example"), 1)), "the link to unsubscribe is signed")
	header, body, _ := bytes.Cut(got.Data, []byte("\r\n\r\n"))
	parsed, err := mail.ReadMessage(bytes.NewReader(got.Data))
	require.NoError(t, err)
	signature := strings.Join(strings.Fields(parsed.Header.Get("Dkim-Signature")), "")
	require.Contains(t, signature, "d=example.com;")
	require.Contains(t, signature, "s=sel1;")
	require.True(t, bytes.HasPrefix(header, []byte("DKIM-Signature:")))
	hash := sha256.Sum256(relaxed(body))
	require.Contains(t, signature, "bh="+base64.StdEncoding.EncodeToString(hash[:]))

	b.creds["secretKey"] = ""
	_, err = b.open(t).Send(t.Context(), m)
	require.NoError(t, err)
	require.NotContains(t, string((<-b.mails).Data), "DKIM-Signature")
}

// relaxed is DKIM's relaxed form of a body (RFC 6376 §3.4.4).
func relaxed(body []byte) []byte {
	body = regexp.MustCompile(`[ \t]+\r\n`).ReplaceAll(body, []byte("\r\n"))
	body = regexp.MustCompile(`[ \t]+`).ReplaceAll(body, []byte(" "))
	return append(bytes.TrimRight(body, "\r\n"), "\r\n"...)
}
