package engine_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

func (b *bundle) stored(integrationID string) *ent.Integration {
	b.tb.Helper()
	return b.db.Ent.Integration.GetX(b.ctx, integrationID)
}

// mails triggers one e-mail for each of n subscribers.
func (b *bundle) mails(n int, change ...func(*workflow.Definition)) (events []string) {
	b.tb.Helper()
	d := workflow.Definition{Steps: []workflow.Step{emailStep()}}
	for _, c := range change {
		c(&d)
	}
	wf := b.workflow(d)
	for k := range n {
		who := fmt.Sprintf("c%d-%s", k, id.New(time.Now()))
		b.subscriber(who)
		events = append(events, b.triggered(wf, to(who)))
	}
	b.fanOut(events...)
	return events
}

func TestBreaker(t *testing.T) {
	t.Parallel()

	t.Run("OpensOnTheIntegrationsOwnFaultAndProbesOneByOne", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.vendor.answer = func(*provider.Message) (*provider.Receipt, error) {
			return nil, &provider.Error{Class: provider.Fault, Status: 401, Text: "bad key"}
		}
		b.mailed()
		b.wake(pgdue.DueMessages)
		i := b.stored(b.email)
		require.Equal(t, workflow.BreakerOpen, i.Breaker)
		require.Contains(t, *i.BreakerCause, "bad key")
		require.NotNil(t, i.BreakerOpenedAt)

		events := b.mails(3)
		b.wake(pgdue.DueMessages)
		require.Len(t, b.vendor.messages(), 1, "an open breaker lets nothing through")
		m := b.messages(events[0])[0]
		require.Equal(t, workflow.MessagePending, m.Status)
		require.True(t, m.DueAt.After(b.clock.Now("")))
		require.Contains(t, reasons(b.runs(events[0])[0]), workflow.ReasonBreakerOpen)

		b.vendor.answer = nil
		b.exec(`UPDATE integrations SET breaker_probe_at = now() - interval '1 second'`)
		b.clock.add(time.Minute)
		b.wake(pgdue.DueMessages)
		require.Len(t, b.vendor.messages(), 2, "half open: one call")
		i = b.stored(b.email)
		require.Equal(t, workflow.BreakerClosed, i.Breaker)
		require.Nil(t, i.BreakerCause)
		b.clock.add(time.Hour / 2)
		b.wake(pgdue.DueMessages)
		require.Len(t, b.vendor.messages(), 4)
	})

	t.Run("OpensAfterFailuresInARow", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.vendor.answer = func(*provider.Message) (*provider.Receipt, error) {
			return nil, &provider.Error{Class: provider.Transient, Status: 503}
		}
		b.mails(9)
		b.wake(pgdue.DueMessages)
		require.Equal(t, workflow.BreakerClosed, b.stored(b.email).Breaker)
		require.Equal(t, 9, b.stored(b.email).BreakerFailures)
		b.mails(1)
		b.wake(pgdue.DueMessages)
		require.Equal(t, workflow.BreakerOpen, b.stored(b.email).Breaker)
	})

	t.Run("LeavesTroubleOfTargetsOut", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.vendor.answer = func(*provider.Message) (*provider.Receipt, error) {
			return nil, &provider.Error{Class: provider.Transient, Text: "connection refused", OfTarget: true}
		}
		b.mails(12)
		b.wake(pgdue.DueMessages)
		require.Equal(t, workflow.BreakerClosed, b.stored(b.email).Breaker)
		require.Zero(t, b.stored(b.email).BreakerFailures)
		b.vendor.answer = nil
		ev := b.mailed()
		b.wake(pgdue.DueMessages)
		require.Equal(t, workflow.MessageSent, b.messages(ev)[0].Status)
	})

	t.Run("SuccessBetweenStartsAnew", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.exec(`UPDATE integrations SET breaker_failures = 9`)
		b.mails(1)
		b.wake(pgdue.DueMessages)
		require.Zero(t, b.stored(b.email).BreakerFailures)
	})

	t.Run("FailsOverWhileOpen", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		second := b.integration("nodemailer", workflow.ChannelEmail, false)
		b.exec(`UPDATE integrations SET breaker = 'open', breaker_probe_at = now() + interval '1 hour' WHERE id = $1`, b.email)
		ev := b.mailed()
		b.wake(pgdue.DueMessages)
		b.wake(pgdue.DueMessages)
		m := b.messages(ev)[0]
		require.Equal(t, workflow.MessageSent, m.Status)
		require.Equal(t, second, *m.IntegrationID)
		require.Contains(t, reasons(b.runs(ev)[0]), workflow.ReasonBreakerOpen)
	})

	t.Run("WaitsWhileOpenRatherThanGoToADemoSender", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.integration("svc-email", workflow.ChannelEmail, false)
		b.exec(`UPDATE integrations SET breaker = 'open', breaker_probe_at = now() + interval '1 hour' WHERE id = $1`, b.email)
		ev := b.mailed()
		b.wake(pgdue.DueMessages)
		b.wake(pgdue.DueMessages)
		m := b.messages(ev)[0]
		require.Equal(t, workflow.MessagePending, m.Status)
		require.Equal(t, b.email, *m.IntegrationID)
		require.Empty(t, b.vendor.messages())
	})

	t.Run("UnknownOutcomeStaysWhereItIs", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.integration("nodemailer", workflow.ChannelEmail, false)
		b.vendor.answer = func(m *provider.Message) (*provider.Receipt, error) {
			if m.Attempt == 1 {
				return nil, &provider.Error{Class: provider.Unknown}
			}
			return nil, &provider.Error{Class: provider.Fault, Status: 401}
		}
		ev := b.mailed()
		b.wake(pgdue.DueMessages)
		b.clock.add(time.Minute)
		b.wake(pgdue.DueMessages)
		m := b.messages(ev)[0]
		require.Equal(t, workflow.MessageError, m.Status)
		require.Equal(t, b.email, *m.IntegrationID)
		require.NotContains(t, reasons(b.runs(ev)[0]), workflow.ReasonFailover)
	})
}

