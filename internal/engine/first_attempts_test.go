package engine_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/attempt"
	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/ent/suppression"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// sentMessage waits until the one message of an event has a final status.
func (b *bundle) sentMessage(eventID string) *ent.Message {
	b.tb.Helper()
	var m *ent.Message
	require.Eventually(b.tb, func() bool {
		list := b.messages(eventID)
		if len(list) == 1 {
			m = list[0]
		}
		return m != nil && m.DueAt == nil && m.LeaseID == nil
	}, stall.Limit(time.Minute), 5*time.Millisecond)
	return m
}

// TestFirstAttemptIsStoredWithItsMessage: while the vendor has the call, its intent is in the ledger and its message is leased;
// no claim was made.
func TestFirstAttemptIsStoredWithItsMessage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	arrived, goOn := make(chan string), make(chan struct{})
	answer := sync.OnceFunc(func() { close(goOn) })
	b.vendor.answer = func(m *provider.Message) (*provider.Receipt, error) {
		arrived <- m.ID
		<-goOn
		return &provider.Receipt{ID: "vendor-1"}, nil
	}
	b.onRealTime()
	b.work()
	t.Cleanup(answer) // before the worker stops, which waits for its call
	ev := b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}}), withMail("u1"))
	b.fanOut(ev)
	called := await(t, arrived)
	m := b.db.Ent.Message.Query().Where(message.EventID(ev)).OnlyX(b.ctx)
	require.Equal(t, called, m.ID)
	require.Equal(t, 1, m.Attempts)
	require.NotNil(t, m.LeasedUntil)
	intent := b.db.Ent.Attempt.Query().Where(attempt.MessageID(m.ID)).OnlyX(b.ctx)
	require.Equal(t, workflow.AttemptIntent, intent.Outcome)
	require.Equal(t, b.email, intent.IntegrationID)
	require.Equal(t, "vendor-"+m.ID, *intent.ProviderMessageID, "known before the call")
	var together bool
	require.NoError(t, b.db.Pool.QueryRow(b.ctx, `SELECT n.xmin = a.xmin FROM notifications n, attempts a WHERE n.event_id = $1 AND a.id = $2`, ev, intent.ID).
		Scan(&together))
	require.True(t, together, "in the transaction in which the run was stored with its message, not at a claim after it")
	answer()
	m = b.sentMessage(ev)
	require.Equal(t, workflow.MessageSent, m.Status)
	ended := b.db.Ent.Attempt.GetX(b.ctx, intent.ID)
	require.Equal(t, workflow.AttemptAccepted, ended.Outcome)
	require.Equal(t, "vendor-1", *ended.ProviderMessageID, "what the provider said in the end")
	require.Len(t, b.vendor.messages(), 1)
}

// TestFirstAttemptThatWasCutOff: a process that ends between the commit and the outcome leaves what one that ends during a
// claimed call leaves, and the next one says so.
func TestFirstAttemptThatWasCutOff(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.onRealTime()
	b.work()
	ev := b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}}), withMail("u1"))
	lost, calls := make(chan struct{}), atomic.Int64{}
	cutOff := sync.OnceFunc(func() { close(lost) })
	t.Cleanup(cutOff) // before the worker stops, which waits for its call
	b.vendor.answer = func(*provider.Message) (*provider.Receipt, error) {
		if calls.Add(1) == 1 {
			<-lost
			return nil, &provider.Error{Class: provider.Unknown, Text: "cut off"}
		}
		return &provider.Receipt{ID: "vendor-2"}, nil
	}
	b.fanOut(ev)
	require.Eventually(t, func() bool { return len(b.vendor.messages()) == 1 }, stall.Limit(time.Minute), time.Millisecond)
	b.engine = b.newEngine(b.config)
	b.work() // the next process

	require.Eventually(t, func() bool { // the first one is there, in truth, and extends its lease now and then
		b.exec(`UPDATE messages SET leased_until = clock_timestamp() - interval '1 second' WHERE event_id = $1 AND attempts = 1`, ev)
		b.exec(`UPDATE message_leases SET due_at = clock_timestamp() - interval '1 second'`)
		return calls.Load() > 1
	}, stall.Limit(time.Minute), 10*time.Millisecond)
	m := b.sentMessage(ev)
	cutOff()
	require.Equal(t, 2, m.Attempts)
	attempts := b.db.Ent.Attempt.Query().Where(attempt.MessageID(m.ID)).Order(attempt.ByID()).AllX(b.ctx)
	require.Equal(t, []string{"vendor-" + m.ID, "vendor-2"}, []string{*attempts[0].ProviderMessageID, *attempts[1].ProviderMessageID},
		"the id of one that may have been taken stays")
	require.Contains(t, reasons(b.runs(ev)[0]), workflow.ReasonRecovered)
}

