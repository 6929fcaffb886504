package accept_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/payload"
)

// beside is the same database with another environment.
func (b *acceptBundle) beside(tb testing.TB, identifier string) *acceptBundle {
	tb.Helper()
	ctx := viewer.SystemContext(tb.Context())
	organization := b.db.Ent.Environment.GetX(ctx, b.environment).OrganizationID
	env, err := b.db.Ent.Environment.Create().SetOrganizationID(organization).SetName(identifier).SetIdentifier(identifier).Save(ctx)
	require.NoError(tb, err)
	return &acceptBundle{db: b.db, environment: env.ID, now: b.now}
}

// TestCostlyPayloadsTakeTurns: payloads that take long to check wait for their turn, and nothing else waits for them.
func TestCostlyPayloadsTakeTurns(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	other := b.beside(t, "other")
	alternatives := make([]any, 900)
	for i := range alternatives {
		alternatives[i] = map[string]any{"const": i}
	}
	d := oneStep
	d.Validate, d.PayloadSchema = true, map[string]any{"properties": map[string]any{"a": map[string]any{"items": map[string]any{"anyOf": alternatives}}}}
	for _, env := range []*acceptBundle{b, other} {
		env.workflow(t, "dear", d)
	}
	a := b.acceptor(t)
	cheap := b.item("dear", "t-cheap")
	cheap.Payload = []byte(`{"a":[1]}`)
	costly := b.item("dear", "t-costly")
	costly.Payload = []byte(`{"a":[` + strings.Repeat("-1,", 20) + `-1]}`)
	beside := other.item("dear", "t-beside")
	beside.Payload = cheap.Payload
	require.NoError(t, acceptAll(t, a, cheap)[0].Err) // the workflow's version is known from here on

	leave, err := a.HoldCostly(t.Context())
	require.NoError(t, err)
	ended, end := context.WithCancel(t.Context())
	end()
	_, err = a.Accept(ended, accept.Request{Items: []accept.Acceptance{costly}})
	require.Equal(t, fault.Unavailable, fault.KindOf(err))
	require.ErrorContains(t, err, "before its turn came")
	require.NoError(t, acceptAll(t, a, beside)[0].Err)
	leave()
	require.Equal(t, fault.BadRequest, fault.KindOf(acceptAll(t, a, costly)[0].Err))
}

