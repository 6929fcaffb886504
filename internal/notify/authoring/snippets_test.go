package authoring_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/workflow"
)

func TestSnippetRefusals(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	for name, c := range map[string]struct {
		in   authoring.CreateSnippetInput
		want []string
	}{
		"nothing":         {authoring.CreateSnippetInput{}, []string{"name"}},
		"no identifier":   {authoring.CreateSnippetInput{Identifier: new(`a"b`), Name: "A"}, []string{"identifier"}},
		"no template":     {authoring.CreateSnippetInput{Name: "A", Content: "{% render a %}"}, []string{"content"}},
		"too large":       {authoring.CreateSnippetInput{Name: "A", Content: strings.Repeat("a", workflow.MaxTemplateBytes+1)}, []string{"content"}},
		"unknown snippet": {authoring.CreateSnippetInput{Name: "A", Content: `{% render "gone" %}`}, []string{"content"}},
		"itself":          {authoring.CreateSnippetInput{Name: "A", Content: `{% render "a" %}`}, []string{"content"}},
	} {
		require.Equal(t, c.want, notifytest.Paths(t, notifytest.Err(a.Snippets.Create(a.Ctx, c.in))), name)
	}
	_, err := a.Layouts.Create(a.Ctx, authoring.CreateLayoutInput{Name: "Frame", Content: `{% render "gone" %}`})
	require.Equal(t, []string{"content"}, notifytest.Paths(t, err))
	step := notifytest.InAppStep()
	step.InApp.Body = `{% render "gone" %}`
	_, err = a.Workflows.Create(a.Ctx, authoring.CreateWorkflowInput{Name: "Order", Definition: workflow.Definition{Steps: []workflow.Step{step}}})
	require.Equal(t, []string{"definition.steps.0.inApp.body"}, notifytest.Paths(t, err))
}

// TestSnippetsWithinEachOther holds that no circle can be saved and no chain that rendering would refuse.
func TestSnippetsWithinEachOther(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	ids := make([]string, workflow.MaxSnippetDepth)
	for i := range ids {
		content := "end"
		if i > 0 {
			content = fmt.Sprintf(`{%% render "s%d" %%}`, i-1)
		}
		made, err := a.Snippets.Create(a.Ctx, authoring.CreateSnippetInput{Name: fmt.Sprintf("s%d", i), Content: content})
		require.NoError(t, err)
		ids[i] = made.ID
	}
	preview, err := a.Workflows.Preview(a.Ctx, authoring.PreviewStepInput{Step: workflow.Step{
		Type: workflow.StepSMS, SMS: &workflow.TextControls{Body: fmt.Sprintf(`{%% render "s%d" %%}`, len(ids)-1)},
	}})
	require.NoError(t, err)
	require.Equal(t, "end", preview.Content.Text, "the longest chain that is saved is rendered")
	_, err = a.Snippets.Create(a.Ctx, authoring.CreateSnippetInput{Name: "more", Content: fmt.Sprintf(`{%% render "s%d" %%}`, len(ids)-1)})
	require.Equal(t, []string{"content"}, notifytest.Paths(t, err))
	require.ErrorContains(t, err, "within each other")
	_, err = a.Snippets.Create(a.Ctx, authoring.CreateSnippetInput{Name: "leaf"})
	require.NoError(t, err)
	_, err = a.Snippets.Update(a.Ctx, authoring.UpdateSnippetInput{ID: ids[0], Content: new(`{% render "leaf" %}`)})
	require.ErrorContains(t, err, "within each other", "of those above as well")
	_, err = a.Snippets.Update(a.Ctx, authoring.UpdateSnippetInput{ID: ids[0], Content: new(`{% render "s3" %}`)})
	require.ErrorContains(t, err, "must not render itself")
}

func TestSnippetUsage(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	footer, err := a.Snippets.Create(a.Ctx, authoring.CreateSnippetInput{Name: "Footer", Content: "(c)"})
	require.NoError(t, err)
	_, err = a.Snippets.Create(a.Ctx, authoring.CreateSnippetInput{Name: "Outer", Content: `{% render "footer" %}`})
	require.NoError(t, err)
	_, err = a.Snippets.Create(a.Ctx, authoring.CreateSnippetInput{Name: "Other", Content: `the footer`})
	require.NoError(t, err)
	_, err = a.Layouts.Create(a.Ctx, authoring.CreateLayoutInput{Name: "Frame", Content: `{{ content }}{%- render 'footer' -%}`})
	require.NoError(t, err)
	withBody := func(body string) *workflow.Definition {
		step := notifytest.InAppStep()
		step.InApp.Body = body
		return &workflow.Definition{Steps: []workflow.Step{step}}
	}
	publish := true
	inBoth, err := a.Workflows.Create(a.Ctx, authoring.CreateWorkflowInput{Name: "Both", Definition: *withBody(`{% render "footer" %}`), Publish: &publish})
	require.NoError(t, err)
	_, err = a.Workflows.Create(a.Ctx, authoring.CreateWorkflowInput{Name: "None", Definition: *withBody(`footer`), Publish: &publish})
	require.NoError(t, err)
	_, err = a.Workflows.Update(a.Ctx, authoring.UpdateWorkflowInput{ID: inBoth.ID, Definition: withBody("x"), Publish: new(bool)})
	require.NoError(t, err)

	usage, err := a.Snippets.Usage(a.Ctx, "footer")
	require.NoError(t, err)
	require.Len(t, usage.Workflows, 1, "the published version, whose draft does no longer")
	require.Equal(t, "both", usage.Workflows[0].Identifier)
	require.Len(t, usage.Layouts, 1)
	require.Len(t, usage.Snippets, 1)
	require.Equal(t, "outer", usage.Snippets[0].Identifier)

	_, err = a.Snippets.Delete(a.Ctx, footer.ID, false)
	notifytest.RequireKind(t, fault.Conflict, err)
	require.ErrorContains(t, err, "workflow both, layout frame, snippet outer")
	_, err = a.Snippets.Delete(a.Ctx, footer.ID, true)
	require.NoError(t, err)
	_, err = a.Snippets.Delete(a.Ctx, footer.ID, true)
	notifytest.RequireKind(t, fault.NotFound, err)
	other, err := a.Snippets.ByIdentifier(a.Ctx, "other")
	require.NoError(t, err)
	_, err = a.Snippets.Delete(a.Ctx, other.GlobalID(), false)
	require.NoError(t, err, "what is not used is deleted")
}
