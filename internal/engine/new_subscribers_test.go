package engine_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/workflow"
)

// setupPlanning is a bundle whose events can be planned before they are stored, in real time.
func setupPlanning(t *testing.T) *bundle {
	t.Helper()
	b := setup(t)
	b.onRealTime()
	return b
}

// introduced is a recipient with a profile and data.
func introduced(subscriberID string) *workflow.Recipients {
	r := to(subscriberID)
	r.Direct[0].FirstName, r.Direct[0].Locale = workflow.Given("Ada"), workflow.Given("de_DE")
	r.Direct[0].Data = workflow.Given(map[string]any{"z": 1, "plan": map[string]any{"seats": 3.5, "name": "pro"}})
	return r
}

// TestNewSubscribersAreStoredWithTheirEvent: an event that names new subscribers is planned, and the rows are those that its fan-out would
// have stored.
func TestNewSubscribersAreStoredWithTheirEvent(t *testing.T) {
	t.Parallel()
	b := setupPlanning(t)
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{
		inAppStep("{{subscriber.firstName}} {{subscriber.locale}} {{subscriber.data.plan.seats}} {{subscriber.data.z}} {{actor.firstName}}"),
	}})
	request := func(name string) accept.Request {
		item := b.acceptance(wf, introduced(name), "")
		item.Actor = []byte(`{"subscriberId": "actor of ` + name + `", "firstName": "Eve"}`)
		return accept.Request{Items: []accept.Acceptance{item}}
	}
	offer := func(a *accept.Acceptor, name string) string {
		outcomes, err := a.Accept(b.ctx, request(name))
		require.NoError(t, err)
		return outcomes[0].EventID
	}
	fannedOut := offer(b.accepting(false), "later")
	b.fanOut(fannedOut)
	a := b.accepting(true)
	b.offer(a, wf, to("later"), "") // the workflow is known from here on
	planned := offer(a, "now")

	require.Equal(t, event.StatusFannedOut, b.db.Ent.Event.GetX(b.ctx, planned).Status)
	stored := func(ev, name string) (rows []string) {
		t.Helper()
		for _, id := range []string{name, "actor of " + name} {
			s := b.db.Ent.Subscriber.Query().Where(subscriber.SubscriberID(id)).OnlyX(b.ctx)
			require.Equal(t, ev, *s.NamedBy)
			rows = append(rows, fmt.Sprint(*s.FirstName, s.Locale != nil && *s.Locale == "de_DE", s.Data, s.Deleted, s.CreatedAt.IsZero(), s.UpdatedAt.IsZero()))
		}
		run, m := b.runs(ev)[0], b.messages(ev)[0]
		owner := b.db.Ent.Subscriber.Query().Where(subscriber.SubscriberID(name)).OnlyIDX(b.ctx)
		require.Equal(t, []string{owner, owner}, []string{run.SubscriberID, m.SubscriberID})
		return append(rows, fmt.Sprint(run.Status, reasons(run), m.Content))
	}
	require.Equal(t, stored(fannedOut, "later"), stored(planned, "now"))
	require.Equal(t, "Ada de_DE 3.5 1 Eve", b.messages(planned)[0].Content.Text)
}

// TestNewSubscribersOfManyEvents: events of several processes that name the same new subscribers at once make each of them once.
func TestNewSubscribersOfManyEvents(t *testing.T) {
	t.Parallel()
	b := setupPlanning(t)
	acceptors := []*accept.Acceptor{b.accepting(true), b.accepting(true)} // with planners of their own
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
	b.acquainted("u1")
	for _, a := range acceptors {
		b.offer(a, wf, to("u1"), "") // the workflow is known from here on
	}
	const names, each = 12, 3
	events := make(chan string, names*each*len(acceptors))
	var offers sync.WaitGroup
	for n := range names {
		for range each {
			for _, a := range acceptors {
				offers.Go(func() { events <- b.offer(a, wf, to(fmt.Sprint("new", n), fmt.Sprint("new", (n+1)%names)), "") })
			}
		}
	}
	offers.Wait()
	close(events)
	for ev := range events {
		if b.db.Ent.Event.GetX(b.ctx, ev).Status == event.StatusAccepted {
			b.fanOut(ev)
		}
		require.Len(t, b.messages(ev), 2)
	}
	everybody := b.db.Ent.Subscriber.Query().Where(subscriber.SubscriberIDNEQ("u1")).IDsX(b.ctx)
	require.Len(t, everybody, names)
	for _, s := range everybody {
		var messages, total int
		require.NoError(t, b.db.SQL.QueryRowContext(b.ctx, `SELECT (SELECT count(*) FROM messages WHERE subscriber_id = $1),
			(SELECT total FROM inbox_states WHERE subscriber_id = $1)`, s).Scan(&messages, &total))
		require.Equal(t, []int{2 * each * len(acceptors), 2 * each * len(acceptors)}, []int{messages, total})
	}
}

