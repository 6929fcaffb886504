package authoring_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/auditentry"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

func makeVariable(t *testing.T, a *notifytest.Authoring, name, value string, secret bool) string {
	t.Helper()
	made, err := a.Variables.Create(a.Ctx, authoring.CreateVariableInput{Name: name, Value: value, Secret: &secret})
	require.NoError(t, err)
	return made.ID
}

// TestVariableBounds holds what a variable may be, and how many there may be.
func TestVariableBounds(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	for name, c := range map[string]struct {
		in   authoring.CreateVariableInput
		want []string
	}{
		"no name":            {authoring.CreateVariableInput{}, []string{"name"}},
		"a digit first":      {authoring.CreateVariableInput{Name: "1st"}, []string{"name"}},
		"a dash":             {authoring.CreateVariableInput{Name: "SHOP-URL"}, []string{"name"}},
		"a member of Liquid": {authoring.CreateVariableInput{Name: "size"}, []string{"name"}},
		"a long name":        {authoring.CreateVariableInput{Name: strings.Repeat("a", authoring.MaxVariableName+1)}, []string{"name"}},
		"a long value":       {authoring.CreateVariableInput{Name: "A", Value: strings.Repeat("a", authoring.MaxVariableValue+1)}, []string{"value"}},
	} {
		require.Equal(t, c.want, notifytest.Paths(t, notifytest.Err(a.Variables.Create(a.Ctx, c.in))), name)
	}
	makeVariable(t, a, "SHOP", "x", false)
	notifytest.RequireKind(t, fault.Conflict, notifytest.Err(a.Variables.Create(a.Ctx, authoring.CreateVariableInput{Name: "SHOP"})))
	for i := range authoring.MaxVariables - 1 {
		makeVariable(t, a, "V"+strings.Repeat("x", i%60)+string(rune('A'+i/60)), "", false)
	}
	_, err := a.Variables.Create(a.Ctx, authoring.CreateVariableInput{Name: "ONE_MORE"})
	require.ErrorContains(t, err, "at most 100 variables")
}

// TestVariablesInTemplates holds what previews and saves know of variables, and where they are found before they go.
func TestVariablesInTemplates(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	shop := makeVariable(t, a, "SHOP", "https://shop.example.com", false)
	makeVariable(t, a, "KEY", "very-secret", true)
	step := workflow.Step{StepID: "note", Type: workflow.StepInApp, Active: true, InApp: &workflow.InAppControls{
		Subject: "{{ env.SHOP }}", Body: "[{{ env.KEY }}] {{ env.NONE }}",
	}}
	shown, err := a.Workflows.Preview(a.Ctx, authoring.PreviewStepInput{Step: step})
	require.NoError(t, err)
	require.Equal(t, "https://shop.example.com", *shown.Subject)
	require.Equal(t, "[] ", shown.Content.Text, "a secret is in no message")

	w, err := a.Workflows.Create(a.Ctx, authoring.CreateWorkflowInput{Name: "Order", Publish: new(false), Definition: workflow.Definition{Steps: []workflow.Step{step}}})
	require.NoError(t, err)
	var named []string
	for _, i := range w.Issues {
		if i.Type == workflow.IssueIllegalVariable {
			named = append(named, i.VariableName)
		}
	}
	require.Equal(t, []string{"env.KEY", "env.NONE"}, named)
	step.InApp.Body = "{{ env.NONE }}"
	_, err = a.Workflows.Update(a.Ctx, authoring.UpdateWorkflowInput{ID: w.ID, Publish: notifytest.Yes(), Definition: &workflow.Definition{Steps: []workflow.Step{step}}})
	require.NoError(t, err)

	_, err = a.Layouts.Create(a.Ctx, authoring.CreateLayoutInput{Name: "Frame", Content: `<a href="{{ env.SHOP | escape }}">{{ content }}</a>`})
	require.NoError(t, err)
	_, err = a.Translations.Create(a.Ctx, authoring.CreateTranslationInput{Locale: "de", Content: map[string]string{"hi": "{{ env.SHOP }}"}})
	require.NoError(t, err)
	_, err = a.Snippets.Create(a.Ctx, authoring.CreateSnippetInput{Name: "Footer", Content: "{{ name }} at {{ env.SHOP }}"})
	require.NoError(t, err)
	usages, err := a.Variables.Usages(a.Ctx, shop)
	require.NoError(t, err)
	var found []authoring.VariableUsage
	for _, u := range usages {
		found = append(found, *u)
	}
	require.Equal(t, []authoring.VariableUsage{
		{Kind: authoring.VariableUserLayout, Name: "frame", Path: "content"},
		{Kind: authoring.VariableUserSnippet, Name: "footer", Path: "content"},
		{Kind: authoring.VariableUserWorkflow, Name: "order", Path: "note.inApp.subject"},
	}, found)

	_, err = a.Workflows.Update(a.Ctx, authoring.UpdateWorkflowInput{ID: w.ID, Definition: &workflow.Definition{Steps: []workflow.Step{notifytest.InAppStep()}}})
	require.NoError(t, err)
	again, err := a.Variables.Usages(a.Ctx, shop)
	require.NoError(t, err)
	require.Equal(t, usages, again, "triggers still use the version that names it")

	_, err = a.Variables.Delete(a.Ctx, shop, nil)
	require.ErrorContains(t, err, "used by layout frame, snippet footer, workflow order")
	_, err = a.Variables.Delete(a.Ctx, shop, notifytest.Yes())
	require.NoError(t, err)
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Variables.ByName(a.Ctx, "SHOP")))
	actions := a.DB.Ent.AuditEntry.Query().Where(auditentry.RecordType("Variable")).Order(auditentry.ByID()).Select(auditentry.FieldAction).StringsX(a.Ctx)
	require.Equal(t, []string{"create", "create", "delete"}, actions)
}

