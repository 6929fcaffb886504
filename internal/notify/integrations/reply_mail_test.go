package integrations

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
)

// TestFilesOfAReplyKeepTheirNames: also those that a mail program shows between the lines.
func TestFilesOfAReplyKeepTheirNames(t *testing.T) {
	t.Parallel()
	m, err := readMail([]byte(strings.ReplaceAll(`From: ada@example.com
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

See below.
--b
Content-Type: image/png
Content-Disposition: inline; filename*=utf-8''foto%20%C3%BC.png
Content-ID: <pic@x>

x
--b
Content-Type: application/pdf
Content-Disposition: attachment; filename=bill.pdf

y
--b--
`, "\n", "\r\n")))
	require.NoError(t, err)
	require.Equal(t, "See below.", m.Text)
	require.Equal(t, []mailAttachment{
		{Name: "foto ü.png", MIME: "image/png", CID: "pic@x", Size: 1, File: "eA=="},
		{Name: "bill.pdf", MIME: "application/pdf", Size: 1, File: "eQ=="},
	}, m.Attachments)
}

// TestPartsOfAReplyAreBounded: parts within parts are read down to a depth. Each level reads what is below it again, so that a mail of
// 10 MiB with 100,000 levels would take hours.
func TestPartsOfAReplyAreBounded(t *testing.T) {
	t.Parallel()
	nested := func(levels int) []byte {
		var b strings.Builder
		b.WriteString("From: ada@example.com\r\n")
		for i := range levels {
			fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%[1]d\r\n\r\n--b%[1]d\r\nContent-Type: text/html\r\n\r\nlevel %[1]d\r\n--b%[1]d\r\n", i)
		}
		fmt.Fprintf(&b, "Content-Type: text/plain\r\n\r\nSee below.\r\n--b%d--\r\n", levels-1)
		return []byte(b.String())
	}
	m, err := readMail(nested(maxMailDepth))
	require.NoError(t, err)
	require.Equal(t, "level 0", m.HTML)
	require.Equal(t, "See below.", strings.TrimSpace(m.Text))
	m, err = readMail(nested(100_000))
	require.NoError(t, err)
	require.Equal(t, "level 0", m.HTML)
	require.Empty(t, m.Text)
	require.Len(t, m.Attachments, maxMailDepth-1, "a second text is a file")
	require.Equal(t, []mailAddress{{Address: "ada@example.com"}}, m.From)

	m, err = readMail([]byte("Content-Type: multipart/mixed; boundary=b\r\n\r\n" + strings.Repeat("--b\r\n\r\nx\r\n", 2*maxMailParts) + "--b--\r\n"))
	require.NoError(t, err)
	require.Len(t, m.Attachments, maxMailParts-1)
}

// TestCommentsOfAReplyAreBounded: a comment of 900 kB beside a message id took a core two minutes.
func TestCommentsOfAReplyAreBounded(t *testing.T) {
	t.Parallel()
	for length, id := range map[int]string{100: "a@example.com", maxMailIDs: ""} {
		beside := "(" + strings.Repeat("x", length) + ") <a@example.com>"
		m, err := readMail([]byte("From: ada@example.com\r\nMessage-ID: " + beside + "\r\nIn-Reply-To: " + beside + "\r\n\r\nYes."))
		require.NoError(t, err)
		require.Equal(t, []string{id, id, "Yes."}, []string{m.MessageID, m.InReplyTo, m.Text}, "%d", length)
	}
}

func TestReplyAddressWithDetail(t *testing.T) {
	t.Parallel()
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	r := &Replies{secrets: keeper, domain: "in.example.com"}
	messageID := id.New(time.Now())
	local, _, _ := strings.Cut(r.Address(messageID), "@")
	for _, address := range []string{local + "@in.example.com", local + "+tag@in.example.com", "<" + strings.ToUpper(local) + "+a-b@IN.example.com>"} {
		got, ok := r.Recipient(address)
		require.True(t, ok, address)
		require.Equal(t, messageID, got)
	}
	for _, address := range []string{local + "x@in.example.com", local + "@example.com", "+" + local + "@in.example.com", "x+" + local + "@in.example.com"} {
		_, ok := r.Recipient(address)
		require.False(t, ok, address)
	}
}

func TestReplyAddressesCannotBeForged(t *testing.T) {
	t.Parallel()
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	another, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	r, stranger := &Replies{secrets: keeper, domain: "in.example.com"}, &Replies{secrets: another, domain: "in.example.com"}
	messageID, otherID := id.New(time.Now()), id.New(time.Now())
	address := r.Address(messageID)
	got, ok := r.Recipient(address)
	require.True(t, ok)
	require.Equal(t, messageID, got)

	signature := keeper.Sign(replyAddressPurpose, messageID)
	wrong := []string{
		"", "@in.example.com", stranger.Address(messageID),
		"reply-" + messageID + "@in.example.com", "reply-" + messageID + "-@in.example.com", "reply-" + messageID + "-" + signature[:25] + "@in.example.com",
		"reply-" + otherID + "-" + signature + "@in.example.com",
		"reply-" + messageID + "-" + r.CallbackKey(messageID) + "@in.example.com",
		"reply-" + messageID + "-" + keeper.Sign(unsubscribePurpose, messageID) + "@in.example.com",
	}
	for at := range strings.Index(address, "@") { // every character, the lowest bit
		altered := []byte(address)
		altered[at] ^= 1
		wrong = append(wrong, string(altered))
	}
	for _, text := range wrong {
		_, ok := r.Recipient(text)
		require.False(t, ok, text)
	}
	_, ok = (&Replies{secrets: keeper}).Recipient(address)
	require.False(t, ok, "where no replies are received")
}

func TestReplySecretsAreOfOneEnvironment(t *testing.T) {
	t.Parallel()
	var keys []string
	for _, key := range []string{secret.Generate(), secret.Generate()} {
		keeper, err := secret.NewKeeper(key)
		require.NoError(t, err)
		for _, environment := range []string{id.New(time.Now()), id.New(time.Now())} {
			r := &Replies{secrets: keeper}
			shown, err := r.Secret(viewer.NewContext(t.Context(), viewer.Viewer{Scope: viewer.Scope{EnvironmentID: environment}, Role: viewer.RoleAdmin}))
			require.NoError(t, err)
			require.Equal(t, r.CallbackKey(environment), shown, "what is shown is what signs")
			require.NotEqual(t, keeper.Sign(replyAddressPurpose, environment), shown)
			require.NotContains(t, keys, shown)
			keys = append(keys, shown)
			for _, refused := range []viewer.Viewer{
				{Scope: viewer.Scope{EnvironmentID: environment}, Role: viewer.RoleViewer},
				{Scope: viewer.Scope{EnvironmentID: environment}, Role: viewer.RoleSubscriber, SubscriberID: "s"},
				{Scope: viewer.Scope{EnvironmentID: environment}, Role: viewer.RoleKey, APIKeyID: "k", Grants: viewer.ServerGrants},
			} {
				_, err = r.Secret(viewer.NewContext(t.Context(), refused))
				require.Equal(t, fault.Forbidden, fault.KindOf(err), refused.Role)
			}
		}
	}
}
