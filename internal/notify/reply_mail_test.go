package notify

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/secret"
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
