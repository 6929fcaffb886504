package app

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/ent/user"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/email"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/smtp/smtpsink"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/viewer"
)

// postOffice is the use cases of people, wired to an SMTP server as the process wires them.
type postOffice struct {
	*notify.Services
	db    *postgres.DB
	admin context.Context //nolint:containedctx // of one test
	scope viewer.Scope
	mails chan smtpsink.Mail
}

func newPostOffice(t *testing.T, change func(cfg *config.Config)) *postOffice {
	t.Helper()
	o := &postOffice{db: pgtest.New(t), mails: make(chan smtpsink.Mail, 10)}
	ln, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	sink, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	served := make(chan error, 1)
	go func() { served <- smtpsink.Serve(sink, ln, func(m smtpsink.Mail) { o.mails <- m }) }()
	t.Cleanup(func() { stop(); require.NoError(t, <-served) })

	cfg := &config.Config{
		HTTP:     config.HTTP{PublicURL: "https://notify.example.org", ValuePrefix: "svc"},
		SignIn:   config.SignIn{SMTPURL: "smtp://" + ln.Addr().String(), SMTPFrom: "carillon@example.org"},
		Delivery: config.Delivery{SMTPName: "notify.example.org"},
	}
	change(cfg)
	silent := slog.New(slog.DiscardHandler)
	registry, err := provider.NewRegistry(email.Providers()...)
	require.NoError(t, err)
	client, err := newEgress(cfg, silent)
	require.NoError(t, err)
	t.Cleanup(client.CloseIdleConnections)
	send, err := letterSender(cfg, registry, providerDeps(cfg, client, integrations.NewCatcher(o.db, time.Now), nil, "test", silent))
	require.NoError(t, err)
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	o.Services = notify.New(usecase.Config{DB: o.db, Now: time.Now, Secrets: keeper, Logger: silent, PublicURL: cfg.PublicURL, Mail: send})

	system := viewer.SystemContext(t.Context())
	org := o.db.Ent.Organization.Create().SetName("Acme\nBcc: eve@example.org").SaveX(system)
	env := o.db.Ent.Environment.Create().SetOrganizationID(org.ID).SetIdentifier("development").SetName("Development").SaveX(system)
	o.scope = viewer.Scope{OrganizationID: org.ID, EnvironmentID: env.ID}
	o.admin = o.join(t, "ada@example.org", member.RoleAdmin)
	return o
}

func (o *postOffice) join(t *testing.T, address string, role member.Role) context.Context {
	t.Helper()
	system := viewer.SystemContext(t.Context())
	person := o.db.Ent.User.Create().SetEmail(address).SetPasswordHash("-").SaveX(system)
	o.db.Ent.Member.Create().SetOrganizationID(o.scope.OrganizationID).SetUserID(person.ID).SetRole(role).ExecX(system)
	session := o.db.Ent.Session.Create().SetEnvironmentID(o.scope.EnvironmentID).SetUserID(person.ID).
		SetHash(auth.HashKey(id.New(time.Now()))).SetExpiresAt(time.Now().Add(time.Hour)).SaveX(system)
	return viewer.NewContext(t.Context(), viewer.Viewer{Scope: o.scope, Role: viewer.Role(role), UserID: person.ID, SessionID: session.ID, Name: address})
}

// letter returns the next mail that the server took, as a mail program reads it.
func (o *postOffice) letter(t *testing.T) (envelope smtpsink.Mail, header mail.Header, text string) {
	t.Helper()
	select {
	case envelope = <-o.mails:
	case <-time.After(stall.Limit(time.Minute)):
		require.Fail(t, "no mail came")
	}
	read, err := mail.ReadMessage(bytes.NewReader(envelope.Data))
	require.NoError(t, err)
	raw, err := io.ReadAll(decoded(read))
	require.NoError(t, err)
	return envelope, read.Header, strings.ReplaceAll(string(raw), "\r\n", "\n")
}

var linkToken = regexp.MustCompile(`(?m)^https://notify\.example\.org/dashboard/(invitation|new-password)#(\S+)$`)

