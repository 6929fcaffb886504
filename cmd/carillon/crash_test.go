package main_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/postgres/embedded"
	"github.com/carillon/carillon/internal/stall"
)

// TestKilledProcessLosesNothing kills the process at random moments while triggers on all five channels, to a topic and to
// everybody flow, and starts it again each time on what is left. Afterwards it says what was lost, what was doubled, and how
// fast events whose jobs were lost are taken up.
//
// With CARILLON_SOAK it kills 300 times, or as often as CARILLON_KILLS says:
//
//	CARILLON_SOAK=1 CARILLON_KILLS=1000 go test ./cmd/carillon -run TestKilledProcessLosesNothing -v -timeout 4h
func TestKilledProcessLosesNothing(t *testing.T) {
	t.Parallel()
	kills, perKill, backlog, limit := 4, 25, 200, 2*time.Minute
	if soak {
		kills, perKill, backlog, limit = soakKills(t), 15, 10_000, 2*time.Hour
	}
	triggers := kills * perKill
	other, dir, key := newOtherSide(t), dataDir(t), newKey()
	cfg := child.Config{DataDir: dir, Key: key, Env: []string{"CARILLON_EGRESS_ALLOW=127.0.0.0/8", "CARILLON_DATABASE_URL="}}
	p := serve(t, cfg)
	cfg.Addr = p.Addr
	c := &client.Client{URL: p.URL(), Key: key}
	const people = 8
	other.furnish(t, c, people)
	furnishNews(t, c, people)

	choose := func(n int) shot {
		switch {
		case n%perKill == perKill-1:
			return shot{workflow: "news", everybody: true}
		case n%3 == 2:
			return shot{workflow: "news", to: object{"type": "Topic", "topicKey": "all"}}
		}
		return everything(n, people)
	}
	flow := startFlow(within(t, limit), c, 0, triggers, choose)
	for k := range kills {
		// Each kill falls somewhere into its share of the triggers, and then at any point of what they set off.
		flow.await(t, k*perKill+rand.IntN(perKill))
		<-time.After(time.Duration(rand.Int64N(int64(60 * time.Millisecond))))
		p.Kill()
		p = serve(t, cfg)
		if soak && (k+1)%50 == 0 {
			t.Logf("%s: %d kills", time.Now().Format(time.TimeOnly), k+1)
		}
	}
	flow.await(t, triggers)
	require.NoError(t, flow.wait())
	comesToRest(t, limit, c)
	checkCrash(t, c, other, aims(triggers, people, choose))

	p.Kill()
	orphan(t, dir, backlog)
	p = serve(t, cfg)
	began := time.Now()
	comesToRest(t, limit, c)
	took := time.Since(began)
	t.Logf("%d kills; %d events without a job, half of them to a topic, were taken up in %s: %.0f events and %.0f notifications a second",
		kills, backlog, took.Round(time.Millisecond), float64(backlog)/took.Seconds(), float64(backlog/2*(1+people))/took.Seconds())
	runs, err := notifications(t.Context(), c)
	require.NoError(t, err)
	require.Len(t, slices.DeleteFunc(runs, func(n notification) bool { return !strings.HasPrefix(n.TransactionID, orphaned) }), backlog/2*(1+people))

	stdout, stderr, code := run(t, []string{
		"CARILLON_DATA_DIR=" + dir, "CARILLON_DATABASE_URL=", "CARILLON_ADDR=" + p.Addr, "CARILLON_EGRESS_ALLOW=127.0.0.0/8",
	}, "doctor")
	require.Zero(t, code, "%s%s", stdout, stderr)
	require.Regexp(t, `ok +references`, stdout)
	require.NoError(t, p.Stop(stall.Limit(patience)))
	gone(t, dir)
}

// soakKills is how often the long form kills.
func soakKills(t *testing.T) int {
	t.Helper()
	text := os.Getenv("CARILLON_KILLS")
	if text == "" {
		return 300
	}
	kills, err := strconv.Atoi(text)
	require.NoError(t, err)
	return kills
}

