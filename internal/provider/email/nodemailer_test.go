package email

import (
	"context"
	"errors"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/smtp"
	"github.com/carillon/carillon/internal/smtp/smtpsink"
	"github.com/carillon/carillon/internal/workflow"
)

// TestSMTPFailures: what the client reports becomes a class and a text.
func TestSMTPFailures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want provider.Error
	}{
		{&smtp.Error{Code: 451, Enhanced: "4.7.0", Text: "later"}, provider.Error{Class: provider.Transient, Status: 451, Code: "4.7.0", Text: "later"}},
		{
			&smtp.Error{Code: 450, Text: "full", OfRecipient: true},
			provider.Error{Class: provider.Transient, Status: 450, Text: "full", OfTarget: true},
		},
		{&smtp.Error{Code: 550, Text: "no"}, provider.Error{Class: provider.Permanent, Status: 550, Text: "no"}},
		{&smtp.Error{Code: 535, Text: "no", Misconfigured: true}, provider.Error{Class: provider.Fault, Status: 535, Text: "no"}},
		{&smtp.Error{Text: "no STARTTLS", Misconfigured: true}, provider.Error{Class: provider.Fault, Text: "no STARTTLS"}},
		{&smtp.Error{Err: syscall.ECONNRESET}, provider.Error{Class: provider.Transient, Text: "connection reset"}},
		{&smtp.Error{Err: syscall.ECONNRESET, InDoubt: true}, provider.Error{Class: provider.Unknown, Text: "connection reset"}},
		{&smtp.Error{Err: context.DeadlineExceeded, InDoubt: true, Text: "interrupted"}, provider.Error{Class: provider.Unknown, Text: "interrupted"}},
	} {
		require.Equal(t, &c.want, smtpFailure(c.err))
	}
	other := errors.New("a token's own failure")
	require.Equal(t, other, smtpFailure(other))
}

// TestSMTPTimeLimit grows with the mail, and always holds the time for the last reply.
func TestSMTPTimeLimit(t *testing.T) {
	t.Parallel()
	a, err := newSMTP(provider.Deps{SMTP: smtp.Times{Connect: time.Second}}, provider.Credentials{"host": "h", "port": "25"})
	require.NoError(t, err)
	m := &provider.Message{Email: &provider.Email{}}
	small := a.TimeLimit(m)
	require.Equal(t, 25*time.Minute+time.Second, small)
	m.Email.Attachments = []provider.Attachment{{File: make([]byte, 1<<20)}}
	require.Equal(t, small+128*time.Second, a.TimeLimit(m))
}

// TestSMTPGreetsByName: the integration's, else the process's.
func TestSMTPGreetsByName(t *testing.T) {
	t.Parallel()
	registry, err := provider.NewRegistry(Providers()...)
	require.NoError(t, err)
	for _, c := range []struct{ own, process, want string }{
		{"mail.shop.example", "notify.example.com", "mail.shop.example"},
		{"", "notify.example.com", "notify.example.com"},
		{"", "", "[127.0.0.1]"},
	} {
		b := serve(t, false, func(own *bundle) { own.deps.Hello, own.creds["ehloName"] = c.process, c.own })
		_, err := b.open(t).Send(t.Context(), providertest.Message(workflow.ChannelEmail))
		require.NoError(t, err)
		require.Equal(t, c.want, (<-b.mails).Hello)
	}
	for _, wrong := range []string{"mail example", "a..b", "[x]", "-a", "[127.0.0.1", "x\r\nRSET"} {
		err := registry.ValidateCredentials("nodemailer", provider.Credentials{"host": "h", "port": "25", "from": "shop@example.com", "ehloName": wrong})
		require.Error(t, err, wrong)
		require.NotContains(t, err.Error(), wrong)
	}
	for _, right := range []string{"mail.example.com", "localhost", "[192.0.2.1]", "[IPv6:2001:db8::1]"} {
		require.NoError(t, registry.ValidateCredentials("nodemailer", provider.Credentials{"host": "h", "port": "25", "from": "shop@example.com", "ehloName": right}), right)
	}
}

// TestSMTPWarnsOfRefusedRecipients who get no copy of a mail that others get.
func TestSMTPWarnsOfRefusedRecipients(t *testing.T) {
	t.Parallel()
	b := serve(t, false, func(own *bundle) {
		own.sink.Recipient = func(address string) error {
			if strings.HasPrefix(address, "cc@") {
				return smtpsink.Refuse(550, [3]int{5, 1, 1}, "no")
			}
			return nil
		}
	})
	receipt, err := b.open(t).Send(t.Context(), providertest.Message(workflow.ChannelEmail))
	require.NoError(t, err)
	require.Equal(t, "cc@example.com refused: 550 no", receipt.Warning)
	require.Equal(t, []string{"ada@example.com", "bcc@example.com"}, (<-b.mails).To)
}

func TestSMTPSecurity(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		creds provider.Credentials
		want  smtp.Security
	}{
		{provider.Credentials{"port": "587"}, smtp.Opportunistic},
		{provider.Credentials{"port": "587", "secure": "true", "requireTls": true}, smtp.ImplicitTLS},
		{provider.Credentials{"port": "587", "requireTls": true, "ignoreTls": true}, smtp.RequireStartTLS},
		{provider.Credentials{"port": "25", "ignoreTls": true}, smtp.Unencrypted},
		{provider.Credentials{"port": 465}, smtp.ImplicitTLS},
		{provider.Credentials{"port": "465", "secure": nil, "requireTls": false}, smtp.ImplicitTLS},
		{provider.Credentials{"port": "465", "secure": false}, smtp.Opportunistic},
		{provider.Credentials{"port": "465", "requireTls": true}, smtp.RequireStartTLS},
		{provider.Credentials{"port": "465", "ignoreTls": true}, smtp.Unencrypted},
	} {
		require.Equal(t, c.want, security(c.creds), c.creds)
	}
}
