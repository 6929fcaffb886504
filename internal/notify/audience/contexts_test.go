package audience_test

import (
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// large is data that no record may hold.
func large() map[string]any { return map[string]any{"k": strings.Repeat("a", usecase.MaxDataBytes)} }

func TestContextRefusals(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	made, err := a.Contexts.Create(a.Ctx, audience.CreateContextInput{Type: "app", Identifier: "shop", Data: map[string]any{"v": 1}})
	require.NoError(t, err)
	for name, c := range map[string]struct {
		in   audience.CreateContextInput
		want []string
	}{
		"nothing":          {audience.CreateContextInput{}, []string{"type", "identifier"}},
		"a colon":          {audience.CreateContextInput{Type: "a:b", Identifier: "x"}, []string{"type"}},
		"a blank":          {audience.CreateContextInput{Type: "app", Identifier: "x y"}, []string{"identifier"}},
		"too long":         {audience.CreateContextInput{Type: strings.Repeat("a", 101), Identifier: strings.Repeat("b", 100)}, []string{"type"}},
		"too much of data": {audience.CreateContextInput{Type: "app", Identifier: "x", Data: large()}, []string{"data"}},
	} {
		require.ElementsMatch(t, c.want, notifytest.Paths(t, notifytest.Err(a.Contexts.Create(a.Ctx, c.in))), name)
	}
	update := func(data graphql.Omittable[map[string]any]) (map[string]any, error) {
		changed, err := a.Contexts.Update(a.Ctx, audience.UpdateContextInput{ID: made.GlobalID(), Data: data})
		if err != nil {
			return nil, err
		}
		return changed.Data, nil
	}
	require.Equal(t, []string{"data"}, notifytest.Paths(t, notifytest.Err(update(graphql.OmittableOf(large())))))
	kept, err := update(graphql.Omittable[map[string]any]{})
	require.NoError(t, err)
	require.EqualValues(t, 1, kept["v"], "absent leaves")
	cleared, err := update(graphql.OmittableOf[map[string]any](nil))
	require.NoError(t, err)
	require.Empty(t, cleared, "null clears")
	_, err = a.Contexts.Delete(a.Ctx, made.ID)
	require.NoError(t, err)
	for _, err := range []error{
		notifytest.Err(a.Contexts.Get(a.Ctx, made.ID)), notifytest.Err(a.Contexts.ByKey(a.Ctx, "app:shop")), notifytest.Err(a.Contexts.ByKey(a.Ctx, "app")),
		notifytest.Err(a.Contexts.Delete(a.Ctx, made.ID)), notifytest.Err(a.Contexts.Update(a.Ctx, audience.UpdateContextInput{ID: made.ID})),
		notifytest.Err(a.Contexts.Get(a.Ctx, "app:shop")),
	} {
		notifytest.RequireKind(t, fault.NotFound, err)
	}
}

func TestContextFilters(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	for _, key := range []string{"app:shop", "app:blog", "region:eu"} {
		kind, identifier, _ := strings.Cut(key, ":")
		_, err := a.Contexts.Create(a.Ctx, audience.CreateContextInput{Type: kind, Identifier: identifier})
		require.NoError(t, err)
	}
	hour := time.Now().Add(time.Hour)
	for name, c := range map[string]struct {
		filter *audience.ContextFilter
		want   int
	}{
		"none":           {nil, 3},
		"type":           {&audience.ContextFilter{TypeIn: []string{"app"}}, 2},
		"of no type":     {&audience.ContextFilter{TypeIn: []string{}}, 0},
		"identifier":     {&audience.ContextFilter{Identifier: new("eu")}, 1},
		"both":           {&audience.ContextFilter{TypeIn: []string{"app"}, Identifier: new("eu")}, 0},
		"created after":  {&audience.ContextFilter{CreatedAfter: &hour}, 0},
		"created before": {&audience.ContextFilter{CreatedBefore: &hour}, 3},
	} {
		list, err := a.Contexts.List(a.Ctx, usecase.Page{}, nil, c.filter)
		require.NoError(t, err)
		require.Len(t, list.Edges, c.want, name)
	}
}

func TestTenantRefusals(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	long := strings.Repeat("a", usecase.MaxNameLength+1)
	for name, c := range map[string]struct {
		in   audience.CreateTenantInput
		want []string
	}{
		"no identifier":       {audience.CreateTenantInput{}, []string{"identifier"}},
		"an identifier's end": {audience.CreateTenantInput{Identifier: strings.Repeat("a", 256)}, []string{"identifier"}},
		"everything": {
			audience.CreateTenantInput{Identifier: "a b", Name: &long, Data: large()}, []string{"identifier", "name", "data"},
		},
	} {
		require.ElementsMatch(t, c.want, notifytest.Paths(t, notifytest.Err(a.Tenants.Create(a.Ctx, c.in))), name)
		upsert := audience.UpsertTenantInput{Identifier: c.in.Identifier, Name: graphql.OmittableOf(c.in.Name), Data: graphql.OmittableOf(c.in.Data)}
		require.ElementsMatch(t, c.want, notifytest.Paths(t, notifytest.Err(a.Tenants.Upsert(a.Ctx, upsert))), name)
	}
	require.Zero(t, a.DB.Ent.Tenant.Query().CountX(a.Ctx), "nothing that was refused was made")

	made, err := a.Tenants.Create(a.Ctx, audience.CreateTenantInput{Identifier: "acme", Name: new("Acme"), Data: map[string]any{"a": 1}})
	require.NoError(t, err)
	_, err = a.Tenants.Update(a.Ctx, audience.UpdateTenantInput{ID: made.ID, Name: graphql.OmittableOf(&long)})
	require.Equal(t, []string{"name"}, notifytest.Paths(t, err))
	changed, err := a.Tenants.Update(a.Ctx, audience.UpdateTenantInput{ID: made.ID, Name: graphql.OmittableOf[*string](nil)})
	require.NoError(t, err)
	require.Nil(t, changed.Name)
	require.Equal(t, map[string]any{"a": float64(1)}, changed.Data, "what is left out stays")
	batch, err := a.Tenants.Batch(a.Ctx, []string{made.ID, "nobody"})
	require.NoError(t, err)
	require.Len(t, batch, 1)
	require.Equal(t, "acme", batch[made.ID].Identifier)
	for _, err := range []error{
		notifytest.Err(a.Tenants.ByIdentifier(a.Ctx, "nobody")), notifytest.Err(a.Tenants.Get(a.Ctx, "acme")),
		notifytest.Err(a.TenantWorkflows.ByKey(a.Ctx, "acme", "none")),
		notifytest.Err(a.TenantWorkflows.Set(a.Ctx, audience.SetTenantWorkflowInput{TenantIdentifier: "acme", Workflow: "none"})),
	} {
		notifytest.RequireKind(t, fault.NotFound, err)
	}
}

func TestTenantFilters(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	order, news := a.MakeWorkflow(t, "order", nil), a.MakeWorkflow(t, "news", nil)
	for _, identifier := range []string{"acme", "globex"} {
		_, err := a.Tenants.Create(a.Ctx, audience.CreateTenantInput{Identifier: identifier, Name: new("The " + identifier)})
		require.NoError(t, err)
		_, err = a.TenantWorkflows.Set(a.Ctx, audience.SetTenantWorkflowInput{TenantIdentifier: identifier, Workflow: order.ID, Active: new(identifier == "acme")})
		require.NoError(t, err)
	}
	_, err := a.TenantWorkflows.Set(a.Ctx, audience.SetTenantWorkflowInput{
		TenantIdentifier: "acme", Workflow: "news", Preferences: &workflow.ChannelPreferences{Email: notifytest.No()},
	})
	require.NoError(t, err)
	hour := time.Now().Add(time.Hour)
	for name, c := range map[string]struct {
		filter *audience.TenantFilter
		want   int
	}{
		"none":           {nil, 2},
		"identifiers":    {&audience.TenantFilter{IdentifierIn: []string{"acme", "nobody"}}, 1},
		"name, any case": {&audience.TenantFilter{NameContains: new("THE GLO")}, 1},
		"created after":  {&audience.TenantFilter{CreatedAfter: &hour}, 0},
		"created before": {&audience.TenantFilter{CreatedBefore: &hour}, 2},
	} {
		list, err := a.Tenants.List(a.Ctx, usecase.Page{}, nil, c.filter)
		require.NoError(t, err)
		require.Len(t, list.Edges, c.want, name)
	}
	for name, c := range map[string]struct {
		filter *audience.TenantWorkflowFilter
		want   int
	}{
		"none":               {nil, 3},
		"tenant":             {&audience.TenantWorkflowFilter{TenantIdentifier: new("acme")}, 2},
		"unknown tenant":     {&audience.TenantWorkflowFilter{TenantIdentifier: new("nobody")}, 0},
		"workflow":           {&audience.TenantWorkflowFilter{Workflow: new("order")}, 2},
		"workflow by its id": {&audience.TenantWorkflowFilter{Workflow: &news.ID}, 1},
		"unknown workflow":   {&audience.TenantWorkflowFilter{Workflow: new("none")}, 0},
		"active":             {&audience.TenantWorkflowFilter{Active: notifytest.Yes()}, 2},
		"all of them":        {&audience.TenantWorkflowFilter{TenantIdentifier: new("globex"), Workflow: new("order"), Active: notifytest.No()}, 1},
	} {
		list, err := a.TenantWorkflows.List(a.Ctx, usecase.Page{}, nil, c.filter)
		require.NoError(t, err)
		require.Len(t, list.Edges, c.want, name)
	}
	override, err := a.TenantWorkflows.ByKey(a.Ctx, "acme", "news")
	require.NoError(t, err)
	_, err = a.TenantWorkflows.Delete(a.Ctx, override.GlobalID())
	require.NoError(t, err)
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.TenantWorkflows.Get(a.Ctx, override.ID)))
}

