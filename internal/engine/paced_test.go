package engine_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgcount"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgrepair"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// people makes subscribers, and returns their subscriberIds in order.
func (b *bundle) people(n int) (all []string) {
	b.tb.Helper()
	for i := range n {
		all = append(all, fmt.Sprintf("u%02d", i))
		b.subscriber(all[i])
	}
	return all
}

func (n news) pacedBroadcast(perSecond int) (eventID string) {
	n.tb.Helper()
	return n.accept(func(item *accept.Acceptance) {
		item.Kind, item.Recipients, item.PerSecond = event.KindBroadcast, nil, &perSecond
	})
}

// counts are what the counters of an event say.
func (b *bundle) counts(eventID string) []int {
	b.tb.Helper()
	counts, err := pgcount.Of(b.ctx, b.db.Pool, b.scope, []string{eventID})
	require.NoError(b.tb, err)
	c := counts[eventID]
	return []int{c.Sent, c.Failed, c.Skipped}
}

// pass lets the time pass until a paced event is due, and another process take it up.
func (b *bundle) pass(eventID string) {
	b.tb.Helper()
	require.Zero(b.tb, b.wake(pgdue.DueEvents), "it is not due before")
	b.come(eventID)
	b.engine = b.newEngine(b.config)
	b.wake(pgdue.DueEvents)
}

// come lets a paced event be due now. Whole seconds are written to JSON as Go writes them.
func (b *bundle) come(eventID string) {
	b.tb.Helper()
	b.exec(`UPDATE events SET due_at = now(), checkpoint = jsonb_set(checkpoint, '{due}',
	to_jsonb(to_char(now() AT TIME ZONE 'UTC' + interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))) WHERE id = $1`, eventID)
}

// TestPacedBroadcast takes a broadcast through its pages at a pace, each by another process, as if the one before had been
// killed, through a page that is undone, a pause and changes of the pace: everybody is reached once.
func TestPacedBroadcast(t *testing.T) {
	t.Parallel()
	b := paged(t, 10)
	n := b.news(b.acceptor())
	all := b.people(25)
	wide := n.pacedBroadcast(4)
	reached := func() int { return b.db.Ent.Event.GetX(b.ctx, wide).Notified }
	n.fanOut(wide)
	require.Equal(t, 4, reached(), "what may be made in a second")
	b.pass(wide)
	require.Equal(t, 8, reached())

	// A process that is killed while it writes a page leaves nothing of it.
	b.exec(`CREATE FUNCTION killed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$`)
	b.exec(`CREATE TRIGGER killed BEFORE UPDATE OF notified ON events FOR EACH ROW EXECUTE FUNCTION killed()`)
	b.come(wide)
	_, err := b.engine.Wake(b.ctx, pgdue.DueEvents)
	require.Error(t, err)
	b.exec(`DROP TRIGGER killed ON events`)
	require.Equal(t, 8, reached())
	require.Len(t, b.runs(wide), 8)
	b.come(wide) // its lease ends
	b.engine = b.newEngine(b.config)
	b.wake(pgdue.DueEvents)
	require.Equal(t, 12, reached())

	p := b.pause(workflow.PauseBroadcast, wide)
	b.pass(wide)
	require.Equal(t, 12, reached())
	require.True(t, pgdue.IsHeld(b.db.Ent.Event.GetX(b.ctx, wide).DueAt))
	b.resume(p, 10)
	b.come(wide) // the lease of the worker that found the pause ends
	b.wake(pgdue.DueEvents)
	require.Equal(t, 16, reached(), "it continues where it was, at its pace")

	b.db.Ent.Event.UpdateOneID(wide).SetPerSecond(3).ExecX(b.ctx)
	b.pass(wide)
	require.Equal(t, 19, reached())
	b.db.Ent.Event.UpdateOneID(wide).ClearPerSecond().ExecX(b.ctx)
	b.pass(wide)
	require.Equal(t, event.StatusFannedOut, b.db.Ent.Event.GetX(b.ctx, wide).Status, "without a pace it does not stop")
	require.Equal(t, all, n.reached(wide))
	require.Equal(t, 25, reached())
	require.Equal(t, []int{25, 0, 0}, b.counts(wide))
	at := b.db.Ent.Event.GetX(b.ctx, wide).Checkpoint
	require.Equal(t, []any{25.0, 25.0}, []any{at["planned"], at["examined"]})
}

