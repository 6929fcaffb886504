package deliver

import (
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/retry"
	"github.com/carillon/carillon/internal/engine/run"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

func rated(configured, learned float64) func(*pgrun.IntegrationRow) {
	return func(row *pgrun.IntegrationRow) {
		if configured > 0 {
			row.RateLimit = &configured
		}
		if learned > 0 {
			row.LearnedRate = &learned
		}
	}
}

func TestPaceOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ configured, learned, want float64 }{{0, 0, 0}, {5, 0, 5}, {0, 3, 3}, {5, 3, 3}, {2, 3, 2}} {
		require.Equal(t, c.want, paceOf(new(integration("a", rated(c.configured, c.learned)))), c)
	}
	d := onDelivery(nil, integration("a", rated(10, 0)))
	require.Equal(t, 125*time.Millisecond, d.step(), "a fifth of the pace is free for the urgent lane")
	d.Lane = "urgent"
	require.Equal(t, 100*time.Millisecond, d.step())
}

// on makes deliveries through an integration of the store as it is stored now.
func on(s *pgtest.Store, n int, changes ...func(*pgrun.IntegrationRow)) (list []*Delivery) {
	s.T.Helper()
	row := integration(s.Here.IDs["integrations"], changes...)
	row.EnvironmentID = s.Here.Scope.EnvironmentID
	for range n {
		d := onDelivery(nil, row)
		d.EnvironmentID, d.attempt.EnvironmentID = row.EnvironmentID, row.EnvironmentID
		list = append(list, d)
	}
	return list
}

// refusals are why no call is made for deliveries; "": it is made.
func refusals(list []*Delivery) (out []string) {
	for _, d := range list {
		code := ""
		if d.attempt == nil {
			code = d.failure.Code
		}
		out = append(out, code)
	}
	return out
}

func TestRejectSuppressed(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	suppress := func(rows pgtest.Rows, channel workflow.Channel, address string) {
		s.Add(rows, "suppressions", pgtest.Values{"channel": channel, "address": address, "reason": "complaint", "lifted_at": nil})
	}
	suppress(s.Here, workflow.ChannelEmail, "ann@example.com")
	suppress(s.Here, workflow.ChannelSMS, "+4930123456")
	suppress(s.There, workflow.ChannelEmail, "bob@example.com")
	list := on(s, 5)
	mails := func(d *Delivery, to ...string) { d.Channel, d.envelope.To = workflow.ChannelEmail, to }
	mails(list[0], "Ann@example.com", "bob@example.com")
	mails(list[1], "ann@example.com")
	mails(list[2], "bob@example.com")
	list[4].reject(provider.Failf(provider.Permanent, "known before"))
	require.NoError(t, pgx.BeginFunc(s.Ctx, s.Pool, func(tx pgx.Tx) error { return rejectSuppressed(s.Ctx, tx, list) }))
	require.Equal(t, []string{"", retry.CodeSuppressed, "", retry.CodeSuppressed, ""}, refusals(list))
	require.Equal(t, []string{"bob@example.com"}, list[0].envelope.To, "the others get it")
	require.Equal(t, []string{"bob@example.com"}, list[2].envelope.To, "it is suppressed in another environment")
	require.Equal(t, "the address is suppressed (complaint)", list[1].failure.Text)
	require.Equal(t, "known before", list[4].failure.Text)
}

func TestAdmitProbes(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`UPDATE integrations SET breaker = 'open', breaker_probe_at = NULL WHERE id = $1`, s.Here.IDs["integrations"])
	admit := func(list []*Delivery) {
		t.Helper()
		require.NoError(t, pgx.BeginFunc(s.Ctx, s.Pool, func(tx pgx.Tx) error { return reserveProbes(s.Ctx, tx, list) }))
	}
	probeAt := func(at time.Time) func(*pgrun.IntegrationRow) {
		return func(row *pgrun.IntegrationRow) { row.ProbeAt = &at }
	}

	closed := on(s, 2)
	admit(closed)
	require.Equal(t, []string{"", ""}, refusals(closed))
	require.False(t, closed[0].probe)

	early := on(s, 1, open, probeAt(noon.Add(time.Minute)))
	admit(early)
	require.Equal(t, []string{retry.CodeBreaker}, refusals(early))
	require.Equal(t, time.Minute, early[0].failure.RetryAfter)

	due := on(s, 3, open, probeAt(noon))
	due[2].Lane = "urgent"
	admit(due)
	require.Equal(t, []string{retry.CodeBreaker, retry.CodeBreaker, ""}, refusals(due), "one call, the most urgent one")
	require.True(t, due[2].probe)
	require.Equal(t, time.Second, due[0].failure.RetryAfter)

	taken := on(s, 1, open)
	admit(taken)
	require.Equal(t, []string{retry.CodeBreaker}, refusals(taken), "another process makes the probe")
}