// furnishNews makes an in-app workflow "news" and a topic "all" with all subscribers.
func furnishNews(t *testing.T, c *client.Client, subscribers int) {
	t.Helper()
	graphQL(t, c, `mutation($input: CreateWorkflowInput!) { createWorkflow(input: $input) { workflow { id } } }`, object{"input": object{
		"identifier": "news", "name": "News",
		"definition": object{"steps": []object{{"stepId": "a", "type": "IN_APP", "inApp": object{"body": "{{payload.text}}"}}}},
	}}, nil)
	all := make([]string, subscribers)
	for i := range all {
		all[i] = subscriber(i)
	}
	_, err := c.Do(t.Context(), http.MethodPost, "/v2/topics/all/subscriptions", object{"subscriberIds": all}, nil)
	require.NoError(t, err)
}

func comesToRest(t *testing.T, limit time.Duration, c *client.Client) {
	t.Helper()
	until(t, limit, "everything comes to rest", func(ctx context.Context) (bool, error) {
		open, err := quiet(ctx, c)
		return open == 0, err
	})
}

// orphaned is the beginning of the transactionIds of events that orphan makes.
const orphaned = "orphan-"

// orphan leaves events in a stopped process's database as a crash leaves them: accepted, and without a job. Half of them
// are for a topic, half for one subscriber.
func orphan(t *testing.T, dir string, events int) {
	t.Helper()
	gone(t, dir)
	server, err := embedded.Start(within(t, time.Minute), embedded.Config{DataDir: dir})
	require.NoError(t, err)
	defer func() { require.NoError(t, server.Stop()) }()
	db, err := pgx.Connect(t.Context(), server.DSN("carillon"))
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close(context.WithoutCancel(t.Context()))) }()
	_, err = db.Exec(t.Context(), `INSERT INTO events SELECT (jsonb_populate_record(NULL::events, to_jsonb(e) || jsonb_build_object(
	'id', left(e.id, 8) || lpad(to_hex(n), 16, '0'), 'transaction_id', $1 || n, 'status', 'accepted', 'due_at', now() - interval '1 minute',
	'checkpoint', NULL, 'notified', 0, 'lane', CASE WHEN n % 2 = 0 THEN 'bulk' ELSE 'normal' END,
	'recipients', CASE WHEN n % 2 = 0 THEN '{"topics": [{"topicKey": "all"}]}'::jsonb ELSE '{"direct": [{"subscriberId": "s0"}]}' END))).*
FROM generate_series(1, $2) n,
	(SELECT e.* FROM events e JOIN workflows w ON w.id = e.workflow_id WHERE w.identifier = 'news' AND e.kind = 'trigger' LIMIT 1) e`, orphaned, events)
	require.NoError(t, err)
}

