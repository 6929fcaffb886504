package engine_test

import (
	"context"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgrepair"
	"github.com/carillon/carillon/internal/workflow"
)

// posted is a message that Discord has, and what Discord answers to requests for its deletion.
type posted struct {
	*bundle
	vendor *vendorServer
	hook   string // integration id
	event  string
}

const (
	discordHook    = "/api/webhooks/1/token"
	discordMessage = discordHook + "/messages/1118"
)

func post(t *testing.T, deleted func(http.ResponseWriter, vendorCall)) posted {
	t.Helper()
	b, v := wired(t, func(w http.ResponseWriter, c vendorCall) {
		if c.Path == discordMessage {
			deleted(w, c)
			return
		}
		_, _ = io.WriteString(w, `{"id":"1118"}`)
	})
	hook := b.integration("discord", workflow.ChannelChat, false)
	b.db.Ent.ChannelEndpoint.Create().SetIdentifier("one").SetIntegrationID(hook).SetSubscriberID(b.subscriber("u1").ID).SetSubscriberExternalID("u1").
		SetType(workflow.EndpointWebhook).SetEndpoint(workflow.EndpointData{URL: v.URL + discordHook}).SetContextKeys([]string{}).ExecX(b.ctx)
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{{StepID: "chat", Type: workflow.StepChat, Chat: &workflow.TextControls{Body: "hello"}}}})
	p := posted{b, v, hook, b.triggered(wf, to("u1"))}
	b.fanOut(p.event)
	b.wake(pgdue.DueMessages)
	require.Len(t, v.to(discordHook), 1)
	require.Equal(t, workflow.MessageSent, p.message().Status)
	return p
}

func (p posted) message() *ent.Message { return p.messages(p.event)[0] }

// recall begins the recall of the message, and returns how many messages are recalled and how many are out of reach.
func (p posted) recall() (recalled, outOfReach int) {
	p.tb.Helper()
	err := p.db.Tx(p.ctx, func(ctx context.Context, tx *postgres.Tx) (err error) {
		runs := []string{p.message().NotificationID}
		if recalled, err = pgrepair.BeginRecalls(ctx, tx.Pgx, p.scope, runs, p.clock.Now("").UTC()); err != nil {
			return err
		}
		_, outOfReach, err = pgrepair.OutOfReach(ctx, tx.Pgx, p.scope, runs, 10)
		return err
	})
	require.NoError(p.tb, err)
	return recalled, outOfReach
}

func (p posted) last() workflow.TraceEntry {
	trace := p.runs(p.event)[0].Trace
	return trace[len(trace)-1]
}

// TestRecalledAtItsProvider: the provider deletes the message once, whatever is paused or cancelled meanwhile.
func TestRecalledAtItsProvider(t *testing.T) {
	t.Parallel()
	p := post(t, func(w http.ResponseWriter, _ vendorCall) { w.WriteHeader(http.StatusNoContent) })
	p.pause(workflow.PauseIntegration, p.hook)
	recalled, outOfReach := p.recall()
	require.Equal(t, []int{1, 0}, []int{recalled, outOfReach})
	p.cancel(p.event)
	recalled, outOfReach = p.recall()
	require.Equal(t, []int{0, 0}, []int{recalled, outOfReach}, "it is under way")
	require.Equal(t, 1, p.wake(pgdue.DueMessages))
	require.Len(t, p.vendor.to(discordMessage), 1)
	require.Equal(t, workflow.ReasonRecalled, p.last().Reason)
	m := p.message()
	require.Nil(t, m.DueAt)
	require.Equal(t, workflow.MessageSent, m.Status, "it was sent once")
	require.Len(t, p.attempts(m.ID), 1)
	recalled, outOfReach = p.recall()
	require.Equal(t, []int{0, 0}, []int{recalled, outOfReach}, "it is gone")
	require.Zero(t, p.wake(pgdue.DueMessages))
}

// TestRecallIsRetried: what passes is asked for again; a message that is gone counts as deleted.
func TestRecallIsRetried(t *testing.T) {
	t.Parallel()
	p := post(t, func(w http.ResponseWriter, c vendorCall) {
		if c.N == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"message":"Unknown Message","code":10008}`)
	})
	p.recall()
	p.wake(pgdue.DueMessages)
	require.Equal(t, workflow.ReasonRetry, p.last().Reason)
	require.Zero(t, p.wake(pgdue.DueMessages), "it waits")
	p.clock.add(time.Minute)
	require.Equal(t, 1, p.wake(pgdue.DueMessages))
	require.Len(t, p.vendor.to(discordMessage), 2)
	require.Equal(t, workflow.ReasonRecalled, p.last().Reason)
}

// TestRecallIsRefused: what the provider refuses is out of reach, and may be asked for again.
func TestRecallIsRefused(t *testing.T) {
	t.Parallel()
	p := post(t, func(w http.ResponseWriter, c vendorCall) {
		if c.N == 0 {
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, `{"message":"Missing Access","code":50001}`)
		}
	})
	p.recall()
	p.wake(pgdue.DueMessages)
	require.Equal(t, workflow.ReasonNotRecalled, p.last().Reason)
	require.Contains(t, p.last().Detail, "Missing Access")
	require.Nil(t, p.message().DueAt)
	recalled, outOfReach := p.recall()
	require.Equal(t, []int{1, 0}, []int{recalled, outOfReach})
	p.wake(pgdue.DueMessages)
	require.Equal(t, workflow.ReasonRecalled, p.last().Reason)

	// Without its integration nothing can be asked.
	q := post(t, nil)
	q.exec(`UPDATE integrations SET active = false WHERE id = $1`, q.hook)
	q.recall()
	q.wake(pgdue.DueMessages)
	require.Equal(t, workflow.ReasonNotRecalled, q.last().Reason)
	_, outOfReach = q.recall()
	require.Zero(t, outOfReach)
	q.wake(pgdue.DueMessages)
	require.Empty(t, q.vendor.to(discordMessage))
}

// TestCopyIsRecalledByItself: a message that was sent again has a receipt of its own.
func TestCopyIsRecalledByItself(t *testing.T) {
	t.Parallel()
	p := post(t, func(http.ResponseWriter, vendorCall) {})
	p.recall()
	p.wake(pgdue.DueMessages)
	original := p.message()
	require.NoError(t, p.db.Tx(p.ctx, func(ctx context.Context, tx *postgres.Tx) error {
		return pgrepair.CopyMessage(ctx, tx.Pgx, p.scope, "ffffffffffffffffffffffff", original.ID, pgrepair.Integration{}, p.clock.Now("").UTC())
	}))
	p.wake(pgdue.DueMessages)
	require.Len(t, p.vendor.to(discordHook), 2, "it is sent, not recalled")
	require.Len(t, p.vendor.to(discordMessage), 1)
	recalled, _ := p.recall()
	require.Equal(t, 1, recalled)
}
