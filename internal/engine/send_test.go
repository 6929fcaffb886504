package engine_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/attempt"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
)

// mailed triggers one e-mail and fans it out.
func (b *bundle) mailed(change ...func(*workflow.Step)) (eventID string) {
	b.tb.Helper()
	step := emailStep()
	for _, c := range change {
		c(&step)
	}
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{step}})
	b.subscriber("u1")
	eventID = b.triggered(wf, to("u1"))
	b.fanOut(eventID)
	return eventID
}

// leasing has messages stay with the engine for so long. A long lease is not extended during a test, and no slow claim is taken for an
// outage.
func (b *bundle) leasing(lease time.Duration) {
	b.tb.Helper()
	b.config.Lease = lease
	b.engine = b.newEngine(b.config)
}

func (b *bundle) attempts(messageID string) []*ent.Attempt {
	b.tb.Helper()
	return b.db.Ent.Attempt.Query().Where(attempt.MessageID(messageID)).Order(ent.Asc(attempt.FieldNumber)).AllX(b.ctx)
}

func fails(e *provider.Error, times int) func(*provider.Message) (*provider.Receipt, error) {
	return func(m *provider.Message) (*provider.Receipt, error) {
		if m.Attempt <= times {
			return nil, e
		}
		return &provider.Receipt{ID: "ok", Date: time.Now()}, nil
	}
}

