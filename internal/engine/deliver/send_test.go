package deliver

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/retry"
	"github.com/carillon/carillon/internal/engine/run"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

func TestAlternative(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name         string
		alternatives []string
		open         []string
		want         string
	}{
		{"None", nil, nil, ""},
		{"First", []string{"b", "c"}, nil, "b"},
		{"OneThatCanBeCalled", []string{"b", "c"}, []string{"b"}, "c"},
		{"FirstWhenNoneCanBeCalled", []string{"b", "c"}, []string{"b", "c"}, "b"},
		{"NotItself", []string{"a"}, nil, ""},
		{"NotASwitchedOffOne", []string{"gone", "c"}, nil, "c"},
	} {
		d := onDelivery(nil, integration("a"), integration("b"), integration("c"))
		d.envelope.Alternatives = c.alternatives
		for _, id := range c.open {
			open(d.event.Integration(id))
		}
		var got string
		if next := d.alternative(); next != nil {
			got = next.ID
		}
		require.Equal(t, c.want, got, c.name)
	}
}

// TestDemoSenderIsNoAlternative: envelopes that name one are from a version that planned so.
func TestDemoSenderIsNoAlternative(t *testing.T) {
	t.Parallel()
	demo := func(row *pgrun.IntegrationRow) { row.ProviderID = "svc-sms" }
	require.Nil(t, onDelivery(nil, integration("a"), integration("b", demo)).alternative())
	require.Equal(t, "c", onDelivery(nil, integration("a"), integration("b", demo), integration("c")).alternative().ID)
	require.Equal(t, "b", onDelivery(nil, integration("a", demo), integration("b", demo)).alternative().ID)
}

func TestTrial(t *testing.T) {
	t.Parallel()
	w := newWorker(t)
	d := onDelivery(nil, integration("a"), integration("b"))
	d.Attempts, d.envelope.Since, d.envelope.Unknown, d.DeadlineAt = 5, 3, workflow.UnknownStop, new(noon)
	require.Equal(t, retry.Trial{
		Channel: workflow.ChannelSMS, Attempt: 3, Now: noon, Due: noon.Add(-time.Minute), Deadline: new(noon), Jitter: 0.5,
		Unknown: workflow.UnknownStop, Alternative: true,
	}, w.trial(d, 1))
	for name, uncertain := range map[string]func(*Delivery){
		"stored":      func(d *Delivery) { d.envelope.Uncertain = true },
		"interrupted": func(d *Delivery) { d.interrupted = true },
		"last":        func(d *Delivery) { d.LastOutcome = workflow.AttemptUnknown },
	} {
		d := onDelivery(nil, integration("a"), integration("b"))
		uncertain(d)
		require.False(t, w.trial(d, 0).Alternative, name)
		d.envelope.AllowDuplicate = true
		require.True(t, w.trial(d, 0).Alternative, name)
	}
	d.event, d.adapter = nil, nil
	require.False(t, w.trial(d, 0).Alternative, "of an event that is gone")
}

func TestReady(t *testing.T) {
	t.Parallel()
	registry, err := provider.NewRegistry(
		provider.Definition{ID: "vendor-a", Channel: workflow.ChannelSMS, New: func(provider.Deps, provider.Credentials) (provider.Adapter, error) {
			return vendor(nil), nil
		}},
		provider.Definition{
			ID: "vendor-keyed", Channel: workflow.ChannelSMS, Capabilities: provider.Capabilities{IdempotencyKey: true},
			New: func(provider.Deps, provider.Credentials) (provider.Adapter, error) { return vendor(nil), nil },
		},
		provider.Definition{ID: "vendor-bad", Channel: workflow.ChannelSMS, New: func(provider.Deps, provider.Credentials) (provider.Adapter, error) {
			return nil, errors.New("no")
		}},
	)
	require.NoError(t, err)
	w := newWorker(t, func(cfg *state.Config) {
		cfg.Providers = registry
		cfg.Credentials = func(context.Context, pgrun.IntegrationRow) (provider.Credentials, error) {
			return provider.Credentials{}, nil
		}
	})
	through := func(id string) func(*Delivery) {
		return func(d *Delivery) { d.IntegrationID, d.ProviderID = id, "vendor-"+id }
	}
	for _, c := range []struct {
		name      string
		change    func(*Delivery)
		code      string // of the failure that is known before any call; "": the attempt is made
		class     provider.Class
		number    int
		duplicate bool
	}{
		{"First", func(*Delivery) {}, "", 0, 1, false},
		{"Third", func(d *Delivery) { d.Attempts = 2 }, "", 0, 3, false},
		{"AfterAnUnknownOutcome", func(d *Delivery) { d.LastOutcome = workflow.AttemptUnknown }, "", 0, 1, true},
		{"AfterAnUnknownOutcomeWithAKey", func(d *Delivery) { through("keyed")(d); d.LastOutcome = workflow.AttemptUnknown }, "", 0, 1, false},
		{"Interrupted", func(d *Delivery) { d.interrupted, d.Attempts = true, 1 }, "", 0, 2, true},
		{
			"InterruptedForTheLastTime", func(d *Delivery) { d.interrupted, d.Attempts = true, 3 },
			"", provider.Unknown, 0, false,
		},
		{"Reported", func(d *Delivery) { d.Status = workflow.MessageSent }, retry.CodeReported, provider.Permanent, 0, false},
		{"EventGone", func(d *Delivery) { d.event = nil }, "", provider.Permanent, 0, false},
		{"SubscriberGone", func(d *Delivery) { d.subscriber = nil }, "", provider.Permanent, 0, false},
		{"SubscriberGoneDuringACall", func(d *Delivery) { d.subscriber, d.interrupted, d.Attempts = nil, true, 1 }, "", provider.Unknown, 0, false},
		{"Late", func(d *Delivery) { d.DeadlineAt = new(noon.Add(-1)) }, retry.CodeDeadline, provider.Permanent, 0, false},
		{"InTime", func(d *Delivery) { d.DeadlineAt = new(noon) }, "", 0, 1, false},
		{"IntegrationGone", through("gone"), retry.CodeGone, provider.Fault, 0, false},
		{"CannotBeOpened", through("bad"), "BAD_CREDENTIALS", provider.Fault, 0, false},
		{"KnownToFail", func(d *Delivery) { d.failure = provider.Failf(provider.Permanent, "unreadable") }, "", provider.Permanent, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := onDelivery(nil, integration("a"), integration("keyed"), integration("bad"))
			d.attempt, d.adapter, d.integration = nil, nil, nil
			c.change(d)
			w.ready(t.Context(), d, "fresh")
			if c.number == 0 {
				require.Nil(t, d.attempt)
				require.Equal(t, []any{c.code, c.class}, []any{d.failure.Code, d.failure.Class})
				return
			}
			require.Nil(t, d.failure)
			require.Equal(t, pgmessage.AttemptRow{
				ID: "fresh", EnvironmentID: "env", MessageID: "message", Number: c.number, CreatedAt: noon, IntegrationID: d.IntegrationID,
				ProviderID: d.ProviderID, DuplicatePossible: c.duplicate,
			}, *d.attempt)
		})
	}
}

