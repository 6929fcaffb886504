package authoring_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/workflow"
)

// TestStrictVariables holds semantics.md §11.36: a draft may name unknown variables, a published version may not.
func TestStrictVariables(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	for _, s := range []authoring.CreateSnippetInput{
		{Name: "Sign", Content: "{{ by }}{{ who }}"},
		{Name: "Outer", Content: `{{ year }}{% render "sign", by: year, who: 1 %}`},
		{Name: "Wrong", Content: `{% render "sign", by: 1 %}`},
	} {
		_, err := a.Snippets.Create(a.Ctx, s)
		require.NoError(t, err)
	}
	_, err := a.Variables.Create(a.Ctx, authoring.CreateVariableInput{Name: "SHOP", Value: "s"})
	require.NoError(t, err)
	publish := true
	try := func(strict bool, body string) error {
		step := notifytest.InAppStep()
		step.InApp.Body = body
		return notifytest.Err(a.Workflows.Create(a.Ctx, authoring.CreateWorkflowInput{Name: "W", Publish: &publish, Definition: workflow.Definition{
			Strict: strict, Steps: []workflow.Step{step},
			PayloadSchema: map[string]any{"type": "object", "properties": map[string]any{"order": map[string]any{"type": "object"}}},
		}}))
	}
	for _, known := range []string{
		"{{ payload.order.id }}", "{{ env.SHOP }}", "{{ subscriber.data.x }}", "{% for i in payload.order %}{{ i.x }}{% endfor %}",
		`{% render "outer", year: 2026 %}`,
	} {
		require.NoError(t, try(true, known), known)
	}
	for unknown, variable := range map[string]string{
		"{{ payload.ordr }}": "payload.ordr", "{{ env.SHOPS }}": "SHOPS", "{{ nope }}": "nope",
		`{% render "outer" %}`: "Snippet outer: There is no variable year", `{% render "wrong" %}`: "Snippet sign: There is no variable who",
	} {
		err := try(true, unknown)
		require.Equal(t, []string{"definition.steps.0.inApp.body"}, notifytest.Paths(t, err), unknown)
		require.ErrorContains(t, err, variable)
		require.NoError(t, try(false, unknown), unknown)
	}
}
