package workflow_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
	"github.com/carillon/carillon/internal/workflow/workflowtest"
)

func definition(tb testing.TB, raw string) *workflow.Definition {
	tb.Helper()
	d := &workflow.Definition{}
	require.NoError(tb, json.Unmarshal([]byte(raw), d))
	return d
}

const allSteps = `{"severity":"high","versioning":"latest","payloadSchema":{"type":"object"},"steps":[
	{"stepId":"a","type":"in_app","inApp":{"body":"x"}},
	{"stepId":"b","type":"email","email":{"subject":"s","blocks":[{"type":"button","content":"c","url":"u","styles":{"textAlign":"left"}}]},
	 "filters":[{"type":"GROUP","value":"AND","children":[{"on":"step","field":"a.seen","operator":"EQUAL","value":"false"}]}],
	 "variants":[{"id":"1","filters":[{"type":"GROUP","value":"AND","children":[{"on":"payload","field":"x","operator":"EQUAL","value":"1"}]}],"email":{"subject":"s","html":"<p>"}}]},
	{"stepId":"c","type":"sms","sms":{"body":"x"}},{"stepId":"d","type":"chat","chat":{"body":"x"}},
	{"stepId":"e","type":"push","push":{"subject":"s","body":"x"}},
	{"stepId":"f","type":"digest","digest":{"type":"backoff","amount":5,"unit":"minutes","backoffAmount":1,"backoffUnit":"hours"}},
	{"stepId":"g","type":"digest","digest":{"type":"timed","unit":"months","timed":{"atTime":"09:30","monthlyType":"on","ordinal":"last","ordinalValue":"friday"}}},
	{"stepId":"h","type":"delay","delay":{"type":"scheduled","delayPath":"at","past":"skip"}},
	{"stepId":"i","type":"throttle","throttle":{"amount":1,"unit":"hours"}},
	{"stepId":"j","type":"trigger","trigger":{"workflow":"other","payload":{"a":"{{ payload.a }}"}}},
	{"stepId":"k","type":"custom","custom":{"url":"https://x.test/{{ payload.id }}","method":"PUT"}}]}`

func TestDefinitionAccepted(t *testing.T) {
	t.Parallel()
	require.NoError(t, definition(t, allSteps).Check(workflow.CheckOptions{}))
	require.NoError(t, (&workflow.Definition{}).Check(workflow.CheckOptions{}))
}

