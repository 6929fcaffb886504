package authoring_test

import (
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

func TestWorkflowLife(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)

	made, err := a.Workflows.Create(a.Ctx, authoring.CreateWorkflowInput{
		Name: "Order shipped!", Definition: workflow.Definition{Steps: []workflow.Step{notifytest.InAppStep(), notifytest.InAppStep(), notifytest.EmailStep("")}, Tags: []string{"orders"}},
	})
	require.NoError(t, err)
	require.Equal(t, "order-shipped", made.Identifier)
	require.Equal(t, 1, made.PublishedNumber)
	require.Equal(t, "order-shipped_wf_"+id.Code(made.ID), authoring.WorkflowSlug(made))
	require.Equal(t, []string{"in-app", "in-app-2", "send-mail"},
		[]string{made.Draft.Steps[0].StepID, made.Draft.Steps[1].StepID, made.Draft.Steps[2].StepID})
	require.Nil(t, authoring.WorkflowLastTriggeredAt(made))
	require.Equal(t, []string{"orders"}, made.Tags)

	// The slug, the id and the identifier name the same workflow.
	for _, ref := range []string{made.Identifier, made.ID, authoring.WorkflowSlug(made), made.GlobalID(), "renamed_wf_" + id.Code(made.ID)} {
		found, err := a.Workflows.ByReference(a.Ctx, ref)
		require.NoError(t, err, ref)
		require.Equal(t, made.ID, found.ID)
	}

	// An edit changes the draft only; the steps keep their record ids, by id or by name.
	edited := workflow.Definition{Steps: []workflow.Step{made.Draft.Steps[2], notifytest.InAppStep()}, Critical: true}
	edited.Steps[1].StepID = "in-app"
	updated, err := a.Workflows.Update(a.Ctx, authoring.UpdateWorkflowInput{ID: made.Identifier, Definition: &edited})
	require.NoError(t, err)
	require.Equal(t, made.Draft.Steps[2].ID, updated.Draft.Steps[0].ID)
	require.Equal(t, made.Draft.Steps[0].ID, updated.Draft.Steps[1].ID)
	require.False(t, updated.Critical, "triggers still use version 1")
	published, err := a.Workflows.Published(a.Ctx, updated)
	require.NoError(t, err)
	require.Len(t, published.Definition.Steps, 3)

	updated, err = a.Workflows.Publish(a.Ctx, made.ID)
	require.NoError(t, err)
	require.Equal(t, 2, updated.PublishedNumber)
	require.True(t, updated.Critical)
	versions, err := a.Workflows.VersionsOf(a.Ctx, []string{made.ID}, usecase.Page{}, nil)
	require.NoError(t, err)
	require.Len(t, versions[made.ID].Edges, 2)
	first, err := a.Workflows.VersionByNumber(a.Ctx, made.Identifier, 1)
	require.NoError(t, err)
	require.Len(t, first.Definition.Steps, 3, "a version never changes")

	off, err := a.Workflows.SetActive(a.Ctx, made.ID, false)
	require.NoError(t, err)
	require.Equal(t, workflow.StatusInactive, off.Status)

	_, err = a.Workflows.Delete(a.Ctx, made.ID)
	require.NoError(t, err)
	gone, err := a.Workflows.Get(a.Ctx, made.GlobalID())
	require.NoError(t, err, "its id still finds it, as it does other deleted records")
	require.True(t, gone.Deleted)
	_, err = a.Workflows.ByIdentifier(a.Ctx, "order-shipped")
	require.Equal(t, fault.NotFound, fault.KindOf(err))
	_, err = a.Workflows.Create(a.Ctx, authoring.CreateWorkflowInput{Identifier: new("order-shipped"), Name: "Again"})
	require.NoError(t, err, "the identifier is free again")
}

