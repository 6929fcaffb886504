package authoring_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/inbox"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
)

// TestFeedsAreResolvedWhenPublished names a feed by its identifier and by its ids: the version holds the internal id, the
// draft what was written, and a feed that nobody made is an issue.
func TestFeedsAreResolvedWhenPublished(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	feed, err := a.Feeds.Create(a.Ctx, inbox.CreateFeedInput{Identifier: "promo", Name: "Promo"})
	require.NoError(t, err)
	step := func(name, ref string) workflow.Step {
		return workflow.Step{StepID: name, Type: workflow.StepInApp, Active: true, InApp: &workflow.InAppControls{Body: "b", FeedID: ref}}
	}
	variant := step("variant", "")
	variant.Variants = []workflow.Variant{{Filters: []condition.StepFilter{{Type: "GROUP", Value: "AND", Children: []condition.FieldFilterPart{
		{Field: "tier", Value: "gold", Operator: "EQUAL", On: "payload"},
	}}}, InApp: &workflow.InAppControls{Body: "b", FeedID: "promo"}}}
	made, err := a.Workflows.Create(a.Ctx, authoring.CreateWorkflowInput{Name: "Feeds", Definition: workflow.Definition{Steps: []workflow.Step{
		step("by-name", "promo"), step("by-id", feed.ID), step("by-global-id", feed.GlobalID()), step("unknown", "nobody"), step("without", ""), variant,
	}}})
	require.NoError(t, err)
	var unknown []string
	for _, issue := range made.Issues {
		if issue.Key == "feedId" {
			require.Equal(t, workflow.IssueMissingValue, issue.Type)
			unknown = append(unknown, issue.StepID)
		}
	}
	require.Equal(t, []string{"unknown"}, unknown)

	published, err := a.Workflows.Publish(a.Ctx, made.ID)
	require.NoError(t, err)
	require.Equal(t, "promo", published.Draft.Steps[0].InApp.FeedID, "the author's words stay")
	version, err := a.DB.Ent.WorkflowVersion.Get(a.Ctx, *published.PublishedVersionID)
	require.NoError(t, err)
	var ids []string
	for _, s := range version.Definition.Steps {
		ids = append(ids, s.InApp.FeedID)
	}
	require.Equal(t, []string{feed.ID, feed.ID, feed.ID, "", "", ""}, ids)
	require.Equal(t, feed.ID, version.Definition.Steps[5].Variants[0].InApp.FeedID)
}