func TestDefinitionRefused(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string][]string{
		`{"severity":"loud","versioning":"some","payloadSchema":{"type":"objct"},"tags":[""],"conditions":[{"type":"GROUP","value":"AND","children":[]}]}`: {
			"severity", "versioning", "payloadSchema", "tags.0", "conditions.0.children",
		},
		`{"steps":[{"stepId":"a","type":"sms","sms":{"body":""}},{"stepId":"a","type":"sms","sms":{}},{"stepId":"a.b","type":"fax"}]}`: {
			"steps.1.stepId", "steps.2.stepId", "steps.2.type",
		},
		`{"steps":[{"stepId":"a","type":"email","sms":{"body":"x"},"deadlineSeconds":-1,"unknownOutcome":"maybe"}]}`: {
			"steps.0.unknownOutcome", "steps.0.deadlineSeconds", "steps.0.email", "steps.0.sms",
		},
		`{"steps":[{"stepId":"a","type":"email","email":{"subject":"s","html":"x","noLayout":true,"layoutId":"l","blocks":[{"type":"x","styles":{"textAlign":"up"}}]}}]}`: {
			"steps.0.email.blocks", "steps.0.email.layoutId", "steps.0.email.blocks.0.type", "steps.0.email.blocks.0.styles.textAlign",
		},
		`{"steps":[{"stepId":"a","type":"digest","digest":{"type":"regular","amount":0,"unit":"years"}}]}`:                                    {"steps.0.digest.amount", "steps.0.digest.unit"},
		`{"steps":[{"stepId":"a","type":"digest","digest":{"type":"backoff","amount":1,"unit":"days"}}]}`:                                     {"steps.0.digest.backoffAmount", "steps.0.digest.backoffUnit"},
		`{"steps":[{"stepId":"a","type":"digest","digest":{"type":"timed","unit":"hours"}}]}`:                                                 {"steps.0.digest.unit", "steps.0.digest.timed"},
		`{"steps":[{"stepId":"a","type":"digest","digest":{"type":"timed","unit":"weeks","timed":{"weekDays":["mon"]}}}]}`:                    {"steps.0.digest.timed.atTime", "steps.0.digest.timed.weekDays.0"},
		`{"steps":[{"stepId":"a","type":"digest","digest":{"type":"timed","unit":"months","timed":{"atTime":"9:30","monthlyType":"each"}}}]}`: {"steps.0.digest.timed.atTime", "steps.0.digest.timed.monthDays"},
		`{"steps":[{"stepId":"a","type":"digest","digest":{"type":"timed","unit":"months","timed":{"atTime":"09:30","monthlyType":"on"}}}]}`:  {"steps.0.digest.timed.ordinal", "steps.0.digest.timed.ordinalValue"},
		`{"steps":[{"stepId":"a","type":"delay","delay":{"type":"scheduled","past":"maybe"}},{"stepId":"b","type":"delay","delay":{}}]}`:      {"steps.0.delay.delayPath", "steps.0.delay.past", "steps.1.delay.type"},
		`{"steps":[{"stepId":"a","type":"throttle","throttle":{"threshold":-1,"amount":1,"unit":"weeks","invalid":"x"}}]}`:                    {"steps.0.throttle.threshold", "steps.0.throttle.unit", "steps.0.throttle.invalid"},
		`{"steps":[{"stepId":"a","type":"throttle","throttle":{"threshold":0,"amount":1,"unit":"hours"}}]}`:                                   {"steps.0.throttle.threshold"},
		`{"steps":[{"stepId":"a","type":"digest","digest":{"type":"regular","amount":1,"unit":"days","digestKey":"{{payload.x}}"}}]}`:         {"steps.0.digest.digestKey"},
		`{"steps":[{"stepId":"a","type":"digest","digest":{"type":"regular","amount":876001,"unit":"hours","backoff":true,"backoffAmount":1201,"backoffUnit":"months"}}]}`: {
			"steps.0.digest.amount", "steps.0.digest.backoffAmount",
		},
		`{"steps":[{"stepId":"a","type":"digest","digest":{"type":"sliding"}}]}`: {"steps.0.digest.type"},
		`{"steps":[{"stepId":"a","type":"digest","digest":{"type":"timed","unit":"days","amount":-1,"backoff":true,"timed":{}}}]}`: {
			"steps.0.digest.backoff", "steps.0.digest.amount", "steps.0.digest.timed.atTime",
		},
		`{"steps":[{"stepId":"a","type":"digest","digest":{"type":"timed","unit":"days","amount":36501,"timed":{"atTime":"24:00"}}}]}`: {
			"steps.0.digest.amount", "steps.0.digest.timed.atTime",
		},
		`{"steps":[{"stepId":"a","type":"digest","digest":{"type":"timed","unit":"weeks","timed":{"atTime":"00:00"}}}]}`:  {"steps.0.digest.timed.weekDays"},
		`{"steps":[{"stepId":"a","type":"digest","digest":{"type":"timed","unit":"months","timed":{"atTime":"00:00"}}}]}`: {"steps.0.digest.timed.monthlyType"},
		`{"steps":[{"stepId":"a","type":"digest","digest":{"type":"timed","unit":"months","timed":{"atTime":"00:00","monthlyType":"each","monthDays":["31","0","32","x","7.0"," 7"]}}}]}`: {
			"steps.0.digest.timed.monthDays.1", "steps.0.digest.timed.monthDays.2", "steps.0.digest.timed.monthDays.3", "steps.0.digest.timed.monthDays.4",
			"steps.0.digest.timed.monthDays.5",
		},
		`{"steps":[{"stepId":"a","type":"digest","digest":{"type":"timed","unit":"months","timed":{"atTime":"00:00","monthlyType":"on","ordinal":"6","ordinalValue":"holiday"}}}]}`: {
			"steps.0.digest.timed.ordinal", "steps.0.digest.timed.ordinalValue",
		},
		`{"steps":[{"stepId":"a","type":"delay","delay":{"type":"regular","amount":0,"unit":""}},{"stepId":"b","type":"delay","delay":{"type":"scheduled","delayPath":"a..b"}}]}`: {
			"steps.0.delay.amount", "steps.0.delay.unit", "steps.1.delay.delayPath",
		},
		`{"steps":[{"stepId":"a","type":"throttle","throttle":{"amount":0,"unit":"seconds","throttleKey":".x"}},{"stepId":"b","type":"throttle","throttle":{"windowPath":" x"}}]}`: {
			"steps.0.throttle.throttleKey", "steps.0.throttle.amount", "steps.0.throttle.unit", "steps.1.throttle.windowPath",
		},
		`{"steps":[{"stepId":"a","type":"custom","custom":{"url":"ftp://x","method":"TRACE","timeoutSeconds":90}}]}`: {"steps.0.custom.url", "steps.0.custom.method", "steps.0.custom.timeoutSeconds"},
		`{"steps":[{"stepId":"a","type":"custom","custom":{"url":"https://x.test","headers":{"X-Who":"1","a b":"2","":"3"}}}]}`: {
			"steps.0.custom.headers", "steps.0.custom.headers.a b",
		},
		`{"steps":[{"stepId":"a","type":"trigger","trigger":{"workflow":"a b"}}]}`:                                                            {"steps.0.trigger.workflow"},
		`{"steps":[{"stepId":"a","type":"delay","delay":{"type":"regular","amount":1,"unit":"days"},"variants":[{}]}]}`:                       {"steps.0.variants"},
		`{"steps":[{"stepId":"a","type":"sms","sms":{"body":"x"},"variants":[{"chat":{"body":"x"}}]}]}`:                                       {"steps.0.variants.0", "steps.0.variants.0.filters"},
		`{"steps":[{"stepId":"a","type":"email","email":{"subject":"s","html":"x"},"replyCallback":{"active":true,"url":"https://x.test"}}]}`: {"steps.0.replyCallback.active"},
		`{"steps":[{"stepId":"a","type":"sms","sms":{"body":"x"},"filters":[{"type":"GROUP","value":"AND","children":[{"on":"step","field":"b.read","operator":"EQUAL","value":"1"}]}]}]}`: {
			"steps.0.filters.0.children.0.field",
		},
	} {
		require.Equal(t, want, workflowtest.Paths(t, definition(t, raw).Check(workflow.CheckOptions{})), raw)
	}
	long := &workflow.Definition{Steps: []workflow.Step{{StepID: "a", Type: "sms", SMS: &workflow.TextControls{Body: strings.Repeat("x", 300<<10)}}}}
	require.Equal(t, []string{"steps.0.sms.body"}, workflowtest.Paths(t, long.Check(workflow.CheckOptions{})))
	require.Equal(t, []string{"steps"}, workflowtest.Paths(t, (&workflow.Definition{Steps: make([]workflow.Step, 101)}).Check(workflow.CheckOptions{})))

	headers := map[string]string{strings.Repeat("x", 256): ""}
	wide := &workflow.Definition{Steps: []workflow.Step{{StepID: "a", Type: "custom", Custom: &workflow.CustomControls{URL: "https://x.test", Headers: headers}}}}
	require.Equal(t, []string{"steps.0.custom.headers." + strings.Repeat("x", 256)}, workflowtest.Paths(t, wide.Check(workflow.CheckOptions{})))
	delete(headers, strings.Repeat("x", 256))
	for i := range 50 {
		headers[fmt.Sprintf("X-%d", i)] = "x"
	}
	require.NoError(t, wide.Check(workflow.CheckOptions{}))
	headers["X-50"] = "x"
	require.Equal(t, []string{"steps.0.custom.headers"}, workflowtest.Paths(t, wide.Check(workflow.CheckOptions{})))

	reply := definition(t, `{"steps":[{"stepId":"a","type":"email","email":{"subject":"s","html":"x"},"replyCallback":{"active":true,"url":"https://x.test"}}]}`)
	require.NoError(t, reply.Check(workflow.CheckOptions{InboundDomain: true}))
}

