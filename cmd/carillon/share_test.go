package main_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/secret"
)

// cluster is several processes on one external database.
type cluster struct {
	key string
	env []string
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	return &cluster{key: newKey(), env: append(migrated(t), "CARILLON_DATABASE_MAX_CONNS=8", "CARILLON_EGRESS_ALLOW=127.0.0.0/8")}
}

func (c *cluster) start(t *testing.T, command string) *child.Process {
	t.Helper()
	return serve(t, child.Config{Command: command, DataDir: t.TempDir(), Key: c.key, Env: c.env})
}

func TestOldSchemaIsRefused(t *testing.T) {
	t.Parallel()
	env := []string{"CARILLON_DATABASE_URL=" + pgtest.EmptyURL(t), "CARILLON_SECRET_KEY=" + secret.Generate(), "CARILLON_ADDR=127.0.0.1:0"}
	for _, command := range []string{"serve", "worker"} {
		_, stderr, code := run(t, env, command)
		require.Equal(t, 1, code)
		require.Contains(t, stderr, "carillon migrate")
	}
	stdout, _, code := run(t, env, "doctor")
	require.Equal(t, 1, code)
	require.Regexp(t, `fail +schema .*carillon migrate`, stdout)
	_, stderr, code := run(t, env, "migrate")
	require.Zero(t, code, stderr)
	stdout, stderr, code = run(t, env, "migrate")
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "current")
}

// TestProcessesShareTheWork sends triggers through two processes beside a third that takes none. What waits becomes due for
// all three of them; the third is killed as soon as each has delivered.
func TestProcessesShareTheWork(t *testing.T) {
	t.Parallel()
	triggers := 90
	if soak {
		triggers = 3000
	}
	other, cl := newOtherSide(t), newCluster(t)
	first, second := cl.start(t, "serve"), cl.start(t, "serve")
	worker := cl.start(t, "worker")
	doors := []*client.Client{{URL: first.URL(), Key: cl.key}, {URL: second.URL(), Key: cl.key}}
	const people = 5
	other.furnish(t, doors[0], people, object{"stepId": "pause", "type": "DELAY", "delay": object{"type": "REGULAR", "amount": 1, "unit": "SECONDS"}})

	attempts := map[*child.Process]int{}
	var sending sync.WaitGroup
	var next atomic.Int64
	var worked atomic.Bool
	for _, c := range doors {
		sending.Go(func() {
			for !worked.Load() || next.Load() < int64(triggers) {
				n := int(next.Add(1)) - 1
				processed, err := fire(t.Context(), c, "everything", fmt.Sprintf("t-%d", n), subscriber(n%people))
				if err != nil || !processed {
					t.Errorf("trigger %d: %t %v", n, processed, err)
					return
				}
			}
		})
	}
	until(t, time.Minute, "every process delivers", func(ctx context.Context) (bool, error) {
		attempts[worker] = delivered(ctx, t, worker)
		all := attempts[worker] > 0 && delivered(ctx, t, first) > 0 && delivered(ctx, t, second) > 0
		worked.Store(all || ctx.Err() != nil)
		return all, nil
	})
	worker.Kill() // in the middle of it
	sending.Wait()
	until(t, time.Minute, "the others finish", func(ctx context.Context) (bool, error) {
		open, err := quiet(ctx, doors[0])
		return open == 0, err
	})
	for _, p := range []*child.Process{first, second} {
		attempts[p] = delivered(t.Context(), t, p)
	}
	checkCrash(t, doors[1], other, aims(int(next.Load()), people, func(n int) shot { return everything(n, people) }))
	t.Logf("calls by process: %d, %d, %d", attempts[first], attempts[second], attempts[worker])
}

var attemptCount = regexp.MustCompile(`(?m)^carillon_attempt_duration_seconds_count\{[^}]*\} (\d+)`)

// delivered is how many provider calls a process has made.
func delivered(ctx context.Context, t *testing.T, p *child.Process) (n int) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL()+"/metrics", nil)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	for _, m := range attemptCount.FindAllStringSubmatch(string(text), -1) {
		count, err := strconv.Atoi(m[1])
		require.NoError(t, err)
		n += count
	}
	return n
}

func TestEqualTransactionsRaceOverTwoProcesses(t *testing.T) {
	t.Parallel()
	other, cl := newOtherSide(t), newCluster(t)
	first, second := cl.start(t, "serve"), cl.start(t, "serve")
	doors := []*client.Client{{URL: first.URL(), Key: cl.key}, {URL: second.URL(), Key: cl.key}}
	other.furnish(t, doors[0], 1)

	const racers = 50
	var racing sync.WaitGroup
	begin := make(chan struct{})
	for i := range racers {
		racing.Go(func() {
			<-begin
			processed, err := fire(t.Context(), doors[i%2], "everything", "the same", subscriber(0))
			if err != nil || !processed {
				t.Errorf("racer %d: %t %v", i, processed, err)
			}
		})
	}
	close(begin)
	racing.Wait()
	until(t, time.Minute, "everything comes to rest", func(ctx context.Context) (bool, error) {
		open, err := quiet(ctx, doors[0])
		return open == 0, err
	})
	checkCrash(t, doors[1], other, map[string]aim{"the same": aims(1, 1, func(n int) shot { return everything(n, 1) })[transaction(0)]})
	for channel, calls := range other.calls()["the same"] {
		require.Equal(t, 1, calls, channel)
	}
}