// TestSuppressedAddressIsNotCalledFirst leaves a suppressed address to the claim, which ends its message.
func TestSuppressedAddressIsNotCalledFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.onRealTime()
	b.db.Ent.Suppression.Create().SetChannel(workflow.ChannelEmail).SetAddress("u1@example.com").SetReason(workflow.SuppressionManual).SaveX(b.ctx)
	b.work()
	ev := b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}}), withMail("u1"))
	b.fanOut(ev)
	m := b.sentMessage(ev)
	require.Equal(t, workflow.MessageError, m.Status)
	require.Zero(t, m.Attempts)
	require.Empty(t, b.vendor.messages())
}

// withMail names subscribers with their addresses.
func withMail(ids ...string) *workflow.Recipients {
	r := to(ids...)
	for i := range r.Direct {
		r.Direct[i].Email = workflow.Given(ids[i] + "@example.com")
	}
	return r
}

// TestSuppressedCopies get nothing either, whether the first attempt comes with the commit or from a claim; the others get the mail.
func TestSuppressedCopies(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]bool{"First": true, "Claimed": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			for _, address := range []string{"gone@example.com", "away@example.com"} {
				b.db.Ent.Suppression.Create().SetChannel(workflow.ChannelEmail).SetAddress(address).SetReason(workflow.SuppressionComplaint).SaveX(b.ctx)
			}
			if first {
				b.onRealTime()
				b.work()
			}
			ev := b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}}), withMail("u1"), func(e *ent.EventCreate) {
				e.SetOverrides(map[string]any{"email": map[string]any{
					"cc": []any{"Gone <Gone@example.com>", "ok@example.com"}, "bcc": []any{"away@example.com"},
				}})
			})
			b.fanOut(ev)
			if !first {
				b.wake(pgdue.DueMessages)
			}
			require.Equal(t, workflow.MessageSent, b.sentMessage(ev).Status)
			sent := b.vendor.messages()
			require.Len(t, sent, 1)
			require.Equal(t, []string{"u1@example.com"}, sent[0].Email.To)
			require.Equal(t, []string{"ok@example.com"}, sent[0].Email.CC)
			require.Empty(t, sent[0].Email.BCC)
		})
	}
}

// TestReceiptsOfCopies: a mail's message keeps its status when a copy bounces, and the copy gets nothing any more.
func TestReceiptsOfCopies(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ev := b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}}), withMail("u1"), func(e *ent.EventCreate) {
		e.SetOverrides(map[string]any{"email": map[string]any{"cc": []any{"Gone <Gone@bücher.example>", "U1@example.com"}, "bcc": []any{"away@example.com"}}})
	})
	b.fanOut(ev)
	b.wake(pgdue.DueMessages)
	m := b.sentMessage(ev)
	bounced := func(recipient string) *ent.Message {
		require.NoError(t, pgmessage.RecordReceipts(b.ctx, b.db, viewer.Scope{EnvironmentID: m.EnvironmentID}, b.email, workflow.ChannelEmail, pgmessage.ReceiptReport{Receipts: []pgmessage.ReceiptRow{{
			EventID: recipient, Kind: workflow.ReceiptBounced, ProviderMessageID: *m.ProviderMessageID, Recipient: recipient, At: m.CreatedAt, Permanent: true,
		}}}))
		return b.sentMessage(ev)
	}
	require.Equal(t, workflow.MessageSent, bounced("gone@xn--bcher-kva.example").Status)
	require.Equal(t, workflow.MessageSent, bounced("Away@example.com").Status)
	require.ElementsMatch(t, []string{"gone@xn--bcher-kva.example", "away@example.com"}, b.db.Ent.Suppression.Query().Select(suppression.FieldAddress).StringsX(b.ctx))
	require.Equal(t, workflow.MessageError, bounced("u1@example.com").Status, "also named as a copy")
}

// TestMissedReceipts: a process that begins links receipts that came before the outcome of their message, whose process ended then.
func TestMissedReceipts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ev := b.mailed()
	b.wake(pgdue.DueMessages)
	m := b.sentMessage(ev)
	b.db.Ent.Receipt.Create().SetIntegrationID(b.email).SetProviderEventID("e").SetKind(workflow.ReceiptBounced).SetPermanent(true).
		SetProviderMessageID(*m.ProviderMessageID).SetOccurredAt(m.CreatedAt).SaveX(b.ctx)
	b.work()
	require.Eventually(t, func() bool { return b.messages(ev)[0].Status == workflow.MessageError }, stall.Limit(time.Minute), 5*time.Millisecond)
}
