package definition

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
)

func inApp(stepID, body string) workflow.Step {
	return workflow.Step{StepID: stepID, Type: workflow.StepInApp, InApp: &workflow.InAppControls{Body: body}}
}

func TestSharedContent(t *testing.T) {
	t.Parallel()
	varied := inApp("varied", "x")
	varied.Variants = []workflow.Variant{{Name: "b"}}
	d := New(pgrun.VersionRow{Definition: &workflow.Definition{Steps: []workflow.Step{
		inApp("plain", "{{payload.a}}"), inApp("person", "{{subscriber.a}}"), inApp("result", "{{steps.a.read}}"), inApp("digest", "{{step.total_count}}"),
		inApp("translated", "{{ 'hello' | t }}"), inApp("upper", "{{ payload.a | upcase }}"), varied,
	}}})
	require.Equal(t, map[string]bool{
		"plain": true, "person": false, "result": false, "digest": false, "translated": false, "upper": true, "varied": false,
	}, d.Shared)
	require.True(t, d.Personal)
	require.True(t, d.Independent)
	for _, kind := range []workflow.StepType{workflow.StepDigest, workflow.StepThrottle, workflow.StepTrigger, workflow.StepCustom} {
		d := New(pgrun.VersionRow{Definition: &workflow.Definition{Steps: []workflow.Step{{StepID: "a", Type: kind}}}})
		require.False(t, d.Independent, kind)
		require.Equal(t, kind == workflow.StepDigest || kind == workflow.StepThrottle, d.HasSharedSteps, kind)
		require.False(t, d.Sends, kind)
	}
	require.False(t, d.Sends)
	for _, kind := range []workflow.StepType{workflow.StepEmail, workflow.StepSMS, workflow.StepChat, workflow.StepPush} {
		d = New(pgrun.VersionRow{Definition: &workflow.Definition{Steps: []workflow.Step{{StepID: "a", Type: kind}}}})
		require.True(t, d.Sends, kind)
	}
	require.Equal(t, []bool{true, false, false}, []bool{d.Settings, d.Chat, d.Personal})
}

func TestCache(t *testing.T) {
	t.Parallel()
	c := NewCache()
	c.Put(nil)
	require.Equal(t, []string{"a", "b"}, c.Missing([]string{"a", "b"}))
	version := func(id string) pgrun.VersionRow { return pgrun.VersionRow{ID: id, Definition: &workflow.Definition{}} }
	c.Put([]pgrun.VersionRow{version("a"), version("b")})
	require.Equal(t, []string{"x"}, c.Missing([]string{"a", "x", "b"}))
	require.Equal(t, "a", c.Get("a").ID)
	var many []pgrun.VersionRow
	for i := range maxKept - 1 {
		many = append(many, version(fmt.Sprint("v", i)))
	}
	c.Put(many)
	require.Nil(t, c.Get("b"), "the one that was not used for longest goes")
	require.Empty(t, c.Missing([]string{"a"}))
	c.Put([]pgrun.VersionRow{version("x")})
	require.NotNil(t, c.Get("a"), "asking whether it is missing was a use")
	require.Nil(t, c.Get("v0"))
	require.NotNil(t, c.Get("x"))
}

// TestFeedsOf: a feed is named by its id, its global id, or an identifier that the version's row resolves.
func TestFeedsOf(t *testing.T) {
	t.Parallel()
	const record = "65f0c0ffee65f0c0ffee65f0"
	global, other := id.Global("Feed", record), id.Global("Workflow", record)
	var d workflow.Definition
	for _, ref := range []string{record, global, other, "alerts", ""} {
		d.Steps = append(d.Steps, workflow.Step{
			StepID: "s" + ref, Type: workflow.StepInApp, InApp: &workflow.InAppControls{FeedID: ref},
		})
	}
	require.Equal(t, map[string]string{record: record, global: record, "alerts": "feed"},
		feedsOf(&pgrun.VersionRow{Definition: &d, Feeds: map[string]string{"alerts": "feed"}}))
	require.Empty(t, feedsOf(&pgrun.VersionRow{Definition: &workflow.Definition{}}))
}

// TestIndependentDefinitions: runs are planned before their event is stored unless a step needs rows that runs share, another
// workflow, or an address of the operator's.
func TestIndependentDefinitions(t *testing.T) {
	t.Parallel()
	for kind, want := range map[workflow.StepType]bool{
		workflow.StepInApp: true, workflow.StepEmail: true, workflow.StepSMS: true, workflow.StepPush: true, workflow.StepChat: true, workflow.StepDelay: true,
		workflow.StepDigest: false, workflow.StepThrottle: false, workflow.StepTrigger: false, workflow.StepCustom: false,
	} {
		d := &workflow.Definition{Steps: []workflow.Step{{Type: workflow.StepInApp}, {Type: kind}}}
		require.Equal(t, want, isIndependent(d), kind)
	}
	require.True(t, isIndependent(&workflow.Definition{}))
}

// TestPersonalTextsOverSeveralLines: how a template is laid out does not make it the same for all.
func TestPersonalTextsOverSeveralLines(t *testing.T) {
	t.Parallel()
	for text, shared := range map[string]bool{
		"{{\nsteps.a.read }}":                      false,
		"{{\tstep.total_count }}":                  false,
		"{% if 1 <steps.a.response %}x{% endif %}": false,
		"{{ 'hello' |\nt }}":                       false,
		"{%\n\trender 'who' %}":                    false,
		"{% liquid\n\trender 'who'\n%}":            false,
		"{{ payload.a |\n truncate: 3 }}":          true,
		"one\ntwo steps-by-step":                   false, // a word of the text, which costs time and nothing else
		"{{ payload.stepsTaken }}":                 true,
	} {
		d := New(pgrun.VersionRow{Definition: &workflow.Definition{Steps: []workflow.Step{inApp("bell", text)}}})
		require.Equal(t, shared, d.Shared["bell"], "%q", text)
	}
	asked := inApp("bell", "x")
	asked.Filters = []condition.StepFilter{{Type: "GROUP", Value: "AND", Children: []condition.FieldFilterPart{{Field: "plan", Value: "gold", Operator: "EQUAL", On: "subscriber"}}}}
	d := New(pgrun.VersionRow{Definition: &workflow.Definition{Steps: []workflow.Step{asked}}})
	require.True(t, d.Shared["bell"], "a condition decides who gets the content, and not what it says")
}
