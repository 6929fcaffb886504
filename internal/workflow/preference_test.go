package workflow_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
	"github.com/carillon/carillon/internal/workflow/workflowtest"
)

func TestPreferences(t *testing.T) {
	t.Parallel()
	on, off := true, false
	email := func(v *bool) workflow.ChannelPreferences { return workflow.ChannelPreferences{Email: v} }
	level := func(v *bool) *workflow.PreferenceLevel { return &workflow.PreferenceLevel{Channels: email(v)} }
	for name, tc := range map[string]struct {
		in      workflow.Preferences
		enabled bool
		rule    workflow.PreferenceRule
		source  workflow.PreferenceSource
	}{
		"Default":         {workflow.Preferences{}, true, 6, "template"},
		"Author":          {workflow.Preferences{Author: email(&off)}, false, 5, "template"},
		"Tenant":          {workflow.Preferences{Author: email(&off), Tenant: level(&on)}, true, 4, "workflowOverride"},
		"Global":          {workflow.Preferences{Tenant: level(&on), Global: level(&off)}, false, 3, "subscriber"},
		"Workflow":        {workflow.Preferences{Global: level(&off), Workflow: level(&on)}, true, 2, "subscriber"},
		"OtherChannel":    {workflow.Preferences{Workflow: &workflow.PreferenceLevel{Channels: workflow.ChannelPreferences{SMS: &off}}, Global: level(&off)}, false, 3, "subscriber"},
		"LevelOff":        {workflow.Preferences{Workflow: &workflow.PreferenceLevel{Enabled: &off, Channels: email(&on)}}, false, 2, "subscriber"},
		"LevelOnIsNoWish": {workflow.Preferences{Workflow: &workflow.PreferenceLevel{Enabled: &on}, Global: level(&off)}, false, 3, "subscriber"},
		"GlobalOff":       {workflow.Preferences{Global: &workflow.PreferenceLevel{Enabled: &off}, Author: email(&on)}, false, 3, "subscriber"},
		"Critical":        {workflow.Preferences{Critical: true, Workflow: level(&off), Global: level(&off), Tenant: level(&off)}, true, 1, "template"},
		"CriticalAuthor":  {workflow.Preferences{Critical: true, Author: email(&off), Workflow: level(&on)}, false, 1, "template"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, workflow.EffectivePreference{Channel: "email", Enabled: tc.enabled, Rule: tc.rule, Source: tc.source},
				tc.in.Effective(workflow.ChannelEmail))
		})
	}
}

func TestPreferencesAll(t *testing.T) {
	t.Parallel()
	var got []workflow.Channel
	for _, e := range (workflow.Preferences{}).All() {
		got = append(got, e.Channel)
		require.True(t, e.Enabled)
	}
	require.Equal(t, []workflow.Channel{"email", "sms", "in_app", "chat", "push"}, got)
}

// Everything is off when the switch is, or when each channel is.
func TestPreferenceLevelIsOn(t *testing.T) {
	t.Parallel()
	off, on := new(false), new(true)
	var none *workflow.PreferenceLevel
	require.True(t, none.On())
	require.False(t, (&workflow.PreferenceLevel{Enabled: off, Channels: workflow.ChannelPreferences{Email: on}}).On())
	level := workflow.PreferenceLevel{}
	for _, c := range workflow.Channels() {
		require.True(t, level.On())
		level.Channels.Set(c, off)
	}
	require.False(t, level.On())
}

// The first set row wins, whatever stands below it.
func TestPreferencesFirstRowWins(t *testing.T) {
	t.Parallel()
	wish := rapid.SampledFrom([]*bool{nil, new(bool), func() *bool { v := true; return &v }()})
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(name string) *bool { return wish.Draw(rt, name) }
		rows := []*bool{draw("workflow"), draw("global"), draw("tenant"), draw("author")}
		level := func(i int) *workflow.PreferenceLevel {
			return &workflow.PreferenceLevel{Channels: workflow.ChannelPreferences{Push: rows[i]}}
		}
		in := workflow.Preferences{Workflow: level(0), Global: level(1), Tenant: level(2), Author: workflow.ChannelPreferences{Push: rows[3]}}
		got := in.Effective(workflow.ChannelPush)
		for i, v := range rows {
			if v != nil {
				require.Equal(rt, *v, got.Enabled)
				require.Equal(rt, workflow.PreferenceRule(i+2), got.Rule)
				return
			}
		}
		require.Equal(rt, workflow.RuleDefault, got.Rule)
	})
}

func BenchmarkPreferences(b *testing.B) {
	off := false
	in := workflow.Preferences{Author: workflow.ChannelPreferences{Email: &off}, Global: &workflow.PreferenceLevel{}}
	for b.Loop() {
		in.Effective(workflow.ChannelEmail)
	}
}

func BenchmarkRule(b *testing.B) {
	rule := workflowtest.Object(b, `{"and":[{">":[{"var":"total"},10]},{"in":[{"var":"tier"},["gold","iron"]]}]}`)
	data := condition.RuleData{Payload: workflowtest.Object(b, `{"total":20,"tier":"iron"}`)}
	for b.Loop() {
		condition.EvaluateRule(rule, data)
	}
}

func BenchmarkFilter(b *testing.B) {
	filters := []condition.StepFilter{{Type: "GROUP", Value: "AND", Children: []condition.FieldFilterPart{
		{On: "payload", Field: "total", Operator: "LARGER", Value: "10"},
		{On: "subscriber", Field: "data.tier", Operator: "IN", Value: "gold,iron"},
	}}}
	data := condition.FilterData{Payload: workflowtest.Object(b, `{"total":20}`), Subscriber: workflowtest.Object(b, `{"data":{"tier":"iron"}}`)}
	for b.Loop() {
		condition.EvaluateFilters(filters, data)
	}
}