// fortyDoublings is a payload schema whose validation takes 2^40 steps.
func fortyDoublings(tb testing.TB) (schema map[string]any) {
	tb.Helper()
	defs := []string{`"d0":{}`}
	for i := range 40 {
		defs = append(defs, fmt.Sprintf(`"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i+1, i, i))
	}
	require.NoError(tb, json.Unmarshal([]byte(`{"$ref":"#/$defs/d40","$defs":{`+strings.Join(defs, ",")+`}}`), &schema))
	return schema
}

// TestStoredExpensiveSchemaRefusesItsTriggersOnly: a version that was published when schemas were not checked delays no other event.
func TestStoredExpensiveSchemaRefusesItsTriggersOnly(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	other := b.beside(t, "other")
	for _, env := range []*acceptBundle{b, other} {
		env.workflow(t, "good", oneStep)
	}
	for name, validate := range map[string]bool{"checked": true, "filled": false} {
		d := oneStep
		d.PayloadSchema, d.Validate = fortyDoublings(t), validate
		b.workflow(t, name, d)
	}
	a := b.acceptor(t)
	for _, name := range []string{"checked", "filled"} {
		outcome := acceptAll(t, a, b.item(name, "t-"+name))[0]
		var refused *fault.Error
		require.ErrorAs(t, outcome.Err, &refused)
		require.Equal(t, fault.Invalid, refused.Kind)
		require.Equal(t, payload.CodeSchemaCost, refused.Code)
		require.Equal(t, "payload", refused.Fields[0].Path)
		require.Contains(t, refused.Fields[0].Message, "remove combinations")
	}
	outcomes := acceptAll(t, a, b.item("good", "t1"), b.item("checked", "t2"), other.item("good", "t1"))
	require.NotEmpty(t, outcomes[0].EventID)
	require.Error(t, outcomes[1].Err)
	require.NotEmpty(t, outcomes[2].EventID)
}

// TestPayloadIsJudgedByTheVersionThatIsPublished publishes between one trigger and the next.
func TestPayloadIsJudgedByTheVersionThatIsPublished(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	ctx := viewer.SystemContext(t.Context())
	w := b.workflow(t, "changing", oneStep)
	quiet := b.workflow(t, "quiet", oneStep)
	a := b.acceptor(t)
	acceptAll(t, a, b.item("changing", "t1"), b.item("quiet", "q1"))
	for number, word := range []string{"one", "two"} {
		d := oneStep
		d.PayloadSchema, d.Validate = map[string]any{"properties": map[string]any{"word": map[string]any{"const": word, "default": word}}}, true
		v := b.db.Ent.WorkflowVersion.Create().SetEnvironmentID(b.environment).SetWorkflowID(w).SetNumber(number + 2).
			SetDefinition(&d).SetSeverity(workflow.SeverityNone).SaveX(ctx)
		b.db.Ent.Workflow.UpdateOneID(w).SetPublishedVersionID(v.ID).ExecX(ctx)
		outcomes := acceptAll(t, a, b.item("changing", "t-"+word), b.item("quiet", "q-"+word))
		stored := b.db.Ent.Event.GetX(ctx, outcomes[0].EventID)
		require.Equal(t, v.ID, stored.WorkflowVersionID)
		require.Equal(t, word, stored.Payload["word"])
		require.Equal(t, quiet, b.db.Ent.Event.GetX(ctx, outcomes[1].EventID).WorkflowID)
		wrong := b.item("changing", "wrong-"+word)
		wrong.Payload = []byte(`{"word":"other"}`)
		require.Equal(t, fault.BadRequest, fault.KindOf(acceptAll(t, a, wrong)[0].Err))
	}
	require.Equal(t, 6, b.count(t, "events"))
}

// TestKeyOutlivesTheRoundInWhichItsCallGoesBack: the first trigger of a workflow takes two rounds.
func TestKeyOutlivesTheRoundInWhichItsCallGoesBack(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	b.workflow(t, "good", oneStep)
	a := b.acceptor(t)
	key := b.keyOf(t, "k1", "hash")
	outcomes, err := a.Accept(t.Context(), accept.Request{Items: []accept.Acceptance{b.item("good", "t1")}, Key: key})
	require.NoError(t, err)
	require.True(t, key.State.Taken)
	require.NotEmpty(t, outcomes[0].EventID)
	again := b.keyOf(t, "k1", "hash")
	_, err = a.Accept(t.Context(), accept.Request{Items: []accept.Acceptance{b.item("good", "t2")}, Key: again})
	require.ErrorIs(t, err, accept.ErrKeyInUse)
	require.Equal(t, 1, b.count(t, "events"))
}

// TestEnvironmentsKeepTheirTransactionsAndVersions accepts the same names in two environments, together.
func TestEnvironmentsKeepTheirTransactionsAndVersions(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	other := b.beside(t, "other")
	mine, theirs := b.workflow(t, "same", oneStep), ""
	urgent := oneStep
	urgent.Severity = workflow.SeverityHigh
	theirs = other.workflow(t, "same", urgent)
	b.workflow(t, "mine", oneStep)
	a := b.acceptor(t)
	var work sync.WaitGroup
	for range 8 {
		for _, env := range []*acceptBundle{b, other} {
			work.Go(func() {
				if _, err := a.Accept(t.Context(), accept.Request{Items: []accept.Acceptance{env.item("same", "t1")}}); err != nil {
					t.Error(err)
				}
			})
		}
	}
	work.Wait()
	require.Equal(t, "workflow_not_found", acceptAll(t, a, other.item("mine", "t2"))[0].Error)
	ctx := viewer.SystemContext(t.Context())
	events := b.db.Ent.Event.Query().AllX(ctx)
	require.Len(t, events, 2, "one for each environment")
	for _, e := range events {
		want, lane := mine, event.LaneNormal
		if e.EnvironmentID == other.environment {
			want, lane = theirs, event.LaneUrgent
		}
		require.Equal(t, want, e.WorkflowID)
		require.Equal(t, lane, e.Lane)
		require.WithinDuration(t, b.now, e.CreatedAt, time.Second)
	}
}
