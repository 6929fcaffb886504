package email

import (
	"bytes"
	"net/mail"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-message"
	gomessage "github.com/emersion/go-message/mail"
	"github.com/stretchr/testify/require"
	gomail "github.com/wneessen/go-mail"

	"github.com/carillon/carillon/internal/provider"
)

// The same mail, written here and by the libraries.
const (
	libraryFile  = "Überblick März.pdf"
	libraryTitle = "Größe ✓ Größe ✓ Größe ✓ Größe ✓ Größe ✓ Größe ✓ Größe ✓"
)

var libraryLong = strings.Repeat("v", 2000)

// longestLine is the length of the longest line, without its end, of those that contain part.
func longestLine(data []byte, part string) (longest int) {
	for line := range bytes.Lines(data) {
		if bytes.Contains(line, []byte(part)) {
			longest = max(longest, len(bytes.TrimRight(line, "\r\n")))
		}
	}
	return longest
}

// TestMailOfOurOwn does what TestMailOfLibraries shows that they cannot.
func TestMailOfOurOwn(t *testing.T) {
	t.Parallel()
	l := &letter{
		id: "1", from: "a@b.c", to: []string{"x@y.z"}, subject: libraryTitle, text: "t", html: "<img src=cid:logo>",
		headers: map[string]string{"X-Long": libraryLong},
		attachments: []provider.Attachment{
			{Name: "l.png", MIME: "image/png", CID: "logo", File: []byte{1}}, {Name: libraryFile, MIME: "application/pdf", File: []byte{1}},
		},
	}
	env, err := newEnvelope(l)
	require.NoError(t, err)
	data, _, err := (&smtpAdapter{now: time.Now}).render(l, env)
	require.NoError(t, err)
	parsed, err := mail.ReadMessage(bytes.NewReader(data))
	require.NoError(t, err)
	require.Equal(t, "multipart/mixed(multipart/alternative(text/plain multipart/related(text/html image/png)) application/pdf)",
		treeOf(t, parsed.Header.Get("Content-Type"), parsed.Body), "the image is beside the HTML that shows it")
	require.Contains(t, string(data), "Content-ID: <logo>\r\n")
	require.Contains(t, string(data), "filename*=utf-8''%C3%9Cberblick%20M%C3%A4rz.pdf", "RFC 2231")
	require.LessOrEqual(t, longestLine(data, ""), 998)
	require.LessOrEqual(t, longestLine(data, "=?UTF-8?q?"), 76)
	require.NotRegexp(t, `(?m)^[A-Za-z-]+:\s*\r$`, string(data), "each header begins beside its name")
}

// TestMailOfLibraries shows why mails are written here: it fails once a library can do what these mails need.
func TestMailOfLibraries(t *testing.T) {
	t.Parallel()
	t.Run("GoMail", func(t *testing.T) {
		t.Parallel()
		m := gomail.NewMsg()
		require.NoError(t, m.From("a@b.c"))
		require.NoError(t, m.To("x@y.z"))
		m.Subject(libraryTitle)
		m.SetGenHeader("X-Long", libraryLong)
		m.SetBodyString(gomail.TypeTextPlain, "t")
		m.AddAlternativeString(gomail.TypeTextHTML, "<img src=cid:logo>")
		require.NoError(t, m.EmbedReader("l.png", bytes.NewReader([]byte{1}), gomail.WithFileContentID("logo")))
		require.NoError(t, m.AttachReader(libraryFile, bytes.NewReader([]byte{1})))
		var data bytes.Buffer
		_, err := m.WriteTo(&data)
		require.NoError(t, err)
		text := data.String()
		parsed, err := mail.ReadMessage(strings.NewReader(text))
		require.NoError(t, err)
		require.Equal(t, "multipart/mixed(multipart/related(multipart/alternative(text/plain text/html) image/png) application/pdf)",
			treeOf(t, parsed.Header.Get("Content-Type"), parsed.Body), "the image is beside the plain text too")
		require.Contains(t, text, "Content-Id: logo\r\n", "a Content-ID without brackets")
		require.Contains(t, text, `filename="=?UTF-8?q?`, "encoded words in a parameter, where RFC 2047 §5 forbids them")
		require.Greater(t, longestLine([]byte(text), "vvv"), 998)
		require.Contains(t, text, "Subject:\r\n", "a header whose first line is empty")
	})
	t.Run("GoMessage", func(t *testing.T) {
		t.Parallel()
		var h gomessage.Header
		h.SetSubject(libraryTitle)
		h.SetText("X-Long", libraryLong)
		h.SetContentType("application/pdf", map[string]string{"name": libraryFile})
		var data bytes.Buffer
		w, err := message.CreateWriter(&data, h.Header)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		parsed, err := mail.ReadMessage(bytes.NewReader(data.Bytes()))
		require.NoError(t, err)
		require.Contains(t, data.String(), `name="=?utf-8?q?`, "encoded words in a parameter, where RFC 2047 §5 forbids them")
		require.Greater(t, longestLine(data.Bytes(), "=?utf-8?q?"), 76, "lines with encoded words are bounded by RFC 2047 §2")
		require.NotEqual(t, libraryLong, parsed.Header.Get("X-Long"), "a long value is folded where it has no space")
	})
}
