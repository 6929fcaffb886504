package pgtest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect/sql/schema"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/migrate"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/workflow"
)

// Store is a database with two environments.
type Store struct {
	*postgres.DB
	T           *testing.T
	Ctx         context.Context
	Here, There Rows
}

// Noon is the time of the rows that tests write.
var Noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// NewStore makes a database with two environments that have a row in every table.
func NewStore(t *testing.T) *Store {
	t.Helper()
	db := New(t)
	return &Store{DB: db, T: t, Ctx: t.Context(), Here: Fill(t, db, ""), There: Fill(t, db, "")}
}

// Values are what columns of a row hold.
type Values map[string]any

// Add adds a row to a table for the environment of rows, and returns its id. Columns that are not given hold what Fill
// gives them; they name the parents in rows.
func (s *Store) Add(rows Rows, table string, values Values) string {
	s.T.Helper()
	at := slices.IndexFunc(migrate.Tables, func(t *schema.Table) bool { return t.Name == table })
	require.GreaterOrEqual(s.T, at, 0, table)
	own := Values{"id": id.New(time.Now())}
	maps.Copy(own, values)
	f := filler{tb: s.T, db: s.DB, rows: rows}
	f.insert(migrate.Tables[at], own)
	return own["id"].(string)
}

// Column reads a column of all rows of an environment, in the order of their ids.
func Column[T any](s *Store, rows Rows, table, column string) []T {
	s.T.Helper()
	found, err := s.Pool.Query(s.Ctx, `SELECT `+column+` FROM `+table+` WHERE environment_id = $1 ORDER BY id`, rows.Scope.EnvironmentID)
	require.NoError(s.T, err)
	list, err := pgx.CollectRows(found, pgx.RowTo[T])
	require.NoError(s.T, err)
	return list
}

// Exec runs a statement.
func (s *Store) Exec(sql string, args ...any) {
	s.T.Helper()
	_, err := s.Pool.Exec(s.Ctx, sql, args...)
	require.NoError(s.T, err)
}

// Send sends what fn queues in one transaction.
func (s *Store) Send(fn func(b *pgx.Batch)) {
	s.T.Helper()
	b := &pgx.Batch{}
	fn(b)
	require.NoError(s.T, s.Pool.SendBatch(s.Ctx, b).Close())
}

// InTx commits what fn does.
func (s *Store) InTx(fn func(tx pgx.Tx)) {
	s.T.Helper()
	require.NoError(s.T, pgx.BeginFunc(s.Ctx, s.Pool, func(tx pgx.Tx) error { fn(tx); return nil }))
}

// Meanwhile runs second in a transaction while that of first, which is rolled back, is open.
func (s *Store) Meanwhile(first, second func(tx pgx.Tx)) {
	s.T.Helper()
	tx, err := s.Pool.Begin(s.Ctx)
	require.NoError(s.T, err)
	defer func() { require.NoError(s.T, tx.Rollback(s.Ctx)) }()
	first(tx)
	s.InTx(second)
}

// Ask reads one value.
func Ask[T any](s *Store, sql string, args ...any) T {
	s.T.Helper()
	rows, err := s.Pool.Query(s.Ctx, sql, args...)
	require.NoError(s.T, err)
	value, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
	require.NoError(s.T, err)
	return value
}

// Record reads a row as JSON.
func (s *Store) Record(table, id string) map[string]any {
	s.T.Helper()
	return Ask[map[string]any](s, `SELECT to_jsonb(t) FROM `+table+` t WHERE id = $1`, id)
}

// Message is a pending mail of a run of its own, due at Noon.
func (s *Store) Message(name string) pgmessage.MessageRow {
	due := Noon
	return pgmessage.MessageRow{
		ID: "m-" + name, EnvironmentID: s.Here.Scope.EnvironmentID, CreatedAt: Noon, NotificationID: "n-" + name, EventID: "e", TransactionID: "t",
		WorkflowID: "w", WorkflowIdentifier: "w", StepID: "mail", SubscriberID: "s", Channel: workflow.ChannelEmail, Target: "email",
		IntegrationID: "i", ProviderID: "p", Status: workflow.MessagePending, Severity: workflow.SeverityNone, Lane: "normal", DueAt: &due,
	}
}

// Run is a pending run that has reached all its steps.
func (s *Store) Run(name string) pgrun.NotificationRow {
	return pgrun.NotificationRow{
		ID: "n-" + name, EnvironmentID: s.Here.Scope.EnvironmentID, CreatedAt: Noon, EventID: "e-" + name, TransactionID: "t", WorkflowID: "w",
		VersionID: "v", SubscriberID: "s", Status: workflow.RunPending, Lane: "normal",
	}
}