func TestSend(t *testing.T) {
	t.Parallel()

	t.Run("Accepted", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		ev := b.mailed()
		require.Equal(t, workflow.RunPending, b.runs(ev)[0].Status)
		require.Equal(t, 1, b.wake(pgdue.DueMessages))
		m, n := b.messages(ev)[0], b.runs(ev)[0]
		require.Equal(t, workflow.MessageSent, m.Status)
		require.Nil(t, m.DueAt)
		require.Equal(t, "vendor-"+m.ID, *m.ProviderMessageID)
		require.Equal(t, workflow.RunCompleted, n.Status)
		require.NotNil(t, n.FinishedAt)
		require.Equal(t, []workflow.Reason{workflow.ReasonQueued, workflow.ReasonSent, workflow.ReasonCompleted}, reasons(n))
		sent := b.vendor.messages()[0]
		require.Equal(t, []string{"u1@example.com"}, sent.Email.To)
		require.Equal(t, "<p>hello</p>", sent.Content.HTML)
		require.Equal(t, "Hi", sent.Content.Title)
		a := b.attempts(m.ID)
		require.Len(t, a, 1)
		require.Equal(t, workflow.AttemptAccepted, a[0].Outcome)
	})

	t.Run("RetriesWhenTheClockSaysSo", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.vendor.answer = fails(&provider.Error{Class: provider.Transient, Status: 429, RetryAfter: time.Minute}, 2)
		ev := b.mailed()
		require.Equal(t, 1, b.wake(pgdue.DueMessages))
		require.Zero(t, b.wake(pgdue.DueMessages))
		require.WithinDuration(t, b.clock.Now("").Add(time.Minute), *b.messages(ev)[0].DueAt, time.Second)
		b.clock.add(time.Minute)
		require.Equal(t, 1, b.wake(pgdue.DueMessages))
		b.clock.add(time.Minute)
		require.Equal(t, 1, b.wake(pgdue.DueMessages))
		m := b.messages(ev)[0]
		require.Equal(t, workflow.MessageSent, m.Status)
		require.Nil(t, m.ErrorText)
		require.Len(t, b.attempts(m.ID), 3)
		require.Equal(t, 429, *b.attempts(m.ID)[0].HTTPStatus)
	})

	t.Run("GivesUpForGood", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.vendor.answer = fails(&provider.Error{Class: provider.Permanent, Status: 400, Text: "no such mailbox"}, 99)
		ev := b.mailed()
		b.wake(pgdue.DueMessages)
		m, n := b.messages(ev)[0], b.runs(ev)[0]
		require.Equal(t, workflow.MessageError, m.Status)
		require.Equal(t, "rejected", *m.ErrorID)
		require.Contains(t, *m.ErrorText, "no such mailbox")
		require.Equal(t, workflow.RunCompleted, n.Status)
	})

	t.Run("FailsOverWhenTheIntegrationIsAtFault", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		second := b.integration("nodemailer", workflow.ChannelEmail, false)
		b.vendor.answer = fails(&provider.Error{Class: provider.Fault, Status: 401}, 1)
		ev := b.mailed()
		b.wake(pgdue.DueMessages)
		require.Equal(t, 1, b.wake(pgdue.DueMessages))
		m := b.messages(ev)[0]
		require.Equal(t, workflow.MessageSent, m.Status)
		require.Equal(t, second, *m.IntegrationID)
		require.Contains(t, reasons(b.runs(ev)[0]), workflow.ReasonFailover)
	})

	t.Run("EndsInErrorRatherThanWithADemoSender", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.integration("svc-email", workflow.ChannelEmail, false)
		b.vendor.answer = fails(&provider.Error{Class: provider.Fault, Status: 401}, 1)
		ev := b.mailed()
		b.wake(pgdue.DueMessages)
		require.Zero(t, b.wake(pgdue.DueMessages))
		m := b.messages(ev)[0]
		require.Equal(t, workflow.MessageError, m.Status)
		require.Equal(t, b.email, *m.IntegrationID)
		require.NotContains(t, reasons(b.runs(ev)[0]), workflow.ReasonFailover)
	})

	t.Run("CrashDuringTheCallIsSeen", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.leasing(time.Hour)
		crashed := false
		b.vendor.answer = func(*provider.Message) (*provider.Receipt, error) {
			crashed = true
			return &provider.Receipt{}, nil
		}
		ev := b.mailed()
		b.crashDuringCall(ev)
		require.False(t, crashed)
		require.Zero(t, b.wake(pgdue.DueMessages), "the lease still holds")
		b.exec(`UPDATE messages SET leased_until = now() - interval '1 second'`)
		b.wake(pgdue.DueMessages)
		require.False(t, crashed, "a process that has only begun leaves it to another one, which may have kept it through an outage")
		require.Equal(t, workflow.MessageSent, b.takenOver(ev).Status)
		m, n := b.messages(ev)[0], b.runs(ev)[0]
		a := b.attempts(m.ID)
		require.Len(t, a, 2)
		require.Equal(t, workflow.AttemptUnknown, a[0].Outcome)
		require.True(t, a[1].DuplicatePossible)
		require.Equal(t, []workflow.Reason{
			workflow.ReasonQueued, workflow.ReasonRecovered, workflow.ReasonDuplicatePossible, workflow.ReasonSent, workflow.ReasonCompleted,
		}, reasons(n))
	})

	t.Run("LeaseEndsDuringTheCall", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.leasing(time.Hour)
		called, goOn := make(chan struct{}, 2), make(chan struct{})
		b.vendor.answer = func(*provider.Message) (*provider.Receipt, error) {
			called <- struct{}{}
			if len(b.vendor.messages()) == 1 {
				<-goOn
			}
			return &provider.Receipt{ID: "x"}, nil
		}
		ev := b.mailed()
		done := make(chan error, 1)
		go func() { done <- b.engine.Send(b.ctx, []string{b.messages(ev)[0].ID}) }()
		await(t, called)
		b.exec(`UPDATE messages SET leased_until = now() - interval '1 second'`)
		b.wake(pgdue.DueMessages)
		require.Empty(t, called, "its process has it under way")
		require.Zero(t, b.wake(pgdue.DueMessages), "and keeps it")
		close(goOn)
		require.NoError(t, await(t, done))
		m := b.messages(ev)[0]
		require.Equal(t, []any{workflow.MessageSent, 1}, []any{m.Status, m.Attempts})
		require.Equal(t, []workflow.Reason{workflow.ReasonQueued, workflow.ReasonSent, workflow.ReasonCompleted}, reasons(b.runs(ev)[0]))
	})

	t.Run("UnknownOutcomeStopsWhenTheStepSaysSo", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.leasing(time.Hour)
		ev := b.mailed(func(s *workflow.Step) { s.UnknownOutcome = workflow.UnknownStop })
		b.crashDuringCall(ev)
		m := b.takenOver(ev)
		require.Equal(t, workflow.MessageError, m.Status)
		require.Equal(t, "outcome_unknown", *m.ErrorID)
		require.Equal(t, workflow.AttemptUnknown, b.attempts(m.ID)[0].Outcome)
		require.Empty(t, b.vendor.messages())
	})

	t.Run("DropsADeadToken", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.integration("push-webhook", workflow.ChannelPush, false)
		b.vendor.answer = func(m *provider.Message) (*provider.Receipt, error) {
			if m.Target.DeviceToken == "dead" {
				return nil, &provider.Error{Class: provider.Permanent, Status: 410, DropToken: true}
			}
			return &provider.Receipt{ID: "ok"}, nil
		}
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{{
			StepID: "push", Type: workflow.StepPush, Push: &workflow.PushControls{Subject: "T", Body: "B", Data: map[string]any{"k": "{{payload.text}}"}},
		}}})
		ev := b.triggered(wf, &workflow.Recipients{Direct: []workflow.SubscriberInput{{
			SubscriberID: "u1", Channels: []workflow.ChannelInput{{
				ProviderID:  "push-webhook",
				Credentials: workflow.ChannelCredentials{DeviceTokens: []string{"live", "dead"}},
			}},
		}}})
		b.fanOut(ev)
		require.Equal(t, 2, b.wake(pgdue.DueMessages))
		require.Equal(t, []string{"live"}, b.db.Ent.SubscriberChannel.Query().OnlyX(b.ctx).Credentials.DeviceTokens)
		require.Equal(t, map[string]any{"k": "hello"}, b.vendor.messages()[0].CustomData)
		require.Equal(t, workflow.RunCompleted, b.runs(ev)[0].Status)
	})

	t.Run("KeepsATokenThatCameAfterItsDeath", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.integration("push-webhook", workflow.ChannelPush, false)
		gone := time.Now().Add(-time.Hour)
		b.vendor.answer = func(*provider.Message) (*provider.Receipt, error) {
			return nil, &provider.Error{Class: provider.Permanent, Status: 410, DropToken: true, GoneSince: gone}
		}
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{{StepID: "push", Type: workflow.StepPush, Push: &workflow.PushControls{Subject: "T", Body: "B"}}}})
		given := func(tokens ...string) *workflow.Recipients {
			return &workflow.Recipients{Direct: []workflow.SubscriberInput{{
				SubscriberID: "u1", Channels: []workflow.ChannelInput{{ProviderID: "push-webhook", Credentials: workflow.ChannelCredentials{DeviceTokens: tokens}}},
			}}}
		}
		kept := func() []string { return b.db.Ent.SubscriberChannel.Query().OnlyX(b.ctx).Credentials.DeviceTokens }
		b.fanOut(b.triggered(wf, given("early", "late")))
		b.wake(pgdue.DueMessages)
		require.Equal(t, []string{"early", "late"}, kept(), "both came after the vendor saw them dead")
		b.exec(`UPDATE subscriber_channels SET registered = jsonb_build_object('early', now() - interval '2 hours', 'late', now() - interval '2 hours')`)
		b.fanOut(b.triggered(wf, given("late"))) // given again: it is alive
		b.wake(pgdue.DueMessages)
		require.Equal(t, []string{"late"}, kept())
		require.Len(t, b.db.Ent.SubscriberChannel.Query().OnlyX(b.ctx).Registered, 1)
	})

	t.Run("OneThatCannotBeReadSpoilsNoOther", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}})
		b.subscriber("u1")
		bad, good := b.triggered(wf, to("u1")), b.triggered(wf, to("u1"))
		b.fanOut(bad, good)
		broken := b.messages(bad)[0].ID
		b.exec(`UPDATE messages SET content = '[1]' WHERE id = '` + broken + `'`)
		b.wake(pgdue.DueMessages)
		require.Equal(t, workflow.MessageSent, b.messages(good)[0].Status)
		require.Equal(t, workflow.RunCompleted, b.runs(good)[0].Status)
		require.Equal(t, workflow.RunPending, b.runs(bad)[0].Status)
		for range 2 {
			require.Equal(t, workflow.RunPending, b.runs(bad)[0].Status)
			b.clock.add(5 * time.Minute)
			b.wake(pgdue.DueMessages)
		}
		b.exec(`UPDATE messages SET content = NULL WHERE id = '` + broken + `'`)
		require.Equal(t, "parked", *b.messages(bad)[0].ErrorID)
		require.Contains(t, reasons(b.runs(bad)[0]), workflow.ReasonParked)
	})

	t.Run("DeletedIntegrationWithoutAnother", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		mail, after := emailStep(), inAppStep("hello")
		mail.ShouldStopOnFail = true
		after.Filters = []condition.StepFilter{{Type: "BOOLEAN", Value: "AND", Children: []condition.FieldFilterPart{
			{On: "step", Field: mail.StepID + ".skipped", Operator: "EQUAL", Value: "true"}, {On: "step", Field: mail.StepID + ".failed", Operator: "EQUAL", Value: "false"},
		}}}
		b.subscriber("u1")
		ev := b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{mail, after}}), to("u1"))
		b.fanOut(ev)
		b.db.Ent.Integration.UpdateOneID(b.email).SetDeleted(true).SetActive(false).SetPrimary(false).ExecX(b.ctx)
		b.wake(pgdue.DueMessages)
		require.Equal(t, "no_integration", *b.messages(ev)[0].ErrorID)
		require.Empty(t, b.vendor.messages())
		b.wake(pgdue.DueNotifications)
		require.Equal(t, workflow.RunCompleted, b.runs(ev)[0].Status, "the step is skipped, and has not failed")
		require.Len(t, b.messages(ev), 2)
	})
}

