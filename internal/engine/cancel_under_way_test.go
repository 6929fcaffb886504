package engine_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/workflow"
)

// cancelledInCall cancels an event while the provider has the call of its mail, answers with err, and sends what is due for a day.
func cancelledInCall(t *testing.T, step workflow.Step, err error) (b *bundle, ev string, stopped int) {
	t.Helper()
	b = setup(t)
	calling, answer := make(chan struct{}), make(chan struct{})
	b.vendor.answer = func(*provider.Message) (*provider.Receipt, error) {
		if len(b.vendor.messages()) == 1 {
			close(calling)
			<-answer
		}
		return &provider.Receipt{ID: "ok"}, err
	}
	ev = b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{step, inAppStep("after")}}), withMail("u1"))
	b.fanOut(ev)
	var sending sync.WaitGroup
	sending.Go(func() { _, _ = b.engine.Wake(b.ctx, pgdue.DueMessages) })
	<-calling
	stopped = len(b.cancel(ev))
	close(answer)
	sending.Wait()
	for range 2 {
		b.wake(pgdue.DueMessages)
		b.clock.add(24 * time.Hour)
	}
	return b, ev, stopped
}

// TestCancelDuringACall: the call that has begun is finished, and no other one is made.
func TestCancelDuringACall(t *testing.T) {
	t.Parallel()
	waitedFor := emailStep()
	waitedFor.ShouldStopOnFail = true
	for name, c := range map[string]struct {
		step    workflow.Step
		err     error
		errorID string
		status  workflow.RunStatus
	}{
		"Busy":          {emailStep(), &provider.Error{Class: provider.Transient, Status: 503}, "cancelled", workflow.RunCancelled},
		"NoAnswer":      {emailStep(), &provider.Error{Class: provider.Unknown}, "outcome_unknown", workflow.RunCancelled},
		"Refused":       {emailStep(), &provider.Error{Class: provider.Permanent, Status: 400}, "rejected", workflow.RunCompleted},
		"Taken":         {emailStep(), nil, "", workflow.RunCompleted},
		"WaitedForBusy": {waitedFor, &provider.Error{Class: provider.Transient, Status: 503}, "cancelled", workflow.RunCancelled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, ev, stopped := cancelledInCall(t, c.step, c.err)
			require.Equal(t, c.step.ShouldStopOnFail, stopped == 1)
			require.Len(t, b.vendor.messages(), 1)
			m := b.db.Ent.Message.Query().Where(message.EventID(ev), message.ChannelEQ(workflow.ChannelEmail)).OnlyX(b.ctx)
			require.Nil(t, m.DueAt)
			if c.errorID == "" {
				require.Equal(t, workflow.MessageSent, m.Status)
				require.Nil(t, m.ErrorID)
			} else {
				require.Equal(t, workflow.MessageError, m.Status)
				require.Equal(t, c.errorID, *m.ErrorID)
			}
			require.Equal(t, c.status, b.runs(ev)[0].Status)
		})
	}
}

// TestCancelReachesWhatWaitsForItsTurn: of a broadcast whose provider is slow no call begins after the cancellation, though intents of
// many are stored by then.
func TestCancelReachesWhatWaitsForItsTurn(t *testing.T) {
	t.Parallel()
	const crowd, limit = 100, 4
	arrived, answer := make(chan string, crowd), make(chan struct{})
	b := setup(t)
	b.vendor.answer = func(m *provider.Message) (*provider.Receipt, error) {
		arrived <- m.ID
		<-answer
		return &provider.Receipt{ID: m.ID}, nil
	}
	b.config.AttemptsPerIntegration, b.config.Recheck = limit, time.Nanosecond
	b.onRealTime()
	b.work()
	var all workflow.Recipients
	for n := range crowd {
		all.Direct = append(all.Direct, withMail(fmt.Sprintf("u%d", n)).Direct...)
	}
	ev := b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}}), &all)
	b.fanOut(ev)
	for range limit - limit/8 {
		await(t, arrived)
	}
	b.cancel(ev)
	close(answer)
	require.Eventually(t, func() bool {
		return !b.db.Ent.Message.Query().Where(message.EventID(ev), message.StatusEQ(workflow.MessagePending)).ExistX(b.ctx)
	}, stall.Limit(time.Minute), 5*time.Millisecond)
	require.Empty(t, arrived)
	sent := b.db.Ent.Message.Query().Where(message.EventID(ev), message.StatusEQ(workflow.MessageSent)).CountX(b.ctx)
	require.Equal(t, limit-limit/8, sent)
	for _, m := range b.messages(ev) {
		if m.Status == workflow.MessageError {
			require.Equal(t, "cancelled", *m.ErrorID)
		}
	}
}

// TestCancelBeforeTheProcessDies: the message of a call that its process did not survive is not sent again.
func TestCancelBeforeTheProcessDies(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.leasing(time.Hour)
	ev := b.mailed()
	b.crashDuringCall(ev)
	require.Empty(t, b.cancel(ev))
	m := b.takenOver(ev)
	require.Equal(t, workflow.MessageError, m.Status)
	require.Equal(t, "outcome_unknown", *m.ErrorID)
	require.Empty(t, b.vendor.messages())
	require.Equal(t, workflow.RunCancelled, b.runs(ev)[0].Status)
}