// InsertMessages stores messages.
func (s *Store) InsertMessages(rows ...pgmessage.MessageRow) {
	s.T.Helper()
	s.Send(func(b *pgx.Batch) { pgmessage.InsertMessages(b, rows, time.Minute) })
}

// InsertRuns stores runs.
func (s *Store) InsertRuns(rows ...pgrun.NotificationRow) {
	s.T.Helper()
	s.Send(func(b *pgx.Batch) { pgrun.InsertNotifications(b, rows) })
}

// IDs are ids of records, one for each of n.
func IDs(n int) []string { return id.Batch(time.Now(), n) }

// Names are the names of rows, in their order.
func Names[T any](rows []T, name func(*T) string) []string {
	list := []string{}
	for i := range rows {
		list = append(list, name(&rows[i]))
	}
	return list
}

// At is the time some minutes after Noon.
func At(minutes int) *time.Time {
	t := Noon.Add(time.Duration(minutes) * time.Minute)
	return &t
}

// JSONTime is At as Postgres writes it in JSON.
func JSONTime(minutes int) string {
	return fmt.Sprintf("2026-05-04T%02d:%02d:00+00:00", 12+minutes/60, minutes%60)
}

// Event is an accepted trigger with an empty payload.
func (s *Store) Event(name string) pgaccept.AcceptedEvent {
	return pgaccept.AcceptedEvent{
		ID: "e-" + name, EnvironmentID: s.Here.Scope.EnvironmentID, TransactionID: "t-" + name, WorkflowID: "w", VersionID: "v", Kind: "trigger",
		Lane: "normal", Payload: `{}`,
	}
}

// Accept writes events at Noon plus some minutes; uses older than an hour do not count.
func (s *Store) Accept(minutes int, events ...pgaccept.AcceptedEvent) (written []string) {
	s.T.Helper()
	s.InTx(func(tx pgx.Tx) {
		stored, err := pgaccept.WriteEvents(s.Ctx, tx, events, pgaccept.AcceptTimes{Now: *At(minutes), DueAt: *At(minutes + 1), UsedSince: *At(minutes - 60)})
		require.NoError(s.T, err)
		for _, e := range events {
			if stored[e.ID] {
				written = append(written, e.ID)
			}
		}
	})
	return written
}

// RequireIndex wants a plan to walk an index in its order.
func RequireIndex(t *testing.T, plan, index string) {
	t.Helper()
	require.Contains(t, plan, "using "+index+" ", plan)
	require.NotContains(t, plan, "Seq Scan", plan)
	require.NotContains(t, plan, "Sort", plan)
}

// Explain is the plan of a query.
func Explain(t *testing.T, db *postgres.DB, query string, args ...any) string {
	t.Helper()
	rows, err := db.Pool.Query(t.Context(), "EXPLAIN "+query, args...)
	require.NoError(t, err)
	plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return strings.Join(plan, "\n")
}

// Pages is how many pages of tables and indexes a query reads by the plan that it has in a process, which knows no arguments.
func Pages(t *testing.T, db *postgres.DB, query string, args ...any) (read int) {
	t.Helper()
	conn, err := db.Pool.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	count := func() (pages int) {
		_, err := conn.Exec(t.Context(), `SELECT pg_stat_force_next_flush()`)
		require.NoError(t, err)
		require.NoError(t, conn.QueryRow(t.Context(), `SELECT sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0))::int
FROM pg_statio_user_tables`).Scan(&pages))
		return pages
	}
	run := func() {
		rows, err := conn.Query(t.Context(), query, args...)
		require.NoError(t, err)
		rows.Close()
		require.NoError(t, rows.Err())
	}
	run() // planning reads, too
	before := count()
	run()
	return count() - before
}

// FillMessages adds 20,000 messages, one due each minute around now and every thousandth urgent, for tests of plans.
func FillMessages(t *testing.T, db *postgres.DB) {
	t.Helper()
	_, err := db.Pool.Exec(t.Context(), `INSERT INTO messages (id, created_at, updated_at, environment_id, context_keys, scope, notification_id,
	event_id, transaction_id, workflow_id, workflow_identifier, step_id, subscriber_id, channel, target, status, severity, arrived_at, lane, due_at)
SELECT lpad(n::text, 24, '0'), now(), now(), 'env', '[]', '', lpad(n::text, 24, '0'), 'e', 't', 'w', 'w', 's', 'u', 'email', 't', 'pending', 'none', now(),
	CASE WHEN n % 1000 = 0 THEN 'urgent' ELSE 'normal' END, now() + (n - 10000) * interval '1 minute' FROM generate_series(1, 20000) n`)
	require.NoError(t, err)
	_, err = db.Pool.Exec(t.Context(), `ANALYZE messages`)
	require.NoError(t, err)
}
