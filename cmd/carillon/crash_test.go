package main_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/stall"
)

// TestKilledProcessLosesNothing kills the process at random moments while triggers on all five channels flow, and
// starts it again each time on what is left.
func TestKilledProcessLosesNothing(t *testing.T) {
	t.Parallel()
	kills, triggers, limit := 6, 150, 2*time.Minute
	if soak {
		kills, triggers, limit = 50, 1000, 30*time.Minute
	}
	other, dir, key := newOtherSide(t), dataDir(t), newKey()
	cfg := child.Config{DataDir: dir, Key: key, Env: []string{"CARILLON_EGRESS_ALLOW=127.0.0.0/8", "CARILLON_DATABASE_URL="}}
	p := serve(t, cfg)
	cfg.Addr = p.Addr
	c := &client.Client{URL: p.URL(), Key: key}
	const people = 8
	other.furnish(t, c, people)

	flow := startFlow(within(t, limit), c, "everything", 0, triggers, people)
	for k := range kills {
		// Each kill falls somewhere into its share of the triggers, and then at any point of what they set off.
		share := triggers / kills
		flow.await(t, k*share+rand.IntN(share))
		<-time.After(time.Duration(rand.Int64N(int64(60 * time.Millisecond))))
		p.Kill()
		p = serve(t, cfg)
	}
	flow.await(t, triggers)
	require.NoError(t, flow.wait())
	until(t, limit, "everything comes to rest", func(ctx context.Context) (bool, error) {
		open, err := quiet(ctx, c)
		return open == 0, err
	})
	judgeCrash(t, c, other, triggers)

	stdout, stderr, code := run(t, []string{
		"CARILLON_DATA_DIR=" + dir, "CARILLON_DATABASE_URL=", "CARILLON_ADDR=" + p.Addr, "CARILLON_EGRESS_ALLOW=127.0.0.0/8",
	}, "doctor")
	require.Zero(t, code, "%s%s", stdout, stderr)
	require.Regexp(t, `ok +references`, stdout)
	require.NoError(t, p.Stop(patience))
	gone(t, dir)
}

// judgeCrash compares what Carillon says of itself with what the other side saw.
func judgeCrash(t *testing.T, c *client.Client, other *otherSide, triggers int) {
	t.Helper()
	runs, err := notifications(t.Context(), c)
	require.NoError(t, err)
	require.Len(t, runs, triggers, "one notification for every acknowledged trigger")
	sent, err := messages(t.Context(), c)
	require.NoError(t, err)
	require.Len(t, sent, everyChannel*triggers)

	stored := map[string]map[string]message{}
	for _, m := range sent {
		if stored[m.TransactionID] == nil {
			stored[m.TransactionID] = map[string]message{}
		}
		require.NotContains(t, stored[m.TransactionID], m.Channel, "message of %s is doubled", m.TransactionID)
		stored[m.TransactionID][m.Channel] = m
		require.Equal(t, "SENT", m.Status, "%+v", m)
	}
	received, twice, labels := other.calls(), 0, 0
	for _, r := range runs {
		require.Equal(t, "COMPLETED", r.Status)
		require.Len(t, stored[r.TransactionID], everyChannel)
		labelled := map[string]bool{}
		for _, e := range r.Trace {
			if e.Reason == "DUPLICATE_POSSIBLE" || e.Reason == "RECOVERED" {
				labelled[e.Channel] = true
			}
		}
		labels += len(labelled)
		for _, channel := range []string{"EMAIL", "SMS", "CHAT", "PUSH"} {
			calls := received[r.TransactionID][channel]
			require.Positive(t, calls, "%s of %s was not received", channel, r.TransactionID)
			if calls > 1 {
				twice++
				require.True(t, labelled[channel], "%s of %s was received %d times and the trace keeps silent: %+v", channel, r.TransactionID, calls, r.Trace)
			}
			if labelled[channel] {
				require.Greater(t, stored[r.TransactionID][channel].Attempts, 1, "only a call that a kill cut off is labelled")
			}
		}
		require.False(t, labelled["IN_APP"])
	}
	t.Logf("%d triggers; %d calls were cut off, of which %d reached the other side twice", triggers, labels, twice)
}

// flow sends triggers, each again and again until it is acknowledged.
type flow struct {
	ctx      context.Context // of the whole flow
	workflow string
	acked    atomic.Int64
	group    sync.WaitGroup
	mu       sync.Mutex
	failed   error
}

func startFlow(ctx context.Context, c *client.Client, workflow string, from, to, people int) *flow {
	f := &flow{ctx: ctx, workflow: workflow}
	numbers := make(chan int)
	go func() {
		defer close(numbers)
		for n := from; n < to; n++ {
			select {
			case numbers <- n:
			case <-ctx.Done():
				return
			}
		}
	}()
	for range 3 {
		f.group.Go(func() {
			for n := range numbers {
				if err := f.insist(c, fmt.Sprintf("t-%d", n), subscriber(n%people)); err != nil {
					f.mu.Lock()
					f.failed = errors.Join(f.failed, err)
					f.mu.Unlock()
				}
			}
		})
	}
	return f
}

// insist repeats one trigger under its transactionId until it is acknowledged.
func (f *flow) insist(c *client.Client, transaction, to string) error {
	var last error
	err := client.Until(f.ctx, 10*time.Millisecond, func(ctx context.Context) (bool, error) {
		ctx, cancel := context.WithTimeout(ctx, stall.Limit(10*time.Second))
		defer cancel()
		processed, err := fire(ctx, c, f.workflow, transaction, to)
		last = err
		return processed, nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w, last: %w", transaction, err, last)
	}
	f.acked.Add(1)
	return nil
}

func (f *flow) await(t *testing.T, acknowledged int) {
	t.Helper()
	err := client.Until(f.ctx, time.Millisecond, func(context.Context) (bool, error) { return f.acked.Load() >= int64(acknowledged), nil })
	require.NoError(t, err, "%d of %d triggers are acknowledged", f.acked.Load(), acknowledged)
}

func (f *flow) wait() error {
	f.group.Wait()
	return f.failed
}