func TestWorkflowFaultsNameTheirPaths(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	broken := notifytest.EmailStep("nowhere")
	broken.StepID = "bad id"
	template := notifytest.InAppStep()
	template.InApp.Body = "{% if %}"
	_, err := a.Workflows.Create(a.Ctx, authoring.CreateWorkflowInput{
		Identifier: new("no spaces"), Description: new(strings.Repeat("x", 2049)), Definition: workflow.Definition{Steps: []workflow.Step{broken, {Type: workflow.StepSMS}, template}},
	})
	require.ElementsMatch(t, []string{
		"name", "description", "identifier", "definition.steps.0.stepId", "definition.steps.0.email.layoutId", "definition.steps.1.sms",
		"definition.steps.2.inApp.body",
	}, notifytest.Paths(t, err))
	count, err := a.DB.Ent.Workflow.Query().Count(a.Ctx)
	require.NoError(t, err)
	require.Zero(t, count, "a refused workflow leaves nothing behind")
}

func TestPublishingRefusesStepsThatTheEngineDoesNotRun(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	in := authoring.CreateWorkflowInput{Name: "Later", Definition: workflow.Definition{Steps: []workflow.Step{
		notifytest.InAppStep(), {Type: workflow.StepDelay, Active: true, Delay: &workflow.DelayControls{Type: workflow.DelayRegular, Amount: 1, Unit: workflow.UnitHours}},
	}}}
	_, err := a.Workflows.Create(a.Ctx, in)
	require.Equal(t, []string{"definition.steps.1.type"}, notifytest.Paths(t, err))

	in.Publish = new(false)
	draft, err := a.Workflows.Create(a.Ctx, in)
	require.NoError(t, err, "a draft may hold it")
	require.Zero(t, draft.PublishedNumber)
	_, err = a.Workflows.Publish(a.Ctx, draft.ID)
	require.Equal(t, []string{"definition.steps.1.type"}, notifytest.Paths(t, err))
}

// TestPublishingRefusesASchemaThatTriggersWouldBeRefusedFor publishes a draft that was saved when more was allowed.
func TestPublishingRefusesASchemaThatTriggersWouldBeRefusedFor(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	dear := workflow.Definition{
		Steps:         []workflow.Step{notifytest.InAppStep()},
		PayloadSchema: map[string]any{"$ref": "#"},
	}
	_, err := a.Workflows.Create(a.Ctx, authoring.CreateWorkflowInput{Name: "Dear", Definition: dear})
	require.Equal(t, []string{"definition.payloadSchema"}, notifytest.Paths(t, err))
	draft, err := a.Workflows.Create(a.Ctx, authoring.CreateWorkflowInput{
		Name: "Fair", Publish: new(false), Definition: workflow.Definition{Steps: []workflow.Step{notifytest.InAppStep()}},
	})
	require.NoError(t, err)
	_, err = a.DB.Pool.Exec(a.Ctx, `UPDATE workflows SET draft = jsonb_set(draft, '{payloadSchema}', '{"$ref": "#"}') WHERE id = $1`, draft.ID)
	require.NoError(t, err)
	_, err = a.Workflows.Publish(a.Ctx, draft.ID)
	require.Equal(t, []string{"definition.payloadSchema"}, notifytest.Paths(t, err))
}

func TestWorkflowIssues(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	push := workflow.Step{Type: workflow.StepPush, StepID: "tell", Active: true, Push: &workflow.PushControls{Body: "{{nobody.name}}"}}
	made, err := a.Workflows.Create(a.Ctx, authoring.CreateWorkflowInput{
		Name: "Faulty", Definition: workflow.Definition{Steps: []workflow.Step{push}},
	})
	require.NoError(t, err, "issues do not stop anything")
	require.Equal(t, workflow.StatusError, made.Status)
	types := map[string]string{}
	for _, issue := range made.Issues {
		types[issue.Group+"."+issue.Key] = issue.Type
	}
	require.Equal(t, map[string]string{
		"integration.push": workflow.IssueMissingIntegration, "controls.subject": workflow.IssueMissingValue,
		"controls.body": workflow.IssueIllegalVariable,
	}, types)

	good := workflow.Definition{Steps: []workflow.Step{notifytest.EmailStep("")}}
	made, err = a.Workflows.Update(a.Ctx, authoring.UpdateWorkflowInput{ID: made.ID, Definition: &good})
	require.NoError(t, err)
	require.Empty(t, made.Issues)
	require.Equal(t, workflow.StatusActive, made.Status)
}