// crashDuringCall leaves the message as a worker does that dies between its intent and the outcome.
func (b *bundle) crashDuringCall(eventID string) {
	b.tb.Helper()
	m := b.messages(eventID)[0]
	b.exec(fmt.Sprintf(`INSERT INTO attempts (id, created_at, updated_at, environment_id, message_id, number, integration_id, provider_id)
SELECT '0000000000000000000000aa', now(), now(), environment_id, id, 1, integration_id, provider_id FROM messages WHERE id = '%s'`, m.ID))
	b.exec(`UPDATE messages SET attempts = 1, leased_until = now() + interval '10 seconds'`)
}

// takenOver is the message of an event after another process, with short leases, has taken it over from one that is dead.
func (b *bundle) takenOver(eventID string) *ent.Message {
	b.tb.Helper()
	b.leasing(time.Second)
	b.exec(`UPDATE messages SET leased_until = now() - interval '1 second'`)
	require.Eventually(b.tb, func() bool {
		b.wake(pgdue.DueMessages)
		return b.messages(eventID)[0].Status != workflow.MessagePending
	}, stall.Limit(time.Minute), 10*time.Millisecond)
	return b.messages(eventID)[0]
}

func (b *bundle) exec(sql string, args ...any) {
	b.tb.Helper()
	_, err := b.db.Pool.Exec(b.ctx, sql, args...)
	require.NoError(b.tb, err)
}

