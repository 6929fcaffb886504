package triggers_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/trace"

	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/triggers"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// TestTriggerResults holds what is answered for each outcome, and what is counted.
func TestTriggerResults(t *testing.T) {
	t.Parallel()
	counted := map[string]int{}
	a, accepted := newRecorded(t, func(cfg *usecase.Config) { cfg.Count = func(status string, n int) { counted[status] += n } })
	refusal := fault.Invalidf("payload.n", "must be a number")
	accepted.outcomes = map[string]accept.Outcome{
		"missing":  {Status: workflow.TriggerError, Error: accept.CodeWorkflowNotFound},
		"inactive": {Status: workflow.TriggerNotActive},
		"refused":  {Err: refusal},
	}
	trigger := func(transactionID string) (*triggers.TriggerResult, error) {
		return a.Triggers.Trigger(a.Ctx, documented(`{"name":"w","to":"u","transactionId":"`+transactionID+`"}`))
	}
	for transactionID, want := range map[string]*triggers.TriggerResult{
		"t":        {Acknowledged: true, Status: workflow.TriggerProcessed, TransactionID: new("t"), EventID: new("event of t")},
		"missing":  {Acknowledged: true, Status: workflow.TriggerError, Error: []string{"workflow_not_found"}, TransactionID: new("missing")},
		"inactive": {Acknowledged: true, Status: workflow.TriggerNotActive, TransactionID: new("inactive")},
	} {
		got, err := trigger(transactionID)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err := trigger("refused")
	require.ErrorIs(t, err, refusal, "a payload that violates the schema is an error of the call")
	require.Equal(t, map[string]int{"processed": 1, "error": 1, "trigger_not_active": 1}, counted, "what is refused has no status")

	accepted.failure = fault.Unavailablef(errors.New("no database"), "Retry later.")
	_, err = trigger("t")
	require.ErrorIs(t, err, accepted.failure)
	require.Equal(t, 1, counted["processed"])
}

// TestGeneratedTransactionIDs holds that an event without a transactionId gets one of its own.
func TestGeneratedTransactionIDs(t *testing.T) {
	t.Parallel()
	a, accepted := newRecorded(t)
	seen := map[string]bool{}
	for range 3 {
		result, err := a.Triggers.Trigger(a.Ctx, documented(`{"name":"w","to":"u"}`))
		require.NoError(t, err)
		require.Regexp(t, `^txn_[0-9a-f]{24}$`, *result.TransactionID)
		require.True(t, accepted.last(t).Generated)
		seen[*result.TransactionID] = true
	}
	require.Len(t, seen, 3)
	_, err := a.Triggers.Trigger(a.Ctx, documented(`{"name":"w","to":"u","transactionId":"mine"}`))
	require.NoError(t, err)
	require.False(t, accepted.last(t).Generated)
}

// TestTriggersCarryTheirRequest holds that an event knows the request and the trace that it came with.
func TestTriggersCarryTheirRequest(t *testing.T) {
	t.Parallel()
	a, accepted := newRecorded(t)
	ctx := trace.ContextWithSpanContext(viewer.WithRequestID(a.Ctx, "request"), trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, TraceFlags: trace.FlagsSampled,
	}))
	_, err := a.Triggers.Trigger(ctx, documented(`{"name":"w","to":"u"}`))
	require.NoError(t, err)
	require.Equal(t, "request", accepted.last(t).RequestID)
	require.Equal(t, "00-01000000000000000000000000000000-0200000000000000-01", accepted.last(t).TraceParent)
	_, err = a.Triggers.Trigger(a.Ctx, documented(`{"name":"w","to":"u"}`))
	require.NoError(t, err)
	require.Empty(t, accepted.last(t).TraceParent, "no trace")
	require.True(t, a.Triggers.Urgent(a.Scope.EnvironmentID, "alarm"))
	require.False(t, a.Triggers.Urgent(a.Scope.EnvironmentID, "news"))
}

