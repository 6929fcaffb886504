package postgres_test

import (
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/viewer"
)

func TestJSONOfValues(t *testing.T) {
	t.Parallel()
	var none *int
	for _, c := range []struct {
		value any
		or    string
	}{
		{nil, "{}"},
		{map[string]any(nil), "{}"},
		{none, "{}"},
		{map[string]any{}, "{}"},
		{[]string{"a"}, `["a"]`},
	} {
		require.Equal(t, c.or, postgres.JSONOr(c.value, "{}"), "%v", c.value)
	}
	for want, list := range map[string][]string{"[]": nil, `["a","\"b"]`: {"a", `"b`}} {
		require.Equal(t, want, postgres.JSONList(list))
	}
}

func TestReadingRows(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	type row struct {
		ID   int
		Name string
	}
	require.Equal(t, `t."id", t."order"`, postgres.Selected("t", []string{"id", "order"}))
	rows, err := db.Pool.Query(t.Context(), `SELECT n AS id FROM generate_series(1, 3) n`)
	list, err := postgres.Collect(rows, err, "read numbers", pgx.RowTo[int])
	require.NoError(t, err)
	require.Equal(t, []int{1, 2, 3}, list)
	rows, err = db.Pool.Query(t.Context(), `SELECT 1 / (n - 2) FROM generate_series(1, 3) n`)
	_, err = postgres.Collect(rows, err, "read numbers", pgx.RowTo[int])
	require.ErrorContains(t, err, "read numbers: ")
	require.Equal(t, "22012", postgres.Code(err))
	_, err = postgres.Collect(nil, errors.New("away"), "read numbers", pgx.RowTo[int])
	require.EqualError(t, err, "read numbers: away")
	require.Empty(t, postgres.Code(err))

	var all []*row
	var first, none *row
	b := &pgx.Batch{}
	b.Queue(`SELECT n AS id, 'x' || n AS name FROM generate_series(1, 2) n`).Query(postgres.Into(&all))
	b.Queue(`SELECT n AS id, 'x' || n AS name FROM generate_series(5, 6) n`).Query(postgres.One(&first))
	b.Queue(`SELECT 1 AS id WHERE false`).Query(postgres.One(&none))
	require.NoError(t, db.Sender(t.Context()).SendBatch(t.Context(), b).Close())
	require.Equal(t, []*row{{1, "x1"}, {2, "x2"}}, all)
	require.Equal(t, &row{5, "x5"}, first)
	require.Nil(t, none)
}

func TestQueueAudit(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	entry := postgres.AuditEntry{
		Scope: s.Here.Scope, ActorType: "user", ActorID: "u", ActorName: "Ada", Address: "192.0.2.1", Action: "updated", RecordType: "topic",
		RecordID: "r", At: pgtest.Noon,
	}
	for _, changes := range []map[string]any{nil, {"name": []any{"old", "new"}}} {
		entry.Changes = changes
		s.Send(func(b *pgx.Batch) { postgres.QueueAudit(b, entry) })
	}
	rows := pgtest.Column[map[string]any](s, s.Here, "audit_entries", "to_jsonb(audit_entries)")[1:]
	require.Len(t, rows, 2)
	for name, want := range map[string]any{
		"environment_id": s.Here.Scope.EnvironmentID, "organization_id": s.Here.Scope.OrganizationID, "actor_type": "user", "actor_id": "u", "actor_name": "Ada",
		"address": "192.0.2.1", "action": "updated", "record_type": "topic", "record_id": "r", "created_at": pgtest.JSONTime(0),
	} {
		require.Equal(t, want, rows[0][name], name)
	}
	require.ElementsMatch(t, []any{nil, map[string]any{"name": []any{"old", "new"}}}, []any{rows[0]["changes"], rows[1]["changes"]})
}

// TestTranslateNamesTheField holds that an invalid value is told by its column, and what is not is told in general.
func TestTranslateNamesTheField(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err            error
		field, message string
	}{
		"a column":  {&pgconn.PgError{Code: "23514", ColumnName: "quota"}, "quota", "is outside of what is allowed"},
		"no column": {&pgconn.PgError{Code: "23503"}, "general", "refers to a record that does not exist"},
		"a text":    {&pgconn.PgError{Code: "22021"}, "general", postgres.UnstorableText},
	} {
		var got *fault.Error
		require.ErrorAs(t, postgres.Translate(c.err), &got, name)
		require.Equal(t, []fault.Field{{Path: c.field, Message: c.message}}, got.Fields, name)
		require.Equal(t, fault.ValidationMessage, got.Message)
	}
	db := pgtest.New(t)
	_, err := db.Ent.Organization.Create().Save(viewer.SystemContext(t.Context()))
	var got *fault.Error
	require.ErrorAs(t, postgres.Translate(err), &got, "what ent refuses before the server sees it")
	require.Equal(t, "name", got.Fields[0].Path)
	require.NotContains(t, got.Fields[0].Message, "ent:")
}
