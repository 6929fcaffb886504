package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/ent/preference"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/workflow"
)

// TestRandomEventsPlannedAsFannedOut takes generated events both ways, each in a database of its own, and compares all that is stored of
// them, of their recipients and of the inboxes.
func TestRandomEventsPlannedAsFannedOut(t *testing.T) {
	t.Parallel()
	const seed = 26 // one by which a request names a new subscriber and a workflow that was found before another
	const workflows, people, requests = 24, 12, 72
	ways := [2]*oneWay{newWay(t, true, seed), newWay(t, false, seed)}
	planned := 0
	for n := range requests {
		for _, w := range ways {
			if n < workflows {
				w.add(n)
			}
			if n < people {
				w.preferences(w.person(n), w.workflows[n%len(w.workflows)].workflow)
			}
			w.change()
			for _, eventID := range w.offerNext(n, min(n+1, people)) {
				if w.plans && w.db.Ent.Event.GetX(w.ctx, eventID).Status == event.StatusFannedOut {
					planned++
				} else {
					w.fanOut(eventID)
				}
			}
		}
		require.Equal(t, ways[1].stored(), ways[0].stored(), "request %d", n)
	}
	require.Greater(t, planned, requests/4)
}

// oneWay is a database whose events all go one way.
type oneWay struct {
	*generator
	plans     bool
	acceptor  *accept.Acceptor
	workflows []published
	versions  int // published beyond the first ones
}

func newWay(t *testing.T, plans bool, seed uint64) *oneWay {
	t.Helper()
	b := setup(t)
	b.clock.at = year25                                                                                // apart from the real time, which must not show
	w := &oneWay{generator: &generator{bundle: b, rand: rand.New(rand.NewPCG(seed, 2))}, plans: plans} //nolint:gosec // cases, not secrets
	w.acceptor = accept.NewAcceptor(accept.Config{DB: b.db, Queue: b.config.Queue, Now: func() time.Time { return b.clock.Now("") }, Logger: slog.New(slog.DiscardHandler)})
	if plans {
		w.acceptor.PlanWith(b.engine.Planner())
	}
	t.Cleanup(func() { require.NoError(t, w.acceptor.Stop(context.WithoutCancel(b.ctx))) })
	w.integration("generic-sms", workflow.ChannelSMS, true)
	w.integration("push-webhook", workflow.ChannelPush, false)
	return w
}

func (w *oneWay) add(n int) {
	w.tb.Helper()
	d := w.definition()
	d.Steps = w.plannable(d.Steps)
	w.workflows = append(w.workflows, w.named(fmt.Sprint("case-", n), d))
}

func (w *oneWay) plannable(steps []workflow.Step) []workflow.Step {
	if w.chance(60) { // runs that share rows are not planned
		steps = slices.DeleteFunc(steps, func(s workflow.Step) bool { return s.Type == workflow.StepDigest || s.Type == workflow.StepThrottle })
		steps = append(steps, inAppStep("{{subscriber.firstName}} {{actor.firstName}} {{payload.n}}"))
	}
	return steps
}

// change changes, now and then, what events are planned by: the version of a workflow, preferences, an integration.
func (w *oneWay) change() {
	w.tb.Helper()
	if w.chance(15) {
		n := w.rand.IntN(len(w.workflows))
		w.versions++
		w.publish(&w.workflows[n], 1+w.versions, w.plannable(w.definition().Steps))
	}
	if who := w.db.Ent.Subscriber.Query().Order(ent.Asc(subscriber.FieldSubscriberID)).AllX(w.ctx); w.chance(15) {
		chosen := who[w.rand.IntN(len(who))]
		w.db.Ent.Preference.Delete().Where(preference.SubscriberID(chosen.ID)).ExecX(w.ctx)
		w.preferences(chosen, w.workflows[w.rand.IntN(len(w.workflows))].workflow)
	}
	if w.chance(10) {
		w.exec(`UPDATE integrations SET active = NOT active WHERE provider_id = 'push-webhook'`)
	}
}

