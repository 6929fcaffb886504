package authoring_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/layout"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

func TestLayoutRefusals(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	long := strings.Repeat("a", workflow.MaxIdentifier+1)
	for name, c := range map[string]struct {
		in   authoring.CreateLayoutInput
		want []string
	}{
		"nothing":            {authoring.CreateLayoutInput{}, []string{"name"}},
		"too long":           {authoring.CreateLayoutInput{Identifier: &long, Name: strings.Repeat("a", usecase.MaxNameLength+1)}, []string{"identifier", "name"}},
		"no template":        {authoring.CreateLayoutInput{Name: "Frame", Content: "{% if %}"}, []string{"content"}},
		"too large":          {authoring.CreateLayoutInput{Name: "Frame", Content: strings.Repeat("a", workflow.MaxTemplateBytes+1)}, []string{"content"}},
		"an empty reference": {authoring.CreateLayoutInput{Identifier: new(""), Name: "Frame"}, []string{"identifier"}},
	} {
		require.ElementsMatch(t, c.want, notifytest.Paths(t, notifytest.Err(a.Layouts.Create(a.Ctx, c.in))), name)
	}
	made, err := a.Layouts.Create(a.Ctx, authoring.CreateLayoutInput{Name: "Frame", Content: "<b>{{content}}</b>"})
	require.NoError(t, err)
	require.Equal(t, "frame", made.Identifier)
	again, err := a.Layouts.Create(a.Ctx, authoring.CreateLayoutInput{Name: "Frame"})
	require.NoError(t, err)
	require.Regexp(t, "^frame-[0-9a-f]{6}$", again.Identifier)
	_, err = a.Layouts.Create(a.Ctx, authoring.CreateLayoutInput{Name: "Other", Identifier: new("frame")})
	notifytest.RequireKind(t, fault.Conflict, err)
	for name, in := range map[string]authoring.UpdateLayoutInput{
		"name": {ID: made.ID, Name: new(" ")}, "content": {ID: made.ID, Content: new("{{ x | nonsense }")},
	} {
		require.Equal(t, []string{name}, notifytest.Paths(t, notifytest.Err(a.Layouts.Update(a.Ctx, in))))
	}
	changed, err := a.Layouts.Update(a.Ctx, authoring.UpdateLayoutInput{ID: made.GlobalID(), Name: new("New")})
	require.NoError(t, err)
	require.Equal(t, "<b>{{content}}</b>", changed.Content, "what is left out stays")
	require.Equal(t, "frame", changed.Identifier, "an identifier does not follow the name")
	_, err = a.Layouts.Delete(a.Ctx, made.ID)
	require.NoError(t, err)
	for _, err := range []error{
		notifytest.Err(a.Layouts.Get(a.Ctx, made.ID)), notifytest.Err(a.Layouts.ByIdentifier(a.Ctx, "frame")),
		notifytest.Err(a.Layouts.Delete(a.Ctx, made.ID)), notifytest.Err(a.Layouts.Update(a.Ctx, authoring.UpdateLayoutInput{ID: made.ID})),
	} {
		notifytest.RequireKind(t, fault.NotFound, err)
	}
}

func TestLayoutFilters(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	for _, name := range []string{"Plain", "Shop Mail", "Shop News"} {
		_, err := a.Layouts.Create(a.Ctx, authoring.CreateLayoutInput{Name: name, IsDefault: new(name == "Plain")})
		require.NoError(t, err)
	}
	hour := time.Now().Add(time.Hour)
	for name, c := range map[string]struct {
		filter *authoring.LayoutFilter
		want   int
	}{
		"none":           {nil, 3},
		"identifiers":    {&authoring.LayoutFilter{IdentifierIn: []string{"plain", "shop-news", "none"}}, 2},
		"name, any case": {&authoring.LayoutFilter{NameContains: new("shop")}, 2},
		"default":        {&authoring.LayoutFilter{IsDefault: new(true)}, 1},
		"others":         {&authoring.LayoutFilter{IsDefault: new(false)}, 2},
		"both":           {&authoring.LayoutFilter{IsDefault: new(true), NameContains: new("shop")}, 0},
		"created after":  {&authoring.LayoutFilter{CreatedAfter: &hour}, 0},
		"created before": {&authoring.LayoutFilter{CreatedBefore: &hour}, 3},
	} {
		list, err := a.Layouts.List(a.Ctx, usecase.Page{}, nil, c.filter)
		require.NoError(t, err)
		require.Len(t, list.Edges, c.want, name)
	}
}

