package pgpersonal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgpersonal"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// TestFindTraces finds a value in every kind of column, as a whole word and in any case, and only where the environment's rows are.
func TestFindTraces(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	find := func(values ...string) map[string]int64 {
		t.Helper()
		search, err := pgpersonal.FindTraces(s.Ctx, s.DB, s.Here.Scope, values)
		require.NoError(t, err)
		require.Greater(t, search.Tables, 40, "every table is searched")
		require.Greater(t, search.Columns, 10*search.Tables/2)
		found := map[string]int64{}
		for _, trace := range search.Traces {
			found[trace.Table+"."+trace.Column] += trace.Rows
			require.Equal(t, trace.Table == "users", trace.Shared, trace.Table)
		}
		return found
	}
	require.Empty(t, find("grace.h@example.org", `quo"ted`))

	s.Add(s.Here, "subscribers", pgtest.Values{"subscriber_id": "h", "first_name": "Grace.H@Example.org"})
	s.Add(s.Here, "messages", pgtest.Values{"target": "x", "subject": "Mail of grace.h@example.org, twice: grace.h@example.org"})
	s.Exec(`UPDATE events SET payload = $2 WHERE id = $1`, s.Here.IDs["events"], `{"who": ["grace.h@example.org"], "is": "quo\"ted"}`)
	s.Exec(`UPDATE idempotency_records SET body = convert_to('{"email":"grace.h@example.org"}', 'UTF8') WHERE id = $1`, s.Here.IDs["idempotency_records"])
	require.Equal(t, map[string]int64{"subscribers.first_name": 1, "messages.subject": 1, "events.payload": 1, "idempotency_records.body": 1}, find("grace.h@example.org"))
	require.Equal(t, map[string]int64{"events.payload": 1}, find(`quo"ted`), "as JSON writes it")
	require.Empty(t, find("grace"+"xh@example.org"), "a point is a point")
	require.Empty(t, find("race.h@example.or"), "only whole words count")

	s.Exec(`UPDATE subscribers SET first_name = 'far.away@example.org' WHERE environment_id <> $1`, s.Here.Scope.EnvironmentID)
	require.Empty(t, find("far.away@example.org"), "rows of other environments are others' data")
}

// TestFindTracesBehindAnEmptySchema: tables are searched where they are, not in the schema that new ones would be made in.
func TestFindTracesBehindAnEmptySchema(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`CREATE SCHEMA another`)
	s.Exec(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = another, public', current_database()); END $$`)
	search, err := pgpersonal.FindTraces(s.Ctx, pgtest.Open(t, s.DB.Pool.Config().ConnString()), s.Here.Scope, []string{"x"})
	require.NoError(t, err)
	require.Greater(t, search.Tables, 40)
}