func TestTopicFilters(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	for key, name := range map[string]string{"news:de": "Nachrichten", "news:en": "News", "ops": "Operations"} {
		_, err := a.Topics.Create(a.Ctx, audience.CreateTopicInput{Key: key, Name: &name})
		require.NoError(t, err)
	}
	hour := time.Now().Add(time.Hour)
	for name, c := range map[string]struct {
		filter *audience.TopicFilter
		want   int
	}{
		"none":           {nil, 3},
		"keys":           {&audience.TopicFilter{KeyIn: []string{"ops", "nobody"}}, 1},
		"part of a key":  {&audience.TopicFilter{KeyContains: new("NEWS:")}, 2},
		"part of a name": {&audience.TopicFilter{NameContains: new("news")}, 1},
		"a percent sign": {&audience.TopicFilter{KeyContains: new("%")}, 0},
		"both":           {&audience.TopicFilter{KeyContains: new("de"), NameContains: new("news")}, 0},
		"created after":  {&audience.TopicFilter{CreatedAfter: &hour}, 0},
		"created before": {&audience.TopicFilter{CreatedBefore: &hour}, 3},
	} {
		list, err := a.Topics.List(a.Ctx, usecase.Page{}, nil, c.filter)
		require.NoError(t, err)
		require.Len(t, list.Edges, c.want, name)
	}
	for key, wrong := range map[string]bool{
		"": true, "a b": true, strings.Repeat("a", 255): false, strings.Repeat("a", 256): true, "ada@example.org": false, "a/b": true,
	} {
		_, err := a.Topics.Create(a.Ctx, audience.CreateTopicInput{Key: key})
		require.Equal(t, wrong, err != nil, key)
	}
}
