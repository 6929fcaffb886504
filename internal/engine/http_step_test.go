package engine_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
)

// callee is an address to which custom steps send requests.
type callee struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []string
	keys   []string
	heads  []http.Header
	answer func(n int, w http.ResponseWriter)
}

func listen(tb testing.TB, answer func(n int, w http.ResponseWriter)) *callee {
	tb.Helper()
	c := &callee{answer: answer}
	// Other tests may still call a server of theirs that had this one's port.
	own := "/" + id.New(time.Now())
	c.Server = httptest.NewServer(http.StripPrefix(own, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		c.mu.Lock()
		c.bodies, c.keys = append(c.bodies, string(body)), append(c.keys, r.Header.Get("Idempotency-Key")+" "+r.Header.Get("X-Who"))
		c.heads = append(c.heads, r.Header)
		n := len(c.bodies)
		c.mu.Unlock()
		c.answer(n, w)
	})))
	c.URL += own
	tb.Cleanup(c.Close)
	return c
}

func (b *bundle) withHTTPSteps(change ...func(*engine.Config)) {
	b.tb.Helper()
	b.config.Deps.Chosen = http.DefaultTransport
	for _, c := range change {
		c(&b.config)
	}
	b.engine = b.newEngine(b.config)
}

func customStep(url string) workflow.Step {
	return workflow.Step{StepID: "ask", Type: workflow.StepCustom, Custom: &workflow.CustomControls{
		URL: url + "/{{subscriber.subscriberId}}", Headers: map[string]string{"X-Who": "{{payload.text}}"},
	}}
}