func TestStopOnFail(t *testing.T) {
	t.Parallel()
	for name, failing := range map[string]bool{"Stops": true, "GoesOn": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			if failing {
				b.vendor.answer = fails(&provider.Error{Class: provider.Permanent}, 9)
			}
			step := emailStep()
			step.ShouldStopOnFail = true
			wf := b.workflow(workflow.Definition{Steps: []workflow.Step{step, inAppStep("after {{steps.mail.sent}}")}})
			b.subscriber("u1")
			ev := b.triggered(wf, to("u1"))
			b.fanOut(ev)
			require.Len(t, b.messages(ev), 1)
			require.Equal(t, []workflow.Reason{workflow.ReasonQueued, workflow.ReasonWaiting}, reasons(b.runs(ev)[0]))
			b.wake(pgdue.DueMessages)
			run := b.runs(ev)[0]
			if failing {
				require.Equal(t, workflow.RunFailed, run.Status)
				require.Equal(t, workflow.ReasonStopOnFail, run.Trace[len(run.Trace)-1].Reason)
				require.Len(t, b.messages(ev), 1)
				return
			}
			require.Equal(t, workflow.RunCompleted, run.Status)
			require.Equal(t, "after true", b.messages(ev)[1].Content.Text)
		})
	}
}

// TestLeasesAreExtendedBesideRecording: while an outcome waits to be recorded, the message whose call is still under way stays with its
// process, which else would make the call twice.
func TestLeasesAreExtendedBesideRecording(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.config.Lease = 3 * time.Second
	b.onRealTime()
	held, goOn := make(chan struct{}), make(chan struct{})
	b.vendor.answer = func(m *provider.Message) (*provider.Receipt, error) {
		<-held
		if strings.HasPrefix(m.Target.Email, "slow@") {
			<-goOn
		}
		return &provider.Receipt{ID: "v-" + m.ID}, nil
	}
	b.work()
	answer := sync.OnceFunc(func() { close(goOn) })
	t.Cleanup(answer) // before the worker stops, which waits for its call
	ev := b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}}), withMail("fast", "slow"))
	b.fanOut(ev)
	eventually := func(condition, why string) {
		t.Helper()
		require.Eventually(t, func() (holds bool) {
			return b.db.Pool.QueryRow(b.ctx, `SELECT EXISTS (`+condition+`)`).Scan(&holds) == nil && holds
		}, stall.Limit(time.Minute), 10*time.Millisecond, why)
	}
	eventually(`SELECT FROM attempts HAVING count(*) = 2`, "nothing else locks the runs any more")
	other, err := b.db.Pool.Begin(b.ctx)
	require.NoError(t, err)
	defer func() { _ = other.Rollback(context.WithoutCancel(b.ctx)) }()
	_, err = other.Exec(b.ctx, `SELECT FROM notifications n JOIN subscribers s ON s.id = n.subscriber_id WHERE s.subscriber_id = 'fast' FOR UPDATE OF n`)
	require.NoError(t, err)
	close(held)
	eventually(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`, "the outcome of the fast one waits")
	eventually(`SELECT FROM messages m JOIN subscribers s ON s.id = m.subscriber_id
		WHERE s.subscriber_id = 'slow' AND m.leased_until > m.created_at + interval '3.5 seconds' AND m.attempts = 1`, "the slow one stays with its process")
	require.NoError(t, other.Rollback(b.ctx))
	answer()
}
