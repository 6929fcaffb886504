package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/engine"
	"github.com/carillon/carillon/internal/engine/retry"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/vendors"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/workflow"
)

// vendorServer is the other side of the real adapters: it keeps what it gets and answers as it is told.
type vendorServer struct {
	*httptest.Server
	mu     sync.Mutex
	calls  []vendorCall
	answer func(w http.ResponseWriter, call vendorCall)
}

type vendorCall struct {
	Path string
	Auth string
	Body map[string]any
	N    int // how many came to this path before
}

func newVendorServer(tb testing.TB, answer func(http.ResponseWriter, vendorCall)) *vendorServer {
	tb.Helper()
	v := &vendorServer{answer: answer}
	v.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		call := vendorCall{Path: r.URL.Path, Auth: r.Header.Get("Authorization")}
		if json.Unmarshal(raw, &call.Body) != nil {
			var list []map[string]any
			if json.Unmarshal(raw, &list) == nil && len(list) > 0 {
				call.Body = list[0]
			}
		}
		v.mu.Lock()
		for _, c := range v.calls {
			if c.Path == call.Path {
				call.N++
			}
		}
		v.calls = append(v.calls, call)
		answer := v.answer
		v.mu.Unlock()
		if answer != nil {
			answer(w, call)
		}
	}))
	tb.Cleanup(v.Close)
	return v
}

func (v *vendorServer) to(path string) (calls []vendorCall) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, c := range v.calls {
		if c.Path == path {
			calls = append(calls, c)
		}
	}
	return calls
}

// atHome leads calls of vendors' fixed addresses to the local server, below a path that is the vendor's host.
type atHome struct {
	server *vendorServer
	next   http.RoundTripper
}

func (a atHome) RoundTrip(r *http.Request) (*http.Response, error) {
	moved := r.Clone(r.Context())
	moved.URL.Scheme, moved.URL.Path = "http", "/"+r.URL.Host+r.URL.Path
	moved.URL.Host = a.server.Listener.Addr().String()
	return a.next.RoundTrip(moved)
}

// status answers the first times calls with a status and headers, later ones with 200.
func status(code, times int, header ...string) func(http.ResponseWriter, vendorCall) {
	return func(w http.ResponseWriter, c vendorCall) {
		if c.N >= times {
			return
		}
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
	}
}

// wired is an engine with the real adapters, whose ways out lead to local servers. Each e-mail integration has a path of
// its own, which is its identifier.
func wired(tb testing.TB, answer func(http.ResponseWriter, vendorCall), change ...func(*engine.Config)) (*bundle, *vendorServer) {
	tb.Helper()
	b, v := setup(tb), newVendorServer(tb, answer)
	registry, err := vendors.Registry()
	require.NoError(tb, err)
	b.config.Providers = registry
	transport := &http.Transport{}
	tb.Cleanup(transport.CloseIdleConnections)
	b.config.Deps = provider.Deps{Vendor: atHome{v, transport}, Chosen: transport, Dial: (&net.Dialer{}).DialContext, Timeout: stall.Limit(5 * time.Second)}
	b.config.Credentials = func(_ context.Context, i pgrun.IntegrationRow) (provider.Credentials, error) {
		return provider.Credentials{"webhookUrl": v.URL + "/" + i.Identifier, "secretKey": "k", "from": "shop@example.com", "apiKey": "re_1"}, nil
	}
	for _, c := range change {
		c(&b.config)
	}
	b.engine = b.newEngine(b.config)
	b.exec(`UPDATE integrations SET identifier = 'first' WHERE id = $1`, b.email)
	return b, v
}

// second adds another e-mail integration.
func (b *bundle) second() string {
	b.tb.Helper()
	other := b.integration("email-webhook", workflow.ChannelEmail, false)
	b.exec(`UPDATE integrations SET identifier = 'second' WHERE id = $1`, other)
	return other
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for name, header := range map[string]func(time.Time) string{
		"Seconds": func(time.Time) string { return "90" },
		"Date":    func(now time.Time) string { return now.Add(90 * time.Second).Format(http.TimeFormat) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, v := wired(t, nil)
			b.clock.add(400 * 24 * time.Hour) // dates are read by the environment's clock
			v.answer = status(http.StatusServiceUnavailable, 1, "Retry-After", header(b.clock.Now("")))
			ev := b.mailed()
			b.wake(pgdue.DueMessages)
			require.WithinDuration(t, b.clock.Now("").Add(90*time.Second), *b.messages(ev)[0].DueAt, time.Second)
			b.clock.add(88 * time.Second)
			require.Zero(t, b.wake(pgdue.DueMessages))
			b.clock.add(2 * time.Second)
			b.wake(pgdue.DueMessages)
			require.Equal(t, workflow.MessageSent, b.messages(ev)[0].Status)
			require.Len(t, v.to("/first"), 2)
		})
	}
}

