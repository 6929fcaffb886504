package triggers_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/engine/queue"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/triggers"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// newAccepting returns use cases whose events are stored, and a published workflow "w".
func newAccepting(t *testing.T) *notifytest.Audience {
	t.Helper()
	a := notifytest.NewAudience(t, func(cfg *usecase.Config) {
		acceptor := accept.NewAcceptor(accept.Config{DB: cfg.DB, Queue: queue.New(), Now: time.Now, Logger: slog.New(slog.DiscardHandler)})
		require.NoError(t, acceptor.Start(t.Context()))
		t.Cleanup(func() { require.NoError(t, acceptor.Stop(context.WithoutCancel(t.Context()))) })
		cfg.Accept = acceptor
	})
	a.Now = time.Now().UTC()
	w := a.MakeWorkflow(t, "w", func(_ *ent.WorkflowCreate, d *workflow.Definition) {
		d.Steps = []workflow.Step{notifytest.InAppStep()}
		d.Steps[0].StepID = "inbox"
	})
	v := a.DB.Ent.WorkflowVersion.Create().SetWorkflowID(w.ID).SetNumber(1).SetDefinition(w.Draft).SetSeverity(workflow.SeverityNone).SaveX(a.Ctx)
	w.Update().SetPublishedVersionID(v.ID).SetPublishedNumber(1).ExecX(a.Ctx)
	return a
}

func events(a *notifytest.Audience) int { return a.DB.Ent.Event.Query().CountX(a.Ctx) }

// TestTriggersAreStoredOnce holds that a transactionId is used once in an environment, and never meets another's.
func TestTriggersAreStoredOnce(t *testing.T) {
	t.Parallel()
	a := newAccepting(t)
	const document = `{"name":"w","to":"u","transactionId":"t"}`
	first, err := a.Triggers.Trigger(a.Ctx, documented(document))
	require.NoError(t, err)
	require.Equal(t, workflow.TriggerProcessed, first.Status)
	stored := a.DB.Ent.Event.GetX(a.Ctx, *first.EventID)
	require.Equal(t, "t", stored.TransactionID)
	_, err = a.Triggers.Trigger(a.Ctx, documented(document))
	require.NoError(t, err)
	require.Equal(t, 1, events(a), "a repeated trigger is ignored")
	other := a.OtherEnvironment(t)
	result, err := a.Triggers.Trigger(other, documented(document))
	require.NoError(t, err)
	require.Equal(t, []string{accept.CodeWorkflowNotFound}, result.Error, "the workflow is another environment's")
	require.Zero(t, a.DB.Ent.Event.Query().CountX(other))
}

// TestTriggersUnderAnIdempotencyKey holds that events and the reply under their key are stored together or not at all.
func TestTriggersUnderAnIdempotencyKey(t *testing.T) {
	t.Parallel()
	a := newAccepting(t)
	claim := func(key, hash string) *triggers.KeyUse {
		use, err := a.Idempotency.Claim(a.Ctx, key, []byte(hash))
		require.NoError(t, err)
		return use
	}
	rendered := 0
	render := func(results []*triggers.TriggerResult) (triggers.StoredReply, error) {
		rendered++
		return triggers.StoredReply{Status: 201, Body: []byte(results[0].Status)}, nil
	}
	const document = `{"name":"w","to":"u"}`
	first := claim("k", "h")
	_, err := a.Triggers.Trigger(a.Ctx, documented(document), triggers.WithIdempotency(first, render))
	require.NoError(t, err)
	require.Equal(t, &triggers.StoredReply{Status: 201, Body: []byte("processed")}, first.Stored())
	require.False(t, first.Off())
	require.Equal(t, 1, events(a))

	var replay *triggers.ReplayError
	_, err = a.Triggers.Trigger(a.Ctx, documented(document), triggers.WithIdempotency(claim("k", "h"), render))
	require.ErrorAs(t, err, &replay)
	require.Equal(t, first.Stored(), replay.Reply, "an equal request gets the stored reply")
	_, err = a.Triggers.Trigger(a.Ctx, documented(document), triggers.WithIdempotency(claim("k", "other"), render))
	require.ErrorAs(t, err, &replay)
	require.Equal(t, fault.Invalid, fault.KindOf(replay.Reason), "another request may not use the key")
	require.Equal(t, 1, events(a))
	require.Equal(t, 1, rendered)

	broken := errors.New("cannot be rendered")
	failing := claim("failing", "h")
	_, err = a.Triggers.Trigger(a.Ctx, documented(document), triggers.WithIdempotency(failing, func([]*triggers.TriggerResult) (triggers.StoredReply, error) {
		return triggers.StoredReply{}, broken
	}))
	require.ErrorIs(t, err, broken)
	require.Nil(t, failing.Stored())
	require.Equal(t, 1, events(a), "without its reply the event is not stored")
	_, err = a.Triggers.Trigger(a.Ctx, documented(document), triggers.WithIdempotency(claim("failing", "h"), render))
	require.NoError(t, err, "nor is the key taken")

	wrong := claim("wrong", "h")
	_, err = a.Triggers.Trigger(a.Ctx, documented(`{"name":"a b","to":"u"}`), triggers.WithIdempotency(wrong, render))
	require.Equal(t, []string{"name"}, notifytest.Paths(t, err))
	require.Nil(t, wrong.Stored())
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Idempotency.ByKey(a.Ctx, "wrong")))
}

