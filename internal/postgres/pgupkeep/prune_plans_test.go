package pgupkeep_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/postgres/pgupkeep"
)

// TestPruneReadsWhatItDeletes: a batch costs the same however much there is to delete, so that retention keeps up.
func TestPruneReadsWhatItDeletes(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`UPDATE messages SET due_at = NULL, lease_id = NULL, snoozed_until = NULL`)
	s.Exec(`UPDATE notifications SET due_at = NULL, status = 'completed', digest_id = NULL`)
	s.Exec(`UPDATE events SET due_at = NULL`)
	const events, recipients = 2_000, 10
	// Ids of events and of their runs as they come about, older than any id of the tests: an event, its runs, the next event.
	s.Exec(`CREATE FUNCTION nth(event int, recipient int) RETURNS text LANGUAGE sql AS $$ SELECT '5' || lpad((event * 100 + recipient)::text, 23, '0') $$`)
	copies := func(table, of, changes string, args ...any) {
		columns := pgtest.Ask[string](s, `SELECT string_agg(quote_ident(column_name), ', ') FROM information_schema.columns
			WHERE table_name = $1 AND is_generated = 'NEVER'`, table)
		s.Exec(`INSERT INTO `+table+` (`+columns+`) SELECT `+columns+` FROM (SELECT r.* FROM `+table+` o, generate_series(1, $2::int) n,
			generate_series(1, $3::int) k, LATERAL jsonb_populate_record(o, jsonb_build_object(`+changes+`)) r WHERE o.id = $1) made`,
			append([]any{of}, args...)...)
	}
	copies("events", s.Here.IDs["events"], `'id', nth(n, 0), 'transaction_id', nth(n, 0)`, events, 1)
	copies("notifications", s.Here.IDs["notifications"], `'id', nth(n, k), 'event_id', nth(n, 0), 'subscriber_id', k::text`, events, recipients)
	copies("messages", s.Here.IDs["messages"], `'id', nth(n, k), 'notification_id', nth(n, k), 'event_id', nth(n, 0), 'subscriber_id', k::text`, events, recipients)
	s.Exec(`ANALYZE events, notifications, messages`)

	const past = "6"
	require.Less(t, pgtest.Pages(t, s.DB, pgupkeep.PastRuns, past, recipients), 20*recipients, "it asks about the runs that it deletes")
	require.Less(t, pgtest.Pages(t, s.DB, pgupkeep.PastEvents, pgtest.Ask[string](s, `SELECT nth(1, 10)`), recipients), 20, "and about their events")
	require.Equal(t, recipients, pruned(s, recipients))
	require.Equal(t, events-1, pgtest.Ask[int](s, `SELECT count(*) FROM events WHERE id < $1`, past), "an event goes with its last run")
	require.Equal(t, 500, pruned(s, 500))
	require.Equal(t, events-51, pgtest.Ask[int](s, `SELECT count(*) FROM events WHERE id < $1`, past))

	s.Exec(`DELETE FROM notifications WHERE id > nth(60, 0)`)
	require.Equal(t, 100, pruned(s, 100), "of the events without runs, once no run is left before them")
	require.Zero(t, pgtest.Ask[int](s, `SELECT count(*) FROM notifications WHERE id < $1`, past))
}
