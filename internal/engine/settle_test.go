package engine_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// TestSettlementsThatCannotBeRecordedSpoilNoOther: outcomes that share a commit with one at fault are recorded all the same.
func TestSettlementsThatCannotBeRecordedSpoilNoOther(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const batches = 16 // more than write at once, so that some wait together
	var together sync.WaitGroup
	together.Add(batches)
	b.vendor.answer = func(*provider.Message) (*provider.Receipt, error) {
		together.Done()
		together.Wait()
		return &provider.Receipt{ID: "ok"}, nil
	}
	events := b.mails(batches)
	b.exec(`CREATE TABLE at_fault (id text)`)
	b.exec(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
	IF NEW.status = 'sent' AND EXISTS (SELECT FROM at_fault WHERE id = NEW.id) THEN RAISE 'refused'; END IF; RETURN NEW; END $$`)
	b.exec(`CREATE TRIGGER refuse BEFORE UPDATE ON messages FOR EACH ROW EXECUTE FUNCTION refuse()`)
	failed := make([]error, batches)
	var sending sync.WaitGroup
	for i, ev := range events {
		m := b.messages(ev)[0]
		if i%2 == 0 {
			b.exec(`INSERT INTO at_fault VALUES ($1)`, m.ID)
		}
		sending.Go(func() { failed[i] = b.engine.Send(b.ctx, []string{m.ID}) })
	}
	sending.Wait()
	for i, ev := range events {
		m := b.messages(ev)[0]
		if i%2 == 0 {
			require.ErrorContains(t, failed[i], "refused")
			require.Equal(t, workflow.MessagePending, m.Status)
			require.Equal(t, workflow.AttemptIntent, b.attempts(m.ID)[0].Outcome, "whoever claims next finds it")
			continue
		}
		require.NoError(t, failed[i])
		require.Equal(t, workflow.MessageSent, m.Status)
		require.Equal(t, workflow.RunCompleted, b.runs(ev)[0].Status)
	}
}
