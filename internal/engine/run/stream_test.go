package run

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// streaming is a fan-out by pages of two subscriptions on a database of its own, whose environment has six subscribers: the
// first in the topic b alone, the others in a, and the last two also in b.
type streaming struct {
	t       *testing.T
	ctx     context.Context //nolint:containedctx // of the test
	db      *postgres.DB
	fanOut  *FanOut
	topics  *workflow.Recipients
	version *ent.WorkflowVersion
}

func newStreaming(t *testing.T) *streaming {
	t.Helper()
	b := &streaming{t: t, db: pgtest.New(t), ctx: viewer.SystemContext(t.Context())}
	org := b.db.Ent.Organization.Create().SetName("acme").SaveX(b.ctx)
	env := b.db.Ent.Environment.Create().SetName("test").SetIdentifier("test").SetOrganizationID(org.ID).SaveX(b.ctx)
	b.ctx = viewer.InScope(b.ctx, viewer.Scope{OrganizationID: org.ID, EnvironmentID: env.ID})
	b.db.Ent.Integration.Create().SetIdentifier("in-app").SetName("x").SetProviderID("svc").SetChannel(workflow.ChannelInApp).SaveX(b.ctx)
	b.fanOut = &FanOut{newExecutor(t, func(c *state.Config) { c.DB, c.PageSize, c.Clock = b.db, 2, clock(time.Now()) })}
	step := inApp("bell", "x")
	step.ID, step.Active = id.New(time.Now()), true
	d := &workflow.Definition{Steps: []workflow.Step{step}}
	w := b.db.Ent.Workflow.Create().SetIdentifier("wf").SetName("w").SetDraft(d).SaveX(b.ctx)
	b.version = b.db.Ent.WorkflowVersion.Create().SetWorkflowID(w.ID).SetNumber(1).SetDefinition(d).SetSeverity(workflow.SeverityNone).SaveX(b.ctx)
	w.Update().SetPublishedVersionID(b.version.ID).ExecX(b.ctx)
	first := b.db.Ent.Topic.Create().SetKey("a").SetName("a").SaveX(b.ctx)
	second := b.db.Ent.Topic.Create().SetKey("b").SetName("b").SaveX(b.ctx)
	early := b.db.Ent.Subscriber.Create().SetSubscriberID("b0").SaveX(b.ctx)
	b.db.Ent.Subscription.Create().SetTopicID(second.ID).SetSubscriberID(early.ID).SetIdentifier("b-early").SaveX(b.ctx)
	for n := range 5 {
		s := b.db.Ent.Subscriber.Create().SetSubscriberID(fmt.Sprint("u", n)).SaveX(b.ctx)
		b.db.Ent.Subscription.Create().SetTopicID(first.ID).SetSubscriberID(s.ID).SetIdentifier(fmt.Sprint("a-", n)).SaveX(b.ctx)
		if n >= 3 {
			b.db.Ent.Subscription.Create().SetTopicID(second.ID).SetSubscriberID(s.ID).SetIdentifier(fmt.Sprint("b-", n)).SaveX(b.ctx)
		}
	}
	b.topics = &workflow.Recipients{
		Direct: []workflow.SubscriberInput{{SubscriberID: "u2"}}, Topics: []workflow.TopicRecipient{{TopicKey: "a", Exclude: []string{"u0"}}, {TopicKey: "b"}},
	}
	return b
}

// accepted stores an event; r is nil for a broadcast.
func (b *streaming) accepted(r *workflow.Recipients) (eventID string) {
	b.t.Helper()
	eventID = id.New(time.Now())
	create := b.db.Ent.Event.Create().SetID(eventID).SetTransactionID(eventID).SetWorkflowID(b.version.WorkflowID).SetWorkflowVersionID(b.version.ID).
		SetKind(event.KindBroadcast).SetPayload(map[string]any{}).SetContextKeys([]string{}).SetDueAt(time.Now())
	if r == nil {
		newest := b.db.Ent.Subscriber.Query().Order(ent.Desc("id")).FirstX(b.ctx).ID
		create.SetCheckpoint(map[string]any{"max_subscriber_id": newest, "max_event_id": eventID}) // as accepting does
	} else {
		recipients := map[string]any{}
		require.NoError(b.t, json.Unmarshal(state.AsJSON(r), &recipients))
		create.SetKind(event.KindTrigger).SetRecipients(recipients)
	}
	create.ExecX(b.ctx)
	return eventID
}

// pages fans out at most n pages of an event, as a process that dies then does. It reports whether it came to the last.
func (b *streaming) pages(eventID string, n int) (last bool) {
	b.t.Helper()
	s, at, err := b.fanOut.open(b.ctx, eventID)
	require.NoError(b.t, err)
	if s == nil {
		return true
	}
	skip := s.leftOut()
	for range n {
		p, err := b.fanOut.plan(b.ctx, s, at, skip)
		require.NoError(b.t, err)
		require.NoError(b.t, b.fanOut.writePage(b.ctx, s, p))
		if p.last {
			return true
		}
		at = p.after
	}
	return false
}