func TestNotificationGroups(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	create := func(name string, parent *string) (id.ID, error) {
		made, err := a.NotificationGroups.Create(a.Ctx, authoring.CreateNotificationGroupInput{Name: name, Parent: parent})
		if err != nil {
			return "", err
		}
		return made.ID, nil
	}
	top, err := create("Top", nil)
	require.NoError(t, err)
	middle, err := create("Middle", new("top"))
	require.NoError(t, err)
	bottom, err := create("Bottom", new(id.Global("NotificationGroup", middle)))
	require.NoError(t, err)
	for _, parent := range []string{"none", id.New(time.Now()), id.Global("Layout", top)} {
		require.Equal(t, []string{"parent"}, notifytest.Paths(t, notifytest.Err(create("Lost", &parent))), parent)
	}
	require.ElementsMatch(t, []string{"identifier", "name"}, notifytest.Paths(t, notifytest.Err(
		a.NotificationGroups.Create(a.Ctx, authoring.CreateNotificationGroupInput{Identifier: new(""), Name: " "}))))
	_, err = a.NotificationGroups.Create(a.Ctx, authoring.CreateNotificationGroupInput{Identifier: new("top"), Name: "Top"})
	notifytest.RequireKind(t, fault.Conflict, err)

	move := func(group string, parent *string) error {
		return notifytest.Err(a.NotificationGroups.Update(a.Ctx, authoring.UpdateNotificationGroupInput{ID: group, Parent: graphql.OmittableOf(parent)}))
	}
	for _, below := range []string{top, middle, bottom} {
		require.Equal(t, []string{"parent"}, notifytest.Paths(t, move(top, &below)), "a group cannot lie below itself")
	}
	require.NoError(t, move(bottom, &top))
	require.NoError(t, move(middle, &bottom), "which was below it before")
	for name, c := range map[string]struct {
		filter *authoring.NotificationGroupFilter
		want   []string
	}{
		"none":          {nil, []string{bottom, middle, top}},
		"identifiers":   {&authoring.NotificationGroupFilter{IdentifierIn: []string{"top"}}, []string{top}},
		"below top":     {&authoring.NotificationGroupFilter{ParentIDs: []string{id.Global("NotificationGroup", top)}}, []string{bottom}},
		"below nothing": {&authoring.NotificationGroupFilter{ParentIDs: []string{"none"}}, []string{}},
		"name":          {&authoring.NotificationGroupFilter{NameContains: new("MID")}, []string{middle}},
	} {
		list, err := a.NotificationGroups.List(a.Ctx, usecase.Page{}, nil, c.filter)
		require.NoError(t, err)
		require.Equal(t, c.want, notifytest.NodeIDs(list.Nodes()), name)
	}

	flow, err := a.Workflows.Create(a.Ctx, authoring.CreateWorkflowInput{
		Name: "Flow", NotificationGroup: new("bottom"), Definition: workflow.Definition{Steps: []workflow.Step{notifytest.InAppStep()}},
	})
	require.NoError(t, err)
	_, err = a.NotificationGroups.Delete(a.Ctx, bottom)
	require.NoError(t, err)
	kept, err := a.Workflows.Get(a.Ctx, flow.ID)
	require.NoError(t, err)
	require.Nil(t, kept.NotificationGroupID, "workflows stay, without it")
	child, err := a.NotificationGroups.Get(a.Ctx, middle)
	require.NoError(t, err)
	require.Nil(t, child.ParentID, "and so do the groups below")
	require.NoError(t, move(middle, nil))
	notifytest.RequireKind(t, fault.NotFound, move(bottom, nil))
}