func TestWorkflowLists(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	group, err := a.NotificationGroups.Create(a.Ctx, authoring.CreateNotificationGroupInput{Name: "Orders"})
	require.NoError(t, err)
	create := func(name string, tags []string, group *string) string {
		made, err := a.Workflows.Create(a.Ctx, authoring.CreateWorkflowInput{
			Name: name, NotificationGroup: group, Definition: workflow.Definition{Steps: []workflow.Step{notifytest.EmailStep("")}, Tags: tags},
		})
		require.NoError(t, err)
		return made.ID
	}
	first := create("b 100% off", []string{"sale"}, nil)
	second := create("a", []string{"news", "sale"}, new("orders"))
	third := create("C", nil, new(group.ID))
	_, err = a.Workflows.SetActive(a.Ctx, third, false)
	require.NoError(t, err)
	require.NoError(t, a.DB.Ent.Workflow.UpdateOneID(first).SetLastTriggeredAt(time.Now()).Exec(a.Ctx))

	ids := func(order *usecase.Order, filter *authoring.WorkflowFilter) []string {
		page, err := a.Workflows.List(a.Ctx, usecase.Page{}, order, filter)
		require.NoError(t, err)
		ids := []string{}
		for _, node := range page.Nodes() {
			ids = append(ids, node.ID)
		}
		return ids
	}
	asc := func(c usecase.Column) *usecase.Order { return &usecase.Order{Field: c, Direction: usecase.OrderAsc} }
	require.Equal(t, []string{third, second, first}, ids(nil, nil))
	require.Equal(t, []string{third, second, first}, ids(asc(usecase.ColumnName), nil), "capitals come first")
	require.Equal(t, []string{second, third, first}, ids(asc(usecase.ColumnLastTriggeredAt), nil), "never counts as oldest")
	require.Equal(t, []string{first}, ids(nil, &authoring.WorkflowFilter{Query: new("100% O")}), "taken literally")
	require.Empty(t, ids(nil, &authoring.WorkflowFilter{Query: new("100%%")}))
	require.Equal(t, []string{second, first}, ids(nil, &authoring.WorkflowFilter{TagsAny: []string{"sale", "other"}}))
	require.Equal(t, []string{third}, ids(nil, &authoring.WorkflowFilter{StatusIn: []workflow.Status{workflow.StatusInactive}}))
	require.Equal(t, []string{third, second}, ids(nil, &authoring.WorkflowFilter{NotificationGroupIDs: []string{group.GlobalID()}}))

	slice, err := a.Workflows.Slice(a.Ctx, 1, 1, asc(usecase.ColumnName), nil)
	require.NoError(t, err)
	require.Equal(t, 3, slice.TotalCount)
	require.Equal(t, second, slice.Workflows[0].ID)

	_, err = a.NotificationGroups.Delete(a.Ctx, group.ID)
	require.NoError(t, err)
	require.Empty(t, ids(nil, &authoring.WorkflowFilter{NotificationGroupIDs: []string{group.ID}}))
}

func TestDuplicatedWorkflowIsADraft(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	made, err := a.Workflows.Create(a.Ctx, authoring.CreateWorkflowInput{
		Name: "Original", Definition: workflow.Definition{Steps: []workflow.Step{notifytest.InAppStep()}},
	})
	require.NoError(t, err)
	copied, err := a.Workflows.Duplicate(a.Ctx, made.Identifier, nil, nil)
	require.NoError(t, err)
	require.Equal(t, "original-copy", copied.Identifier)
	require.Zero(t, copied.PublishedNumber)
	require.NotEqual(t, made.Draft.Steps[0].ID, copied.Draft.Steps[0].ID)
}

func TestNotificationGroupsAreATree(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	top, err := a.NotificationGroups.Create(a.Ctx, authoring.CreateNotificationGroupInput{Name: "Top"})
	require.NoError(t, err)
	below, err := a.NotificationGroups.Create(a.Ctx, authoring.CreateNotificationGroupInput{Name: "Below", Parent: new("top")})
	require.NoError(t, err)
	require.Equal(t, top.ID, *below.ParentID)
	_, err = a.NotificationGroups.Update(a.Ctx, authoring.UpdateNotificationGroupInput{ID: top.ID, Parent: graphql.OmittableOf(&below.ID)})
	require.Equal(t, []string{"parent"}, notifytest.Paths(t, err))
	_, err = a.NotificationGroups.Delete(a.Ctx, top.ID)
	require.NoError(t, err)
	below, err = a.NotificationGroups.ByIdentifier(a.Ctx, "below")
	require.NoError(t, err)
	require.Nil(t, below.ParentID)
}