// TestBulk holds that the events of a bulk are answered in their order, each alone.
func TestBulk(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	counted := map[string]int{}
	a, accepted := newRecorded(t, func(cfg *usecase.Config) {
		cfg.Logger = slog.New(slog.NewTextHandler(&log, nil))
		cfg.Count = func(status string, n int) { counted[status] += n }
	})
	accepted.outcomes = map[string]accept.Outcome{
		"refused":  {Err: &fault.Error{Kind: fault.Invalid, Fields: []fault.Field{{Path: "payload.a", Message: "is required"}, {Path: "payload.b", Message: "must be a number"}}}},
		"conflict": {Err: fault.Conflictf("ALREADY_EXISTS", "It is there.")},
		"broken":   {Err: errors.New("secret of the database")},
		"missing":  {Status: workflow.TriggerError, Error: accept.CodeWorkflowNotFound},
	}
	var in []*triggers.TriggerInput
	for _, document := range []string{
		`{"name":"w","to":"u","transactionId":"refused"}`, `{"name":"a b","to":"u"}`, `{"name":"w","to":"u","transactionId":"good"}`, `[]`,
		`{"name":"w","to":"u","transactionId":"conflict"}`, `{"name":"w","to":"u","transactionId":"broken"}`,
		`{"name":"w","to":"u","transactionId":"missing"}`, `{"name":"a b","transactionId":"kept"}`,
	} {
		in = append(in, triggers.NewTriggerInput([]byte(document), nil))
	}
	results, err := a.Triggers.Bulk(a.Ctx, in)
	require.NoError(t, err)
	failed := func(transactionID *string, texts ...string) *triggers.TriggerResult {
		return &triggers.TriggerResult{Acknowledged: true, Status: workflow.TriggerError, Error: texts, TransactionID: transactionID}
	}
	const name = "name must be 1 to 255 letters, digits, '-', '_' or '.'"
	require.Equal(t, []*triggers.TriggerResult{
		failed(new("refused"), "payload.a is required", "payload.b must be a number"),
		failed(nil, name),
		{Acknowledged: true, Status: workflow.TriggerProcessed, TransactionID: new("good"), EventID: new("event of good")},
		failed(nil, "the event must be an object"),
		failed(new("conflict"), "It is there."),
		failed(new("broken"), "The event could not be accepted because of an internal error."),
		failed(new("missing"), "workflow_not_found"),
		failed(new("kept"), name, "to is required"),
	}, results)
	require.Len(t, accepted.given, 5, "those that are wrong in themselves are not asked about")
	require.Contains(t, log.String(), "secret of the database", "an unexpected failure is logged and not shown")
	require.Equal(t, 1, strings.Count(log.String(), "\n"), "failures of callers are not logged")
	require.Equal(t, map[string]int{"processed": 1, "error": 1}, counted)
}

// TestBulkGeneratedIDs holds that an event that failed does not show a transactionId that its caller did not give.
func TestBulkGeneratedIDs(t *testing.T) {
	t.Parallel()
	a, accepted := newRecorded(t)
	accepted.failure = nil
	bare := triggers.NewTriggerInput([]byte(`{"name":"w","to":"u"}`), nil)
	results, err := a.Triggers.Bulk(a.Ctx, []*triggers.TriggerInput{bare})
	require.NoError(t, err)
	require.NotNil(t, results[0].TransactionID)
	answering := &alwaysMissing{recorder: accepted}
	b := notifytest.NewAudience(t, func(cfg *usecase.Config) { cfg.Accept = answering })
	results, err = b.Triggers.Bulk(b.Ctx, []*triggers.TriggerInput{bare})
	require.NoError(t, err)
	require.Equal(t, []string{"workflow_not_found"}, results[0].Error)
	require.Nil(t, results[0].TransactionID)
}

// alwaysMissing is an acceptor that knows no workflow.
type alwaysMissing struct{ *recorder }

func (alwaysMissing) Accept(_ context.Context, call accept.Request) ([]accept.Outcome, error) {
	outcomes := make([]accept.Outcome, len(call.Items))
	for i := range outcomes {
		outcomes[i] = accept.Outcome{Status: workflow.TriggerError, Error: accept.CodeWorkflowNotFound}
	}
	return outcomes, nil
}

// TestBulkBounds holds how many events a bulk may hold.
func TestBulkBounds(t *testing.T) {
	t.Parallel()
	a, accepted := newRecorded(t)
	in := make([]*triggers.TriggerInput, triggers.MaxBulkEvents)
	for i := range in {
		in[i] = triggers.NewTriggerInput(fmt.Appendf(nil, `{"name":"w","to":"u","transactionId":"t%d"}`, i), nil)
	}
	for _, refused := range [][]*triggers.TriggerInput{nil, append(in[:len(in):len(in)], in[0])} {
		_, err := a.Triggers.Bulk(a.Ctx, refused)
		require.Equal(t, []string{"events"}, notifytest.Paths(t, err))
	}
	require.Empty(t, accepted.given)
	results, err := a.Triggers.Bulk(a.Ctx, in)
	require.NoError(t, err)
	require.Len(t, accepted.given, triggers.MaxBulkEvents)
	for i, result := range results {
		require.Equal(t, fmt.Sprintf("t%d", i), *result.TransactionID)
	}
}