func TestCustomStep(t *testing.T) {
	t.Parallel()
	ok := func(_ int, w http.ResponseWriter) { _, _ = w.Write([]byte(`{"plan": {"name": "gold", "seats": 3}}`)) }

	t.Run("AnAnswerThatCannotBeStoredIsNone", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.withHTTPSteps()
		address := listen(t, func(_ int, w http.ResponseWriter) { _, _ = w.Write([]byte(`{"plan": {"name": "\u0000"}}`)) })
		wait := workflow.Step{StepID: "wait", Type: workflow.StepDelay, Delay: &workflow.DelayControls{Type: workflow.DelayRegular, Amount: 1, Unit: workflow.UnitHours}}
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{customStep(address.URL), wait, inAppStep("you have {{steps.ask.response.plan.name}}")}})
		ev := b.triggered(wf, to("u1"))
		b.fanOut(ev)
		require.Equal(t, 1, b.wake(pgdue.DueHTTPSteps))
		require.Equal(t, []workflow.Reason{workflow.ReasonCalled, workflow.ReasonWaiting}, reasons(b.runs(ev)[0]))
		require.Len(t, address.bodies, 1)
	})

	t.Run("IsFinishedWhenItsWorkflowIsSwitchedOff", func(t *testing.T) { // as a send under way is (semantics.md §11.15)
		t.Parallel()
		b := setup(t)
		b.withHTTPSteps()
		address := listen(t, ok)
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{customStep(address.URL), inAppStep("x")}})
		ev := b.triggered(wf, to("u1"))
		b.fanOut(ev)
		b.exec(`UPDATE workflows SET active = false WHERE id = $1`, wf.workflow)
		require.Equal(t, 1, b.wake(pgdue.DueHTTPSteps))
		require.Len(t, address.bodies, 1)
		require.Equal(t, workflow.RunCancelled, b.runs(ev)[0].Status)
		require.Equal(t, []workflow.Reason{workflow.ReasonCalled, workflow.ReasonWorkflowInactive}, reasons(b.runs(ev)[0]))
	})

	t.Run("TheNextStepIsDueWhenItIsAnswered", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.withHTTPSteps()
		address := listen(t, func(_ int, w http.ResponseWriter) {
			b.clock.add(time.Minute)
			_, _ = w.Write([]byte(`{}`))
		})
		ev := b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{customStep(address.URL), inAppStep("x")}}), to("u1"))
		b.fanOut(ev)
		require.Equal(t, 1, b.wake(pgdue.DueHTTPSteps))
		require.Equal(t, b.clock.Now(""), b.messages(ev)[0].CreatedAt.UTC())
	})

	t.Run("ItsAnswerIsSeenByLaterSteps", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.withHTTPSteps()
		address := listen(t, ok)
		only := inAppStep("you have {{steps.ask.response.plan.name}}")
		only.Filters = []condition.StepFilter{{Type: "NUMBER", Value: "AND", Children: []condition.FieldFilterPart{
			{Field: "ask.response.plan.seats", Value: "2", Operator: "LARGER", On: "step"},
		}}}
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{customStep(address.URL), only}})
		ev := b.triggered(wf, to("u1"))
		b.fanOut(ev)
		require.Empty(t, address.bodies, "no request is sent while the run is planned")
		require.Zero(t, b.wake(pgdue.DueNotifications))
		require.Equal(t, 1, b.wake(pgdue.DueHTTPSteps))
		run := b.runs(ev)[0]
		require.Equal(t, workflow.RunCompleted, run.Status)
		require.Equal(t, []workflow.Reason{workflow.ReasonCalled, workflow.ReasonSent, workflow.ReasonCompleted}, reasons(run))
		require.Equal(t, "you have gold", b.messages(ev)[0].Content.Text)
		require.Equal(t, []string{run.ID + ":ask hello"}, address.keys)
		var body map[string]any
		require.NoError(t, json.Unmarshal([]byte(address.bodies[0]), &body))
		require.Equal(t, map[string]any{"text": "hello"}, body["payload"])
		require.Zero(t, b.wake(pgdue.DueHTTPSteps))
	})

	t.Run("ItsAnswerKeepsTheDigitsOfNumbers", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.virtual(year25)
		b.withHTTPSteps()
		b.subscriber("u1")
		address := listen(t, func(_ int, w http.ResponseWriter) { _, _ = w.Write([]byte(`{"id": 1234567890123456789}`)) })
		wait := workflow.Step{StepID: "wait", Type: workflow.StepDelay, Delay: &workflow.DelayControls{Type: workflow.DelayRegular, Amount: 1, Unit: workflow.UnitHours}}
		steps := []workflow.Step{customStep(address.URL), wait}
		for stepID, value := range map[string]string{"same": "1234567890123456789", "other": "1234567890123456788"} {
			step := inAppStep(stepID + " {{steps.ask.response.id}}")
			step.StepID = stepID
			step.Filters = []condition.StepFilter{{Type: "GROUP", Value: "AND", Children: []condition.FieldFilterPart{
				{Field: "ask.response.id", Value: value, Operator: "EQUAL", On: "step"},
			}}}
			steps = append(steps, step)
		}
		b.numbered(b.workflow(workflow.Definition{Steps: steps}), 0, 1)
		require.Equal(t, 1, b.wake(pgdue.DueHTTPSteps))
		b.until(60)
		require.Equal(t, []string{"60 same 1234567890123456789"}, b.inbox())
	})

	t.Run("OnlyItsHeadersSeeSecretVariables", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.withHTTPSteps()
		b.variable("SHOP", "example shop", false)
		b.variable("KEY", "very-secret", true)
		address := listen(t, ok)
		step := customStep(address.URL)
		step.Custom.Headers["X-Who"] = "{{ env.SHOP }}, {{ env.KEY }}"
		step.Custom.Body = `["{{ env.SHOP }}", "{{ env.KEY }}"]`
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{step, inAppStep("{{ env.SHOP }}, {{ env.KEY }}")}})
		ev := b.triggered(wf, to("u1"))
		b.fanOut(ev)
		require.Equal(t, 1, b.wake(pgdue.DueHTTPSteps))
		require.Equal(t, []string{b.runs(ev)[0].ID + ":ask example shop, very-secret"}, address.keys)
		require.JSONEq(t, `["example shop", ""]`, address.bodies[0])
		require.Equal(t, "example shop, ", b.messages(ev)[0].Content.Text)
	})

	t.Run("KeepsTheDigestBeforeIt", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.virtual(year25)
		b.withHTTPSteps()
		b.subscriber("u1")
		address := listen(t, func(n int, w http.ResponseWriter) {
			if n < 2 {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
			_, _ = w.Write([]byte(`{}`))
		})
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{digestStep(tenMinutes()), customStep(address.URL), inAppStep(digested)}})
		b.numbered(wf, 0, 1)
		b.numbered(wf, 3, 2)
		b.until(10)
		require.Equal(t, 1, b.wake(pgdue.DueHTTPSteps))
		b.until(12)
		require.Equal(t, 1, b.wake(pgdue.DueHTTPSteps))
		require.Len(t, b.inbox(), 1)
		require.Contains(t, b.inbox()[0], " 2: 1 2 of 1")
	})

	t.Run("Retries", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.withHTTPSteps()
		address := listen(t, func(n int, w http.ResponseWriter) {
			if n < 3 {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		})
		ev := b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{customStep(address.URL)}}), to("u1"))
		b.fanOut(ev)
		for range 3 {
			require.Equal(t, 1, b.wake(pgdue.DueHTTPSteps))
			require.Zero(t, b.wake(pgdue.DueHTTPSteps))
			b.clock.add(time.Minute)
		}
		run := b.runs(ev)[0]
		require.Equal(t, []workflow.Reason{workflow.ReasonRetry, workflow.ReasonCalled, workflow.ReasonCompleted}, reasons(run))
		require.Equal(t, []int{2, 2, 3}, []int{run.Trace[0].Times(), run.Trace[0].Attempt, run.Trace[1].Attempt}, "repetitions are one entry")
		require.Equal(t, time.Minute, run.Trace[0].Latest().Sub(run.Trace[0].FirstAt()))
	})

	t.Run("RefusalEndsTheRun", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.withHTTPSteps()
		address := listen(t, func(_ int, w http.ResponseWriter) { w.WriteHeader(http.StatusBadRequest) })
		ev := b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{customStep(address.URL), inAppStep("x")}}), to("u1"))
		b.fanOut(ev)
		b.wake(pgdue.DueHTTPSteps)
		run := b.runs(ev)[0]
		require.Equal(t, workflow.RunFailed, run.Status)
		require.Equal(t, []workflow.Reason{workflow.ReasonRejected, workflow.ReasonStopOnFail}, reasons(run))
	})

	t.Run("TooLongAnAnswerIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.withHTTPSteps()
		address := listen(t, func(_ int, w http.ResponseWriter) { _, _ = w.Write([]byte(`"` + strings.Repeat("x", 70<<10) + `"`)) })
		ev := b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{customStep(address.URL)}}), to("u1"))
		b.fanOut(ev)
		b.wake(pgdue.DueHTTPSteps)
		require.Contains(t, b.runs(ev)[0].Trace[0].Detail, "64 KiB")
	})

	t.Run("WithoutAWayOutNothingIsCalled", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		address := listen(t, ok)
		ev := b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{customStep(address.URL)}}), to("u1"))
		b.fanOut(ev)
		b.wake(pgdue.DueHTTPSteps)
		require.Equal(t, workflow.RunFailed, b.runs(ev)[0].Status)
		require.Empty(t, address.bodies)
	})

	t.Run("ACrashIsSeen", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.withHTTPSteps()
		address := listen(t, ok)
		ev := b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{customStep(address.URL)}}), to("u1"))
		b.fanOut(ev)
		b.exec(`UPDATE notifications SET state = jsonb_set(state, '{call}', state -> 'call' || jsonb_build_object('attempt', 1, 'until', now() + interval '1 minute'))`)
		require.Zero(t, b.wake(pgdue.DueHTTPSteps), "the lease still holds")
		b.exec(`UPDATE notifications SET state = jsonb_set(state, '{call,until}', to_jsonb(now() - interval '1 second'))`)
		require.Equal(t, 1, b.wake(pgdue.DueHTTPSteps))
		require.Equal(t, []workflow.Reason{
			workflow.ReasonRecovered, workflow.ReasonDuplicatePossible, workflow.ReasonCalled, workflow.ReasonCompleted,
		}, reasons(b.runs(ev)[0]))
	})

	t.Run("CancelledMeanwhile", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.withHTTPSteps()
		var ev string
		address := listen(t, func(_ int, w http.ResponseWriter) {
			b.cancel(ev)
			_, _ = w.Write([]byte(`{}`))
		})
		ev = b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{customStep(address.URL), inAppStep("x")}}), to("u1"))
		b.fanOut(ev)
		b.wake(pgdue.DueHTTPSteps)
		require.Equal(t, workflow.RunCancelled, b.runs(ev)[0].Status)
		require.Empty(t, b.messages(ev))
	})
}

