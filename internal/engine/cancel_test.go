package engine_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/run"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// cancel cancels the runs of an event, and returns which were stopped.
func (b *bundle) cancel(eventID string) (stopped []string) {
	b.tb.Helper()
	at := b.clock.Now("").UTC()
	if env := b.db.Ent.Environment.GetX(b.ctx, b.scope.EnvironmentID); env.ClockAt != nil {
		at = *env.ClockAt
	}
	err := b.db.Tx(b.ctx, func(ctx context.Context, tx *postgres.Tx) error {
		runs, err := pgrun.EventRuns(ctx, tx.Pgx, b.scope, []string{eventID}, "", 1000)
		if err != nil {
			return err
		}
		stopped, err = pgrun.CancelRuns(ctx, tx.Pgx, b.scope, runs, at, run.TakeOver)
		return err
	})
	require.NoError(b.tb, err)
	return stopped
}

func (b *bundle) cancelEvents(eventID string) (all, stopped []string) {
	b.tb.Helper()
	err := b.db.Tx(b.ctx, func(ctx context.Context, tx *postgres.Tx) (err error) {
		all, stopped, err = pgrun.CancelEvents(ctx, tx.Pgx, b.scope, "txn_"+eventID, b.clock.Now("").UTC())
		return err
	})
	require.NoError(b.tb, err)
	return all, stopped
}

func TestCancel(t *testing.T) {
	t.Parallel()

	t.Run("WithdrawsWhatIsNotSentYet", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		ev := b.mailed()
		run := b.runs(ev)[0]
		require.Equal(t, []string{run.ID}, b.cancel(ev))
		require.Empty(t, b.messages(ev), "nobody has seen it")
		run = b.runs(ev)[0]
		require.Equal(t, workflow.RunCancelled, run.Status)
		require.NotNil(t, run.FinishedAt)
		require.Equal(t, []workflow.Reason{workflow.ReasonQueued, workflow.ReasonCancelled, workflow.ReasonCancelled}, reasons(run))
		require.Zero(t, b.wake(pgdue.DueMessages))
		require.Empty(t, b.vendor.messages())
		require.Empty(t, b.cancel(ev), "the second time is too late")
	})

	t.Run("EndsRetries", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.vendor.answer = fails(&provider.Error{Class: provider.Transient, Status: 503}, 99)
		ev := b.mailed()
		b.wake(pgdue.DueMessages)
		require.Len(t, b.cancel(ev), 1)
		m := b.messages(ev)[0]
		require.Equal(t, workflow.MessageError, m.Status)
		require.Equal(t, "cancelled", *m.ErrorID)
		require.Nil(t, m.DueAt)
		b.clock.add(24 * time.Hour)
		require.Zero(t, b.wake(pgdue.DueMessages))
	})

	t.Run("FinishedIsTooLate", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		ev := b.mailed()
		b.wake(pgdue.DueMessages)
		before := b.runs(ev)[0]
		require.Empty(t, b.cancel(ev))
		require.Equal(t, before.Trace, b.runs(ev)[0].Trace)
		require.Equal(t, workflow.RunCompleted, b.runs(ev)[0].Status)
	})

	t.Run("ASendUnderWayIsTooLate", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		calling, answer := make(chan struct{}), make(chan struct{})
		b.vendor.answer = func(*provider.Message) (*provider.Receipt, error) {
			close(calling)
			<-answer
			return &provider.Receipt{ID: "ok"}, nil
		}
		ev := b.mailed()
		var sending sync.WaitGroup
		sending.Go(func() { _, _ = b.engine.Wake(b.ctx, pgdue.DueMessages) })
		<-calling
		require.Empty(t, b.cancel(ev))
		require.Equal(t, workflow.RunPending, b.runs(ev)[0].Status)
		close(answer)
		sending.Wait()
		require.Equal(t, workflow.RunCompleted, b.runs(ev)[0].Status)
		require.Equal(t, workflow.MessageSent, b.messages(ev)[0].Status)
	})

	t.Run("ARunThatWaitsForASendIsStopped", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		calling, answer := make(chan struct{}), make(chan struct{})
		b.vendor.answer = func(*provider.Message) (*provider.Receipt, error) {
			close(calling)
			<-answer
			return &provider.Receipt{ID: "ok"}, nil
		}
		step := emailStep()
		step.ShouldStopOnFail = true
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{step, inAppStep("after")}})
		b.subscriber("u1")
		ev := b.triggered(wf, to("u1"))
		b.fanOut(ev)
		var sending sync.WaitGroup
		sending.Go(func() { _, _ = b.engine.Wake(b.ctx, pgdue.DueMessages) })
		<-calling
		require.Len(t, b.cancel(ev), 1)
		close(answer)
		sending.Wait()
		require.Equal(t, workflow.RunCancelled, b.runs(ev)[0].Status)
		require.Zero(t, b.wake(pgdue.DueNotifications))
		require.Len(t, b.messages(ev), 1, "the next step never comes")
	})

	t.Run("StopsAnEventBeforeItsFanOut", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		ev := b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}}), to("u1"))
		all, stopped := b.cancelEvents(ev)
		require.Equal(t, []string{ev}, all)
		require.Equal(t, []string{ev}, stopped)
		b.fanOut(ev)
		require.Zero(t, b.wake(pgdue.DueEvents))
		require.Empty(t, b.runs(ev))
		_, stopped = b.cancelEvents(ev)
		require.Empty(t, stopped)
	})

	t.Run("EveryRunIsStoppedOrSent", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}})
		b.subscriber("u1")
		const events = 40
		var ids []string
		for range events {
			ids = append(ids, b.triggered(wf, to("u1")))
		}
		b.fanOut(ids...)
		var mu sync.Mutex
		stopped := map[string]bool{}
		var work sync.WaitGroup
		for range 2 {
			work.Go(func() {
				for n := 1; n > 0; {
					n, _ = b.engine.Wake(b.ctx, pgdue.DueMessages)
				}
			})
		}
		for _, ev := range ids {
			work.Go(func() {
				if len(b.cancel(ev)) > 0 {
					mu.Lock()
					stopped[ev] = true
					mu.Unlock()
				}
			})
		}
		work.Wait()
		for b.wake(pgdue.DueMessages) > 0 { //nolint:revive // until all is sent
		}
		require.Len(t, b.vendor.messages(), events-len(stopped))
		for _, ev := range ids {
			want := workflow.RunCompleted
			if stopped[ev] {
				want = workflow.RunCancelled
			}
			require.Equal(t, want, b.runs(ev)[0].Status)
		}
	})
}