// stream fans out the rest of an event.
func (b *streaming) stream(eventID string) error {
	b.t.Helper()
	more, err := b.fanOut.stream(b.ctx, eventID, func() bool { return false })
	require.False(b.t, more)
	return err
}

// expire ends the lease of a process that died.
func (b *streaming) expire(eventID string) {
	b.t.Helper()
	_, err := b.db.Pool.Exec(b.ctx, `UPDATE events SET due_at = now() - interval '1 second' WHERE id = $1 AND due_at IS NOT NULL`, eventID)
	require.NoError(b.t, err)
}

// reached are the subscribers with a notification of an event, each as often as it has one, and whether the event is done.
func (b *streaming) reached(eventID string) (names []string, done bool) {
	b.t.Helper()
	rows, err := b.db.Pool.Query(b.ctx, `SELECT s.subscriber_id FROM notifications n JOIN subscribers s ON s.id = n.subscriber_id WHERE n.event_id = $1 ORDER BY 1`, eventID)
	names, err = postgres.Collect(rows, err, "read", pgx.RowTo[string])
	require.NoError(b.t, err)
	return names, b.db.Ent.Event.GetX(b.ctx, eventID).DueAt == nil
}

// TestStreamsThatDie: a stream whose process dies after any number of pages is continued by the next: everybody is reached
// once, whoever is named directly, excluded or in two topics too (semantics.md §1.4).
func TestStreamsThatDie(t *testing.T) {
	t.Parallel()
	b := newStreaming(t)
	for name, c := range map[string]struct {
		recipients *workflow.Recipients
		want       []string
	}{
		"topics":    {b.topics, []string{"b0", "u1", "u2", "u3", "u4"}},
		"broadcast": {nil, []string{"b0", "u0", "u1", "u2", "u3", "u4"}},
	} {
		for n := 0; ; n++ {
			require.Less(t, n, 20, "the pages do not end")
			eventID := b.accepted(c.recipients)
			last := b.pages(eventID, n)
			_, done := b.reached(eventID)
			require.Equal(t, last, done, "%s after %d pages", name, n)
			b.expire(eventID)
			require.NoError(t, b.stream(eventID))
			names, done := b.reached(eventID)
			require.Equal(t, c.want, names, "%s after %d pages", name, n)
			require.True(t, done)
			if last {
				require.Greater(t, n, 2, name)
				break
			}
		}
	}
}

// TestStreamsTakenOver: a process that was taken for dead and continues finds the checkpoint moved, and writes nothing more.
func TestStreamsTakenOver(t *testing.T) {
	t.Parallel()
	b := newStreaming(t)
	eventID := b.accepted(b.topics)
	s, at, err := b.fanOut.open(b.ctx, eventID)
	require.NoError(t, err)
	slow, err := b.fanOut.plan(b.ctx, s, at, s.leftOut())
	require.NoError(t, err)
	b.expire(eventID)
	b.pages(eventID, 1)
	before, _ := b.reached(eventID)
	require.ErrorIs(t, b.fanOut.writePage(b.ctx, s, slow), errTaken)
	after, _ := b.reached(eventID)
	require.Equal(t, before, after)
	b.expire(eventID)
	require.NoError(t, b.stream(eventID))
	require.NoError(t, b.stream(eventID), "what is done is not begun again")
	names, done := b.reached(eventID)
	require.Equal(t, []any{[]string{"b0", "u1", "u2", "u3", "u4"}, true}, []any{names, done})
}

// TestStreamsThatYield: a stream that stops behind each page for others continues where it was, and reaches each once.
func TestStreamsThatYield(t *testing.T) {
	t.Parallel()
	b := newStreaming(t)
	eventID := b.accepted(b.topics)
	turns := 1
	for {
		more, err := b.fanOut.Stream(b.ctx, eventID, func() bool { return true })
		require.NoError(t, err)
		names, done := b.reached(eventID)
		require.Equal(t, more, !done)
		if !more {
			require.Equal(t, []string{"b0", "u1", "u2", "u3", "u4"}, names)
			break
		}
		turns++
	}
	require.Greater(t, turns, 2)
}

// TestSmallEventsOfTopics: events that share a transaction reach the same as streams do, each once.
func TestSmallEventsOfTopics(t *testing.T) {
	t.Parallel()
	b := newStreaming(t)
	b.fanOut.PageSize = 1000
	events := []string{b.accepted(b.topics), b.accepted(nil), b.accepted(&workflow.Recipients{Direct: []workflow.SubscriberInput{{SubscriberID: "new"}}})}
	for range 2 { // a repetition is harmless
		require.NoError(t, b.fanOut.Events(b.ctx, events))
		for i, want := range [][]string{{"b0", "u1", "u2", "u3", "u4"}, {"b0", "u0", "u1", "u2", "u3", "u4"}, {"new"}} {
			names, done := b.reached(events[i])
			require.True(t, done)
			require.Equal(t, want, names)
		}
	}
}