// overtaken is a planner that calls a function once, between a plan and its commit, as another process might act then.
type overtaken struct {
	accept.Planner
	by func()
}

func (o *overtaken) Plan(ctx context.Context, events []accept.Proposal) []accept.Plan {
	plans := o.Planner.Plan(ctx, events)
	if o.by != nil {
		o.by()
		o.by = nil
	}
	return plans
}

// overtaken accepts events with such a planner.
func (b *bundle) overtaken() (*accept.Acceptor, *overtaken) {
	b.tb.Helper()
	a := accept.NewAcceptor(accept.Config{DB: b.db, Queue: b.config.Queue, Now: time.Now, Logger: slog.New(slog.DiscardHandler)})
	planner := &overtaken{Planner: b.engine.Planner()}
	a.PlanWith(planner)
	require.NoError(b.tb, a.Start(b.ctx))
	b.tb.Cleanup(func() { require.NoError(b.tb, a.Stop(context.WithoutCancel(b.ctx))) })
	return a, planner
}

// TestNewSubscriberBesideAnOlderWorkflow: a request names a new subscriber and a second workflow, which was last found before the
// environment changed.
func TestNewSubscriberBesideAnOlderWorkflow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	digested := b.workflow(workflow.Definition{Steps: script("dig:digest=10 inbox")})
	direct := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("{{payload.text}}")}})
	a := b.accepting(true)
	b.offer(a, digested, to("old"), "")
	b.exec(`UPDATE workflows SET active = NOT active WHERE id = $1`, direct.workflow)
	b.exec(`UPDATE workflows SET active = NOT active WHERE id = $1`, direct.workflow)
	b.offer(a, direct, to("old"), "")

	outcomes, err := a.Accept(b.ctx, accept.Request{Items: []accept.Acceptance{b.acceptance(direct, to("new"), ""), b.acceptance(digested, to("old"), "")}})
	require.NoError(t, err)
	for _, outcome := range outcomes {
		require.Equal(t, workflow.TriggerProcessed, outcome.Status)
		require.NotEmpty(t, outcome.EventID)
	}
	require.Len(t, b.messages(outcomes[0].EventID), 1)
}

// TestNewSubscriberIsThereMeanwhile: an event whose recipient was created while it was planned goes to the one who is there.
func TestNewSubscriberIsThereMeanwhile(t *testing.T) {
	t.Parallel()
	b := setupPlanning(t)
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("for {{subscriber.lastName}}")}})
	a, planner := b.overtaken()
	b.acquainted("u1")
	b.offer(a, wf, to("u1"), "") // the workflow is known from here on
	var there string
	planner.by = func() {
		there = b.subscriber("new").ID
		b.exec(`UPDATE subscribers SET last_name = 'Lovelace' WHERE subscriber_id = 'new'`)
	}
	ev := b.offer(a, wf, to("new"), "")
	require.Equal(t, event.StatusFannedOut, b.db.Ent.Event.GetX(b.ctx, ev).Status)
	m := b.messages(ev)[0]
	require.Equal(t, []string{there, "for Lovelace"}, []string{m.SubscriberID, m.Content.Text})
	require.Equal(t, 2, b.db.Ent.Subscriber.Query().CountX(b.ctx))
}

// TestRecipientErasedMeanwhile: an event whose recipient was deleted while it was planned stores nothing for who is gone, whether or not it
// creates another one.
func TestRecipientErasedMeanwhile(t *testing.T) {
	t.Parallel()
	for name, recipients := range map[string]*workflow.Recipients{"Alone": to("u1"), "WithANewOne": to("u1", "new")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setupPlanning(t)
			a, planner := b.overtaken()
			wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
			b.acquainted("u0", "u1")
			b.offer(a, wf, to("u0"), "") // the workflow is known from here on
			planner.by = func() { b.exec(`UPDATE subscribers SET deleted = true WHERE subscriber_id = 'u1'`) }
			ev := b.offer(a, wf, recipients, "")
			require.Nil(t, planner.by, "it was planned")
			if b.db.Ent.Event.GetX(b.ctx, ev).Status == event.StatusAccepted {
				b.fanOut(ev)
			}
			gone := b.db.Ent.Subscriber.Query().Where(subscriber.SubscriberID("u1"), subscriber.Deleted(true)).OnlyIDX(b.ctx)
			require.Len(t, b.messages(ev), len(recipients.Direct), "another one of the name has it")
			for _, m := range b.messages(ev) {
				require.NotEqual(t, gone, m.SubscriberID)
			}
		})
	}
}