// checkCrash compares what Carillon says of itself, and what the other side saw, with what was acknowledged, by transactionId.
// It reports all losses and doubles at once.
func checkCrash(t *testing.T, c *client.Client, other *otherSide, acknowledged map[string]aim) {
	t.Helper()
	runs, err := notifications(t.Context(), c)
	require.NoError(t, err)
	sent, err := messages(t.Context(), c)
	require.NoError(t, err)
	var lost, doubled, wrong []string
	note := func(list *[]string, format string, args ...any) { *list = append(*list, fmt.Sprintf(format, args...)) }

	type place struct{ transaction, subscriber string }
	found := map[place]notification{}
	for _, r := range runs {
		at := place{r.TransactionID, r.Subscriber.SubscriberID}
		if _, twice := found[at]; twice {
			note(&doubled, "notification %+v", at)
		}
		found[at] = r
		if r.Status != "COMPLETED" {
			note(&wrong, "notification %+v is %s", at, r.Status)
		}
		if !slices.Contains(acknowledged[r.TransactionID].subscribers, r.Subscriber.SubscriberID) {
			note(&wrong, "notification %+v was never asked for", at)
		}
	}
	stored := map[place]map[string]message{}
	for _, m := range sent {
		at := place{m.TransactionID, m.Subscriber.SubscriberID}
		if stored[at] == nil {
			stored[at] = map[string]message{}
		}
		if _, twice := stored[at][m.Channel]; twice {
			note(&doubled, "message %s of %+v", m.Channel, at)
		}
		stored[at][m.Channel] = m
		if m.Status != "SENT" {
			note(&wrong, "message %+v", m)
		}
	}
	received, cutOff, twice := other.calls(), 0, 0
	for transaction, want := range acknowledged {
		for _, who := range want.subscribers {
			at := place{transaction, who}
			r, there := found[at]
			if !there {
				note(&lost, "notification %+v", at)
				continue
			}
			if len(stored[at]) != len(want.channels) {
				note(&lost, "messages of %+v: %d of %d are there", at, len(stored[at]), len(want.channels))
			}
			labelled := map[string]bool{}
			for _, e := range r.Trace {
				if e.Reason == "DUPLICATE_POSSIBLE" || e.Reason == "RECOVERED" {
					labelled[e.Channel] = true
				}
			}
			cutOff += len(labelled)
			for _, channel := range want.channels {
				if channel == "IN_APP" {
					require.False(t, labelled[channel])
					continue
				}
				calls := received[transaction][channel]
				if calls == 0 {
					note(&lost, "%s of %+v was not received", channel, at)
				}
				if calls > 1 {
					twice++
				}
				if calls > 1 && !labelled[channel] {
					note(&doubled, "%s of %+v was received %d times and the trace keeps silent: %+v", channel, at, calls, r.Trace)
				}
				if labelled[channel] && stored[at][channel].Attempts < 2 {
					note(&wrong, "%s of %+v is labelled though no call was cut off", channel, at)
				}
			}
		}
	}
	t.Logf("%d triggers, %d notifications, %d messages: %d lost, %d doubled, %d wrong; %d calls were cut off, of which %d reached the other side twice",
		len(acknowledged), len(runs), len(sent), len(lost), len(doubled), len(wrong), cutOff, twice)
	require.Empty(t, lost, "lost")
	require.Empty(t, doubled, "doubled")
	require.Empty(t, wrong, "wrong")
}

// aim is whom a trigger is for, and on which channels.
type aim struct{ subscribers, channels []string }

// shot is one trigger of a flow.
type shot struct {
	workflow  string
	to        any
	everybody bool
}

// everything is a trigger of "everything" for one of so many subscribers.
func everything(n, people int) shot {
	return shot{workflow: "everything", to: subscriber(n % people)}
}

func transaction(n int) string { return fmt.Sprintf("t-%d", n) }

// aims are the aims of triggers by their transactionIds, when there are so many subscribers.
func aims(triggers, people int, choose func(n int) shot) map[string]aim {
	all := make([]string, people)
	for i := range all {
		all[i] = subscriber(i)
	}
	aims := make(map[string]aim, triggers)
	for n := range triggers {
		if who, one := choose(n).to.(string); one {
			aims[transaction(n)] = aim{[]string{who}, []string{"IN_APP", "EMAIL", "SMS", "CHAT", "PUSH"}}
		} else {
			aims[transaction(n)] = aim{all, []string{"IN_APP"}}
		}
	}
	return aims
}

// flow sends triggers, each again and again until it is acknowledged.
type flow struct {
	ctx    context.Context // of the whole flow
	acked  atomic.Int64
	group  sync.WaitGroup
	mu     sync.Mutex
	failed error
}

func startFlow(ctx context.Context, c *client.Client, from, to int, choose func(n int) shot) *flow {
	f := &flow{ctx: ctx}
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
				if err := f.insist(c, transaction(n), choose(n)); err != nil {
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
func (f *flow) insist(c *client.Client, transaction string, s shot) error {
	var last error
	err := client.Until(f.ctx, 10*time.Millisecond, func(ctx context.Context) (bool, error) {
		ctx, cancel := context.WithTimeout(ctx, stall.Limit(10*time.Second))
		defer cancel()
		processed, err := s.fire(ctx, c, transaction)
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
