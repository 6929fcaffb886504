package pgmessage_test

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/workflow"
)

// underLease stores messages, by their names, under a lease that lasts for so long.
func underLease(s *pgtest.Store, leaseID string, lasting time.Duration, names ...string) {
	s.T.Helper()
	rows, ids := make([]pgmessage.MessageRow, len(names)), make([]string, len(names))
	for i, name := range names {
		rows[i] = s.Message(name)
		rows[i].LeaseID, ids[i] = leaseID, rows[i].ID
	}
	s.Send(func(b *pgx.Batch) {
		pgmessage.InsertLease(b, leaseID, ids, lasting)
		pgmessage.InsertMessages(b, rows, lasting)
	})
}

// begun stores an intent for each of the messages.
func begun(s *pgtest.Store, names ...string) {
	s.T.Helper()
	s.Send(func(b *pgx.Batch) {
		for _, name := range names {
			pgmessage.InsertIntents(b, []pgmessage.AttemptRow{{
				ID: "a-" + name, EnvironmentID: s.Here.Scope.EnvironmentID, MessageID: "m-" + name, Number: 1, CreatedAt: time.Now(),
			}})
		}
	})
}

// ended are the leases that ended, and those of them with open messages.
func ended(s *pgtest.Store, limit int) [2]int {
	s.T.Helper()
	n, open, err := pgmessage.EndLeases(s.Ctx, s.DB, limit, time.Minute)
	require.NoError(s.T, err)
	return [2]int{n, open}
}

// leases are those that there are.
func leases(s *pgtest.Store) string {
	s.T.Helper()
	return pgtest.Ask[string](s, `SELECT coalesce(string_agg(id, ' ' ORDER BY id), '') FROM message_leases`)
}

// where a message is: "due", with "leased" when a worker has it, "under <lease>" or "final".
func where(s *pgtest.Store, name string) string {
	s.T.Helper()
	return pgtest.Ask[string](s, `SELECT CASE WHEN lease_id IS NOT NULL AND due_at IS NULL THEN 'under ' || lease_id WHEN lease_id IS NOT NULL THEN 'both'
	WHEN due_at IS NULL THEN 'final' ELSE 'due' END || CASE WHEN leased_until > clock_timestamp() THEN ' leased' ELSE '' END
FROM messages WHERE id = $1`, "m-"+name)
}

// TestMessagesUnderALease: no process finds them due until the lease ends; they are claimed by their ids, and an attempt does not rewrite
// its message before the outcome.
func TestMessagesUnderALease(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`UPDATE messages SET due_at = NULL`)
	underLease(s, "l", time.Hour, "x", "y")
	require.Equal(t, "under l", where(s, "x"))
	now := pgdue.Moment{Now: time.Now().AddDate(1, 0, 0)}
	s.InTx(func(tx pgx.Tx) {
		claimed, err := pgmessage.ClaimMessages(s.Ctx, tx, nil, now, 9)
		require.NoError(t, err)
		require.Empty(t, claimed, "none is due")
		claimed, err = pgmessage.ClaimMessages(s.Ctx, tx, []string{"m-x", "m-y"}, now, 9)
		require.NoError(t, err)
		require.Equal(t, []string{"l", "l"}, []string{claimed[0].LeaseID, claimed[1].LeaseID})
	})
	version := func() string { return pgtest.Ask[string](s, `SELECT xmin::text FROM messages WHERE id = 'm-x'`) }
	before := version()
	begun(s, "x")
	require.Equal(t, before, version())
	s.InTx(func(tx pgx.Tx) {
		claimed, err := pgmessage.ClaimMessages(s.Ctx, tx, []string{"m-x", "m-y"}, now, 9)
		require.NoError(t, err)
		require.Len(t, claimed, 1, "an attempt that has begun is not begun again")
	})
	require.NoError(t, pgmessage.ExtendLeases(s.Ctx, s.Pool, []string{"m-x"}, time.Hour))
	require.Equal(t, "under l leased", where(s, "x"))

	outcome := pgmessage.MessageOutcome{
		EnvironmentID: s.Here.Scope.EnvironmentID, MessageID: "m-x", NotificationID: "n", Status: workflow.MessageSent, IntegrationID: "i", ProviderID: "p",
		At: pgtest.Noon, Attempt: &pgmessage.AttemptRow{ID: "a-x", EnvironmentID: s.Here.Scope.EnvironmentID, Number: 1, Outcome: workflow.AttemptAccepted},
	}
	_, _, err := pgmessage.RecordOutcomes(s.Ctx, s.DB, []pgmessage.MessageOutcome{outcome})
	require.NoError(t, err)
	m := s.Record("messages", "m-x")
	require.Equal(t, []any{"sent", nil, nil, 1.0}, []any{m["status"], m["due_at"], m["lease_id"], m["attempts"]})
	require.Equal(t, [2]int{}, ended(s, 9), "it lasts")
}

