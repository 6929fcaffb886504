package state_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/retry"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// TestDefaults holds what an engine works with unless it is told otherwise, and that nothing that is set is changed.
func TestDefaults(t *testing.T) {
	t.Parallel()
	s := state.New(state.Config{DB: &postgres.DB{}})
	require.Equal(t, pgmessage.BreakerPolicy{Failures: 10, Pause: 30 * time.Second, Longest: 10 * time.Minute}, s.Breaker)
	require.Equal(t, []int{1000, 20, 256, 64}, []int{s.PageSize, s.SmallEvent, s.ConcurrentAttempts, s.AttemptsPerIntegration})
	require.Equal(t, []time.Duration{state.DefaultMaxDelay, 250 * time.Millisecond, 10 * time.Second, 100 * time.Millisecond},
		[]time.Duration{s.MaxDelay, s.WakeInterval, s.Lease, s.PlanTime})
	var backoff retry.Backoff
	backoff.SetDefaults()
	require.Equal(t, backoff, s.Backoff)
	require.False(t, s.Backpressure())
	require.NotNil(t, s.Tracer)
	require.Equal(t, s.ConcurrentAttempts, cap(s.Callbacks.Places))
	for range 100 {
		jitter := s.Jitter()
		require.True(t, jitter >= 0 && jitter < 1, jitter)
	}
	s.Live(t.Context(), nil) // both are called without a look at whether someone hears them
	s.Traced(nil)

	virtual := state.New(state.Config{DB: &postgres.DB{VirtualClocks: true}})
	require.Less(t, virtual.WakeInterval, s.WakeInterval, "a clock that was moved is noticed sooner")

	set := state.Config{DB: &postgres.DB{VirtualClocks: true}, PageSize: 1, SmallEvent: 2, ConcurrentAttempts: 3, AttemptsPerIntegration: 4, MaxDelay: 5, WakeInterval: 6, Lease: 7, PlanTime: 8}
	set.Breaker.Pause = time.Second
	kept := state.New(set)
	require.Equal(t, []int{1, 2, 3, 4}, []int{kept.PageSize, kept.SmallEvent, kept.ConcurrentAttempts, kept.AttemptsPerIntegration})
	require.Equal(t, []time.Duration{5, 6, 7, 8}, []time.Duration{kept.MaxDelay, kept.WakeInterval, kept.Lease, kept.PlanTime})
	require.Equal(t, pgmessage.BreakerPolicy{Failures: 10, Pause: time.Second, Longest: 10 * time.Minute}, kept.Breaker)
	require.ErrorContains(t, (&state.Config{}).Check(), "are required")
}

type fixedClock time.Time

func (c fixedClock) Now(string) time.Time { return time.Time(c) }

// TestFrozenClocks holds which environments have a time of their own, and that it ends when the clock runs again.
func TestFrozenClocks(t *testing.T) {
	t.Parallel()
	running, frozen := time.Unix(2000, 0), time.Unix(1000, 0)
	rows := func(at *time.Time) map[string]*pgrun.EnvironmentRow {
		return map[string]*pgrun.EnvironmentRow{"test": {FrozenAt: at}}
	}
	virtual := state.New(state.Config{DB: &postgres.DB{VirtualClocks: true}, Clock: fixedClock(running)}).Clocks
	virtual.Set(rows(&frozen))
	require.Equal(t, frozen, virtual.Now("test"))
	require.Equal(t, running, virtual.Now("other"))
	require.Equal(t, running, virtual.Now(""))
	require.Equal(t, running, virtual.Moment().Now)
	require.True(t, virtual.Moment().Virtual)
	virtual.Set(nil)
	require.Equal(t, frozen, virtual.Now("test"), "environments that were not read keep theirs")
	virtual.Set(rows(nil))
	_, set := virtual.FrozenAt("test")
	require.False(t, set)
	require.Equal(t, running, virtual.Now("test"))

	always := state.New(state.Config{DB: &postgres.DB{}, Clock: fixedClock(running)}).Clocks
	always.Set(rows(&frozen))
	require.Equal(t, running, always.Now("test"), "a server on real time heeds no frozen clock")
	require.NoError(t, always.Read(t.Context(), nil, []string{"test"}), "and asks for none")
	require.False(t, always.Moment().Virtual)
}

// TestErrorsOfAdapters holds what an error of an adapter counts as.
func TestErrorsOfAdapters(t *testing.T) {
	t.Parallel()
	require.Nil(t, state.AsProviderError(nil))
	known := provider.Failf(provider.Unknown, "timed out")
	require.Same(t, known, state.AsProviderError(fmt.Errorf("send: %w", known)))
	broken := state.AsProviderError(state.RecoverPanic(func() error { panic("secret-token") }))
	require.Equal(t, provider.Failf(provider.Unknown, "the adapter broke down"), broken)
	require.NotContains(t, broken.Error(), "secret-token")
}