func TestTranslationRefusals(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	long := strings.Repeat("k", workflow.MaxIdentifier+1)
	for name, c := range map[string]struct {
		in   authoring.CreateTranslationInput
		want []string
	}{
		"no locale":    {authoring.CreateTranslationInput{Locale: "no locale"}, []string{"locale"}},
		"nothing":      {authoring.CreateTranslationInput{}, []string{"locale"}},
		"an empty key": {authoring.CreateTranslationInput{Locale: "en", Content: map[string]string{"": "x"}}, []string{"content"}},
		"a long key":   {authoring.CreateTranslationInput{Locale: "en", Content: map[string]string{long: "x"}}, []string{"content"}},
		"too large":    {authoring.CreateTranslationInput{Locale: "en", Content: map[string]string{"k": strings.Repeat("a", authoring.MaxTranslationBytes)}}, []string{"content"}},
	} {
		require.Equal(t, c.want, notifytest.Paths(t, notifytest.Err(a.Translations.Create(a.Ctx, c.in))), name)
	}
	made, err := a.Translations.Create(a.Ctx, authoring.CreateTranslationInput{Locale: "pt-BR", Content: map[string]string{"hi": "Oi"}})
	require.NoError(t, err)
	_, err = a.Translations.Create(a.Ctx, authoring.CreateTranslationInput{Locale: "pt-BR"})
	notifytest.RequireKind(t, fault.Conflict, err)
	kept, err := a.Translations.Update(a.Ctx, authoring.UpdateTranslationInput{ID: made.ID})
	require.NoError(t, err)
	require.Equal(t, map[string]string{"hi": "Oi"}, kept.Content, "what is left out stays")
	changed, err := a.Translations.Update(a.Ctx, authoring.UpdateTranslationInput{ID: made.ID, Content: map[string]string{"bye": "Tchau"}})
	require.NoError(t, err)
	require.Equal(t, map[string]string{"bye": "Tchau"}, changed.Content, "texts are replaced as a whole")
	require.Equal(t, []string{"content"}, notifytest.Paths(t, notifytest.Err(
		a.Translations.Update(a.Ctx, authoring.UpdateTranslationInput{ID: made.ID, Content: map[string]string{"": "x"}}))))
	list, err := a.Translations.List(a.Ctx, usecase.Page{}, nil, &authoring.TranslationFilter{LocaleIn: []string{"pt", "en"}})
	require.NoError(t, err)
	require.Empty(t, list.Edges, "a locale is not its language")
	_, err = a.Translations.Delete(a.Ctx, made.GlobalID())
	require.NoError(t, err)
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Translations.ByLocale(a.Ctx, "pt-BR")))
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Translations.Update(a.Ctx, authoring.UpdateTranslationInput{ID: made.ID})))
}

// TestDefaultsAtOnce: of layouts that become the default at once, the last one is it.
func TestDefaultsAtOnce(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	layouts := make([]*ent.Layout, 2)
	for i := range layouts {
		var err error
		layouts[i], err = a.Layouts.Create(a.Ctx, authoring.CreateLayoutInput{Name: fmt.Sprint("Frame ", i), Content: "{{content}}"})
		require.NoError(t, err)
	}
	answers := make(chan error, 2*len(layouts))
	for i, l := range layouts {
		go func() {
			answers <- notifytest.Err(a.Layouts.Update(a.Ctx, authoring.UpdateLayoutInput{ID: l.ID, IsDefault: notifytest.Yes()}))
		}()
		go func() {
			answers <- notifytest.Err(a.Layouts.Create(a.Ctx, authoring.CreateLayoutInput{
				Identifier: new(fmt.Sprint("new-", i)), Name: "New", Content: "{{content}}", IsDefault: notifytest.Yes(),
			}))
		}()
	}
	for range cap(answers) {
		require.NoError(t, <-answers)
	}
	require.Equal(t, 1, a.DB.Ent.Layout.Query().Where(layout.IsDefault(true)).CountX(a.Ctx))
}
