package authoring_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// TestMissingTranslations: of drafts, of versions that triggers use, of layouts and of snippets, with the line; not of what is
// deleted.
func TestMissingTranslations(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	create := func(name, body string) (id string) {
		made, err := a.Workflows.Create(a.Ctx, authoring.CreateWorkflowInput{Name: name, Publish: notifytest.Yes(), Definition: *bodied(body)})
		require.NoError(t, err)
		return made.ID
	}
	for locale, content := range map[string]map[string]string{
		"en": {"hi": "Hi", "only.en": "x"}, "de": {"hi": "Hallo", "both": "y"}, "de-AT": {"hi": "Servus"},
	} {
		_, err := a.Translations.Create(a.Ctx, authoring.CreateTranslationInput{Locale: locale, Content: content})
		require.NoError(t, err)
	}
	order := create("Order", "{{ 'hi' | t }}\n{{ 'published' | t }}")
	_, err := a.Workflows.Update(a.Ctx, authoring.UpdateWorkflowInput{ID: order, Definition: bodied("{{ 'both' | t }}"), Publish: new(false)})
	require.NoError(t, err)
	gone := create("Gone", "{{ 'gone' | t }}")
	require.NoError(t, notifytest.Err(a.Workflows.Delete(a.Ctx, gone)))
	_, err = a.Layouts.Create(a.Ctx, authoring.CreateLayoutInput{Name: "Frame", Content: "{{ content }}\n\n{{ 'both' | t }}"})
	require.NoError(t, err)
	_, err = a.Snippets.Create(a.Ctx, authoring.CreateSnippetInput{Name: "Footer", Content: "{{ 'footer' | t }}"})
	require.NoError(t, err)

	type missing = map[string][]string
	read := func(filter *authoring.MissingTranslationFilter) (missing, map[string][]*authoring.TranslationUsage) {
		found, err := a.Translations.Missing(a.Ctx, usecase.Page{}, filter)
		require.NoError(t, err)
		locales, usages := missing{}, map[string][]*authoring.TranslationUsage{}
		for _, m := range found.Nodes() {
			locales[m.Key], usages[m.Key] = m.Locales, m.Usages
		}
		return locales, usages
	}
	locales, usages := read(nil)
	require.Equal(t, missing{"both": {"en"}, "footer": {"de", "de-AT", "en"}, "only.en": {"de", "de-AT"}, "published": {"de", "de-AT", "en"}}, locales)
	require.Equal(t, map[string][]*authoring.TranslationUsage{
		"both":      {{authoring.TemplateOwnerLayout, "frame", "content", 3}, {authoring.TemplateOwnerWorkflow, "order", "note.inApp.body", 1}},
		"footer":    {{authoring.TemplateOwnerSnippet, "footer", "content", 1}},
		"only.en":   nil,
		"published": {{authoring.TemplateOwnerWorkflow, "order", "note.inApp.body", 2}},
	}, usages)
	locales, _ = read(&authoring.MissingTranslationFilter{Used: new(false)})
	require.Equal(t, missing{"only.en": {"de", "de-AT"}}, locales)
	locales, _ = read(&authoring.MissingTranslationFilter{LocaleIn: []string{"en"}, Used: new(true)})
	require.Equal(t, missing{"both": {"en"}, "footer": {"de", "de-AT", "en"}, "published": {"de", "de-AT", "en"}}, locales)
}

// TestMissingTranslationsOfMany reads more templates than fit in one batch.
func TestMissingTranslationsOfMany(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	for i := range usecase.MaxPage + 1 {
		_, err := a.Snippets.Create(a.Ctx, authoring.CreateSnippetInput{Name: fmt.Sprintf("s%d", i), Content: fmt.Sprintf("{{ 'k%03d' | t }}{{ 'all' | t }}", i)})
		require.NoError(t, err)
	}
	first := 1
	found, err := a.Translations.Missing(a.Ctx, usecase.Page{First: &first}, nil)
	require.NoError(t, err)
	require.Equal(t, "all", found.Nodes()[0].Key)
	require.Len(t, found.Nodes()[0].Usages, usecase.MaxPage)
	require.Equal(t, []string{"en"}, found.Nodes()[0].Locales)
	total, err := found.TotalCount(a.Ctx)
	require.NoError(t, err)
	require.Equal(t, usecase.MaxPage+2, total)
}

func bodied(body string) *workflow.Definition {
	step := notifytest.InAppStep()
	step.StepID, step.InApp.Body = "note", body
	return &workflow.Definition{Steps: []workflow.Step{step}}
}
