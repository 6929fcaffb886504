package engine

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// Replies is how mails that answer ours find their way back (semantics.md §2.12).
type Replies struct {
	Address func(messageID string) string // of the mail's Reply-To
}

const (
	replyBatch   = 16
	replyTimeout = 15 * time.Second
	replyLease   = 2 * replyTimeout
)

// answerTo lets replies to the mail come here when its step has a callback.
func (e *Engine) answerTo(m *provider.Message, d *delivery) {
	if e.Replies != nil && d.event.definition != nil && d.event.definition.Definition.ReplyCallbackOf(d.StepID) != nil {
		m.Email.ReplyTo = e.Replies.Address(d.ID)
	}
}

// replyDue posts due replies, in the background, so that a slow callback does not hold up the others.
func (e *Engine) replyDue(ctx context.Context, room chan struct{}) (found int, err error) {
	select {
	case room <- struct{}{}:
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
	replies, err := e.DB.ClaimReplies(ctx, replyLease, replyBatch)
	if err != nil || len(replies) == 0 {
		<-room
		return 0, err
	}
	e.working.Go(func() {
		defer func() { <-room }()
		if err := e.postReplies(ctx, replies); err != nil {
			e.Logger.WarnContext(ctx, "callbacks of replies not recorded", slog.String("error", err.Error()))
		}
	})
	return len(replies), nil
}

// CallBack posts what replies are due, one look's worth, and tells how many it found. The loop of Start does; tests may.
func (e *Engine) CallBack(ctx context.Context) (found int, err error) {
	replies, err := e.DB.ClaimReplies(ctx, replyLease, replyBatch)
	if err != nil || len(replies) == 0 {
		return 0, err
	}
	return len(replies), e.postReplies(ctx, replies)
}

func (e *Engine) postReplies(ctx context.Context, replies []postgres.ReplyRow) error {
	ctx = context.WithoutCancel(ctx) // a call that has begun is finished and recorded
	results := make(chan error, len(replies))
	for i := range replies {
		go func() { results <- e.postReply(ctx, &replies[i]) }()
	}
	var failed error
	for range replies {
		failed = errors.Join(failed, <-results)
	}
	return failed
}

// postReply makes one call and records it. Whatever a callback answers may be put right at its side, so that every
// failure is tried again, except that it is gone or must not be called.
func (e *Engine) postReply(ctx context.Context, r *postgres.ReplyRow) error {
	e.calls <- struct{}{}
	failure := e.callBack(ctx, r)
	<-e.calls
	if failure == nil {
		return e.DB.FinishReply(ctx, *r, "delivered", nil, nil)
	}
	if failure.Status != 0 && failure.Status != http.StatusGone {
		failure.Class = provider.Transient
	}
	v := e.Backoff.judge(trial{
		Channel: workflow.ChannelEmail, Attempt: r.Attempts, Now: time.Now(), Due: r.CreatedAt, Jitter: e.Jitter(), Repeatable: true,
	}, failure)
	status := "failed"
	if v.RetryAt != nil {
		status = "pending"
	}
	return e.DB.FinishReply(ctx, *r, status, v.RetryAt, new(describe(failure)))
}

func (e *Engine) callBack(ctx context.Context, r *postgres.ReplyRow) *provider.Error {
	ctx, cancel := context.WithTimeout(ctx, replyTimeout)
	defer cancel()
	var answer *provider.Answer
	err := recoverPanic(func() (err error) {
		answer, err = e.Deps.Client().Do(ctx, &provider.Request{
			URL: r.URL, Origin: provider.OriginTarget, Body: provider.Raw{ContentType: "application/json", Data: r.Body},
			Sign: e.callback(r.EnvironmentID, r.ID, r.Attempts),
		})
		return err
	})
	switch {
	case err != nil:
		return asProviderError(err)
	case !answer.OK():
		return answer.Failure("", "")
	}
	return nil
}