// offerNext accepts a request of one or several events. Several have no recipient in common: an event that is fanned out finds the
// profiles that all of its request have set, and the inboxes as those have left them that were planned.
func (w *oneWay) offerNext(n, people int) (events []string) {
	w.tb.Helper()
	request, several := accept.Request{}, min(1+w.rand.IntN(4)*w.rand.IntN(2), people)
	for i := range several {
		item := w.next(fmt.Sprint("txn-", n, "-", i), func(all int) int { return i + several*w.rand.IntN(1+(all-1-i)/several) }, people)
		if several > 1 {
			item.Actor = nil
		}
		request.Items = append(request.Items, item)
	}
	outcomes, err := w.acceptor.Accept(w.ctx, request)
	require.NoError(w.tb, err)
	for _, outcome := range outcomes {
		require.NotEmpty(w.tb, outcome.EventID)
		events = append(events, outcome.EventID)
	}
	return events
}

// next is an event for some of so many people, whose profiles it may change, and for new ones, as choose chooses.
func (w *oneWay) next(transactionID string, choose func(all int) int, people int) accept.Acceptance {
	w.tb.Helper()
	r := to()
	for range 1 + w.rand.IntN(3) {
		in := workflow.SubscriberInput{SubscriberID: fmt.Sprint("p", choose(people))}
		if w.chance(10) {
			in.SubscriberID = fmt.Sprint("new", choose(20))
		}
		if w.chance(25) {
			in.FirstName = workflow.Given(pick(w.generator, "Ann", "Cy"))
		}
		if w.chance(10) {
			in.Email, in.Data = workflow.Cleared[string](), workflow.Given(map[string]any{"plan": "Ann"})
		}
		if !slices.ContainsFunc(r.Direct, func(other workflow.SubscriberInput) bool { return other.SubscriberID == in.SubscriberID }) {
			r.Direct = append(r.Direct, in)
		}
	}
	item := w.acceptance(w.workflows[w.rand.IntN(len(w.workflows))], r, transactionID)
	item.Payload = asRaw(w.payload())
	if overrides := w.overrides(); overrides != nil {
		item.Overrides = asRaw(overrides)
	}
	if w.chance(30) {
		item.Actor = asRaw(workflow.SubscriberInput{SubscriberID: fmt.Sprint("p", w.rand.IntN(people))})
	}
	return item
}

// recordID is an internal id within a row.
var recordID = regexp.MustCompile(`[0-9a-f]{24}`)

// stored are all rows, with the names of what their ids mean, and without what differs between any two databases.
func (w *oneWay) stored() (rows []string) {
	w.tb.Helper()
	names := map[string]string{}
	for _, s := range w.db.Ent.Subscriber.Query().AllX(w.ctx) {
		names[s.ID] = s.SubscriberID
	}
	for _, e := range w.db.Ent.Event.Query().AllX(w.ctx) {
		names[e.ID] = e.TransactionID
	}
	for _, i := range w.db.Ent.Integration.Query().AllX(w.ctx) {
		names[i.ID] = i.ProviderID
	}
	for table, without := range map[string]string{
		"events": "due_at,profiles_stored", "notifications": "", "messages": "due_at,lease_id", "subscribers": "created_at,named_by",
		"inbox_states": "created_at", "digests": "created_at", "throttles": "created_at",
	} {
		found, err := w.db.Pool.Query(w.ctx, `SELECT to_jsonb(t) - string_to_array('updated_at,environment_id,`+without+`', ',') FROM `+table+` t`)
		require.NoError(w.tb, err)
		list, err := pgx.CollectRows(found, pgx.RowTo[json.RawMessage])
		require.NoError(w.tb, err)
		for _, raw := range list {
			rows = append(rows, table+" "+recordID.ReplaceAllStringFunc(string(raw), func(recordID string) string { return names[recordID] }))
		}
	}
	slices.Sort(rows)
	return rows
}
