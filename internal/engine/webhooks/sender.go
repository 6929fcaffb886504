// Package webhooks delivers what happens in environments to their webhook endpoints, signed as Standard Webhooks specifies.
package webhooks

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

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
)

// Sender makes the attempts of deliveries.
type Sender struct {
	*state.Shared
	// Now is the clock of signatures and schedules; time.Now when nil.
	Now func() time.Time
	// room is called when an attempt has ended and been recorded: its endpoint may be called anew.
	room     func()
	places   state.Places
	outcomes postgres.Gather[pgwebhook.Outcome, struct{}]
}

// NewSender returns a Sender that makes as many requests at once as an engine makes provider calls. It calls room when there is room
// for another.
func NewSender(s *state.Shared, room func()) *Sender {
	sender := &Sender{Shared: s, room: room, places: make(state.Places, s.ConcurrentAttempts)}
	sender.outcomes.Ask, sender.outcomes.Most = sender.record, batch
	sender.outcomes.Inherit, sender.outcomes.Direct = true, true
	return sender
}

func (s *Sender) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

// Claim leases deliveries that are due, as many as may be called now; found is how many it came across.
func (s *Sender) Claim(ctx context.Context) (claimed []pgwebhook.Delivery, found int, err error) {
	places := s.places.Take(batch)
	defer func() { s.places.Give(places - len(claimed)) }()
	if places == 0 {
		return nil, 0, nil
	}
	return pgwebhook.Claim(ctx, s.DB, lease, places)
}

// Deliver makes the attempts of claimed deliveries side by side. Each is recorded when it ends, so that none waits for a slower one.
func (s *Sender) Deliver(ctx context.Context, deliveries []pgwebhook.Delivery) error {
	ctx = context.WithoutCancel(ctx) // a request that has begun is finished and recorded
	var calls errgroup.Group
	for i := range deliveries {
		calls.Go(func() error {
			defer s.room()
			outcome := s.attempt(ctx, &deliveries[i])
			s.places.Give(1)
			_, err := s.outcomes.Get(ctx, outcome)
			return err
		})
	}
	return calls.Wait()
}

// record records outcomes in one transaction.
func (s *Sender) record(ctx context.Context, outcomes []pgwebhook.Outcome) ([]struct{}, error) {
	var disabled []pgwebhook.Disabled
	err := postgres.Retry(ctx, func(ctx context.Context) (err error) {
		disabled, err = pgwebhook.Record(ctx, s.DB, outcomes, s.now().Add(-FailingFor))
		return err
	})
	for _, d := range disabled {
		s.Logger.WarnContext(ctx, "webhook endpoint deactivated", slog.String("endpoint_id", d.ID),
			slog.String("environment_id", d.EnvironmentID), slog.String("reason", d.Reason))
	}
	return make([]struct{}, len(outcomes)), err
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