func TestOneLayoutIsTheDefault(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	first, err := a.Layouts.Create(a.Ctx, authoring.CreateLayoutInput{Name: "Plain", Content: "{{content}}", IsDefault: new(true)})
	require.NoError(t, err)
	second, err := a.Layouts.Create(a.Ctx, authoring.CreateLayoutInput{Name: "Fancy", Content: "<b>{{content}}</b>", IsDefault: new(true)})
	require.NoError(t, err)
	first, err = a.Layouts.Get(a.Ctx, first.GlobalID())
	require.NoError(t, err)
	require.False(t, first.IsDefault)
	page, err := a.Layouts.List(a.Ctx, usecase.Page{}, nil, &authoring.LayoutFilter{IsDefault: new(true)})
	require.NoError(t, err)
	require.Equal(t, second.ID, page.Nodes()[0].ID)

	_, err = a.Workflows.Create(a.Ctx, authoring.CreateWorkflowInput{
		Name: "Mail", Definition: workflow.Definition{Steps: []workflow.Step{notifytest.EmailStep("plain")}},
	})
	require.NoError(t, err)
	_, err = a.Layouts.Create(a.Ctx, authoring.CreateLayoutInput{Name: "Broken", Content: "{% for %}"})
	require.Equal(t, []string{"content"}, notifytest.Paths(t, err))
}

func TestTranslations(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	made, err := a.Translations.Create(a.Ctx, authoring.CreateTranslationInput{Locale: "pt-BR", Content: map[string]string{"hi": "Olá"}})
	require.NoError(t, err)
	_, err = a.Translations.Create(a.Ctx, authoring.CreateTranslationInput{Locale: "pt-BR"})
	require.Equal(t, fault.Conflict, fault.KindOf(err))
	_, err = a.Translations.Create(a.Ctx, authoring.CreateTranslationInput{Locale: "not a locale"})
	require.Equal(t, []string{"locale"}, notifytest.Paths(t, err))
	_, err = a.Translations.Update(a.Ctx, authoring.UpdateTranslationInput{ID: made.ID, Content: map[string]string{"bye": "Tchau"}})
	require.NoError(t, err)
	found, err := a.Translations.ByLocale(a.Ctx, "pt-BR")
	require.NoError(t, err)
	require.Equal(t, map[string]string{"bye": "Tchau"}, found.Content)
	_, err = a.Translations.Delete(a.Ctx, made.ID)
	require.NoError(t, err)
}

func TestWorkflowsAreFoundByTheirPresentNames(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	made, err := a.Workflows.Create(a.Ctx, authoring.CreateWorkflowInput{
		Name: "ÜBERRASCHUNG", Identifier: new("surprise_1"), Definition: workflow.Definition{Steps: []workflow.Step{notifytest.InAppStep()}},
	})
	require.NoError(t, err)
	found := func(query string) int {
		slice, err := a.Workflows.Slice(a.Ctx, 10, 0, nil, &authoring.WorkflowFilter{Query: &query})
		require.NoError(t, err)
		return slice.TotalCount
	}
	for _, query := range []string{"überraschung", "Ü", "ASCH", "PRISE_1", "e_1"} {
		require.Equal(t, 1, found(query), query)
	}
	for _, query := range []string{"gs", "g\ns", "uber", "überraschungen", "%", "e%1"} {
		require.Zero(t, found(query), query)
	}
	_, err = a.Workflows.Update(a.Ctx, authoring.UpdateWorkflowInput{ID: made.ID, Name: new("Present")})
	require.NoError(t, err)
	require.Equal(t, []int{0, 1, 1}, []int{found("über"), found("PRESENT"), found("surprise")})
}