// TestAttemptIsWrittenBeforeItsCall looks at the ledger while the vendor has the request.
func TestAttemptIsWrittenBeforeItsCall(t *testing.T) {
	t.Parallel()
	b, v := wired(t, nil)
	ev := b.mailed()
	message := b.messages(ev)[0].ID
	seen := make(chan []*ent.Attempt, 1)
	v.answer = func(http.ResponseWriter, vendorCall) { seen <- b.attempts(message) }
	b.wake(pgdue.DueMessages)
	during := <-seen
	require.Len(t, during, 1)
	require.Equal(t, workflow.AttemptIntent, during[0].Outcome)
	require.Nil(t, during[0].FinishedAt)
	after := b.attempts(message)[0]
	require.Equal(t, workflow.AttemptAccepted, after.Outcome)
	require.NotNil(t, after.FinishedAt)
}

func TestClassesOfAnswers(t *testing.T) {
	t.Parallel()
	const first, second = "/first", "/second"
	for name, c := range map[string]struct {
		answer        func(http.ResponseWriter, vendorCall)
		change        func(*workflow.Step)
		first, second int // calls that each integration gets
		status        workflow.MessageStatus
		errorID       string
	}{
		"RefusedContentStays":      {answer: status(400, 99), first: 1, status: workflow.MessageError, errorID: "rejected"},
		"BadKeyFailsOver":          {answer: status(401, 99), first: 1, second: 1, status: workflow.MessageError, errorID: "rejected"},
		"TransientIsTriedAgain":    {answer: status(502, 3), first: 4, status: workflow.MessageSent},
		"ExhaustedFailsOver":       {answer: refuse(first, 503), first: 3, second: 1, status: workflow.MessageSent},
		"HangStays":                {answer: hang(first), first: 3, status: workflow.MessageError, errorID: "outcome_unknown"},
		"HangMovesWithPermission":  {answer: hang(first), change: func(s *workflow.Step) { s.AllowDuplicate = true }, first: 3, second: 1, status: workflow.MessageSent},
		"HangStopsOnDemand":        {answer: hang(first), change: func(s *workflow.Step) { s.UnknownOutcome = workflow.UnknownStop }, first: 1, status: workflow.MessageError, errorID: "outcome_unknown"},
		"DeadlineOfTheStep":        {answer: status(503, 99), change: func(s *workflow.Step) { s.DeadlineSeconds = 1 }, first: 1, status: workflow.MessageError, errorID: "attempts_exhausted"},
		"CutOffAnswerIsAcceptance": {answer: cutOff, first: 1, status: workflow.MessageSent},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, v := wired(t, c.answer, func(cfg *engine.Config) {
				if strings.HasPrefix(name, "Hang") {
					cfg.Deps.Timeout = stall.Limit(60 * time.Millisecond)
				}
				cfg.Backoff = retry.Backoff{MailAttempts: 4}
				if name == "ExhaustedFailsOver" || c.errorID == "outcome_unknown" || c.change != nil {
					cfg.Backoff.MailAttempts = 3
				}
			})
			b.second()
			ev := b.mailed(func(s *workflow.Step) {
				if c.change != nil {
					c.change(s)
				}
			})
			for range 8 {
				b.wake(pgdue.DueMessages)
				b.clock.add(time.Hour)
			}
			m := b.messages(ev)[0]
			require.Len(t, v.to(first), c.first)
			require.Len(t, v.to(second), c.second)
			require.Equal(t, c.status, m.Status, "%v", m.ErrorText)
			if c.errorID != "" {
				require.Equal(t, c.errorID, *m.ErrorID)
			}
			require.Len(t, b.attempts(m.ID), c.first+c.second)
			ids := map[any]bool{}
			for _, call := range append(v.to(first), v.to(second)...) {
				ids[call.Body["id"]] = true
			}
			require.Equal(t, map[any]bool{m.ID: true}, ids, "one idempotency key for all attempts")
		})
	}
}

// TestDeadlineBehindAWait counts from when the step was due, however late it is taken up.
func TestDeadlineBehindAWait(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.subscriber("u1")
	code := emailStep()
	code.DeadlineSeconds = 60
	wait := workflow.Step{StepID: "wait", Type: workflow.StepDelay, Delay: &workflow.DelayControls{Type: workflow.DelayRegular, Amount: 1, Unit: workflow.UnitMinutes}}
	ev := b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{wait, code}}), to("u1"))
	b.fanOut(ev)
	due := b.clock.Now("").Add(time.Minute)
	b.clock.add(3 * time.Minute)
	b.settle()
	m := b.messages(ev)[0]
	require.WithinDuration(t, due.Add(time.Minute), *m.DeadlineAt, 0)
	require.Equal(t, workflow.MessageError, m.Status)
	require.Empty(t, b.vendor.messages())
}

