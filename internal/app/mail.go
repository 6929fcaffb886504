package app

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"time"

	"github.com/emersion/go-smtp"
	"golang.org/x/net/netutil"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/intake"
	"github.com/carillon/carillon/internal/notify/integrations"
)

// The SMTP server takes mails for the signed addresses of our own mails, and for no others: it relays nothing.
const (
	mailTime        = 2 * time.Minute // for a command, and for the content of a mail
	mailRecipients  = 20
	mailConnections = 50 // each may hold a mail in memory
	mailsOfAddress  = 12 // connections of one network address
	mailsTakenApart = 4  // at a time, which takes several times a mail's size
)

// receiveMail listens for replies when there is a domain for them. stop waits for mails under way.
func (a *App) receiveMail(ctx context.Context) (stop func(context.Context) error, err error) {
	if a.cfg.InboundDomain == "" {
		return func(context.Context) error { return nil }, nil
	}
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", a.cfg.InboundSMTPAddr)
	if err != nil {
		return nil, listenError(a.cfg.InboundSMTPAddr, "CARILLON_INBOUND_SMTP_ADDR", err, listening{"CARILLON_ADDR", a.cfg.Addr})
	}
	secure, err := a.mailTLS()
	if err != nil {
		return nil, errors.Join(err, ln.Close())
	}
	ln = netutil.LimitListener(limitAddresses(ln, mailsOfAddress), mailConnections)
	ctx = context.WithoutCancel(ctx)
	turns := make(chan struct{}, mailsTakenApart)
	server := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		from, _, _ := net.SplitHostPort(c.Conn().RemoteAddr().String())
		return &mailSession{ctx: ctx, from: from, replies: a.services.Replies, log: a.log, turns: turns, intake: a.intake}, nil
	}))
	server.Domain, server.TLSConfig = a.cfg.InboundDomain, secure
	server.MaxMessageBytes, server.MaxRecipients, server.MaxLineLength = integrations.MaxReply, mailRecipients, 4096
	server.ReadTimeout, server.WriteTimeout = mailTime, mailTime
	server.EnableSMTPUTF8 = true
	server.ErrorLog = slog.NewLogLogger(a.log.Handler(), slog.LevelDebug)
	a.log.InfoContext(ctx, "replies are received", "addr", ln.Addr().String(), "domain", a.cfg.InboundDomain, "starttls", secure != nil)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(ln) }()
	return func(ctx context.Context) error {
		err := server.Shutdown(ctx)
		if served := <-failed; served != nil && !errors.Is(served, smtp.ErrServerClosed) && !errors.Is(served, net.ErrClosed) {
			err = errors.Join(err, fmt.Errorf("receive replies: %w", served))
		}
		return err
	}, nil
}

// mailTLS offers STARTTLS when there is a certificate: other mail servers take it where they find it. The files are read
// for each connection, so that a renewed certificate needs no restart.
func (a *App) mailTLS() (*tls.Config, error) {
	if a.cfg.InboundTLSCert == "" {
		return nil, nil
	}
	load := func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		certificate, err := tls.LoadX509KeyPair(a.cfg.InboundTLSCert, a.cfg.InboundTLSKey)
		return &certificate, err
	}
	if _, err := load(nil); err != nil {
		return nil, fmt.Errorf("CARILLON_INBOUND_TLS_CERT: %w", err)
	}
	return &tls.Config{GetCertificate: load, MinVersion: tls.VersionTLS12}, nil
}

// mailSession is one connection of another mail server.
type mailSession struct {
	ctx      context.Context //nolint:containedctx // go-smtp hands none on
	from     string          // network address
	replies  *integrations.Replies
	log      *slog.Logger
	turns    chan struct{}
	intake   *intake.Meter
	messages []string // that the mail under way answers
}

// Mail begins a mail; anybody may reply.
func (s *mailSession) Mail(string, *smtp.MailOptions) error { return nil }

// Rcpt takes our signed addresses only.
func (s *mailSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	messageID, ok := s.replies.Recipient(to)
	if !ok {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such address here"}
	}
	if !slices.Contains(s.messages, messageID) {
		s.messages = append(s.messages, messageID)
	}
	return nil
}

// Data keeps the mail before it is acknowledged. When it cannot be kept now, its sender tries again.
func (s *mailSession) Data(r io.Reader) error {
	held := s.intake.Stranger(s.from)
	defer held.Close()
	raw, err := held.ReadMessage(r, integrations.MaxReply+1) // go-smtp refuses what is too large
	var reply *smtp.SMTPError
	switch {
	case errors.As(err, &reply): // of go-smtp itself
		return reply
	case fault.KindOf(err) == fault.Unavailable:
		return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 1}, Message: "too much is under way, try again later"}
	case err != nil:
		return err
	}
	s.turns <- struct{}{}
	defer func() { <-s.turns }()
	for _, messageID := range s.messages {
		var known *fault.Error
		switch err := s.replies.Receive(s.ctx, messageID, raw); {
		case err == nil:
		case errors.As(err, &known) && known.Kind == fault.NotFound:
			return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 6}, Message: "this address receives nothing any more"}
		case errors.As(err, &known) && known.Kind == fault.Invalid:
			return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 6, 0}, Message: "the mail cannot be read"}
		case errors.As(err, &known) && known.Kind == fault.RateLimited:
			return &smtp.SMTPError{Code: 450, EnhancedCode: smtp.EnhancedCode{4, 2, 1}, Message: "this address has received too many mails, try again later"}
		default:
			s.log.ErrorContext(s.ctx, "reply not kept", "message_id", messageID, "error", err.Error())
			return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: "try again later"}
		}
	}
	return nil
}

// Reset forgets the mail under way.
func (s *mailSession) Reset() { s.messages = nil }

// Logout ends the session.
func (s *mailSession) Logout() error { return nil }