// TestBulkUnderAnIdempotencyKey holds that the reply of a bulk has all results, those of wrong events too.
func TestBulkUnderAnIdempotencyKey(t *testing.T) {
	t.Parallel()
	a := newAccepting(t)
	use, err := a.Idempotency.Claim(a.Ctx, "k", []byte("h"))
	require.NoError(t, err)
	var in []*triggers.TriggerInput
	for _, document := range []string{`{"name":"a b","to":"u"}`, `{"name":"w","to":"u"}`, `{"name":"none","to":"u"}`} {
		in = append(in, triggers.NewTriggerInput([]byte(document), nil))
	}
	results, err := a.Triggers.Bulk(a.Ctx, in, triggers.WithIdempotency(use, func(results []*triggers.TriggerResult) (triggers.StoredReply, error) {
		var body []byte
		for _, r := range results {
			body = fmt.Appendf(body, "%s;", r.Status)
		}
		return triggers.StoredReply{Status: 201, Body: body}, nil
	}))
	require.NoError(t, err)
	require.Equal(t, "error;processed;error;", string(use.Stored().Body))
	require.Equal(t, workflow.TriggerProcessed, results[1].Status)
	require.Equal(t, 1, events(a))
}

// TestKeysThatDoNotCount holds that an organization that does without keys gets its events, and no reply is stored.
func TestKeysThatDoNotCount(t *testing.T) {
	t.Parallel()
	a := newAccepting(t)
	a.DB.Ent.Organization.UpdateOneID(a.Scope.OrganizationID).SetIdempotency(false).ExecX(viewer.SystemContext(t.Context()))
	for range 2 {
		use, err := a.Idempotency.Claim(a.Ctx, "k", []byte("h"))
		require.NoError(t, err)
		_, err = a.Triggers.Trigger(a.Ctx, documented(`{"name":"w","to":"u"}`), triggers.WithIdempotency(use, func([]*triggers.TriggerResult) (triggers.StoredReply, error) {
			return triggers.StoredReply{Status: 201}, nil
		}))
		require.NoError(t, err)
		require.True(t, use.Off())
	}
	require.Equal(t, 2, events(a))
	require.Zero(t, a.DB.Ent.IdempotencyRecord.Query().CountX(a.Ctx))
}

// TestOneOfManyTakesAKey holds that of equal requests at once one happens, and the others are told so.
func TestOneOfManyTakesAKey(t *testing.T) {
	t.Parallel()
	a := newAccepting(t)
	const callers = 8
	var wait sync.WaitGroup
	failures := make([]error, callers)
	for i := range callers {
		wait.Go(func() {
			use, err := a.Idempotency.Claim(a.Ctx, "k", []byte("h"))
			if err != nil {
				failures[i] = err
				return
			}
			_, failures[i] = a.Triggers.Trigger(a.Ctx, documented(`{"name":"w","to":"u"}`), triggers.WithIdempotency(use, func([]*triggers.TriggerResult) (triggers.StoredReply, error) {
				return triggers.StoredReply{Status: 201, Body: []byte("made")}, nil
			}))
		})
	}
	wait.Wait()
	done := 0
	for _, err := range failures {
		if err == nil {
			done++
			continue
		}
		var replay *triggers.ReplayError
		require.ErrorAs(t, err, &replay)
	}
	require.Equal(t, 1, done)
	require.Equal(t, 1, events(a))
}