func TestPace(t *testing.T) {
	t.Parallel()

	t.Run("WaitsInLineAndUrgentGoesFirst", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.exec(`UPDATE integrations SET rate_limit = 0.01 WHERE id = $1`, b.email)
		events := b.mails(3)
		b.wake(pgdue.DueMessages)
		require.Len(t, b.vendor.messages(), 1)
		require.NotNil(t, b.stored(b.email).PacedUntil)
		waiting := map[time.Duration]bool{}
		for _, ev := range events {
			if m := b.messages(ev)[0]; m.DueAt != nil {
				waiting[m.DueAt.Sub(b.clock.Now("")).Round(25*time.Second)] = true
				require.Contains(t, reasons(b.runs(ev)[0]), workflow.ReasonPaced)
			}
		}
		require.Equal(t, map[time.Duration]bool{125 * time.Second: true, 250 * time.Second: true}, waiting)

		urgent := b.mails(1)
		b.exec(`UPDATE messages SET lane = 'urgent' WHERE event_id = $1`, urgent[0])
		b.wake(pgdue.DueMessages)
		require.Equal(t, workflow.MessageSent, b.messages(urgent[0])[0].Status)

		for range 2 {
			b.clock.add(125*time.Second + time.Millisecond)
			b.wake(pgdue.DueMessages)
		}
		require.Len(t, b.vendor.messages(), 4, "a place in line is kept, not asked for again")
	})

	t.Run("LearnsFromRefusals", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.vendor.answer = func(*provider.Message) (*provider.Receipt, error) {
			return nil, &provider.Error{Class: provider.Transient, Status: 429, RetryAfter: time.Second}
		}
		b.mails(5)
		b.wake(pgdue.DueMessages)
		i := b.stored(b.email)
		require.NotNil(t, i.LearnedRate)
		require.Less(t, *i.LearnedRate, 5.0)
		require.Equal(t, workflow.BreakerClosed, i.Breaker)
		require.Zero(t, i.BreakerFailures, "too many calls are no fault")
	})
}

func TestSuppressedAddressesGetNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.db.Ent.Suppression.Create().SetChannel(workflow.ChannelEmail).SetAddress("u1@example.com").
		SetReason(workflow.SuppressionBounce).ExecX(b.ctx)
	ev := b.mailed()
	b.wake(pgdue.DueMessages)
	m := b.messages(ev)[0]
	require.Equal(t, workflow.MessageError, m.Status)
	require.Equal(t, "suppressed", *m.ErrorID)
	require.Empty(t, b.vendor.messages())
	require.Equal(t, workflow.RunCompleted, b.runs(ev)[0].Status)
	require.Contains(t, reasons(b.runs(ev)[0]), workflow.ReasonSuppressed)
}

func TestReceipts(t *testing.T) {
	t.Parallel()
	report := func(b *bundle, message string, kinds ...workflow.ReceiptKind) {
		for _, kind := range kinds {
			require.NoError(b.tb, pgmessage.RecordReceipts(b.ctx, b.db, b.scope, b.email, workflow.ChannelEmail, pgmessage.ReceiptReport{Proven: true, Receipts: []pgmessage.ReceiptRow{{
				EventID: "ev-" + string(kind), Kind: kind, ProviderMessageID: message, Recipient: "U1@example.com", At: time.Now(), Permanent: true,
			}}}))
		}
	}

	t.Run("MoveForwardAndNeverBack", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		ev := b.mailed()
		b.wake(pgdue.DueMessages)
		vendorID := *b.messages(ev)[0].ProviderMessageID
		report(b, vendorID, workflow.ReceiptOpened, workflow.ReceiptDelivered, workflow.ReceiptOpened)
		m := b.messages(ev)[0]
		require.Equal(t, workflow.ReceiptOpened, *m.Receipt)
		require.Equal(t, workflow.MessageSent, m.Status)
		require.Equal(t, 2, b.db.Ent.Receipt.Query().CountX(b.ctx), "each once")
		report(b, vendorID, workflow.ReceiptBounced)
		m = b.messages(ev)[0]
		require.Equal(t, workflow.MessageError, m.Status)
		require.Equal(t, "bounced", *m.ErrorID)
		s := b.db.Ent.Suppression.Query().OnlyX(b.ctx)
		require.Equal(t, "u1@example.com", s.Address)
		require.Equal(t, workflow.SuppressionBounce, s.Reason)
		require.NoError(t, b.db.Ent.Suppression.DeleteOne(s).Exec(b.ctx))
		report(b, vendorID, workflow.ReceiptBounced)
		require.Zero(t, b.db.Ent.Suppression.Query().CountX(b.ctx), "a repeated receipt does not undo what was lifted by hand")
	})

	t.Run("BeforeTheReplyIsRecorded", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.vendor.answer = func(*provider.Message) (*provider.Receipt, error) {
			report(b, "early", workflow.ReceiptBounced)
			return &provider.Receipt{ID: "early"}, nil
		}
		ev := b.mailed()
		b.wake(pgdue.DueMessages)
		m := b.messages(ev)[0]
		require.Equal(t, workflow.ReceiptBounced, *m.Receipt)
		require.Equal(t, workflow.MessageError, m.Status)
		require.Equal(t, workflow.RunCompleted, b.runs(ev)[0].Status)
	})

	t.Run("OfAMessageNobodyKnows", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		report(b, "stranger", workflow.ReceiptDelivered)
		require.Nil(t, b.db.Ent.Receipt.Query().OnlyX(b.ctx).MessageID)
	})
}
