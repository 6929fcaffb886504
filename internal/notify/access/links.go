package access

import (
	"context"
	"crypto/rand"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
)

// linkTTL is how long an invitation or a link that sets a new password counts.
const linkTTL = 24 * time.Hour

// The links of the dashboard's pages. The token follows #, which browsers keep to themselves: it is in no log.
const (
	invitationPrefix = "cri_"
	invitationPath   = "/dashboard/invitation#"
	resetPrefix      = "crp_"
	resetPath        = "/dashboard/new-password#"
)

func newLinkToken(prefix string) string { return prefix + rand.Text() + rand.Text() }

// letters sends mails behind the back of requests: their answers neither wait for a mail server nor reveal, by the time they
// take, whether there was anybody to write to.
type letters struct {
	send      func(context.Context, usecase.Mail) error // nil: no sender is configured
	logger    *slog.Logger
	publicURL string

	slots   chan struct{}
	working sync.WaitGroup
}

const (
	lettersAtOnce = 64
	letterTime    = time.Minute
)

func newLetters(cfg usecase.Config) *letters {
	l := &letters{send: cfg.Mail, logger: cfg.Logger, publicURL: strings.TrimSuffix(cfg.PublicURL, "/"), slots: make(chan struct{}, lettersAtOnce)}
	if l.logger == nil {
		l.logger = slog.New(slog.DiscardHandler)
	}
	return l
}

// able reports whether people can be written to: it takes a sender, and an address that links lead to.
func (l *letters) able() bool { return l.send != nil && l.publicURL != "" }

// link is the address of a page with a token; without a public URL it begins at the server's root.
func (l *letters) link(path, token string) string { return l.publicURL + path + token }

// later runs work that no request waits for. Too much of it at once is refused.
func (l *letters) later(ctx context.Context, work func(context.Context) error) error {
	select {
	case l.slots <- struct{}{}:
	default:
		return &fault.Error{
			Kind: fault.Unavailable, Message: "Too many mails are on their way. Try again in a minute.",
			Details: map[string]any{fault.RetryAfter: 60},
		}
	}
	ctx = context.WithoutCancel(ctx)
	l.working.Go(func() {
		defer func() { <-l.slots }()
		ctx, cancel := context.WithTimeout(ctx, letterTime)
		defer cancel()
		if err := work(ctx); err != nil {
			l.logger.ErrorContext(ctx, "mail to a person not sent", "error", err.Error())
		}
	})
	return nil
}

// wait returns when everything that later began has ended, or ctx has.
func (l *letters) wait(ctx context.Context) {
	done := make(chan struct{})
	go func() { l.working.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
	}
}
