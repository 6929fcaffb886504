package deliver

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/carillon/carillon/internal/engine/retry"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

const (
	replyBatch   = 16
	replyTimeout = 15 * time.Second
	replyLease   = 2 * replyTimeout
)

// setReplyTo sets the address by which replies to the mail come here when its step has a callback.
func (w *Worker) setReplyTo(m *provider.Message, d *Delivery) {
	if w.Replies != nil && d.event.Published() != nil && d.event.Published().ReplyCallbackOf(d.StepID) != nil {
		m.Email.ReplyTo = w.Replies.Address(d.ID)
	}
}

// ReplyPoster posts replies to the callbacks of their steps.
type ReplyPoster struct{ *state.Shared }

// Claim leases replies that are due.
func (p *ReplyPoster) Claim(ctx context.Context) ([]pgmessage.ReplyRow, error) {
	return pgmessage.ClaimReplies(ctx, p.DB, replyLease, replyBatch)
}

// Post posts replies side by side and records what became of each.
func (p *ReplyPoster) Post(ctx context.Context, replies []pgmessage.ReplyRow) error {
	ctx = context.WithoutCancel(ctx) // a request that has begun is finished and recorded
	results := make(chan error, len(replies))
	for i := range replies {
		go func() { results <- p.postReply(ctx, &replies[i]) }()
	}
	var failed error
	for range replies {
		failed = errors.Join(failed, <-results)
	}
	return failed
}

// postReply posts one reply and records it. Whatever a callback answers may be put right at its side, so that every failure is
// retried, unless the address is gone or is not allowed.
func (p *ReplyPoster) postReply(ctx context.Context, r *pgmessage.ReplyRow) error {
	p.Callbacks.Places <- struct{}{}
	failure := p.post(ctx, r)
	p.Callbacks.Places.Give(1)
	if failure == nil {
		return pgmessage.FinishReply(ctx, p.DB, *r, "delivered", nil, nil)
	}
	if failure.Status != 0 && failure.Status != http.StatusGone {
		failure.Class = provider.Transient
	}
	v := p.Backoff.Decide(retry.Trial{
		Channel: workflow.ChannelEmail, Attempt: r.Attempts, Now: time.Now(), Due: r.CreatedAt, Jitter: p.Jitter(), Repeatable: true,
	}, failure)
	status := "failed"
	if v.RetryAt != nil {
		status = "pending"
	}
	return pgmessage.FinishReply(ctx, p.DB, *r, status, v.RetryAt, new(failure.Error()))
}

func (p *ReplyPoster) post(ctx context.Context, r *pgmessage.ReplyRow) *provider.Error {
	ctx, cancel := context.WithTimeout(ctx, replyTimeout)
	defer cancel()
	answer, err := p.Callbacks.Do(ctx, &provider.Request{
		URL: r.URL, Origin: provider.OriginTarget, Body: provider.Raw{ContentType: "application/json", Data: r.Body},
		Sign: p.Callbacks.Sign(r.EnvironmentID, r.ID, r.Attempts),
	})
	switch {
	case err != nil:
		return state.AsProviderError(err)
	case !answer.OK():
		return answer.Failure("", "")
	}
	return nil
}