// TestLettersOverSMTP sends the letters of an invitation and of a new password to a real SMTP server, and follows the links
// that came.
func TestLettersOverSMTP(t *testing.T) {
	t.Parallel()
	o := newPostOffice(t, func(*config.Config) {})
	const password = "a long enough one"

	made, err := o.Invitations.Create(o.admin, access.CreateInvitationInput{Email: "rita@example.org", Role: member.RoleEditor})
	require.NoError(t, err)
	require.True(t, made.Mailed)
	envelope, header, text := o.letter(t)
	require.Equal(t, "carillon@example.org", envelope.From)
	require.Equal(t, []string{"rita@example.org"}, envelope.To)
	subject, err := new(mime.WordDecoder).DecodeHeader(header.Get("Subject"))
	require.NoError(t, err)
	require.Equal(t, "You are invited to Acme Bcc: eve@example.org", subject)
	require.Empty(t, header.Get("Bcc"), "a name adds no header")
	from, err := mail.ParseAddress(header.Get("From"))
	require.NoError(t, err)
	require.Equal(t, mail.Address{Name: "Carillon", Address: "carillon@example.org"}, *from)
	require.NotEmpty(t, header.Get("Message-Id"))
	_, err = header.Date()
	require.NoError(t, err)
	const said = "ada@example.org invites you to work on Acme Bcc: eve@example.org in Carillon, as editor.\n\nAccept the invitation"
	require.True(t, strings.HasPrefix(text, said), "a name adds no paragraph: %s", text)
	link := linkToken.FindStringSubmatch(text)
	require.NotNil(t, link, text)
	require.Equal(t, "invitation", link[1])
	require.NotEqual(t, made.Token, link[2], "the address's owner has a token of their own")
	accept := func() error {
		_, err := o.Invitations.Accept(t.Context(), access.AcceptInvitationInput{Token: link[2], Password: new(password)})
		return err
	}
	require.NoError(t, accept())
	require.Equal(t, fault.NotFound, fault.KindOf(accept()), "once")

	asked, err := o.Sessions.RequestReset(t.Context(), "Rita@example.org")
	require.NoError(t, err)
	require.True(t, asked)
	envelope, header, text = o.letter(t)
	require.Equal(t, []string{"rita@example.org"}, envelope.To)
	require.Equal(t, "Set a new password", header.Get("Subject"))
	link = linkToken.FindStringSubmatch(text)
	require.NotNil(t, link, text)
	require.Equal(t, "new-password", link[1])
	reset := func() error {
		_, err := o.Sessions.Reset(t.Context(), access.ResetPasswordInput{Token: link[2], Password: "another long one"})
		return err
	}
	require.NoError(t, reset())
	require.Equal(t, fault.NotFound, fault.KindOf(reset()), "once")
	_, err = o.Sessions.LogIn(t.Context(), access.LogInInput{Email: "rita@example.org", Password: password})
	require.Equal(t, fault.Unauthenticated, fault.KindOf(err))
	_, err = o.Sessions.LogIn(t.Context(), access.LogInInput{Email: "rita@example.org", Password: "another long one"})
	require.NoError(t, err)

	asked, err = o.Sessions.RequestReset(t.Context(), "nobody@example.org")
	require.NoError(t, err)
	require.True(t, asked)
	o.Close(t.Context())
	require.Empty(t, o.mails, "an address of no person gets no mail")
}

// TestNoLettersWithoutASender: without a relay, or without a public URL that links could lead to, nothing is sent and answers
// say so.
func TestNoLettersWithoutASender(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(cfg *config.Config){
		"NoRelay":     func(cfg *config.Config) { cfg.SMTPURL, cfg.SMTPFrom = "", "" },
		"NoPublicURL": func(cfg *config.Config) { cfg.PublicURL = "" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newPostOffice(t, change)
			made, err := o.Invitations.Create(o.admin, access.CreateInvitationInput{Email: "rita@example.org", Role: member.RoleEditor})
			require.NoError(t, err)
			require.False(t, made.Mailed)
			require.True(t, strings.HasSuffix(made.URL, "/dashboard/invitation#"+made.Token), "the inviter passes the link on")
			o.join(t, "bob@example.org", member.RoleEditor)
			bob := o.db.Ent.User.Query().Where(user.Email("bob@example.org")).OnlyX(viewer.SystemContext(t.Context()))
			shown, err := o.Sessions.CreateReset(o.admin, bob.ID)
			require.NoError(t, err)
			require.False(t, shown.Mailed)
			require.False(t, o.Sessions.CanMail())
			_, err = o.Sessions.RequestReset(t.Context(), "ada@example.org")
			require.Equal(t, fault.BadRequest, fault.KindOf(err))
			require.ErrorContains(t, err, "sends no mails")
			o.Close(t.Context())
			require.Empty(t, o.mails)
		})
	}
}

// decoded is a mail's text without its transfer encoding.
func decoded(m *mail.Message) io.Reader {
	if strings.EqualFold(m.Header.Get("Content-Transfer-Encoding"), "quoted-printable") {
		return quotedprintable.NewReader(m.Body)
	}
	return m.Body
}