// TestEndLeases: what is still open becomes due as of when it was made. An attempt that is under way stays with its worker, and one that
// is about to be changed with its transaction.
func TestEndLeases(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	underLease(s, "done", -time.Hour, "sent", "failed")
	underLease(s, "open", -time.Minute, "waits", "calls", "extended", "final", "held")
	underLease(s, "lasts", time.Hour, "later")
	s.Exec(`UPDATE messages SET status = 'sent', lease_id = NULL WHERE id IN ('m-sent', 'm-failed', 'm-final')`)
	begun(s, "calls", "extended")
	s.Exec(`UPDATE messages SET leased_until = clock_timestamp() + interval '1 hour' WHERE id = 'm-extended'`)
	require.Equal(t, [2]int{1, 0}, ended(s, 1), "the oldest first")
	require.Equal(t, "lasts open", leases(s), "all messages of the first are final")

	s.Meanwhile(func(tx pgx.Tx) {
		_, err := tx.Exec(s.Ctx, `SELECT FROM messages WHERE id = 'm-held' FOR UPDATE`)
		require.NoError(t, err)
	}, func(pgx.Tx) {
		require.Equal(t, [2]int{1, 1}, ended(s, 9))
		require.Equal(t, "under open", where(s, "held"))
	})
	require.Equal(t, "lasts open", leases(s), "it is looked at again for the message that was held")
	for name, want := range map[string]string{
		"waits": "due", "calls": "due leased", "extended": "due leased", "final": "final", "sent": "final", "later": "under lasts",
	} {
		require.Equal(t, want, where(s, name), name)
	}
	calls := s.Record("messages", "m-calls")
	require.Equal(t, []any{1.0, calls["created_at"]}, []any{calls["attempts"], calls["due_at"]}, "the attempt is counted")
	require.True(t, pgtest.Ask[bool](s, `SELECT leased_until > clock_timestamp() + interval '30 minutes' FROM messages WHERE id = 'm-extended'`))
	require.Equal(t, [2]int{}, ended(s, 9), "a second later")
	s.Exec(`UPDATE message_leases SET due_at = clock_timestamp() - interval '1 second' WHERE id = 'open'`)
	require.Equal(t, [2]int{1, 1}, ended(s, 9))
	require.Equal(t, []string{"due", "lasts"}, []string{where(s, "held"), leases(s)})
}

// TestOpenUnderALease: whoever stops, holds or puts off what is open does so to a message under a lease too, which is due for every
// process afterwards.
func TestOpenUnderALease(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	underLease(s, "l", time.Hour, "off", "pause", "slow", "later", "left")
	_, err := pgmessage.PutOffMessage(s.Ctx, s.DB, "m-off", pgtest.Noon, time.Minute, time.Hour)
	require.NoError(t, err)
	s.InTx(func(tx pgx.Tx) {
		pause := pgtest.Ask[string](s, `SELECT id FROM pauses WHERE resumed_at IS NULL LIMIT 1`)
		require.NoError(t, pgdue.Hold(s.Ctx, tx, pgdue.DueMessages, pgdue.Held{IDs: []string{"m-pause"}, Pauses: []string{pause}}))
		require.NoError(t, pgmessage.DeferMessages(s.Ctx, tx, []string{"m-slow"}, []time.Duration{time.Hour}, true))
		require.NoError(t, pgmessage.DeferMessages(s.Ctx, tx, []string{"m-later"}, []time.Duration{time.Hour}, false))
	})
	for name, want := range map[string]string{"off": "due", "pause": "due", "slow": "due leased", "later": "due", "left": "under l"} {
		require.Equal(t, want, where(s, name), name)
	}
	require.True(t, pgtest.Ask[bool](s, `SELECT due_at > now() + interval '900 years' FROM messages WHERE id = 'm-pause'`))
	require.True(t, pgtest.Ask[bool](s, `SELECT due_at > now() + interval '59 minutes' FROM messages WHERE id = 'm-later'`))
	origins, err := pgmessage.LoadMessageOrigins(s.Ctx, s.Pool, strings.Fields("m-off m-left"))
	require.NoError(t, err)
	require.Len(t, origins, 2)
}
