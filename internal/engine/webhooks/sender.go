// Package webhooks delivers what happens in environments to their webhook endpoints, signed as Standard Webhooks specifies.
package webhooks

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgwebhook"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

const (
	batch    = 64
	timeout  = 15 * time.Second
	lease    = 3 * timeout
	keptBody = 1 << 10 // bytes of an answer that the log of a delivery keeps
	// Patience is how long a batch counts among those under way: a slow endpoint does not hold up the others.
	Patience = time.Second
)

// Sender makes the attempts of deliveries.
type Sender struct {
	*state.Shared
	// Now is the clock of signatures and schedules; time.Now when nil.
	Now   func() time.Time
	calls chan struct{} // one per request under way
}

// NewSender returns a Sender that makes as many requests at once as an engine makes provider calls.
func NewSender(s *state.Shared) *Sender {
	return &Sender{Shared: s, calls: make(chan struct{}, s.ConcurrentAttempts)}
}

func (s *Sender) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

// Claim leases deliveries that are due; found is how many it came across.
func (s *Sender) Claim(ctx context.Context) (claimed []pgwebhook.Delivery, found int, err error) {
	return pgwebhook.Claim(ctx, s.DB, lease, batch)
}

// Deliver makes the attempts of a batch side by side, and records what became of them.
func (s *Sender) Deliver(ctx context.Context, deliveries []pgwebhook.Delivery) error {
	ctx = context.WithoutCancel(ctx) // a request that has begun is finished and recorded
	outcomes := make([]pgwebhook.Outcome, len(deliveries))
	var calls sync.WaitGroup
	for i := range deliveries {
		calls.Go(func() {
			s.calls <- struct{}{}
			outcomes[i] = s.attempt(ctx, &deliveries[i])
			<-s.calls
		})
	}
	calls.Wait()
	var disabled []pgwebhook.Disabled
	err := postgres.Retry(ctx, func(ctx context.Context) (err error) {
		disabled, err = pgwebhook.Record(ctx, s.DB, outcomes, s.now().Add(-FailingFor))
		return err
	})
	for _, d := range disabled {
		s.Logger.WarnContext(ctx, "webhook endpoint deactivated", slog.String("endpoint_id", d.ID),
			slog.String("environment_id", d.EnvironmentID), slog.String("reason", d.Reason))
	}
	return err
}

// attempt makes one attempt. Every failure is retried: whatever an endpoint answers may be put right at its side.
func (s *Sender) attempt(ctx context.Context, d *pgwebhook.Delivery) pgwebhook.Outcome {
	began := s.now()
	answer, err := s.call(ctx, d, began)
	took := s.now().Sub(began)
	o := pgwebhook.Outcome{Delivery: d, Status: workflow.WebhookDelivered, Attempt: workflow.WebhookAttempt{
		Number: d.Attempts, At: began.UTC(), DurationMs: int(took.Milliseconds()), URL: d.URL,
	}}
	var retryAfter time.Duration
	if answer != nil {
		o.Attempt.HTTPStatus, o.Attempt.Body = &answer.Status, beginning(answer.Body)
		o.Gone = answer.Status == http.StatusGone
		retryAfter = provider.RetryAfter(answer.Header, s.now())
	}
	if err != nil {
		o.Attempt.ErrorText = state.NotEmpty(provider.Storable(state.AsProviderError(err).Error()))
	}
	if err != nil || !answer.OK() {
		o.Status, o.RetryAt = workflow.WebhookPending, Next(d.Tries, s.now(), retryAfter, s.Jitter())
	}
	if o.Gone || o.Status == workflow.WebhookPending && o.RetryAt == nil {
		o.Status, o.RetryAt = workflow.WebhookFailed, nil
	}
	s.Meter.Webhook(string(o.Status), took)
	return o
}

func (s *Sender) call(ctx context.Context, d *pgwebhook.Delivery, now time.Time) (*provider.Answer, error) {
	var secrets []string
	for _, sealed := range [][]byte{d.Secret, d.Previous} {
		if len(sealed) == 0 {
			continue
		}
		opened, err := provider.OpenWebhookSecret(s.Secrets, d.EndpointID, sealed)
		if err != nil {
			s.Logger.ErrorContext(ctx, "webhook not signed", slog.String("endpoint_id", d.EndpointID), slog.String("error", err.Error()))
			return nil, provider.Failf(provider.Fault, "the secret of the endpoint cannot be decrypted with this server's key")
		}
		secrets = append(secrets, opened)
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return s.Callbacks.Do(ctx, &provider.Request{
		URL: d.URL, Origin: provider.OriginTarget, Body: provider.Raw{ContentType: "application/json", Data: d.Body},
		Sign: func(body []byte) http.Header { return provider.SignStandard(d.ID, now, body, secrets...) },
	})
}

// beginning is the part of an answer that is kept; nil for an empty one.
func beginning(body []byte) *string {
	text := string(body[:min(len(body), keptBody)])
	for len(text) > 0 && len(body) > keptBody && !utf8.ValidString(text) && len(text) > keptBody-utf8.UTFMax {
		text = text[:len(text)-1]
	}
	return state.NotEmpty(strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD"))
}
