package workflow_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/jsonvalue"
	"github.com/carillon/carillon/internal/workflow/workflowtest"
)

func parseOverrides(tb testing.TB, raw string) *workflow.Overrides {
	tb.Helper()
	p := &fault.Problems{}
	o := workflow.ParseOverrides(p, "overrides", workflowtest.Decode(tb, raw), workflowtest.Providers)
	require.NoError(tb, p.Err())
	return o
}

func TestOverridesForStep(t *testing.T) {
	t.Parallel()
	o := parseOverrides(t, `{
		"steps":{"mail":{"providers":{"sendgrid":{"a":{"x":1},"list":[1],"_passthrough":{"headers":{"H":"step"}}}},"layoutId":null}},
		"channels":{"email":{"layoutId":"channel-layout"}},
		"providers":{"sendgrid":{"a":{"x":0,"y":2},"list":[9,9],"_passthrough":{"body":{"b":1},"headers":{"H":"all","I":"j"}}}},
		"sendgrid":{"categories":["c"],"_passthrough":{"query":{"q":"1"}}},
		"email":{"to":["x@y.z"],"replaceToRecipient":true,"headers":{"X":"1"},"integrationIdentifier":"int"},
		"sms":{"to":"+491511234567","integrationIdentifier":"s"},
		"push":{"sound":"x","integrationIdentifier":"p"},
		"layoutIdentifier":"legacy-layout","delay":{"amount":5,"unit":"minutes"},"severity":"high","unknown":[1]}`)

	got := o.ForStep("mail", workflow.ChannelEmail, "sendgrid")
	require.Equal(t, map[string]any{"a": map[string]any{"x": 1.0, "y": 2.0}, "list": []any{1.0}}, got.Merge)
	require.Equal(t, map[string]any{"categories": []any{"c"}}, got.Interpreted)
	require.Equal(t, workflow.Passthrough{
		Body: map[string]any{"b": 1.0}, Headers: map[string]any{"H": "step", "I": "j"}, Query: map[string]any{"q": "1"},
	}, got.Passthrough)
	require.Equal(t, []string{"x@y.z"}, got.Email.To)
	require.True(t, got.Email.ReplaceToRecipient)
	require.Equal(t, map[string]string{"X": "1"}, got.Email.Headers)
	require.Equal(t, "int", got.IntegrationIdentifier)
	require.Equal(t, workflow.Cleared[string](), got.Layout)

	require.Equal(t, workflow.Given("channel-layout"), o.ForStep("other", workflow.ChannelEmail, "mailgun").Layout)
	require.Nil(t, o.ForStep("other", workflow.ChannelEmail, "mailgun").Merge)
	require.Equal(t, "+491511234567", o.ForStep("x", workflow.ChannelSMS, "twilio").SMS.To)
	push := o.ForStep("x", workflow.ChannelPush, "fcm")
	require.Equal(t, map[string]any{"sound": "x"}, push.Legacy)
	require.Equal(t, "p", push.IntegrationIdentifier)
	require.Nil(t, push.Email)
	require.Equal(t, &workflow.DelayOverride{Amount: 5, Unit: "minutes"}, o.Delay())
	require.Equal(t, workflow.SeverityHigh, o.Severity())

	legacy := parseOverrides(t, `{"layoutIdentifier":"l"}`)
	require.Equal(t, workflow.Given("l"), legacy.ForStep("x", workflow.ChannelEmail, "ses").Layout)

	var none *workflow.Overrides
	require.Equal(t, workflow.StepOverrides{}, none.ForStep("x", workflow.ChannelEmail, "ses"))
	require.Nil(t, none.Delay())
	require.Empty(t, none.Severity())
	require.Empty(t, none.IntegrationFor(workflow.ChannelPush))
}