func TestApplyPacing(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`UPDATE integrations SET paced_until = NULL WHERE id = $1`, s.Here.IDs["integrations"])
	pace := func(list []*Delivery) {
		t.Helper()
		require.NoError(t, pgx.BeginFunc(s.Ctx, s.Pool, func(tx pgx.Tx) error { return applyPacing(s.Ctx, tx, list) }))
	}
	unpaced := on(s, 3)
	pace(unpaced)
	require.Equal(t, []string{"", "", ""}, refusals(unpaced))

	list := on(s, 4, rated(0.8, 0)) // ordinary calls take 1.5625 s each, urgent ones 1.25 s
	list[3].Lane = "urgent"
	pace(list)
	require.Equal(t, []string{"", retry.CodePaced, retry.CodePaced, ""}, refusals(list), "the urgent one goes at once")
	step := list[0].step()
	require.Equal(t, []time.Duration{step, 2 * step}, []time.Duration{list[1].failure.RetryAfter, list[2].failure.RetryAfter})
	require.Equal(t, &state.Slot{IntegrationID: list[2].integration.ID, At: noon.Add(2 * step)}, list[2].envelope.Slot)

	held := on(s, 3, rated(0.8, 0))
	held[0].envelope.Slot = &state.Slot{IntegrationID: held[0].integration.ID, At: noon}
	held[1].envelope.Slot = &state.Slot{IntegrationID: held[0].integration.ID, At: noon.Add(-slotLife)}
	held[2].envelope.Slot = &state.Slot{IntegrationID: "another", At: noon}
	pace(held)
	require.Equal(t, []string{"", retry.CodePaced, retry.CodePaced}, refusals(held), "a place is kept for the integration that gave it, for a while")
	wait := held[1].failure.RetryAfter
	require.InDelta(t, (3*step + 1250*time.Millisecond).Seconds(), wait.Seconds(), 0.001, "behind all calls before")
}

// TestPlacesAtALearnedRate: a rate that a provider gave in its worst minute decides about the next half of a minute, not about hours.
func TestPlacesAtALearnedRate(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	integrationID := s.Here.IDs["integrations"]
	s.Exec(`UPDATE integrations SET paced_until = NULL WHERE id = $1`, integrationID)
	pace := func(list []*Delivery) (waits []time.Duration) {
		t.Helper()
		require.NoError(t, pgx.BeginFunc(s.Ctx, s.Pool, func(tx pgx.Tx) error { return applyPacing(s.Ctx, tx, list) }))
		for _, d := range list {
			if d.failure != nil {
				waits = append(waits, d.failure.RetryAfter)
			}
		}
		return waits
	}
	list := on(s, 100, rated(0, 0.25)) // five seconds each
	waits := pace(list)
	require.Len(t, waits, 99)
	for i, wait := range waits {
		d := list[i+1]
		if i < 5 {
			require.Equal(t, 5*time.Second*time.Duration(i+1), wait)
			require.NotNil(t, d.envelope.Slot)
			continue
		}
		require.WithinRange(t, d.now.Add(wait), d.now.Add(15*time.Second), d.now.Add(23*time.Second))
		require.Nil(t, d.envelope.Slot, "it has no place")
	}
	require.Equal(t, noon.Add(30*time.Second), pgtest.Ask[time.Time](s, `SELECT paced_until FROM integrations WHERE id = $1`, integrationID).UTC())

	given := 0
	for n := range 600 { // batches, a minute long
		one := on(s, 1, rated(0, 0.25))
		one[0].now = noon.Add(time.Duration(n+1) * 100 * time.Millisecond)
		pace(one)
		if one[0].envelope.Slot != nil {
			given++
		}
	}
	require.Equal(t, 12, given, "as many places as there is time for")

	s.Exec(`UPDATE integrations SET paced_until = $2 WHERE id = $1`, integrationID, noon.Add(20*time.Second))
	recovered := on(s, 3, rated(0, 100))
	require.Equal(t, []time.Duration{20 * time.Second}, pace(recovered)[:1], "those who have a place keep it")
	configured := pace(on(s, 100, rated(0.25, 0)))
	require.Greater(t, configured[len(configured)-1], 99*5*time.Second, "a rate that people have set stays")
}