func TestUnsupportedSteps(t *testing.T) {
	t.Parallel()
	d := definition(t, allSteps)
	all := map[workflow.StepType]bool{}
	for _, s := range workflow.StepTypes() {
		all[s] = true
	}
	require.NoError(t, d.UnsupportedSteps(all))
	delete(all, workflow.StepDigest)
	require.Equal(t, []string{"steps.5.type", "steps.6.type"}, workflowtest.Paths(t, d.UnsupportedSteps(all)))
}

func TestIssues(t *testing.T) {
	t.Parallel()
	d := definition(t, `{"payloadSchema":{"type":"object"},"steps":[
		{"stepId":"a","type":"in_app","inApp":{"body":"{{ bad }}"}},
		{"stepId":"b","type":"email","email":{"subject":" "}},
		{"stepId":"c","type":"delay","delay":{"type":"regular","amount":3,"unit":"months"}}]}`)
	got := d.Issues(workflow.IssueInput{
		ActiveChannels: map[workflow.Channel]bool{"in_app": true}, MaxDelay: 24 * time.Hour,
		Analyze: func(text string, scope workflow.TemplateScope) []workflow.TemplateFault {
			require.Equal(t, "{{ bad }}", text)
			require.Empty(t, scope.Steps)
			require.NotNil(t, scope.PayloadSchema)
			return []workflow.TemplateFault{{Type: workflow.IssueIllegalVariable, Variable: "bad", Message: "m"}}
		},
	})
	var short []string
	for _, i := range got {
		require.NotEmpty(t, i.Message)
		short = append(short, i.StepID+" "+i.Group+"."+i.Key+" "+i.Type+" "+i.VariableName)
	}
	require.Equal(t, []string{
		"a integration.in_app INBOX_NOT_CONNECTED ", "a controls.body ILLEGAL_VARIABLE_IN_CONTROL_VALUE bad",
		"b integration.email MISSING_INTEGRATION ", "b controls.subject MISSING_VALUE ", "b controls.body MISSING_VALUE ",
		"c controls.amount TIER_LIMIT_EXCEEDED ",
	}, short)
}

// FuzzFilter: no condition panics, whatever the operator, operand and field.
func FuzzFilter(f *testing.F) {
	f.Add("NUMBER", "LARGER", "n", "1", `{"n":2}`)
	f.Add("DATE", "BETWEEN", "d", "2025-01-01,2026-01-01", `{"d":"2025-06-01"}`)
	f.Add("GROUP", "ALL_IN", "l", `["a",1,null]`, `{"l":["a",{}]}`)
	f.Add("TEXT", "NOT_LIKE", "o.x", "", `{"o":[1]}`)
	f.Fuzz(func(t *testing.T, kind, op, field, value, payload string) {
		var data map[string]any
		if json.Unmarshal([]byte(payload), &data) != nil {
			t.Skip()
		}
		filter := condition.StepFilter{Type: kind, Value: "AND", Children: []condition.FieldFilterPart{{Field: field, Value: value, Operator: op, On: "payload"}}}
		got, reason := filter.Evaluate(condition.FilterData{Payload: data})
		require.Equal(t, got, reason.Result)
		_ = reason.String()
		_, err := json.Marshal(reason)
		require.NoError(t, err)
		condition.ValidateFilters(&fault.Problems{}, "filters", []condition.StepFilter{filter}, nil)
	})
}