func TestPanicsAreErrors(t *testing.T) {
	t.Parallel()
	require.NoError(t, state.RecoverPanic(func() error { return nil }))
	failure := errors.New("failed")
	require.Equal(t, failure, state.RecoverPanic(func() error { return failure }))
	err := state.RecoverPanic(func() error { panic("index out of range") })
	require.ErrorContains(t, err, "panic: index out of range\n")
	require.ErrorContains(t, err, "state_test.go", "with the place")
}

// TestInfrastructure: an error of the row is never taken for one of the database, nor the other way round.
func TestInfrastructure(t *testing.T) {
	t.Parallel()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	away := fault.Unavailablef(errors.New("refused"), "The database is away.")
	require.True(t, state.IsInfrastructure(t.Context(), fmt.Errorf("read: %w", away)))
	require.True(t, state.IsInfrastructure(ended, errors.New("whatever")), "we are stopping")
	require.False(t, state.IsInfrastructure(t.Context(), errors.New("whatever")))
	require.False(t, state.IsInfrastructure(t.Context(), fault.NotFoundf("Gone.")))
}

func TestValues(t *testing.T) {
	t.Parallel()
	require.Nil(t, state.NotEmpty(""))
	require.Equal(t, new("a"), state.NotEmpty("a"))
	require.Empty(t, state.Deref(nil))
	require.Equal(t, "a", state.Deref(new("a")))
	require.Equal(t, []string{"a"}, state.AddNew(nil, "a"))
	require.Equal(t, []string{"b", "a"}, state.AddNew([]string{"b", "a"}, "b"))
	require.Equal(t, []string{"b", "a"}, state.AddNew([]string{"b"}, "a"))
	require.JSONEq(t, `{"a":[1]}`, string(state.AsJSON(map[string]any{"a": []int{1}})))
	require.Equal(t, json.RawMessage("null"), state.AsJSON(make(chan int)))
	at := time.Date(2024, 2, 29, 23, 30, 0, 999_999_999, time.FixedZone("", -3600))
	require.Equal(t, "2024-03-01T00:30:00.999Z", state.Stamp(at), "in UTC, cut to milliseconds")
}

// TestEnvelopesAreShort: what a message does not have takes no room in its row, and what it has comes back.
func TestEnvelopesAreShort(t *testing.T) {
	t.Parallel()
	require.JSONEq(t, `{}`, string(state.AsJSON(state.Envelope{})))
	full := state.Envelope{
		To: []string{"a@example.com"}, Mail: state.MailParts{From: "shop@example.com"}, Alternatives: []string{"other"}, Since: 2,
		Uncertain: true, Slot: &state.Slot{IntegrationID: "i", At: time.Unix(1000, 0).UTC()},
	}
	var read state.Envelope
	require.NoError(t, json.Unmarshal(state.AsJSON(full), &read))
	require.Equal(t, full, read)
}

// TestAddressesThatASuppressionNames: those of mails and SMS, in any spelling, and no device tokens.
func TestAddressesThatASuppressionNames(t *testing.T) {
	t.Parallel()
	suppressed := map[pgmessage.Address]workflow.SuppressionReason{
		{EnvironmentID: "env", Channel: workflow.ChannelEmail, Address: "ann@example.com"}: workflow.SuppressionBounce,
		{EnvironmentID: "env", Channel: workflow.ChannelSMS, Address: "+4930123456"}:       workflow.SuppressionManual,
	}
	envelope := state.Envelope{To: []string{"Ann <Ann@example.com>", "bob@example.com"}, Phone: "+4930123456", DeviceToken: "token"}
	for channel, want := range map[workflow.Channel]struct {
		left []string
		why  workflow.SuppressionReason
	}{
		workflow.ChannelEmail: {[]string{"bob@example.com"}, workflow.SuppressionBounce},
		workflow.ChannelSMS:   {[]string{}, workflow.SuppressionManual},
		workflow.ChannelPush:  {nil, ""},
	} {
		left, why := envelope.Unsuppressed("env", channel, suppressed)
		require.Equal(t, want.left, left, channel)
		require.Equal(t, want.why, why, channel)
		_, why = envelope.Unsuppressed("other", channel, suppressed)
		require.Empty(t, why, channel)
	}
}

func TestStoppingTwice(t *testing.T) {
	t.Parallel()
	background := state.New(state.Config{DB: &postgres.DB{}}).Background
	background.Stop()
	background.Stop()
	_, open := <-background.Stopping
	require.False(t, open)
}