// TestPaceIsSetMeanwhile: a broadcast that runs without a pace takes one on with its next page.
func TestPaceIsSetMeanwhile(t *testing.T) {
	t.Parallel()
	b := paged(t, 5)
	n := b.news(b.acceptor())
	b.people(20)
	wide := n.broadcast()
	b.exec(`CREATE FUNCTION paced() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.notified = 10 THEN NEW.per_second = 2; END IF; RETURN NEW; END $$`)
	b.exec(`CREATE TRIGGER paced BEFORE UPDATE OF notified ON events FOR EACH ROW EXECUTE FUNCTION paced()`)
	n.fanOut(wide)
	b.exec(`DROP TRIGGER paced ON events`)
	ev := b.db.Ent.Event.GetX(b.ctx, wide)
	require.Equal(t, 12, ev.Notified)
	require.Equal(t, event.StatusAccepted, ev.Status)
	require.WithinDuration(t, time.Now().Add(time.Second), *ev.DueAt, time.Second)
}

// TestPaceObeysTheClock: where the clock is set by hand, a page is made when it has come to its time, and the clock passes it by.
func TestPaceObeysTheClock(t *testing.T) {
	t.Parallel()
	b := paged(t, 10)
	b.virtual(year25)
	b.people(6)
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
	b.topic("everybody", "u00", "u01", "u02", "u03", "u04", "u05")
	ev := b.triggered(wf, &workflow.Recipients{Topics: []workflow.TopicRecipient{{TopicKey: "everybody"}}}, happened(year25))
	b.db.Ent.Event.UpdateOneID(ev).SetPerSecond(2).ExecX(b.ctx)
	b.settle()
	require.Len(t, b.runs(ev), 2)
	b.until(1.0 / 60)
	require.Len(t, b.runs(ev), 4)
	b.until(1)
	require.Len(t, b.runs(ev), 6)
	require.Equal(t, event.StatusFannedOut, b.db.Ent.Event.GetX(b.ctx, ev).Status)
}

// TestCountsOfABroadcast: messages are counted with their outcomes, and a retry takes the failure back.
func TestCountsOfABroadcast(t *testing.T) {
	t.Parallel()
	b := paged(t, 10)
	b.people(4)
	b.db.Ent.Subscriber.Create().SetSubscriberID("nowhere").SaveX(b.ctx) // has no address
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}})
	n := news{b, wf, b.acceptor(), b.db.Ent.Workflow.GetX(b.ctx, wf.workflow).Identifier}
	b.vendor.answer = func(m *provider.Message) (*provider.Receipt, error) {
		if m.Target.Email == "u01@example.com" {
			return nil, &provider.Error{Class: provider.Permanent, Status: 400, Text: "no such mailbox"}
		}
		receipt := &provider.Receipt{ID: "v-" + m.ID}
		if m.Target.Email == "u02@example.com" {
			receipt.Warning = "a copy was refused"
		}
		return receipt, nil
	}
	wide, single := n.broadcast(), n.trigger("u00")
	n.fanOut(wide, single)
	b.settle()
	require.Equal(t, []int{3, 1, 1}, b.counts(wide))
	require.Equal(t, []int{0, 0, 0}, b.counts(single), "of an event with few recipients nothing is counted")
	b.vendor.answer = nil
	var failed []string
	for _, m := range b.messages(wide) {
		if m.Status == workflow.MessageError {
			failed = append(failed, m.ID)
		}
	}
	require.Len(t, failed, 1)
	require.NoError(t, b.db.Tx(b.ctx, func(ctx context.Context, tx *postgres.Tx) error {
		_, err := pgrepair.RetryMessages(ctx, tx.Pgx, b.scope, failed, pgrepair.Integration{}, b.clock.Now(""))
		return err
	}))
	require.Equal(t, []int{3, 0, 1}, b.counts(wide))
	b.settle()
	require.Equal(t, []int{4, 0, 1}, b.counts(wide))
}

// TestStepsThatAreNoMessagesAreNotCounted: custom and trigger steps that fail are no failed messages (semantics.md §14.1).
func TestStepsThatAreNoMessagesAreNotCounted(t *testing.T) {
	t.Parallel()
	refusing := listen(t, func(_ int, w http.ResponseWriter) { w.WriteHeader(http.StatusBadRequest) })
	for name, step := range map[string]workflow.Step{"custom": customStep(refusing.URL), "trigger": triggerStep("go", "unknown", nil)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := paged(t, 10)
			b.withHTTPSteps()
			b.people(2)
			wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x"), step}})
			n := news{b, wf, b.acceptor(), b.db.Ent.Workflow.GetX(b.ctx, wf.workflow).Identifier}
			wide := n.broadcast()
			n.fanOut(wide)
			b.settle()
			b.wake(pgdue.DueHTTPSteps)
			for _, run := range b.runs(wide) {
				require.Equal(t, workflow.RunFailed, run.Status)
			}
			require.Equal(t, []int{2, 0, 0}, b.counts(wide))
		})
	}
}
