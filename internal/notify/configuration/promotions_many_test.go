package configuration_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/workflowversion"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/configuration"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
)

// atOnce calls do several times at the same time and returns what the calls answered.
func atOnce(calls int, do func() (*configuration.Promoted, error)) (won []*configuration.Promoted, failed []error) {
	var mu sync.Mutex
	var all sync.WaitGroup
	start := make(chan struct{})
	for range calls {
		all.Go(func() {
			<-start
			done, err := do()
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed = append(failed, err)
			} else {
				won = append(won, done)
			}
		})
	}
	close(start)
	all.Wait()
	return won, failed
}

// recorded are the ids of the promotions into the environment of ctx, newest first.
func recorded(t *testing.T, a *notifytest.Authoring, ctx context.Context) (ids []string) { //nolint:revive // the test reads better
	t.Helper()
	all, err := a.Promotions.List(ctx, usecase.Page{}, nil)
	require.NoError(t, err)
	for _, p := range all.Nodes() {
		ids = append(ids, p.ID)
	}
	return ids
}

// TestRacingPromotions: of two promotions of the same plan one wins, and the other hears that the target has moved. Undoing one
// twice at once is the same.
func TestRacingPromotions(t *testing.T) {
	t.Parallel()
	a, source, target, in := twoEnvironments(t)
	in.Parts, in.WithDependencies = part(configuration.KindWorkflow, "order-shipped"), notifytest.Yes()
	const rounds = 6
	for round := range rounds {
		in.Fingerprint = nil
		edit(t, a, source, fmt.Sprintf("Round %d", round), true)
		plan, err := a.Promotions.Plan(target, in)
		require.NoError(t, err)
		in.Fingerprint = &plan.Fingerprint
		won, failed := atOnce(2, func() (*configuration.Promoted, error) { return a.Promotions.Promote(target, in) })
		require.Len(t, won, 1)
		require.NotNil(t, won[0].Promotion)
		require.Len(t, failed, 1)
		require.Equal(t, "CONFIGURATION_CHANGED", notifytest.Code(failed[0]))
		require.Equal(t, won[0].Promotion.ID, recorded(t, a, target)[0])
		require.Len(t, recorded(t, a, target), round+1, "the other left nothing")
		_, used := subject(t, a, target)
		require.Equal(t, fmt.Sprintf("Round %d", round), used)
	}
	w, err := a.Workflows.ByIdentifier(target, "order-shipped")
	require.NoError(t, err)
	require.Equal(t, rounds, w.PublishedNumber, "each round published once")
	versions, err := a.DB.Ent.WorkflowVersion.Query().Where(workflowversion.WorkflowID(w.ID)).Count(target)
	require.NoError(t, err)
	require.Equal(t, rounds, versions)

	last := recorded(t, a, target)[0]
	won, failed := atOnce(2, func() (*configuration.Promoted, error) { return a.Promotions.Undo(target, last) })
	require.Len(t, won, 1)
	require.Len(t, failed, 1)
	require.Contains(t, []string{"PROMOTION_UNDONE", "PROMOTION_OVERTAKEN", "CONFIGURATION_CHANGED"}, notifytest.Code(failed[0]))
	require.Len(t, recorded(t, a, target), rounds+1)
	_, used := subject(t, a, target)
	require.Equal(t, fmt.Sprintf("Round %d", rounds-2), used)
}

// TestPagesOfPromotions walks the promotions forwards and backwards.
func TestPagesOfPromotions(t *testing.T) {
	t.Parallel()
	a, source, target, in := twoEnvironments(t)
	in.Parts, in.WithDependencies = part(configuration.KindWorkflow, "order-shipped"), notifytest.Yes()
	for n := range 5 {
		edit(t, a, source, fmt.Sprintf("Number %d", n), true)
		_, err := a.Promotions.Promote(target, in)
		require.NoError(t, err)
	}
	all := recorded(t, a, target)
	require.Len(t, all, 5)
	require.True(t, slices.IsSortedFunc(all, func(a, b string) int { return strings.Compare(b, a) }), "newest first")
	page := func(of usecase.Page) *configuration.PromotionConnection {
		got, err := a.Promotions.List(target, of, nil)
		require.NoError(t, err)
		return got
	}
	ids := func(c *configuration.PromotionConnection) (ids []string) {
		for _, p := range c.Nodes() {
			ids = append(ids, p.ID)
		}
		return ids
	}
	first := page(usecase.Page{First: new(2)})
	require.Equal(t, all[:2], ids(first))
	require.True(t, first.PageInfo.HasNextPage)
	second := page(usecase.Page{First: new(2), After: first.PageInfo.EndCursor})
	require.Equal(t, all[2:4], ids(second))
	third := page(usecase.Page{First: new(2), After: second.PageInfo.EndCursor})
	require.Equal(t, all[4:], ids(third))
	require.False(t, third.PageInfo.HasNextPage)

	back := page(usecase.Page{Last: new(2), Before: third.PageInfo.StartCursor})
	require.Equal(t, all[2:4], ids(back))
	require.True(t, back.PageInfo.HasPreviousPage)
	back = page(usecase.Page{Last: new(2), Before: back.PageInfo.StartCursor})
	require.Equal(t, all[:2], ids(back))
	require.False(t, back.PageInfo.HasPreviousPage)
	require.Equal(t, all[3:], ids(page(usecase.Page{Last: new(2)})))
	require.Empty(t, recorded(t, a, source), "the promotions of another environment are not seen")

	wrong := "no cursor"
	_, err := a.Promotions.List(target, usecase.Page{Last: new(2), Before: &wrong}, nil)
	notifytest.RequireKind(t, fault.BadRequest, err)
}

// TestPromotionNamesMissingIntegrations: a workflow whose channel nothing in the target serves is promoted, and the plan says so
// (decisions.md §11); with the integration it does not.
func TestPromotionNamesMissingIntegrations(t *testing.T) {
	t.Parallel()
	a, source, target, in := twoEnvironments(t)
	in.Parts, in.WithDependencies = part(configuration.KindWorkflow, "order-shipped"), notifytest.Yes()
	missing := configuration.Issue{Workflow: "order-shipped", StepID: "mail", Message: "No active integration serves the channel email."}
	require.NoError(t, a.DB.Ent.Integration.Update().SetActive(false).Exec(target), "not even those that every environment begins with")
	plan, err := a.Promotions.Plan(target, in)
	require.NoError(t, err)
	require.Contains(t, plan.Issues, missing)
	done, err := a.Promotions.Promote(target, in)
	require.NoError(t, err)
	require.Contains(t, done.Plan.Issues, missing)

	_, err = a.Configurations.Apply(target, input(t, `{"integrations":{"live":{"providerId":"nodemailer","credentials":{"host":"live.example","port":"587","from":"live@shop.example"}}}}`))
	require.NoError(t, err)
	edit(t, a, source, "With a server", true)
	plan, err = a.Promotions.Plan(target, in)
	require.NoError(t, err)
	require.NotEmpty(t, plan.Changes)
	require.NotContains(t, plan.Issues, missing)
}