// TestSecretsAreInNoMessage holds that no text of a message names a secret variable: neither a layout, a snippet nor a published
// step can be saved, and a variable that is shown cannot become secret.
func TestSecretsAreInNoMessage(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	snippet, err := a.Snippets.Create(a.Ctx, authoring.CreateSnippetInput{Name: "Auth", Content: "Bearer {{ key }}"})
	require.NoError(t, err)
	early, err := a.Layouts.Create(a.Ctx, authoring.CreateLayoutInput{Name: "Early", Content: "{{ env.KEY }}{{ content }}"})
	require.NoError(t, err)
	isSecret := true
	_, err = a.Variables.Create(a.Ctx, authoring.CreateVariableInput{Name: "KEY", Value: "very-secret", Secret: &isSecret})
	notifytest.RequireKind(t, fault.Conflict, err)
	require.ErrorContains(t, err, "layout early")
	plain := "{{ content }}"
	_, err = a.Layouts.Update(a.Ctx, authoring.UpdateLayoutInput{ID: early.ID, Content: &plain})
	require.NoError(t, err)
	makeVariable(t, a, "KEY", "very-secret", true)

	const shown = "{{ env.KEY }}"
	for name, err := range map[string]error{
		"new snippet": notifytest.Err(a.Snippets.Create(a.Ctx, authoring.CreateSnippetInput{Name: "Foot", Content: shown})),
		"snippet":     notifytest.Err(a.Snippets.Update(a.Ctx, authoring.UpdateSnippetInput{ID: snippet.ID, Content: new(shown)})),
		"new layout":  notifytest.Err(a.Layouts.Create(a.Ctx, authoring.CreateLayoutInput{Name: "Frame", Content: shown})),
		"layout":      notifytest.Err(a.Layouts.Update(a.Ctx, authoring.UpdateLayoutInput{ID: early.ID, Content: new(shown)})),
	} {
		require.Equal(t, []string{"content"}, notifytest.Paths(t, err), name)
		require.ErrorContains(t, err, "KEY is secret", name)
	}
	save := func(publish bool, d workflow.Definition) error {
		return notifytest.Err(a.Workflows.Create(a.Ctx, authoring.CreateWorkflowInput{Name: "W", Publish: &publish, Definition: d}))
	}
	message := notifytest.InAppStep()
	message.InApp.Body = `{% render "auth", key: env.KEY %}`
	err = save(true, workflow.Definition{Steps: []workflow.Step{message}})
	require.Equal(t, []string{"definition.steps.0.inApp.body"}, notifytest.Paths(t, err))
	require.NoError(t, save(false, workflow.Definition{Steps: []workflow.Step{message}}), "a draft may")
	hook := workflow.Step{StepID: "hook", Type: workflow.StepCustom, Active: true, Custom: &workflow.CustomControls{
		Method: "POST", URL: "https://a.example", Headers: map[string]string{"X-Key": message.InApp.Body},
	}}
	require.NoError(t, save(false, workflow.Definition{Steps: []workflow.Step{hook}}), "no message shows a header")
}

