package provider_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/workflow"
)

// simulating is an adapter that answers as how says, by a clock that the test moves, and what it reports.
func simulating(t *testing.T, how workflow.Simulation) (send func() (*provider.Receipt, error), now *time.Time, reported map[string][]workflow.ReceiptKind) {
	t.Helper()
	at, reports := providertest.Now, map[string][]workflow.ReceiptKind{}
	called := sends(func(context.Context, *provider.Message) (*provider.Receipt, error) {
		t.Error("a simulated integration calls no vendor")
		return nil, errors.New("called")
	})
	adapter := provider.Simulated(called, &how, func() time.Time { return at }, func(id string, kinds []workflow.ReceiptKind) { reports[id] = kinds })
	return func() (*provider.Receipt, error) { return adapter.Send(t.Context(), &provider.Message{ID: "m"}) }, &at, reports
}

// TestSimulatedOutcomes: each rate of 1 is the outcome of every call, and receipts follow only what was taken.
func TestSimulatedOutcomes(t *testing.T) {
	t.Parallel()
	kinds := []workflow.ReceiptKind{workflow.ReceiptDelivered, workflow.ReceiptOpened}
	for name, c := range map[string]struct {
		how   workflow.Simulation
		want  *provider.Error
		taken bool
	}{
		"Taken":     {workflow.Simulation{LatencyMs: 1, JitterMs: 1}, nil, true},
		"Refused":   {workflow.Simulation{RejectRate: 1}, &provider.Error{Class: provider.Permanent, Status: 400, Code: "SIMULATED", Text: "simulated: refused"}, false},
		"Transient": {workflow.Simulation{TransientRate: 1, RetryAfterSeconds: 7}, &provider.Error{Class: provider.Transient, Status: 503, Code: "SIMULATED", Text: "simulated: out of order", RetryAfter: 7 * time.Second}, false},
		"Hangs":     {workflow.Simulation{HangRate: 1}, &provider.Error{Class: provider.Unknown, Code: "SIMULATED", Text: "simulated: taken, but the answer never came"}, true},
	} {
		c.how.Receipts = kinds
		send, _, reported := simulating(t, c.how)
		receipt, err := send()
		require.Equal(t, c.want, provider.AsError(err), name)
		require.Equal(t, c.taken, reported["simulated-m"] != nil, name)
		if c.want == nil {
			require.Equal(t, &provider.Receipt{ID: "simulated-m", Date: providertest.Now}, receipt)
			require.Equal(t, kinds, reported["simulated-m"])
		}
	}
	send, _, reported := simulating(t, workflow.Simulation{})
	_, err := send()
	require.NoError(t, err)
	require.Empty(t, reported, "without receipts to report none is reported")
}

// TestSimulatedTimeout: a caller that gives up does not know whether the message was taken.
func TestSimulatedTimeout(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	adapter := provider.Simulated(sends(nil), &workflow.Simulation{LatencyMs: 3_600_000}, nil, nil)
	_, err := adapter.Send(ctx, &provider.Message{ID: "m"})
	require.Equal(t, &provider.Error{Class: provider.Unknown, Code: "SIMULATED", Text: "simulated: no answer in time"}, provider.AsError(err))
}

// TestSimulatedRate: what one second allows may come at once, and no more; the clock may be set back.
func TestSimulatedRate(t *testing.T) {
	t.Parallel()
	send, now, _ := simulating(t, workflow.Simulation{RatePerSecond: 4, RetryAfterSeconds: 2})
	burst := func() (taken int) {
		t.Helper()
		for range 20 {
			_, err := send()
			if err == nil {
				taken++
				continue
			}
			require.Equal(t, &provider.Error{Class: provider.Transient, Status: 429, Code: "SIMULATED", Text: "simulated: too many calls", RetryAfter: 2 * time.Second}, provider.AsError(err))
		}
		return taken
	}
	require.Equal(t, 5, burst(), "the second's, and the one that begins the next")
	require.Zero(t, burst())
	*now = now.Add(250 * time.Millisecond)
	require.Equal(t, 1, burst())
	*now = now.Add(time.Hour)
	require.Equal(t, 5, burst(), "an hour of silence saves up nothing")
	*now = now.Add(-24 * time.Hour)
	require.Positive(t, burst(), "a clock that was set back does not stop it for a day")
}

// closing is an adapter that can be closed.
type closing struct {
	provider.Adapter
	err error
}

func (c closing) Close() error { return c.err }

func TestSimulatedCloses(t *testing.T) {
	t.Parallel()
	failed := errors.New("closed")
	for adapter, want := range map[provider.Adapter]error{closing{err: failed}: failed, &held{}: errors.New("closed")} {
		simulated := provider.Simulated(adapter, &workflow.Simulation{}, nil, nil)
		require.Equal(t, want, simulated.(interface{ Close() error }).Close())
	}
	bare := provider.Simulated(sends(nil), &workflow.Simulation{}, nil, nil)
	require.NoError(t, bare.(interface{ Close() error }).Close())
}
