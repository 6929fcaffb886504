package email

import (
	"bytes"
	"errors"
	"html"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"regexp"
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

// TestImagesOfAnyName: no header may hold other letters or blanks, by which a Content-ID is made of the name of a file.
func TestImagesOfAnyName(t *testing.T) {
	t.Parallel()
	b := serve(t, false, nil)
	m := providertest.Message(workflow.ChannelEmail)
	m.Content.HTML = `<img src="cid:Unser Logo.png"><img src="cid:Unser%20Logo.png"><img src='cid:L&amp;M'><img src=cid:logo><img src="cid:Löwe"><img src="cid:Löwe 2">`
	m.Email.Attachments = nil
	for _, a := range []provider.Attachment{
		{Name: "Unser Logo.png", Disposition: "inline"}, {CID: "L&M"}, {CID: "<logo>"}, {CID: "Löwe"}, {CID: "Löwe 2"}, {Name: "Brief.txt"},
	} {
		a.File = []byte("x")
		m.Email.Attachments = append(m.Email.Attachments, a)
	}
	_, err := b.open(t).Send(t.Context(), m)
	require.NoError(t, err)
	data := (<-b.mails).Data
	text := strings.ReplaceAll(strings.ReplaceAll(string(data), "=\r\n", ""), "=3D", "=")
	var wanted []string
	for _, found := range regexp.MustCompile(`cid:([^"'>]+)`).FindAllStringSubmatch(text, -1) {
		wanted = append(wanted, html.UnescapeString(found[1]))
	}
	var got []string
	for _, found := range regexp.MustCompile(`(?m)^Content-ID: <(.*)>\r$`).FindAllStringSubmatch(text, -1) {
		require.Regexp(t, "^[!-~]+$", found[1])
		got = append(got, found[1])
	}
	require.Equal(t, "L&M", got[1], "as it was given where it can be")
	require.Equal(t, "logo", got[2])
	require.Equal(t, []string{got[0], got[0], got[1], got[2], got[3], got[4]}, wanted)
	require.Len(t, got, 5)
	require.Equal(t, "Unser Logo.png", m.Email.Attachments[0].Name)
	require.Empty(t, m.Email.Attachments[0].CID, "the message is not changed")
}

// TestLongFileName: no line of a mail may be longer than 998 bytes, and the name arrives all the same.
func TestLongFileName(t *testing.T) {
	t.Parallel()
	b := serve(t, false, nil)
	m := providertest.Message(workflow.ChannelEmail)
	name := strings.Repeat("Счёт-фактура ", 20) + "№1.pdf"
	m.Email.Attachments = []provider.Attachment{{Name: name, MIME: "application/pdf", File: []byte("x")}}
	_, err := b.open(t).Send(t.Context(), m)
	require.NoError(t, err)
	data := (<-b.mails).Data
	for line := range bytes.Lines(data) {
		require.LessOrEqual(t, len(line), 998)
	}
	found := regexp.MustCompile(`(?s)Content-Disposition: (.*?)\r\n[^ ]`).FindSubmatch(data)
	_, params, err := mime.ParseMediaType(strings.ReplaceAll(string(found[1]), "\r\n", ""))
	require.NoError(t, err)
	require.Equal(t, name, params["filename"])
}

// TestMailIsATree: the structure that readers expect, and headers that begin beside their names.
func TestMailIsATree(t *testing.T) {
	t.Parallel()
	b := serve(t, false, nil)
	image := provider.Attachment{Name: "l.png", MIME: "image/png", CID: "logo", File: bytes.Repeat([]byte{0xff}, 100)}
	letter := provider.Attachment{Name: "m.eml", MIME: "message/rfc822", File: []byte("Subject: x\n\ny")}
	for _, c := range []struct {
		text, html string
		files      []provider.Attachment
		want       string
	}{
		{"t", "", nil, "text/plain"},
		{"", "h", nil, "text/html"},
		{"t", "h", nil, "multipart/alternative(text/plain text/html)"},
		{"", "h", []provider.Attachment{image}, "multipart/related(text/html image/png)"},
		{"t", "h", []provider.Attachment{image}, "multipart/alternative(text/plain multipart/related(text/html image/png))"},
		{"t", "", []provider.Attachment{letter}, "multipart/mixed(text/plain application/octet-stream)"},
		{
			"t", "h",
			[]provider.Attachment{letter, image, image},
			"multipart/mixed(multipart/alternative(text/plain multipart/related(text/html image/png image/png)) application/octet-stream)",
		},
	} {
		m := providertest.Message(workflow.ChannelEmail)
		m.Content = provider.Content{Title: strings.Repeat("Größe ✓ ", 30) + "  =?UTF-8?q?as_written?=", Text: c.text, HTML: c.html}
		m.Email.Attachments = c.files
		m.Email.Headers = map[string]string{
			"X-Long": strings.Repeat("v", 2000), "X-Words": " two  words " + strings.Repeat("and more ", 40), "X-Plain": strings.Repeat("and  more ", 40) + ".",
			"List-Unsubscribe": "<https://notify.example/" + strings.Repeat("a", 200) + ">",
		}
		_, err := b.open(t).Send(t.Context(), m)
		require.NoError(t, err)
		data := (<-b.mails).Data
		for line := range bytes.Lines(data) {
			require.LessOrEqual(t, len(line), 998)
			require.NotRegexp(t, `^[A-Za-z-]+:\s*$`, string(line))
			if bytes.Contains(line, []byte("=?UTF-8?q?")) {
				require.LessOrEqual(t, len(bytes.TrimRight(line, "\r\n")), 76)
			}
		}
		parsed, err := mail.ReadMessage(bytes.NewReader(data))
		require.NoError(t, err)
		for name, want := range map[string]string{"Subject": m.Content.Title, "X-Long": "", "X-Words": "", "X-Plain": "", "List-Unsubscribe": ""} {
			if want == "" {
				want = m.Email.Headers[name]
			}
			got, err := new(mime.WordDecoder).DecodeHeader(parsed.Header.Get(name))
			require.NoError(t, err)
			require.Equal(t, want, got, name)
		}
		require.Equal(t, c.want, treeOf(t, parsed.Header.Get("Content-Type"), parsed.Body))
	}
}

func treeOf(t *testing.T, contentType string, body io.Reader) string {
	t.Helper()
	kind, params, err := mime.ParseMediaType(contentType)
	require.NoError(t, err)
	if !strings.HasPrefix(kind, "multipart/") {
		return kind
	}
	var inside []string
	for parts := multipart.NewReader(body, params["boundary"]); ; {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return kind + "(" + strings.Join(inside, " ") + ")"
		}
		require.NoError(t, err)
		inside = append(inside, treeOf(t, part.Header.Get("Content-Type"), part))
	}
}
