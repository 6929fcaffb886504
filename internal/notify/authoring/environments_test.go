package authoring_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/auditentry"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// TestContentOfEnvironments holds that nothing of an environment's content is found, listed or changed from another one.
func TestContentOfEnvironments(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	w, err := a.Workflows.Create(a.Ctx, authoring.CreateWorkflowInput{Name: "Order"})
	require.NoError(t, err)
	layout, err := a.Layouts.Create(a.Ctx, authoring.CreateLayoutInput{Name: "Frame", IsDefault: notifytest.Yes()})
	require.NoError(t, err)
	part, err := a.Snippets.Create(a.Ctx, authoring.CreateSnippetInput{Name: "Part"})
	require.NoError(t, err)
	group, err := a.NotificationGroups.Create(a.Ctx, authoring.CreateNotificationGroupInput{Name: "Shop"})
	require.NoError(t, err)
	translation, err := a.Translations.Create(a.Ctx, authoring.CreateTranslationInput{Locale: "de", Content: map[string]string{"hi": "Hallo"}})
	require.NoError(t, err)

	shop, err := a.Variables.Create(a.Ctx, authoring.CreateVariableInput{Name: "SHOP", Value: "x"})
	require.NoError(t, err)

	other := a.OtherEnvironment(t)
	missing, err := a.Translations.Missing(other, usecase.Page{}, nil)
	require.NoError(t, err)
	require.Empty(t, missing.Edges, "translations")
	for name, err := range map[string]error{
		"workflow":               notifytest.Err(a.Workflows.Get(other, w.ID)),
		"workflow by identifier": notifytest.Err(a.Workflows.ByIdentifier(other, w.Identifier)),
		"update workflow":        notifytest.Err(a.Workflows.Update(other, authoring.UpdateWorkflowInput{ID: w.ID, Name: new("x")})),
		"publish workflow":       notifytest.Err(a.Workflows.Publish(other, w.ID)),
		"duplicate workflow":     notifytest.Err(a.Workflows.Duplicate(other, w.ID, new("x"), nil)),
		"delete workflow":        notifytest.Err(a.Workflows.Delete(other, w.ID)),
		"layout":                 notifytest.Err(a.Layouts.Get(other, layout.ID)),
		"layout by identifier":   notifytest.Err(a.Layouts.ByIdentifier(other, "frame")),
		"update layout":          notifytest.Err(a.Layouts.Update(other, authoring.UpdateLayoutInput{ID: layout.ID, Name: new("x")})),
		"delete layout":          notifytest.Err(a.Layouts.Delete(other, layout.ID)),
		"snippet":                notifytest.Err(a.Snippets.Get(other, part.ID)),
		"snippet by identifier":  notifytest.Err(a.Snippets.ByIdentifier(other, "part")),
		"update snippet":         notifytest.Err(a.Snippets.Update(other, authoring.UpdateSnippetInput{ID: part.ID, Name: new("x")})),
		"delete snippet":         notifytest.Err(a.Snippets.Delete(other, part.ID, true)),
		"group":                  notifytest.Err(a.NotificationGroups.Get(other, group.ID)),
		"group by identifier":    notifytest.Err(a.NotificationGroups.ByIdentifier(other, "shop")),
		"update group":           notifytest.Err(a.NotificationGroups.Update(other, authoring.UpdateNotificationGroupInput{ID: group.ID, Name: new("x")})),
		"delete group":           notifytest.Err(a.NotificationGroups.Delete(other, group.ID)),
		"translation":            notifytest.Err(a.Translations.Get(other, translation.ID)),
		"translation by locale":  notifytest.Err(a.Translations.ByLocale(other, "de")),
		"update translation":     notifytest.Err(a.Translations.Update(other, authoring.UpdateTranslationInput{ID: translation.ID, Content: map[string]string{}})),
		"variable":               notifytest.Err(a.Variables.Get(other, shop.ID)),
		"variable by name":       notifytest.Err(a.Variables.ByName(other, "SHOP")),
		"usages of a variable":   notifytest.Err(a.Variables.Usages(other, shop.ID)),
		"update variable":        notifytest.Err(a.Variables.Update(other, authoring.UpdateVariableInput{ID: shop.ID, Value: "y"})),
		"delete variable":        notifytest.Err(a.Variables.Delete(other, shop.ID, nil)),
		"delete translation":     notifytest.Err(a.Translations.Delete(other, translation.ID)),
	} {
		require.Equal(t, fault.NotFound, fault.KindOf(err), "%s: %v", name, err)
	}
	made, err := a.Layouts.Create(other, authoring.CreateLayoutInput{Name: "Frame", IsDefault: notifytest.Yes()})
	require.NoError(t, err)
	require.Equal(t, "frame", made.Identifier, "each environment has its own identifiers")
	require.True(t, a.DB.Ent.Layout.GetX(a.Ctx, layout.ID).IsDefault, "and its own default")
	_, err = a.Translations.Create(other, authoring.CreateTranslationInput{Locale: "de"})
	require.NoError(t, err)
	for name, c := range map[string][2]int{
		"layouts":      {1, a.DB.Ent.Layout.Query().CountX(other)},
		"translations": {1, a.DB.Ent.Translation.Query().CountX(other)},
		"workflows":    {0, a.DB.Ent.Workflow.Query().CountX(other)},
		"groups":       {0, a.DB.Ent.NotificationGroup.Query().CountX(other)},
	} {
		require.Equal(t, c[0], c[1], name)
	}
	require.Equal(t, map[string]string{"hi": "Hallo"}, a.DB.Ent.Translation.GetX(a.Ctx, translation.ID).Content)
}