// TestDeadlineOfTheTrigger bounds every message of the event, whatever its step allows.
func TestDeadlineOfTheTrigger(t *testing.T) {
	t.Parallel()
	b, v := wired(t, status(http.StatusServiceUnavailable, 99, "Retry-After", "100"))
	step := emailStep()
	step.DeadlineSeconds = 3600
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{step}})
	b.subscriber("u1")
	deadline := b.clock.Now("").Add(2 * time.Minute).Truncate(time.Second)
	ev := b.triggered(wf, to("u1"), func(e *ent.EventCreate) {
		e.SetOverrides(map[string]any{"deadline": deadline.Format(time.RFC3339)})
	})
	b.fanOut(ev)
	require.WithinDuration(t, deadline, *b.messages(ev)[0].DeadlineAt, 0)
	for range 3 {
		b.wake(pgdue.DueMessages)
		b.clock.add(100 * time.Second)
	}
	require.Len(t, v.to("/first"), 2)
	require.Equal(t, "attempts_exhausted", *b.messages(ev)[0].ErrorID)

	late := b.triggered(wf, to("u1"), func(e *ent.EventCreate) {
		e.SetOverrides(map[string]any{"deadline": deadline.Format(time.RFC3339)})
	})
	b.fanOut(late)
	b.wake(pgdue.DueMessages)
	require.Equal(t, "attempts_exhausted", *b.messages(late)[0].ErrorID)
	require.Len(t, v.to("/first"), 2, "nothing is sent after the deadline")
}

// hang takes calls to a path and never answers.
func hang(path string) func(http.ResponseWriter, vendorCall) {
	return func(w http.ResponseWriter, c vendorCall) {
		if c.Path != path {
			return
		}
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, conn) // until the caller gives up
		_ = conn.Close()
	}
}

func refuse(path string, code int) func(http.ResponseWriter, vendorCall) {
	return func(w http.ResponseWriter, c vendorCall) {
		if c.Path == path {
			w.WriteHeader(code)
		}
	}
}

func cutOff(w http.ResponseWriter, _ vendorCall) {
	w.Header().Set("Content-Length", "100")
	_, _ = io.WriteString(w, "{")
}

