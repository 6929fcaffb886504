package pgmessage_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/workflow"
)

// BenchmarkArguments turns rows into the arguments of a bulk statement, without a database.
func BenchmarkArguments(b *testing.B) {
	now := time.Now()
	messages, runs := make([]pgmessage.MessageRow, 100), make([]pgrun.NotificationRow, 100)
	for i := range messages {
		messages[i] = benchMessage(now, i)
		runs[i] = benchRun(now, i)
	}
	b.Run("InsertMessages", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			pgmessage.InsertMessages(&pgx.Batch{}, messages, time.Minute)
		}
	})
	b.Run("UpdateNotifications", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			pgrun.UpdateNotifications(&pgx.Batch{}, runs)
		}
	})
}

// BenchmarkBulk writes a hundred rows with one statement.
func BenchmarkBulk(b *testing.B) {
	db := pgtest.New(b)
	ctx := b.Context()
	b.Run("InsertMessages", func(b *testing.B) {
		for b.Loop() {
			now, rows := time.Now(), make([]pgmessage.MessageRow, 100)
			for i := range rows {
				rows[i] = benchMessage(now, i)
			}
			batch := &pgx.Batch{}
			pgmessage.InsertMessages(batch, rows, time.Minute)
			require.NoError(b, db.Pool.SendBatch(ctx, batch).Close())
		}
	})
	b.Run("InsertNotifications", func(b *testing.B) {
		for b.Loop() {
			now, rows := time.Now(), make([]pgrun.NotificationRow, 100)
			for i := range rows {
				rows[i] = benchRun(now, i)
			}
			batch := &pgx.Batch{}
			pgrun.InsertNotifications(batch, rows)
			require.NoError(b, db.Pool.SendBatch(ctx, batch).Close())
		}
	})
	b.Run("LockWindows", func(b *testing.B) {
		for b.Loop() {
			now, rows := time.Now(), make([]pgrun.WindowRow, 100)
			for i := range rows {
				rows[i] = pgrun.WindowRow{
					WindowKey: pgrun.WindowKey{EnvironmentID: "e", WorkflowID: "w", StepID: "s", SubscriberID: fmt.Sprintf("%03d", i)},
					ID:        id.New(now), NotificationID: "n", Status: "open", OpenedAt: now, ClosesAt: now, LastEventAt: now,
				}
			}
			require.NoError(b, pgx.BeginFunc(ctx, db.Pool, func(tx pgx.Tx) error {
				_, err := pgrun.LockWindows(ctx, tx, rows)
				return err
			}))
		}
	})
}

func benchRun(now time.Time, i int) pgrun.NotificationRow {
	return pgrun.NotificationRow{
		ID: id.New(now), EnvironmentID: "e", CreatedAt: now, ContextKeys: []string{}, EventID: id.New(now), TransactionID: "t",
		WorkflowID: "w", VersionID: "v", SubscriberID: fmt.Sprint(i), Status: workflow.RunPending, DueAt: &now, Lane: "normal",
		State: json.RawMessage(`{"a": 1}`), Trace: []workflow.TraceEntry{{At: now, Reason: workflow.ReasonCompleted}},
	}
}

func benchMessage(now time.Time, i int) pgmessage.MessageRow {
	text := fmt.Sprint("subject ", i)
	return pgmessage.MessageRow{
		ID: id.New(now), EnvironmentID: "e", CreatedAt: now, NotificationID: id.New(now), EventID: "v", TransactionID: "t",
		WorkflowID: "w", WorkflowIdentifier: "w", StepID: "s", SubscriberID: fmt.Sprint(i), Channel: workflow.ChannelEmail, Target: "t",
		IntegrationID: "i", ProviderID: "p", Status: workflow.MessagePending, Subject: &text, Content: json.RawMessage(`{"body": "hello"}`),
		Envelope: json.RawMessage(`{"to": ["a@example.org"]}`), Email: &text, DueAt: &now, Lane: "normal", Tags: []string{"a", "b"},
		Severity: workflow.SeverityNone,
	}
}