// TestCustomStepsNameTheirRequest: the request keeps its id over its attempts, and is signed anew for each.
func TestCustomStepsNameTheirRequest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := listen(t, func(n int, w http.ResponseWriter) {
		if n == 1 {
			w.WriteHeader(http.StatusBadGateway)
		}
	})
	b.withHTTPSteps(func(cfg *engine.Config) {
		cfg.CallbackKey = func(environmentID string) string { return "key of " + environmentID }
	})
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{customStep(c.URL)}})
	b.subscriber("u1")
	ev := b.triggered(wf, to("u1"))
	b.fanOut(ev)
	for range 3 {
		b.wake(pgdue.DueHTTPSteps)
		b.clock.add(time.Hour)
	}
	require.Len(t, c.heads, 2)
	for i, h := range c.heads {
		require.Equal(t, b.runs(ev)[0].ID+":ask", h.Get("Webhook-Id"))
		require.Equal(t, h.Get("Webhook-Id"), h.Get("Idempotency-Key"))
		require.Equal(t, strconv.Itoa(i+1), h.Get("X-Svc-Attempt"))
		mac := hmac.New(sha256.New, []byte("key of "+b.scope.EnvironmentID))
		mac.Write([]byte(h.Get("Webhook-Id") + "." + h.Get("Webhook-Timestamp") + "." + c.bodies[i]))
		require.Equal(t, "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)), h.Get("Webhook-Signature"))
	}
}

// variable makes a variable of the environment.
func (b *bundle) variable(name, value string, secret bool) {
	b.tb.Helper()
	create := b.db.Ent.Variable.Create().SetID(id.New(time.Now())).SetName(name).SetSecret(secret)
	if !secret {
		create.SetValue(value).ExecX(b.ctx)
		return
	}
	variableID, _ := create.Mutation().ID()
	sealed, err := provider.SealVariable(b.config.Secrets, variableID, value)
	require.NoError(b.tb, err)
	create.SetSealed(sealed).ExecX(b.ctx)
}

// TestCustomStepsAreClaimedForPlaces: a step waits unclaimed until its request can begin, so that its lease outlasts the request.
func TestCustomStepsAreClaimedForPlaces(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.withHTTPSteps(func(c *engine.Config) { c.ConcurrentAttempts = 2 })
	address := listen(t, func(_ int, w http.ResponseWriter) { _, _ = w.Write([]byte(`{}`)) })
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{customStep(address.URL)}})
	b.fanOut(b.triggered(wf, to("u1", "u2", "u3")))
	for _, want := range []int{2, 1, 0} {
		require.Equal(t, want, b.wake(pgdue.DueHTTPSteps))
	}
	require.Len(t, address.bodies, 3)
}