// TestAnswersThatNoTextHolds: what a vendor says must not keep an outcome from being recorded, nor those beside it.
func TestAnswersThatNoTextHolds(t *testing.T) {
	t.Parallel()
	b, v := wired(t, func(w http.ResponseWriter, c vendorCall) {
		if c.N == 0 {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"message":"no\u0000such \ud800 mailbox"}`)
		}
	})
	events := b.mails(3)
	b.wake(pgdue.DueMessages)
	failed := 0
	for _, ev := range events {
		m := b.messages(ev)[0]
		require.Nil(t, m.DueAt)
		require.Equal(t, workflow.RunCompleted, b.runs(ev)[0].Status)
		if m.Status == workflow.MessageError {
			failed++
			require.Contains(t, *m.ErrorText, "mailbox")
		}
	}
	require.Equal(t, 1, failed)
	require.Len(t, v.to("/first"), 3)
}

// TestBreakerCountsFailuresInARow: of a vendor that refuses one call in three, none is held back.
func TestBreakerCountsFailuresInARow(t *testing.T) {
	t.Parallel()
	b, _ := wired(t, func(w http.ResponseWriter, c vendorCall) {
		if c.N%3 == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}, func(cfg *engine.Config) { cfg.AttemptsPerIntegration = 1 })
	b.mails(40)
	b.wake(pgdue.DueMessages)
	require.Equal(t, workflow.BreakerClosed, b.stored(b.email).Breaker)
	require.Less(t, b.stored(b.email).BreakerFailures, 3)
}

// TestBreakerCountsFailuresInARowOfASlowVendor: what each call came to is recorded before the next one is answered.
func TestBreakerCountsFailuresInARowOfASlowVendor(t *testing.T) {
	t.Parallel()
	var b *bundle
	b, _ = wired(t, func(w http.ResponseWriter, c vendorCall) {
		for finished := 0; finished < c.N && b.ctx.Err() == nil; {
			_ = b.db.Pool.QueryRow(b.ctx, `SELECT count(*) FROM attempts WHERE finished_at IS NOT NULL`).Scan(&finished)
		}
		if c.N%2 == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}, func(cfg *engine.Config) { cfg.AttemptsPerIntegration, cfg.Deps.Timeout = 1, time.Minute })
	b.mails(30)
	b.wake(pgdue.DueMessages)
	require.Equal(t, workflow.BreakerClosed, b.stored(b.email).Breaker)
	require.Less(t, b.stored(b.email).BreakerFailures, 4)
}

// TestChatTargetsTogether: endpoints in exactly the trigger's context and channel settings serve the same step.
func TestChatTargetsTogether(t *testing.T) {
	t.Parallel()
	b, v := wired(t, func(w http.ResponseWriter, _ vendorCall) { _, _ = io.WriteString(w, `{"ok":true,"ts":"1"}`) })
	slack := b.integration("slack", workflow.ChannelChat, false)
	b.integration("chat-webhook", workflow.ChannelChat, false)
	who := b.subscriber("u1")
	linked := b.db.Ent.ChannelConnection.Create().SetIdentifier("acme").SetIntegrationID(slack).SetSubscriberID(who.ID).
		SetWorkspaceID("T1").SetWorkspaceName("acme").SetAccessToken([]byte("sealed")).SetContextKeys([]string{}).SaveX(b.ctx)
	endpoint := func(identifier, channel string, scope ...string) {
		b.db.Ent.ChannelEndpoint.Create().SetIdentifier(identifier).SetIntegrationID(slack).SetConnectionID(linked.ID).SetSubscriberID(who.ID).SetSubscriberExternalID("u1").
			SetType(workflow.EndpointSlackChannel).SetEndpoint(workflow.EndpointData{ChannelID: channel}).
			SetContextKeys(append([]string{}, scope...)).SetScope(strings.Join(scope, ",")).ExecX(b.ctx)
	}
	endpoint("one", "C1")
	endpoint("two", "C2")
	endpoint("elsewhere", "C3", "team:x")
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{{StepID: "chat", Type: workflow.StepChat, Chat: &workflow.TextControls{Body: "hello"}}}})
	ev := b.triggered(wf, &workflow.Recipients{Direct: []workflow.SubscriberInput{{
		SubscriberID: "u1", Channels: []workflow.ChannelInput{{ProviderID: "chat-webhook", Credentials: workflow.ChannelCredentials{WebhookURL: v.URL + "/own"}}},
	}}})
	b.fanOut(ev)
	b.wake(pgdue.DueMessages)
	var channels []string
	for _, call := range v.to("/slack.com/api/chat.postMessage") {
		channels = append(channels, fmt.Sprint(call.Body["channel"]))
		require.Equal(t, "Bearer token", call.Auth)
	}
	require.ElementsMatch(t, []string{"C1", "C2"}, channels)
	require.Len(t, v.to("/own"), 1)
	require.Len(t, b.messages(ev), 3)
}

// TestDeadTokensAreDropped by what the vendor's answer says of them; a wrong key drops none.
func TestDeadTokensAreDropped(t *testing.T) {
	t.Parallel()
	b, v := wired(t, func(w http.ResponseWriter, c vendorCall) {
		if fmt.Sprint(c.Body["to"]) == "[ExponentPushToken[dead]]" {
			_, _ = io.WriteString(w, `{"data":[{"status":"error","message":"gone","details":{"error":"DeviceNotRegistered"}}]}`)
			return
		}
		_, _ = io.WriteString(w, `{"data":[{"status":"ok","id":"1"}]}`)
	})
	b.integration("expo", workflow.ChannelPush, false)
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{{StepID: "push", Type: workflow.StepPush, Push: &workflow.PushControls{Subject: "T", Body: "B"}}}})
	tokens := []string{"ExponentPushToken[dead]", "ExponentPushToken[live]"}
	ev := b.triggered(wf, &workflow.Recipients{Direct: []workflow.SubscriberInput{{
		SubscriberID: "u1", Channels: []workflow.ChannelInput{{ProviderID: "expo", Credentials: workflow.ChannelCredentials{DeviceTokens: tokens}}},
	}}})
	b.fanOut(ev)
	b.wake(pgdue.DueMessages)
	kept := func() []string { return b.db.Ent.SubscriberChannel.Query().OnlyX(b.ctx).Credentials.DeviceTokens }
	require.Equal(t, tokens[1:], kept())
	dropped := 0
	for _, entry := range b.runs(ev)[0].Trace {
		if entry.Data["deviceTokenDropped"] == true {
			dropped++
		}
	}
	require.Equal(t, 1, dropped)

	v.mu.Lock()
	v.answer = func(w http.ResponseWriter, _ vendorCall) { w.WriteHeader(http.StatusUnauthorized) }
	v.mu.Unlock()
	b.fanOut(b.triggered(wf, to("u1")))
	b.wake(pgdue.DueMessages)
	require.Equal(t, tokens[1:], kept())
}
