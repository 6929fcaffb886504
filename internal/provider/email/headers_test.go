package email

import (
	"bytes"
	"io"
	"net/http"
	"net/mail"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/workflow"
)

func TestSMTPReplyToHeader(t *testing.T) {
	t.Parallel()
	b := serve(t, false, nil)
	a := b.open(t)
	for _, c := range []struct {
		name, own      string
		given, changed map[string]string
		want           string
	}{
		{"Header", "", map[string]string{"REPLY-TO": "Hilfe für alle <help@example.com>"}, nil, "=?utf-8?q?Hilfe_f=C3=BCr_alle?= <help@example.com>"},
		{"FieldWins", "desk@example.com", map[string]string{"Reply-To": "help@example.com"}, nil, "<desk@example.com>"},
		{"HeaderOfTheProvider", "desk@example.com", nil, map[string]string{"Reply-To": "help@example.com"}, "<help@example.com>"},
	} {
		m := providertest.Message(workflow.ChannelEmail)
		m.Email.ReplyTo, m.Email.Headers = c.own, c.given
		if c.changed != nil {
			m.Overrides = map[string]any{"headers": map[string]any{"Reply-To": c.changed["Reply-To"]}}
		}
		receipt, err := a.Send(t.Context(), m)
		require.NoError(t, err, c.name)
		require.Empty(t, receipt.Warning, c.name)
		parsed, err := mail.ReadMessage(bytes.NewReader((<-b.mails).Data))
		require.NoError(t, err, c.name)
		require.Equal(t, []string{c.want}, parsed.Header["Reply-To"], c.name)
	}
}

// TestSMTPNamesHeadersLeftOut: a mail has some headers once, and whoever gives another learns that it was not sent.
func TestSMTPNamesHeadersLeftOut(t *testing.T) {
	t.Parallel()
	b := serve(t, false, nil)
	m := providertest.Message(workflow.ChannelEmail)
	m.Email.Headers = map[string]string{"X-Order": "7", "subject": "other", "Message-ID": "<mine@example.com>", "From": "x@example.com"}
	receipt, err := b.open(t).Send(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, "sent without these headers, of which the mail has its own: From, Message-ID, subject", receipt.Warning)
	parsed, err := mail.ReadMessage(bytes.NewReader((<-b.mails).Data))
	require.NoError(t, err)
	for name, given := range map[string]string{"From": "x@example.com", "Subject": "other", "Message-Id": "<mine@example.com>"} {
		require.Len(t, parsed.Header[name], 1, name)
		require.NotContains(t, parsed.Header.Get(name), given, name)
	}
}

// TestHeadersOfGraph: whoever gives a header for which the vendor has no place learns that it was not sent.
func TestHeadersOfGraph(t *testing.T) {
	t.Parallel()
	a := answering(t, "outlook365", provider.Credentials{"from": "shop@example.com", "tenantId": "t", "clientId": "c", "secretKey": "s"}, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"access_token":"t","expires_in":3600}`)
	})
	m := providertest.Message(workflow.ChannelEmail)
	m.Email.Headers = map[string]string{"X-Order": "7", "List-Unsubscribe": "<https://notify.example/leave>"}
	receipt, err := a.Send(t.Context(), m)
	require.NoError(t, err)
	require.Empty(t, receipt.Warning)
	m.Email.Headers["In-Reply-To"] = "<earlier@example.com>"
	receipt, err = a.Send(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, "the vendor takes five headers at most, whose names begin with x-, left out: In-Reply-To", receipt.Warning)
}