// TestVariablesInCredentials holds that credentials use variables by name, see their changes, and are guarded by the right to
// change integrations.
func TestVariablesInCredentials(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	host := makeVariable(t, a, "HOST", "mail.example.com", false)
	password := makeVariable(t, a, "PASSWORD", "very-secret", true)
	require.NotContains(t, string(a.DB.Ent.Variable.GetX(a.Ctx, password).Sealed), "very-secret")
	require.Nil(t, a.DB.Ent.Variable.GetX(a.Ctx, password).Value)

	in := integrations.CreateIntegrationInput{ProviderID: "nodemailer", Credentials: notifytest.SMTP(map[string]any{
		"host": "{{ env.HOST }}", "user": "shop", "password": "{{env.PASSWORD}}",
	})}
	made := a.MakeIntegration(t, in)
	usable, err := a.Integrations.UsableCredentials(a.Ctx, made)
	require.NoError(t, err)
	require.Equal(t, []string{"mail.example.com", "very-secret"}, []string{usable.String("host"), usable.Secret("password")})
	shown, err := a.Integrations.ShownCredentials(a.Ctx, made)
	require.NoError(t, err)
	require.Equal(t, "{{ env.HOST }}", shown["host"])

	_, err = a.Variables.Update(a.Ctx, authoring.UpdateVariableInput{ID: host, Value: "other.example.com"})
	require.NoError(t, err)
	again := a.DB.Ent.Integration.GetX(a.Ctx, made.ID)
	require.True(t, again.UpdatedAt.After(made.UpdatedAt), "its connection is opened anew")
	usable, err = a.Integrations.UsableCredentials(a.Ctx, again)
	require.NoError(t, err)
	require.Equal(t, "other.example.com", usable.String("host"))

	in.Credentials["host"] = "{{ env.NONE }}"
	require.Equal(t, []string{"credentials"}, notifytest.Paths(t, notifytest.Err(a.Integrations.Create(a.Ctx, in))))

	v, _ := viewer.FromContext(a.Ctx)
	author := viewer.NewContext(t.Context(), viewer.Viewer{Scope: v.Scope, Role: viewer.RoleKey, APIKeyID: "key", Grants: viewer.GrantsOf(viewer.GrantContent)})
	notifytest.RequireKind(t, fault.Forbidden, notifytest.Err(a.Variables.Update(author, authoring.UpdateVariableInput{ID: host, Value: "evil.example.com"})))
	notifytest.RequireKind(t, fault.Forbidden, notifytest.Err(a.Variables.Update(author, authoring.UpdateVariableInput{ID: password, Value: "x"})))
	notifytest.RequireKind(t, fault.Forbidden, notifytest.Err(a.Variables.Create(author, authoring.CreateVariableInput{Name: "MINE", Secret: notifytest.Yes()})))
	require.NoError(t, notifytest.Err(a.Variables.Create(author, authoring.CreateVariableInput{Name: "MINE"})))
	_, err = a.Variables.Delete(a.Ctx, host, nil)
	require.ErrorContains(t, err, "used by integration")
}

func TestVariablesKeepServersOfStoredSecrets(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	host := makeVariable(t, a, "HOST", "mail.example.com", false)
	port := makeVariable(t, a, "PORT", "587", true)
	made := a.MakeIntegration(t, integrations.CreateIntegrationInput{ProviderID: "nodemailer", Credentials: notifytest.SMTP(map[string]any{
		"host": "{{ env.HOST }}", "port": "{{ env.PORT }}", "user": "shop", "password": "stored",
	})})
	update := func(id, value string) error {
		return notifytest.Err(a.Variables.Update(a.Ctx, authoring.UpdateVariableInput{ID: id, Value: value}))
	}
	require.Equal(t, []string{"value"}, notifytest.Paths(t, update(host, "evil.example")))
	require.Equal(t, []string{"value"}, notifytest.Paths(t, update(port, "2525")))
	require.NoError(t, update(host, "mail.example.com"))
	require.NoError(t, update(port, "587"))

	_, err := a.Variables.Delete(a.Ctx, host, notifytest.Yes())
	require.NoError(t, err)
	again := authoring.CreateVariableInput{Name: "HOST", Value: "evil.example"}
	require.Equal(t, []string{"value"}, notifytest.Paths(t, notifytest.Err(a.Variables.Create(a.Ctx, again))), "it is not made anew either")

	_, err = a.Integrations.Update(a.Ctx, integrations.UpdateIntegrationInput{ID: made.ID, Credentials: map[string]any{
		"host": "new.example", "password": "stored",
	}})
	require.NoError(t, err)
	require.NoError(t, notifytest.Err(a.Variables.Create(a.Ctx, again)))
}
