package postgres_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/workflow"
)

// store is a database with two environments.
type store struct {
	*postgres.DB
	t           *testing.T
	ctx         context.Context
	here, there pgtest.Rows
}

// noon is the time of the rows that tests write.
var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func newStore(t *testing.T) *store {
	t.Helper()
	db := pgtest.New(t)
	return &store{DB: db, t: t, ctx: t.Context(), here: pgtest.Fill(t, db, ""), there: pgtest.Fill(t, db, "")}
}

func (s *store) exec(sql string, args ...any) {
	s.t.Helper()
	_, err := s.Pool.Exec(s.ctx, sql, args...)
	require.NoError(s.t, err)
}

// send runs what fn queues in one transaction.
func (s *store) send(fn func(b *pgx.Batch)) {
	s.t.Helper()
	b := &pgx.Batch{}
	fn(b)
	require.NoError(s.t, s.Pool.SendBatch(s.ctx, b).Close())
}

// tx commits what fn does.
func (s *store) tx(fn func(tx pgx.Tx)) {
	s.t.Helper()
	require.NoError(s.t, pgx.BeginFunc(s.ctx, s.Pool, func(tx pgx.Tx) error { fn(tx); return nil }))
}

// meanwhile runs fn in a second transaction while that of first, which is rolled back, is open.
func (s *store) meanwhile(first, second func(tx pgx.Tx)) {
	s.t.Helper()
	tx, err := s.Pool.Begin(s.ctx)
	require.NoError(s.t, err)
	defer func() { require.NoError(s.t, tx.Rollback(s.ctx)) }()
	first(tx)
	s.tx(second)
}

// ask reads one value.
func ask[T any](s *store, sql string, args ...any) T {
	s.t.Helper()
	rows, err := s.Pool.Query(s.ctx, sql, args...)
	require.NoError(s.t, err)
	value, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
	require.NoError(s.t, err)
	return value
}

// record reads a row as JSON.
func (s *store) record(table, id string) map[string]any {
	s.t.Helper()
	return ask[map[string]any](s, `SELECT to_jsonb(t) FROM `+table+` t WHERE id = $1`, id)
}

// message is a pending mail of a run of its own, due at noon.
func (s *store) message(name string) postgres.MessageRow {
	due := noon
	return postgres.MessageRow{
		ID: "m-" + name, EnvironmentID: s.here.Scope.EnvironmentID, CreatedAt: noon, NotificationID: "n-" + name, EventID: "e", TransactionID: "t",
		WorkflowID: "w", WorkflowIdentifier: "w", StepID: "mail", SubscriberID: "s", Channel: workflow.ChannelEmail, Target: "email",
		IntegrationID: "i", ProviderID: "p", Status: workflow.MessagePending, Severity: workflow.SeverityNone, Lane: "normal", DueAt: &due,
	}
}

// run is a pending run that has reached all its steps.
func (s *store) run(name string) postgres.NotificationRow {
	return postgres.NotificationRow{
		ID: "n-" + name, EnvironmentID: s.here.Scope.EnvironmentID, CreatedAt: noon, EventID: "e-" + name, TransactionID: "t", WorkflowID: "w",
		VersionID: "v", SubscriberID: "s", Status: workflow.RunPending, Lane: "normal",
	}
}

func (s *store) insertMessages(rows ...postgres.MessageRow) {
	s.t.Helper()
	s.send(func(b *pgx.Batch) { postgres.InsertMessages(b, rows) })
}

func (s *store) insertRuns(rows ...postgres.NotificationRow) (inserted int) {
	s.t.Helper()
	s.send(func(b *pgx.Batch) {
		postgres.InsertNotifications(b, rows, func(n int) error { inserted = n; return nil })
	})
	return inserted
}

// idsOf are ids of records, one for each of n.
func idsOf(n int) []string { return id.Batch(time.Now(), n) }

func names[T any](rows []T, name func(*T) string) []string {
	list := []string{}
	for i := range rows {
		list = append(list, name(&rows[i]))
	}
	return list
}

func at(minutes int) *time.Time {
	t := noon.Add(time.Duration(minutes) * time.Minute)
	return &t
}

func jsonTime(minutes int) string {
	return fmt.Sprintf("2026-05-04T%02d:%02d:00+00:00", 12+minutes/60, minutes%60)
}