// TestChangedProfiles: an event that changes a profile is planned, the subscriber is what its fan-out would have made of it, and the next
// event goes to the subscriber as changed, whichever process plans it. Of two changes of one moment the later one stays.
func TestChangedProfiles(t *testing.T) {
	t.Parallel()
	b := setupPlanning(t)
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("for {{subscriber.firstName}} {{subscriber.lastName}} {{subscriber.data.plan.name}}")}})
	acceptors := []*accept.Acceptor{b.accepting(true), b.accepting(true)} // with planners of their own
	b.acquainted("later", "now")
	b.exec(`UPDATE subscribers SET last_name = 'Lovelace', first_name = 'Augusta', updated_at = '2026-01-01'`)
	for range 2 {
		for _, a := range acceptors {
			b.offer(a, wf, to("later", "now"), "") // known from here on
		}
	}
	fannedOut := b.offer(b.accepting(false), wf, introduced("later"), "")
	b.fanOut(fannedOut)
	planned := b.offer(acceptors[0], wf, introduced("now"), "")
	require.Equal(t, event.StatusFannedOut, b.db.Ent.Event.GetX(b.ctx, planned).Status)
	stored := func(name string) string {
		s := b.db.Ent.Subscriber.Query().Where(subscriber.SubscriberID(name)).OnlyX(b.ctx)
		return fmt.Sprint(*s.FirstName, *s.LastName, *s.Locale, s.Data, s.UpdatedAt.Year() == 2026 && s.UpdatedAt.Month() == 1)
	}
	require.Equal(t, stored("later"), stored("now"))
	require.Contains(t, stored("now"), "false", "it was updated")
	bare := []string{planned, b.offer(acceptors[0], wf, to("now"), ""), b.offer(acceptors[1], wf, to("now"), ""), fannedOut}
	for _, ev := range bare {
		require.Equal(t, event.StatusFannedOut, b.db.Ent.Event.GetX(b.ctx, ev).Status)
		require.Equal(t, "for Ada Lovelace pro", b.messages(ev)[0].Content.Text)
	}
	request := accept.Request{}
	for _, name := range []string{"Bea", "Cleo"} {
		reached := to("now")
		reached.Direct[0].FirstName = workflow.Given(name)
		request.Items = append(request.Items, b.acceptance(wf, reached, ""))
	}
	outcomes, err := acceptors[0].Accept(b.ctx, request)
	require.NoError(t, err)
	for i := range outcomes {
		if b.db.Ent.Event.GetX(b.ctx, outcomes[i].EventID).Status == event.StatusAccepted {
			b.fanOut(outcomes[i].EventID)
		}
	}
	require.Contains(t, stored("now"), "Cleo")
}

// TestProfileOfAnEventThatWaits: while an event that sets the channel settings of a subscriber, new or not, waits for its fan-out, the events
// after it are not planned without them. Once it is fanned out they are planned again. Profiles do not wait.
func TestProfileOfAnEventThatWaits(t *testing.T) {
	t.Parallel()
	for name, exists := range map[string]bool{"new": false, "changed": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setupPlanning(t)
			wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("for {{subscriber.firstName}}")}})
			a := b.accepting(true)
			b.acquainted("u1")
			b.offer(a, wf, to("u1"), "") // the workflow is known from here on
			if exists {
				b.offer(a, wf, to(name), "")
			}
			reached := introduced(name)
			reached.Direct[0].Channels = []workflow.ChannelInput{{ProviderID: "fcm", Credentials: workflow.ChannelCredentials{DeviceTokens: []string{"d"}}}}
			first, second, third := b.offer(a, wf, reached, ""), b.offer(a, wf, to(name), ""), b.offer(a, wf, to("u1"), "")
			renamed := to(name)
			renamed.Direct[0].FirstName = workflow.Given("Grace")
			fourth := b.offer(a, wf, renamed, "")
			status := func(id string) event.Status { return b.db.Ent.Event.GetX(b.ctx, id).Status }
			require.Equal(t, []event.Status{event.StatusAccepted, event.StatusAccepted, event.StatusFannedOut, event.StatusAccepted},
				[]event.Status{status(first), status(second), status(third), status(fourth)})
			b.fanOut(first, second)
			require.Equal(t, "for Grace", b.messages(second)[0].Content.Text)
			fifth := b.offer(a, wf, to(name), "")
			require.Equal(t, event.StatusFannedOut, status(fifth), "the fourth event gives no channel settings")
			require.Equal(t, "for Grace", b.messages(fifth)[0].Content.Text)
			b.fanOut(fourth)
			require.Equal(t, "for Grace", b.messages(fourth)[0].Content.Text)
		})
	}
}
