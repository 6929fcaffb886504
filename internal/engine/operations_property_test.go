package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/digest"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// operating triggers, cancels, pauses, resumes and publishes in random order, and advances the environment's clock.
type operating struct {
	*generator
	at        time.Time
	workflows []published
	versions  int
	people    []*ent.Subscriber
	events    []string
	paused    []*ent.Pause
	named     map[string]int // recipients by event
}

// TestRandomOperationsComeToRest: whatever is cancelled, paused, published and refused, in the end nothing is open, every recipient has one
// run, every counter is that of its rows and every window has the runs that it counts.
func TestRandomOperationsComeToRest(t *testing.T) {
	t.Parallel()
	o := &operating{generator: &generator{bundle: setup(t), rand: rand.New(rand.NewPCG(1, 3))}, at: year25, named: map[string]int{}} //nolint:gosec // cases, not secrets
	o.virtual(o.at)
	o.integration("generic-sms", workflow.ChannelSMS, true)
	o.integration("push-webhook", workflow.ChannelPush, false)
	o.vendor.answer = o.answer
	for n := range 8 {
		o.workflows = append(o.workflows, o.generator.named(fmt.Sprint("case-", n), o.definition()))
	}
	for n := range 4 {
		o.people = append(o.people, o.person(n))
		o.preferences(o.people[n], o.workflows[n].workflow)
	}
	for range 150 {
		o.operate()
	}
	for _, p := range o.paused {
		o.resume(p, 1000)
	}
	o.vendor.answer = nil
	for range 30 {
		o.advance(30 * 24 * time.Hour)
	}
	o.atRest()
}

// answer is that of a provider which does not always take messages.
func (o *operating) answer(m *provider.Message) (*provider.Receipt, error) {
	switch n, _ := m.Payload["n"].(float64); {
	case n < 2 && m.Attempt < 4:
		return nil, &provider.Error{Class: provider.Transient, Status: 503}
	case n == 2:
		return nil, &provider.Error{Class: provider.Permanent, Status: 400}
	}
	return &provider.Receipt{ID: o.vendor.ReceiptID(m.ID), Date: time.Now()}, nil
}

func (o *operating) advance(by time.Duration) {
	o.tb.Helper()
	o.at = o.at.Add(by)
	o.stand(o.at)
	o.settle()
}

func (o *operating) operate() {
	o.tb.Helper()
	switch p := o.rand.IntN(100); {
	case p < 45:
		r := to()
		for _, n := range o.rand.Perm(len(o.people))[:1+o.rand.IntN(2)] {
			r.Direct = append(r.Direct, workflow.SubscriberInput{SubscriberID: o.people[n].SubscriberID})
		}
		w, payload, overrides := o.workflows[o.rand.IntN(len(o.workflows))], o.payload(), o.overrides()
		eventID := o.triggered(w, r, happened(o.at), func(c *ent.EventCreate) {
			c.SetPayload(payload)
			if overrides != nil {
				c.SetOverrides(overrides)
			}
		})
		o.events, o.named[eventID] = append(o.events, eventID), len(r.Direct)
		if o.chance(70) {
			o.settle()
		}
	case p < 55 && len(o.events) > 0:
		o.cancel(o.events[max(0, len(o.events)-1-o.rand.IntN(6))])
	case p < 62:
		n := o.rand.IntN(len(o.workflows))
		o.versions++
		o.publish(&o.workflows[n], 1+o.versions, o.definition().Steps)
	case p < 68:
		kind := pick(o.generator, workflow.PauseWorkflow, workflow.PauseSubscriber, workflow.PauseChannel, workflow.PauseEnvironment)
		target := map[workflow.PauseKind]string{
			workflow.PauseWorkflow: o.workflows[o.rand.IntN(len(o.workflows))].workflow, workflow.PauseSubscriber: o.people[o.rand.IntN(len(o.people))].ID,
			workflow.PauseChannel: "email",
		}[kind]
		if slices.ContainsFunc(o.paused, func(p *ent.Pause) bool { return p.Kind == kind && p.Target == target }) {
			return
		}
		o.paused = append(o.paused, o.pause(kind, target))
	case p < 76 && len(o.paused) > 0:
		n := o.rand.IntN(len(o.paused))
		o.resume(o.paused[n], 1000)
		o.paused = append(o.paused[:n], o.paused[n+1:]...)
	default:
		o.advance(pick(o.generator, time.Minute, 20*time.Minute, 3*time.Hour, 26*time.Hour, 8*24*time.Hour))
	}
}

// unrest finds what must not be there when nothing is left to do. Which windows a run was in is known of the last one only, so those of
// workflows that had several digests are left out.
const unrest = `
SELECT 'event ' || id || ' is ' || status FROM events WHERE status = 'accepted'
UNION ALL
SELECT 'notification ' || id || ' is ' || status FROM notifications WHERE finished_at IS NULL OR due_at IS NOT NULL
UNION ALL
SELECT 'message ' || id || ' is ' || status FROM messages WHERE status = 'pending' OR due_at IS NOT NULL
UNION ALL
SELECT 'attempt ' || id || ' is ' || outcome FROM attempts WHERE outcome = 'intent'
UNION ALL
SELECT 'digest ' || id || ' is ' || status FROM digests WHERE status = 'open'
UNION ALL
SELECT 'digest ' || d.id || ' counts ' || d.total || ' and has ' || count(n.id) FROM digests d
	LEFT JOIN notifications n ON n.digest_id = d.id AND (n.status <> 'cancelled' OR n.finished_at >= d.closes_at)
	WHERE d.status = 'closed' AND NOT EXISTS (
		SELECT FROM digests o WHERE o.workflow_id = d.workflow_id AND o.subscriber_id = d.subscriber_id AND o.step_id <> d.step_id)
	GROUP BY d.id HAVING d.total <> count(n.id)
UNION ALL
SELECT 'notification ' || n.id || ' is merged into nothing' FROM notifications n
	WHERE n.status = 'merged' AND NOT EXISTS (SELECT FROM digests d WHERE d.id = n.digest_id AND d.status IN ('closed', 'passed'))
UNION ALL
SELECT 'inbox ' || i.id || ' is not that of its messages' FROM inbox_states i
	LEFT JOIN messages m ON m.subscriber_id = i.subscriber_id AND m.scope = i.scope AND m.channel = 'in_app' AND NOT m.archived AND m.snoozed_until IS NULL
	GROUP BY i.id HAVING (i.total, i.unread, i.unseen) <> (count(m.id), count(m.id) FILTER (WHERE NOT m.read), count(m.id) FILTER (WHERE NOT m.seen))
		OR i.sequence < max(m.sequence)`

func (o *operating) atRest() {
	o.tb.Helper()
	found, err := o.db.Pool.Query(o.ctx, unrest)
	require.NoError(o.tb, err)
	lines, err := pgx.CollectRows(found, pgx.RowTo[string])
	require.NoError(o.tb, err)
	require.Empty(o.tb, lines)
	for _, eventID := range o.events {
		require.Len(o.tb, o.runs(eventID), o.named[eventID])
	}
	require.Positive(o.tb, o.db.Ent.Digest.Query().Where(digest.StatusEQ(digest.StatusClosed)).CountX(o.ctx))
}