func TestFirstAttemptsLeaveSuppressedAddressesToAClaim(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Add(s.Here, "suppressions", pgtest.Values{"channel": "sms", "address": "+4930123456", "reason": "manual", "lifted_at": nil})
	list := on(s, 3)
	list[1].envelope.Phone = "+4930999999"
	for i, d := range list {
		d.ID = s.Add(s.Here, "messages", pgtest.Values{"channel": "sms", "attempts": 1, "target": strconv.Itoa(i), "leased_until": pgtest.Noon})
		s.Add(s.Here, "attempts", pgtest.Values{"message_id": d.ID, "number": 1})
	}
	q, left := &pgx.Batch{}, []string(nil)
	newWorker(t, func(cfg *state.Config) { cfg.DB = s.DB }).LeaveSuppressed(q, []run.FirstAttempt{nil, list[1], list[0]}, func(ids []string) { left = append(left, ids...) })
	require.Equal(t, 1, q.Len())
	require.NoError(t, s.Pool.SendBatch(s.Ctx, q).Close())
	require.Equal(t, []string{list[0].ID}, left)
	for i, d := range list {
		attempts := min(i, 1) // of the first none
		require.Equal(t, attempts, pgtest.Ask[int](s, `SELECT attempts FROM messages WHERE id = $1`, d.ID), i)
		require.Equal(t, attempts, pgtest.Ask[int](s, `SELECT count(*) FROM attempts WHERE message_id = $1`, d.ID), i)
		require.Equal(t, i > 0, pgtest.Ask[bool](s, `SELECT leased_until IS NOT NULL FROM messages WHERE id = $1`, d.ID), i)
	}
}

// TestRefusedOutcomeFailsAlone: of outcomes that are recorded together one that Postgres refuses keeps none of the others from it.
func TestRefusedOutcomeFailsAlone(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	w := newWorker(t, func(cfg *state.Config) { cfg.DB = s.DB })
	var outcomes []pgmessage.MessageOutcome
	for i, d := range on(s, 3) {
		d.ID = s.Add(s.Here, "messages", pgtest.Values{"channel": "sms", "status": "pending", "target": strconv.Itoa(i), "due_at": pgtest.Noon})
		o := d.outcome()
		o.Status = workflow.MessageSent
		outcomes = append(outcomes, o)
	}
	bad := "\x00"
	outcomes[1].ErrorText = &bad
	require.ErrorContains(t, w.outcomes.record(s.Ctx, outcomes), "22021")
	for i, o := range outcomes {
		require.Equal(t, i != 1, pgtest.Ask[bool](s, `SELECT status = 'sent' AND due_at IS NULL FROM messages WHERE id = $1`, o.MessageID), i)
	}
}

// TestHealthIsRecorded: the first success of a batch resets the failures that other processes count.
func TestHealthIsRecorded(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`UPDATE integrations SET breaker = 'closed', breaker_failures = 2 WHERE id = $1`, s.Here.IDs["integrations"])
	w := newWorker(t, func(cfg *state.Config) { cfg.DB = s.DB })
	list := on(s, 2)
	list[1].adapter = list[0].adapter
	list[0].adapter.unhealthy.Store(true)
	var outcomes []pgmessage.MessageOutcome
	for _, d := range list {
		outcomes = append(outcomes, pgmessage.MessageOutcome{Sign: d.healthSign(nil)})
	}
	w.outcomes.recordHealth(s.Ctx, outcomes)
	require.Zero(t, pgtest.Ask[int](s, `SELECT breaker_failures FROM integrations WHERE id = $1`, s.Here.IDs["integrations"]))
}