// TestTranslationBounds holds what a locale's texts may hold, and what an update leaves alone.
func TestTranslationBounds(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	text := func(n int) map[string]string { return map[string]string{"k": strings.Repeat("x", n-len(`{"k":""}`))} }
	made, err := a.Translations.Create(a.Ctx, authoring.CreateTranslationInput{Locale: "pt-BR", Content: text(authoring.MaxTranslationBytes)})
	require.NoError(t, err)
	for name, in := range map[string]authoring.CreateTranslationInput{
		"too large": {Locale: "fr", Content: text(authoring.MaxTranslationBytes + 1)},
		"no key":    {Locale: "fr", Content: map[string]string{"": "x"}},
		"long key":  {Locale: "fr", Content: map[string]string{strings.Repeat("k", workflow.MaxIdentifier+1): "x"}},
	} {
		require.Equal(t, []string{"content"}, notifytest.Paths(t, notifytest.Err(a.Translations.Create(a.Ctx, in))), name)
		_, err := a.Translations.Update(a.Ctx, authoring.UpdateTranslationInput{ID: made.ID, Content: in.Content})
		require.Equal(t, []string{"content"}, notifytest.Paths(t, err), name)
	}
	same, err := a.Translations.Update(a.Ctx, authoring.UpdateTranslationInput{ID: made.ID})
	require.NoError(t, err)
	require.Equal(t, text(authoring.MaxTranslationBytes), same.Content, "nothing given, nothing changed")
	cleared, err := a.Translations.Update(a.Ctx, authoring.UpdateTranslationInput{ID: made.GlobalID(), Content: map[string]string{}})
	require.NoError(t, err)
	require.Empty(t, cleared.Content)
	_, err = a.Translations.Create(a.Ctx, authoring.CreateTranslationInput{Locale: "pt-BR"})
	notifytest.RequireKind(t, fault.Conflict, err)
	actions := a.DB.Ent.AuditEntry.Query().Where(auditentry.RecordType("Translation")).Order(auditentry.ByID()).Select(auditentry.FieldAction).StringsX(a.Ctx)
	require.Equal(t, []string{"create", "update"}, actions, "what changes nothing is not audited")
}

// TestDeepNotificationGroups holds that no chain of parents becomes a circle, however long it is.
func TestDeepNotificationGroups(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	var ids []string
	for i := range 5 {
		in := authoring.CreateNotificationGroupInput{Name: fmt.Sprint("g", i)}
		if i > 0 {
			in.Parent = &ids[i-1]
		}
		made, err := a.NotificationGroups.Create(a.Ctx, in)
		require.NoError(t, err)
		ids = append(ids, made.ID)
	}
	move := func(i int, parent string) error {
		return notifytest.Err(a.NotificationGroups.Update(a.Ctx, authoring.UpdateNotificationGroupInput{ID: ids[i], Parent: graphql.OmittableOf(&parent)}))
	}
	for _, below := range ids[1:] {
		require.Equal(t, []string{"parent"}, notifytest.Paths(t, move(1, below)))
	}
	require.Equal(t, []string{"parent"}, notifytest.Paths(t, move(1, "none")))
	require.NoError(t, move(4, "g0"))
	require.NoError(t, move(1, ids[4]), "it is below no more")
	list, err := a.NotificationGroups.List(a.Ctx, usecase.Page{}, nil, nil)
	require.NoError(t, err)
	require.Len(t, list.Edges, 5)
	_, err = a.NotificationGroups.Delete(a.Ctx, ids[4])
	require.NoError(t, err)
	require.Nil(t, a.DB.Ent.NotificationGroup.GetX(a.Ctx, ids[1]).ParentID, "those below stay, without it")
}
