package telemetry_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/telemetry"
	"github.com/carillon/carillon/internal/viewer"
)

func TestLinesCarryWhatTheContextKnows(t *testing.T) {
	t.Parallel()

	var out bytes.Buffer
	log, err := telemetry.NewLogger(&out, "info", "json")
	require.NoError(t, err)
	ctx := viewer.NewContext(t.Context(), viewer.Viewer{Scope: viewer.Scope{EnvironmentID: "e1"}})
	ctx = telemetry.With(ctx, slog.String("request_id", "r1"))
	inner := telemetry.With(ctx, slog.String("transaction_id", "t1"))

	log.InfoContext(inner, "trigger", "status", 201)
	log.DebugContext(inner, "not at this level")
	var line map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &line))
	require.Equal(t, "r1", line["request_id"])
	require.Equal(t, "t1", line["transaction_id"])
	require.Equal(t, "e1", line["environment_id"])

	out.Reset()
	log.InfoContext(ctx, "other")
	require.NotContains(t, out.String(), "t1", "a child's attributes stay with the child")

	_, err = telemetry.NewLogger(&out, "loud", "json")
	require.Error(t, err)
}

func TestMetrics(t *testing.T) {
	t.Parallel()

	m := telemetry.NewMetrics("v1")
	m.Request("/v1/events/trigger", "POST", 201, 3*time.Millisecond)
	m.Triggers("processed", 2)
	m.Notifications("completed", 1)
	m.Messages("email", "sent", 1)
	m.Attempt("nodemailer", "accepted", "", time.Second)
	m.Attempt("nodemailer", "rejected", "transient", time.Second)
	m.Receipt("postmark", "bounced")
	m.Webhook("delivered", time.Second)
	m.TakenUp("messages", 3)
	m.Delivered("urgent", "email", 2*time.Second)
	m.Commit("events", 8, time.Millisecond)
	m.Operation("query", "topics", "", time.Millisecond)
	m.Operation("query", "topics", "FORBIDDEN", time.Millisecond)

	answer := httptest.NewRecorder()
	m.Handler().ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), "GET", "/metrics", nil))
	for _, line := range []string{
		`carillon_build_info{version="v1"} 1`,
		`carillon_http_request_duration_seconds_count{method="POST",route="/v1/events/trigger",status="201"} 1`,
		`carillon_triggers_total{status="processed"} 2`,
		`carillon_notifications_total{status="completed"} 1`,
		`carillon_messages_total{channel="email",status="sent"} 1`,
		`carillon_attempt_duration_seconds_count{outcome="accepted",provider="nodemailer"} 1`,
		`carillon_attempt_failures_total{class="transient",provider="nodemailer"} 1`,
		`carillon_receipts_total{kind="bounced",provider="postmark"} 1`,
		`carillon_webhook_attempt_duration_seconds_count{outcome="delivered"} 1`,
		`carillon_taken_up_total{kind="messages"} 3`,
		`carillon_delivery_duration_seconds_sum{channel="email",lane="urgent"} 2`,
		`carillon_commit_group_size_sum{writer="events"} 8`,
		`carillon_commit_duration_seconds_count{writer="events"} 1`,
		`carillon_graphql_operation_duration_seconds_count{field="topics",kind="query"} 2`,
		`carillon_graphql_errors_total{code="FORBIDDEN",field="topics",kind="query"} 1`,
		"go_goroutines",
	} {
		require.Contains(t, answer.Body.String(), line)
	}
}
