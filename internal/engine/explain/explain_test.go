package explain

import (
	"encoding/base64"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/run"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
	"github.com/carillon/carillon/internal/workflow/plan"
)

var noon = time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)

func TestReadCursor(t *testing.T) {
	t.Parallel()
	record := id.New(noon)
	three := &pgfanout.EventRow{Kind: "trigger", Recipients: &workflow.Recipients{Topics: make([]workflow.TopicRecipient, 3)}}
	cursor := pgfanout.Checkpoint{Started: true, Topic: 2, After: record}
	raw, err := json.Marshal(cursor)
	require.NoError(t, err)
	x := &explaining{page: Page{After: base64.RawURLEncoding.EncodeToString(raw)}}
	require.NoError(t, x.readCursor(three))
	require.Equal(t, cursor, x.cursor)
	err = (&explaining{page: x.page}).readCursor(&pgfanout.EventRow{Kind: "broadcast"})
	require.Equal(t, fault.Invalid, fault.KindOf(err), "a broadcast has no third topic")

	first := &explaining{}
	require.NoError(t, first.readCursor(three))
	require.Equal(t, pgfanout.Checkpoint{}, first.cursor)

	encoded := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	for name, after := range map[string]string{
		"no base64":        "not base64!",
		"no JSON":          encoded("ann"),
		"not started":      encoded(`{"after": "` + record + `"}`),
		"no id":            encoded(`{"started": true, "after": "ann"}`),
		"behind the last":  encoded(`{"started": true, "topic": 3}`),
		"before the first": encoded(`{"started": true, "topic": -1}`),
	} {
		err := (&explaining{page: Page{After: after}}).readCursor(three)
		require.Equal(t, fault.Invalid, fault.KindOf(err), name)
	}
}

func TestStreamed(t *testing.T) {
	t.Parallel()
	direct := &workflow.Recipients{Direct: []workflow.SubscriberInput{{SubscriberID: "ann"}}}
	topics := &workflow.Recipients{Topics: []workflow.TopicRecipient{{TopicKey: "news"}}}
	for _, c := range []struct {
		ev   pgfanout.EventRow
		want bool
	}{
		{pgfanout.EventRow{Kind: "broadcast"}, true},
		{pgfanout.EventRow{Kind: "trigger"}, false},
		{pgfanout.EventRow{Kind: "trigger", Recipients: direct}, false},
		{pgfanout.EventRow{Kind: "trigger", Recipients: topics}, true},
	} {
		require.Equal(t, c.want, streamed(&c.ev))
	}
}

// TestRecipientsOfRuns: what is only left to be sent counts as completed.
func TestRecipientsOfRuns(t *testing.T) {
	t.Parallel()
	x := &explaining{out: &Explanation{}}
	skip := run.TrialDecision{Decision: plan.Decision{Kind: plan.DecideSkip, Reason: workflow.ReasonStepInactive}, At: noon}
	x.add([]run.TrialRun{
		{SubscriberID: "ann", Created: true, Status: workflow.RunPending, EndedAt: noon, Decisions: []run.TrialDecision{skip}},
		{SubscriberID: "bob", Topics: []string{"t"}, Status: workflow.RunSkipped},
	})
	ann, bob := x.out.Recipients[0], x.out.Recipients[1]
	require.Equal(t, []any{"ann", true, true, workflow.RunCompleted}, []any{ann.SubscriberID, ann.Created, ann.Reached, ann.Status})
	require.Len(t, ann.Steps, 2)
	require.Equal(t, workflow.ReasonStepInactive, ann.Steps[0].Reason)
	require.Equal(t, &ExplainedStep{Decision: plan.DecideComplete, At: noon, Reason: workflow.ReasonCompleted}, ann.Steps[1])
	require.Equal(t, []any{workflow.RunSkipped, []string{"t"}, 0}, []any{bob.Status, bob.Topics, len(bob.Steps)})
}

func TestMessageOf(t *testing.T) {
	t.Parallel()
	explained := func(m pgmessage.MessageRow, env state.Envelope) *ExplainedMessage {
		m.Envelope = state.AsJSON(env)
		return messageOf(&m)
	}
	m := explained(pgmessage.MessageRow{
		Channel: workflow.ChannelEmail, Content: []byte(`{"text": "hi"}`), Subject: new("Hello"), Data: []byte(`{"own": true}`), ProviderID: "ses",
	}, state.Envelope{To: []string{"ann@example.com"}, Data: map[string]any{"own": false}})
	require.Equal(t, []any{[]string{"ann@example.com"}, "hi", "Hello", map[string]any{"own": true}, "ses"}, []any{m.To, m.Content.Text, *m.Subject, m.Data, m.ProviderID})
	m = explained(pgmessage.MessageRow{Channel: workflow.ChannelSMS}, state.Envelope{Phone: "+4930123456"})
	require.Equal(t, []string{"+4930123456"}, m.To)
	m = explained(pgmessage.MessageRow{Channel: workflow.ChannelPush, DeviceTokens: []string{"token"}}, state.Envelope{Data: map[string]any{"badge": 1.0}})
	require.Equal(t, []any{[]string{"token"}, map[string]any{"badge": 1.0}}, []any{m.To, m.Data})
	require.Nil(t, (&explaining{}).explained(&run.TrialDecision{}).Message, "only sends have one")
}

func TestFieldsOfAStep(t *testing.T) {
	t.Parallel()
	whole := &ExplainedStep{Reason: workflow.ReasonCompleted}
	require.Equal(t, []any{(*string)(nil), (*workflow.StepType)(nil), (*string)(nil), (*workflow.Channel)(nil), (*string)(nil), (*string)(nil)},
		[]any{whole.StepID(), whole.Type(), whole.VariantName(), whole.ChannelOrNil(), whole.DetailOrNil(), whole.Chain()})
	require.Equal(t, []workflow.Reason{workflow.ReasonCompleted}, whole.AllReasons())
	step := &ExplainedStep{
		Step: &workflow.Step{StepID: "mail", Type: workflow.StepEmail}, Variant: &workflow.Variant{Name: "b"}, Channel: workflow.ChannelEmail, Detail: "why",
		Reason: workflow.ReasonSchedule, Reasons: []workflow.Reason{workflow.ReasonSchedule, workflow.ReasonNoIntegration}, Why: &condition.ReasonNode{},
	}
	require.Equal(t, []any{"mail", workflow.StepEmail, "b", workflow.ChannelEmail, "why"}, []any{*step.StepID(), *step.Type(), *step.VariantName(), *step.ChannelOrNil(), *step.DetailOrNil()})
	require.Equal(t, step.Reasons, step.AllReasons())
}