func TestCall(t *testing.T) {
	t.Parallel()
	w := newWorker(t)
	call := func(ctx context.Context, answer vendor) pgmessage.MessageOutcome {
		d := onDelivery(nil, integration("a"))
		d.adapter = &openAdapter{Adapter: answer, attempts: newTokens(8)}
		o := w.makeAttempt(ctx, d)
		require.Empty(t, d.adapter.attempts.lanes[0], "its place is free again")
		return o
	}
	o := call(t.Context(), func(m *provider.Message) (*provider.Receipt, error) {
		return &provider.Receipt{ID: "for " + m.Target.Phone}, nil
	})
	require.Equal(t, "for +4930123456", *o.ProviderMessageID)
	o = call(t.Context(), func(*provider.Message) (*provider.Receipt, error) { panic("a nil map") })
	require.Equal(t, workflow.AttemptUnknown, o.Attempt.Outcome, "the request may have left before")
	require.NotContains(t, *o.ErrorText, "nil map")
	o = call(t.Context(), func(*provider.Message) (*provider.Receipt, error) { return nil, errors.New("unclassified") })
	require.Equal(t, workflow.AttemptUnknown, o.Attempt.Outcome)

	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	full := newTokens(8)
	for range 8 {
		_, err := full.take(t.Context(), "urgent")
		require.NoError(t, err)
	}
	d := onDelivery(nil, integration("a"))
	d.adapter = &openAdapter{Adapter: vendor(nil), attempts: full}
	o = w.makeAttempt(stopped, d)
	require.Equal(t, provider.Transient.String(), *o.Attempt.Class, "it had not left, so it is made again")
	require.NotNil(t, o.DueAt)
}

// TestTokensOfLanes: what is less urgent leaves room for what is more urgent.
func TestTokensOfLanes(t *testing.T) {
	t.Parallel()
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	tokens := newTokens(16)
	taken := func(lane string) (n int, give []func()) {
		for {
			release, err := tokens.take(t.Context(), lane)
			require.NoError(t, err)
			n, give = n+1, append(give, release)
			if len(tokens.lanes[rank(lane)]) == cap(tokens.lanes[rank(lane)]) {
				return n, give
			}
		}
	}
	bulk, give := taken("bulk")
	normal, _ := taken("normal")
	urgent, _ := taken("urgent")
	require.Equal(t, []int{12, 2, 2}, []int{bulk, normal, urgent})
	for _, lane := range []string{"urgent", "normal", "bulk"} {
		_, err := tokens.take(stopped, lane)
		require.ErrorIs(t, err, context.Canceled, lane)
	}
	require.Equal(t, []int{16, 14, 12}, []int{len(tokens.lanes[0]), len(tokens.lanes[1]), len(tokens.lanes[2])}, "one that gives up gives back what it had")
	for _, release := range give {
		release()
	}
	require.Equal(t, []int{4, 2, 0}, []int{len(tokens.lanes[0]), len(tokens.lanes[1]), len(tokens.lanes[2])})
}

func TestGather(t *testing.T) {
	t.Parallel()
	results := make(chan pgmessage.MessageOutcome, 3)
	for range 3 {
		results <- pgmessage.MessageOutcome{}
	}
	require.Len(t, gather(pgmessage.MessageOutcome{}, results, 1), 1, "nothing else is open")
	require.Len(t, results, 3)
	require.Len(t, gather(pgmessage.MessageOutcome{}, results, 3), 3, "as many as are open")
	require.Len(t, gather(pgmessage.MessageOutcome{}, results, 9), 2, "what is not there in time has a commit of its own")
}

// TestVersionsOfDeliveries: without a workflow that follows its latest version nothing is read.
func TestVersionsOfDeliveries(t *testing.T) {
	t.Parallel()
	d := onDelivery(&workflow.Definition{}, integration("a"))
	d.EventID, d.event.ID = "event", "event"
	gone := onDelivery(nil, integration("a"))
	gone.EventID, gone.NotificationID = "gone", "other"
	byRun, err := newWorker(t).sourcesOfRuns(t.Context(), nil, []*Delivery{d, gone}, []*run.EventContext{d.event})
	require.NoError(t, err)
	require.Same(t, d.event, byRun["run"])
	require.Nil(t, byRun["other"])
}
