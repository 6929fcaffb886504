package activity_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// TestNestedPages reads a page of each of several owners at once: every owner has its own order, ends and total.
func TestNestedPages(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	u := a.MakeSubscribers(t, 3)
	owners := []string{u[0].ID, u[1].ID, u[2].ID}
	runs := map[string][]string{} // oldest first
	names := map[string]string{}
	for i := range 7 { // five of u0, two of u1, none of u2, by turns
		owner := u[0]
		if i == 1 || i == 4 {
			owner = u[1]
		}
		made := a.MakeRun(t, a.MakeEvent(t, fmt.Sprint("t", i)), owner.ID, workflow.RunCompleted)
		runs[owner.ID] = append(runs[owner.ID], made.ID)
		names[made.ID] = fmt.Sprint("t", i)
	}
	list := func(page usecase.Page) map[string]*usecase.Connection[ent.Notification] {
		pages, err := a.Notifications.OfSubscribers(a.Ctx, owners, page)
		require.NoError(t, err)
		require.Len(t, pages, 3, "an owner without records has an empty page")
		return pages
	}
	for name, c := range map[string]struct {
		page  usecase.Page
		want  [3]string
		next  [3]bool
		prev  [3]bool
		total [3]int
	}{
		"all":       {page: usecase.Page{}, want: [3]string{"t6 t5 t3 t2 t0", "t4 t1", ""}, total: [3]int{5, 2, 0}},
		"first":     {page: usecase.Page{First: new(2)}, want: [3]string{"t6 t5", "t4 t1", ""}, next: [3]bool{true, false, false}, total: [3]int{5, 2, 0}},
		"last":      {page: usecase.Page{Last: new(2)}, want: [3]string{"t2 t0", "t4 t1", ""}, prev: [3]bool{true, false, false}, total: [3]int{5, 2, 0}},
		"after":     {page: usecase.Page{First: new(2), After: &runs[u[0].ID][3]}, want: [3]string{"t3 t2", "t4 t1", ""}, next: [3]bool{true, false, false}, prev: [3]bool{true, false, false}, total: [3]int{5, 2, 0}},
		"before":    {page: usecase.Page{Last: new(1), Before: &runs[u[0].ID][1]}, want: [3]string{"t3", "t4", ""}, next: [3]bool{true, true, false}, prev: [3]bool{true, false, false}, total: [3]int{5, 2, 0}},
		"not there": {page: usecase.Page{After: new("000000000000000000000000")}, total: [3]int{5, 2, 0}},
	} {
		pages := list(c.page)
		for i, owner := range owners {
			page := pages[owner]
			got := ""
			for _, node := range page.Nodes() {
				if got != "" {
					got += " "
				}
				got += names[node.ID]
			}
			what := fmt.Sprint(name, ", owner ", i)
			require.Equal(t, c.want[i], got, what)
			require.Equal(t, c.next[i], page.PageInfo.HasNextPage, what)
			require.Equal(t, c.prev[i], page.PageInfo.HasPreviousPage, what)
			total, err := page.Total(a.Ctx)
			require.NoError(t, err)
			require.Equal(t, c.total[i], total, what)
		}
	}
	_, err := a.Notifications.OfSubscribers(a.Ctx, owners, usecase.Page{First: new(-1)})
	notifytest.RequireKind(t, fault.Invalid, err)
	none, err := a.Notifications.OfSubscribers(a.Ctx, nil, usecase.Page{})
	require.NoError(t, err)
	require.Empty(t, none)
}

// TestNestedPagesOfOthers: records of another environment are no part of any page, whatever ids a caller knows.
func TestNestedPagesOfOthers(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	owner := a.MakeSubscribers(t, 1)[0].ID
	other := a.OtherEnvironment(t)
	made := a.MakeEvent(t, "t")
	a.MakeRun(t, made, owner, workflow.RunCompleted)
	for name, read := range map[string]func(ctx context.Context, ids []string) (map[string]*usecase.Connection[ent.Notification], error){
		owner: func(ctx context.Context, ids []string) (map[string]*usecase.Connection[ent.Notification], error) {
			return a.Notifications.OfSubscribers(ctx, ids, usecase.Page{First: new(1)})
		},
		made.ID: func(ctx context.Context, ids []string) (map[string]*usecase.Connection[ent.Notification], error) {
			return a.Notifications.OfEvents(ctx, ids, usecase.Page{First: new(1)})
		},
		made.WorkflowID: func(ctx context.Context, ids []string) (map[string]*usecase.Connection[ent.Notification], error) {
			return a.Notifications.OfWorkflows(ctx, ids, usecase.Page{First: new(1)})
		},
	} {
		own, err := read(a.Ctx, []string{name})
		require.NoError(t, err)
		require.Len(t, own[name].Edges, 1)
		others, err := read(other, []string{name})
		require.NoError(t, err)
		require.Empty(t, others[name].Edges)
		total, err := others[name].Total(other)
		require.NoError(t, err)
		require.Zero(t, total)
	}
}
