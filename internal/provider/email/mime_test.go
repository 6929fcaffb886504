package email

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/workflow"
)

// TestMailInOtherLetters: names of files by RFC 2231, everything else outside ASCII by RFC 2047, and no line longer than
// servers take.
func TestMailInOtherLetters(t *testing.T) {
	t.Parallel()
	b := serve(t, false, nil)
	m := providertest.Message(workflow.ChannelEmail)
	m.Content.Title = strings.Repeat("Größe ✓ ", 30)
	m.Content.Text = ""
	m.Email.SenderName = `Läden, "Inc" ✓`
	m.Email.Headers = map[string]string{
		"X-camelCase": "kept", "X-Greeting": strings.Repeat("Grüße ", 40), "List-Unsubscribe": "<https://notify.example/" + strings.Repeat("a", 200) + ">",
	}
	for range 40 {
		m.Email.To = append(m.Email.To, strings.Repeat("x", 40)+"@example.com")
	}
	names := []string{"Überblick März.pdf", `a "quoted"; name.txt`, "", "plain.txt"}
	m.Email.Attachments = nil
	for _, name := range names {
		m.Email.Attachments = append(m.Email.Attachments, provider.Attachment{Name: name, MIME: "text/plain; charset=utf-8", File: []byte("x")})
	}
	_, err := b.open(t).Send(t.Context(), m)
	require.NoError(t, err)
	data := (<-b.mails).Data
	for line := range bytes.Lines(data) {
		require.LessOrEqual(t, len(line), 998)
		require.Less(t, bytes.IndexFunc(line, func(r rune) bool { return r > 127 }), 0)
	}
	require.Contains(t, string(data), "X-camelCase: kept\r\n")
	parsed, err := mail.ReadMessage(bytes.NewReader(data))
	require.NoError(t, err)
	decoder := new(mime.WordDecoder)
	for name, want := range map[string]string{"Subject": m.Content.Title, "X-Greeting": m.Email.Headers["X-Greeting"]} {
		got, err := decoder.DecodeHeader(parsed.Header.Get(name))
		require.NoError(t, err)
		require.Equal(t, strings.TrimSpace(want), strings.TrimSpace(got))
	}
	require.Equal(t, m.Email.Headers["List-Unsubscribe"], parsed.Header.Get("List-Unsubscribe"))
	from, err := parsed.Header.AddressList("From")
	require.NoError(t, err)
	require.Equal(t, m.Email.SenderName, from[0].Name)
	to, err := parsed.Header.AddressList("To")
	require.NoError(t, err)
	require.Len(t, to, 41)

	_, params, err := mime.ParseMediaType(parsed.Header.Get("Content-Type"))
	require.NoError(t, err)
	parts := multipart.NewReader(parsed.Body, params["boundary"])
	var got []string
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		if how, params, err := mime.ParseMediaType(part.Header.Get("Content-Disposition")); err == nil {
			require.Equal(t, "attachment", how)
			got = append(got, params["filename"])
			_, kind, err := mime.ParseMediaType(part.Header.Get("Content-Type"))
			require.NoError(t, err)
			require.Equal(t, map[string]string{"charset": "utf-8", "name": params["filename"]}, kind)
		}
	}
	names[2] = "attachment"
	require.Equal(t, names, got)
}
