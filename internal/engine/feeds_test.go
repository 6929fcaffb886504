package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
)

// TestFeedsOfOlderVersions sends by a version that was published before feeds were resolved: it names them by identifier,
// by id and by global id, and its messages lie in the feeds of its own environment.
func TestFeedsOfOlderVersions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	promo := b.db.Ent.Feed.Create().SetIdentifier("promo").SetName("Promo").SaveX(b.ctx)
	other := b.db.Ent.Feed.Create().SetIdentifier(id.New(time.Now())).SetName("Named like an id").SaveX(b.ctx)
	step := func(name, ref string) workflow.Step {
		return workflow.Step{StepID: name, Type: workflow.StepInApp, InApp: &workflow.InAppControls{Body: name, FeedID: ref}}
	}
	variant := step("variant", "")
	variant.Variants = []workflow.Variant{{Filters: []condition.StepFilter{{Type: "GROUP", Value: "AND", Children: []condition.FieldFilterPart{
		{Field: "text", Value: "hello", Operator: "EQUAL", On: "payload"},
	}}}, InApp: &workflow.InAppControls{Body: "variant", FeedID: "promo"}}}
	flow := b.workflow(workflow.Definition{Steps: []workflow.Step{
		step("identifier", "promo"), step("id", promo.ID), step("global", promo.GlobalID()), step("unknown", "nobody"), step("without", ""),
		step("alike", other.Identifier), variant,
	}})
	eventID := b.triggered(flow, to("u1"))
	b.fanOut(eventID)
	of := func(feedID *string) string {
		if feedID == nil {
			return ""
		}
		return *feedID
	}
	feeds := map[string]string{}
	for _, m := range b.messages(eventID) {
		feeds[m.StepID] = of(m.FeedID)
	}
	require.Equal(t, map[string]string{
		"identifier": promo.ID, "id": promo.ID, "global": promo.ID, "unknown": "", "without": "", "alike": other.Identifier, "variant": promo.ID,
	}, feeds)
}