func TestOverridesProblems(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string][]string{
		`[]`: {"overrides"},
		`{"steps":[],"channels":{"email":{"layoutId":5}},"providers":{"x":1}}`: {"overrides.steps", "overrides.channels.email.layoutId", "overrides.providers.x"},
		`{"steps":{"a":{"layoutId":1,"providers":{"p":"x"}}}}`:                 {"overrides.steps.a.providers.p", "overrides.steps.a.layoutId"},
		`{"email":{"to":"x","cc":[1],"from":1,"replaceToRecipient":"yes","headers":{"a":1},"customData":[]}}`: {
			"overrides.email.to", "overrides.email.cc.0", "overrides.email.from", "overrides.email.customData",
			"overrides.email.replaceToRecipient", "overrides.email.headers.a",
		},
		`{"sms":"x","push":1,"chat":{"integrationIdentifier":{}}}`:                   {"overrides.sms", "overrides.push", "overrides.chat.integrationIdentifier"},
		`{"delay":{"amount":"5","unit":"years"},"severity":"loud"}`:                  {"overrides.delay.amount", "overrides.delay.unit", "overrides.severity"},
		`{"deadline":"tomorrow"}`:                                                    {"overrides.deadline"},
		`{"deadline":5}`:                                                             {"overrides.deadline"},
		`{"deadline":"2027-01-31T12:00:00+02:00"}`:                                   nil,
		`{"delay":{"amount":1201,"unit":"months"}}`:                                  {"overrides.delay.amount"},
		`{"delay":{"amount":1.5,"unit":"days"}}`:                                     {"overrides.delay.amount"},
		`{"fcm":"x","sendgrid":{"_passthrough":{"body":[]}},"nobody":5}`:             {"overrides.fcm", "overrides.sendgrid._passthrough.body"},
		`{"email":null,"steps":null,"severity":null,"delay":null,"fcm":null,"x":{}}`: nil,
	} {
		p := &fault.Problems{}
		workflow.ParseOverrides(p, "overrides", workflowtest.Decode(t, raw), workflowtest.Providers)
		require.Equal(t, want, workflowtest.Paths(t, p.Err()), raw)
	}
}

// Merging keeps every leaf of the upper object and every untouched leaf of the lower, and changes neither.
func TestMergeDeep(t *testing.T) {
	t.Parallel()
	leaf := rapid.Map(rapid.IntRange(0, 9), func(i int) any { return float64(i) })
	small := rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "c"}), leaf, 0, 3)
	nested := rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "c"}), rapid.OneOf(leaf, rapid.Map(small, func(m map[string]any) any { return m })), 0, 3)
	rapid.Check(t, func(rt *rapid.T) {
		base, over := nested.Draw(rt, "base"), nested.Draw(rt, "over")
		before, _ := json.Marshal([]any{base, over})
		got := jsonvalue.MergeDeep(base, over)
		after, _ := json.Marshal([]any{base, over})
		require.Equal(rt, string(before), string(after))
		for k, v := range over {
			if _, isObject := v.(map[string]any); !isObject {
				require.Equal(rt, v, got[k])
			}
		}
		for k, v := range base {
			if _, there := over[k]; !there {
				require.Equal(rt, v, got[k])
			}
		}
	})
}

// FuzzOverrides: no overrides panic, neither when read nor when applied.
func FuzzOverrides(f *testing.F) {
	for _, s := range []string{
		`{"email":{"to":["a"],"headers":{"a":"b"}},"sendgrid":{"x":1}}`, `{"steps":{"s":{"providers":{"sendgrid":{"_passthrough":{"body":{}}}},"layoutId":null}}}`,
		`{"channels":{"email":{"layoutId":"x"}},"delay":{"amount":1,"unit":"days"}}`, `[]`, `{"push":[],"chat":null}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		var v any
		if json.Unmarshal([]byte(raw), &v) != nil {
			t.Skip()
		}
		p := &fault.Problems{}
		o := workflow.ParseOverrides(p, "overrides", v, workflowtest.Providers)
		for _, c := range workflow.Channels() {
			o.ForStep("s", c, "sendgrid")
		}
		o.Delay()
		o.Severity()
	})
}

// TestReplyAddress: the header says where replies go unless the member does.
func TestReplyAddress(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`{}`: "",
		`{"replyTo":"desk@example.com","headers":{"Reply-To":"help@example.com"}}`: "desk@example.com",
		`{"headers":{"X-A":"1","REPLY-TO":"help@example.com"}}`:                    "help@example.com",
	} {
		o := parseOverrides(t, `{"email":`+raw+`}`)
		require.Equal(t, want, o.ForStep("mail", workflow.ChannelEmail, "ses").Email.ReplyAddress(), raw)
	}
}
