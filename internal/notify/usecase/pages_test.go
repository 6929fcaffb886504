package usecase_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
)

// TestPages reads the pages of a list of five from every end, by cursors of edges and by identifiers of records.
func TestPages(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	ids := make([]string, 5)
	for i := range ids {
		made, err := a.Topics.Create(a.Ctx, audience.CreateTopicInput{Key: fmt.Sprintf("t%d", i)})
		require.NoError(t, err)
		ids[i] = made.ID
	}
	byID := &usecase.Order{Field: usecase.ColumnID, Direction: usecase.OrderAsc}
	all, err := a.Topics.List(a.Ctx, usecase.Page{}, byID, nil)
	require.NoError(t, err)
	edge := func(i int) *string { return &all.Edges[i].Cursor }
	filter := &audience.TopicFilter{KeyIn: []string{"t0", "t1", "t3", "t4"}}
	for name, c := range map[string]struct {
		page       usecase.Page
		order      *usecase.Order
		filter     *audience.TopicFilter
		want       []int
		next, prev bool
	}{
		"all":                          {order: byID, want: []int{0, 1, 2, 3, 4}},
		"newest first by default":      {want: []int{4, 3, 2, 1, 0}},
		"by time":                      {order: &usecase.Order{Field: usecase.ColumnCreatedAt, Direction: usecase.OrderAsc}, want: []int{0, 1, 2, 3, 4}},
		"by time, descending":          {order: &usecase.Order{Field: usecase.ColumnCreatedAt, Direction: usecase.OrderDesc}, want: []int{4, 3, 2, 1, 0}},
		"first":                        {page: usecase.Page{First: new(2)}, order: byID, want: []int{0, 1}, next: true},
		"first, as many as there are":  {page: usecase.Page{First: new(5)}, order: byID, want: []int{0, 1, 2, 3, 4}},
		"last":                         {page: usecase.Page{Last: new(2)}, order: byID, want: []int{3, 4}, prev: true},
		"after":                        {page: usecase.Page{First: new(2), After: edge(1)}, order: byID, want: []int{2, 3}, next: true, prev: true},
		"after an id":                  {page: usecase.Page{First: new(2), After: &ids[1]}, order: byID, want: []int{2, 3}, next: true, prev: true},
		"after the last":               {page: usecase.Page{After: edge(4)}, order: byID, want: []int{}},
		"after, to the end":            {page: usecase.Page{First: new(2), After: edge(2)}, order: byID, want: []int{3, 4}, prev: true},
		"after the empty cursor":       {page: usecase.Page{First: new(1), After: new("")}, order: byID, want: []int{0}, next: true},
		"after, included":              {page: usecase.Page{First: new(2), After: edge(1), IncludeCursor: true}, order: byID, want: []int{1, 2}, next: true, prev: true},
		"before":                       {page: usecase.Page{Last: new(2), Before: edge(3)}, order: byID, want: []int{1, 2}, next: true, prev: true},
		"before, without last":         {page: usecase.Page{Before: edge(3)}, order: byID, want: []int{0, 1, 2}, next: true},
		"before an id, included":       {page: usecase.Page{Last: new(2), Before: &ids[3], IncludeCursor: true}, order: byID, want: []int{2, 3}, next: true, prev: true},
		"before the first":             {page: usecase.Page{Before: edge(0)}, order: byID, want: []int{}},
		"after one outside the filter": {page: usecase.Page{First: new(1), After: &ids[2]}, order: byID, filter: filter, want: []int{3}, next: true, prev: true},
		"include one outside the filter": {
			page: usecase.Page{First: new(1), After: &ids[2], IncludeCursor: true}, order: byID, filter: filter, want: []int{3}, next: true, prev: true,
		},
		"after a record that is not there": {page: usecase.Page{After: new("000000000000000000000000")}, order: byID, want: []int{}},
	} {
		got, err := a.Topics.List(a.Ctx, c.page, c.order, c.filter)
		require.NoError(t, err, name)
		want := []string{}
		for _, i := range c.want {
			want = append(want, ids[i])
		}
		require.Equal(t, want, notifytest.NodeIDs(got.Nodes()), name)
		require.Equal(t, c.next, got.PageInfo.HasNextPage, "%s: next", name)
		require.Equal(t, c.prev, got.PageInfo.HasPreviousPage, "%s: previous", name)
		if len(c.want) == 0 {
			require.Nil(t, got.PageInfo.StartCursor, name)
			continue
		}
		require.Equal(t, got.Edges[0].Cursor, *got.PageInfo.StartCursor, name)
		require.Equal(t, got.Edges[len(got.Edges)-1].Cursor, *got.PageInfo.EndCursor, name)
	}
}

// TestTotalsAreOfTheFilter counts what meets the filter, whatever the page shows of it.
func TestTotalsAreOfTheFilter(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	for i := range 4 {
		_, err := a.Topics.Create(a.Ctx, audience.CreateTopicInput{Key: fmt.Sprintf("t%d", i)})
		require.NoError(t, err)
	}
	for name, c := range map[string]struct {
		page   usecase.Page
		filter *audience.TopicFilter
		want   int
	}{
		"whole":           {usecase.Page{}, nil, 4},
		"one page":        {usecase.Page{First: new(1)}, nil, 4},
		"filtered":        {usecase.Page{First: new(1)}, &audience.TopicFilter{KeyIn: []string{"t1", "t2", "t9"}}, 2},
		"of no one":       {usecase.Page{}, &audience.TopicFilter{KeyIn: []string{}}, 0},
		"an unknown page": {usecase.Page{After: new("000000000000000000000000")}, nil, 4},
	} {
		list, err := a.Topics.List(a.Ctx, c.page, nil, c.filter)
		require.NoError(t, err, name)
		total, err := list.TotalCount(a.Ctx)
		require.NoError(t, err, name)
		require.Equal(t, c.want, total, name)
		capped, err := list.TotalCountCapped(a.Ctx)
		require.NoError(t, err, name)
		require.False(t, capped, name)
	}
}

// TestCursorsSurviveTheirRecord reads on behind a record that was deleted meanwhile.
func TestCursorsSurviveTheirRecord(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	for _, name := range []string{"a", "b", "c"} {
		a.MakeWorkflow(t, name, nil)
	}
	for _, order := range []*usecase.Order{
		{Field: usecase.ColumnName, Direction: usecase.OrderAsc},
		{Field: usecase.ColumnName, Direction: usecase.OrderDesc},
		{Field: usecase.ColumnCreatedAt, Direction: usecase.OrderAsc},
		{Field: usecase.ColumnID, Direction: usecase.OrderDesc},
	} {
		gone := a.MakeWorkflow(t, "bb", nil)
		before, err := a.Workflows.List(a.Ctx, usecase.Page{}, order, nil)
		require.NoError(t, err)
		at := slices.Index(notifytest.NodeIDs(before.Nodes()), gone.ID)
		a.DB.Ent.Workflow.DeleteOneID(gone.ID).ExecX(a.Ctx)
		after, err := a.Workflows.List(a.Ctx, usecase.Page{After: &before.Edges[at].Cursor}, order, nil)
		require.NoError(t, err)
		require.Equal(t, notifytest.NodeIDs(before.Nodes()[at+1:]), notifytest.NodeIDs(after.Nodes()), order)
		byID, err := a.Workflows.List(a.Ctx, usecase.Page{After: &gone.ID}, order, nil)
		require.NoError(t, err)
		require.Empty(t, byID.Edges, "an identifier alone has no place any more")
	}
}

// TestWrongPages holds what a page may ask for.
func TestWrongPages(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		page usecase.Page
		kind fault.Kind
	}{
		"first and last":   {usecase.Page{First: new(1), Last: new(1)}, fault.Invalid},
		"after and before": {usecase.Page{After: new("x"), Before: new("y")}, fault.BadRequest},
		"first 0":          {usecase.Page{First: new(0)}, fault.Invalid},
		"first 101":        {usecase.Page{First: new(usecase.MaxPage + 1)}, fault.Invalid},
		"last -1":          {usecase.Page{Last: new(-1)}, fault.Invalid},
		"first and before": {usecase.Page{First: new(3), Before: new("x")}, fault.Invalid},
		"last and after":   {usecase.Page{Last: new(3), After: new("x")}, fault.Invalid},
		"last 101":         {usecase.Page{Last: new(usecase.MaxPage + 1)}, fault.Invalid},
	} {
		_, _, err := c.page.Size()
		require.Equal(t, c.kind, fault.KindOf(err), name)
	}
	for name, c := range map[string]struct {
		page     usecase.Page
		limit    int
		backward bool
	}{
		"nothing":          {usecase.Page{}, usecase.DefaultPage, false},
		"after":            {usecase.Page{After: new("x")}, usecase.DefaultPage, false},
		"before":           {usecase.Page{Before: new("x")}, usecase.DefaultPage, true},
		"first, no before": {usecase.Page{First: new(3), Before: new("")}, 3, false},
		"last, no after":   {usecase.Page{Last: new(3), After: new("")}, 3, true},
		"before, no after": {usecase.Page{After: new(""), Before: new("x")}, usecase.DefaultPage, true},
		"most":             {usecase.Page{First: new(usecase.MaxPage)}, usecase.MaxPage, false},
		"least":            {usecase.Page{Last: new(1)}, 1, true},
	} {
		limit, backward, err := c.page.Size()
		require.NoError(t, err, name)
		require.Equal(t, c.limit, limit, name)
		require.Equal(t, c.backward, backward, name)
	}
}

// TestLargeTotals holds where totals stop, and that both fields of a total count once.
func TestLargeTotals(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	fill := func(from, to int) {
		_, err := a.DB.Pool.Exec(a.Ctx, `INSERT INTO topics (id, environment_id, key, created_at, updated_at)
SELECT lpad(to_hex(n), 24, '0'), $1, 't' || n, now(), now() FROM generate_series($2::int, $3) n`, a.Scope.EnvironmentID, from, to)
		require.NoError(t, err)
	}
	total := func() (int, bool) {
		list, err := a.Topics.List(a.Ctx, usecase.Page{First: new(1)}, nil, nil)
		require.NoError(t, err)
		n, err := list.TotalCount(a.Ctx)
		require.NoError(t, err)
		capped, err := list.TotalCountCapped(a.Ctx)
		require.NoError(t, err)
		return n, capped
	}
	fill(1, usecase.CountCap)
	n, capped := total()
	require.Equal(t, usecase.CountCap, n)
	require.False(t, capped)
	fill(usecase.CountCap+1, usecase.CountCap+2)
	n, capped = total()
	require.Equal(t, usecase.CountCap, n)
	require.True(t, capped)

	list, err := a.Topics.List(a.Ctx, usecase.Page{First: new(1)}, nil, &audience.TopicFilter{KeyIn: []string{"t1", "t2"}})
	require.NoError(t, err)
	n, err = list.TotalCount(a.Ctx)
	require.NoError(t, err)
	require.Equal(t, 2, n)
	a.DB.Ent.Topic.Delete().ExecX(a.Ctx)
	n, err = list.TotalCount(a.Ctx)
	require.NoError(t, err)
	require.Equal(t, 2, n, "counted once for the page")
}

// TestFirstPages holds pages of items that were read by other means.
func TestFirstPages(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	rows := make([]*ent.Topic, 3)
	for i := range rows {
		rows[i] = a.DB.Ent.Topic.Create().SetKey(fmt.Sprint(i)).SaveX(a.Ctx)
	}
	order := usecase.Order{Field: usecase.ColumnID, Direction: usecase.OrderAsc}
	for name, c := range map[string]struct {
		items []*ent.Topic
		limit int
		want  int
		more  bool
	}{
		"none":          {nil, 2, 0, false},
		"fewer":         {rows[:1], 2, 1, false},
		"as many":       {rows[:2], 2, 2, false},
		"one more":      {rows, 2, 2, true},
		"a whole list":  {rows, 3, 3, false},
		"a limit of 1":  {rows[:2], 1, 1, true},
		"a large limit": {rows, usecase.MaxPage, 3, false},
	} {
		page := usecase.FirstPage(a.DB.Ent.Topic.Query(), order, c.items, c.limit)
		require.Len(t, page.Edges, c.want, name)
		require.Equal(t, c.more, page.PageInfo.HasNextPage, name)
		require.False(t, page.PageInfo.HasPreviousPage, name)
		if c.want == 0 {
			continue
		}
		rest, err := a.Topics.List(a.Ctx, usecase.Page{After: page.PageInfo.EndCursor}, &order, nil)
		require.NoError(t, err)
		require.Equal(t, notifytest.NodeIDs(rows[c.want:]), notifytest.NodeIDs(rest.Nodes()), "%s: its cursors are those of the list", name)
		total, err := page.TotalCount(a.Ctx)
		require.NoError(t, err)
		if c.more {
			require.Equal(t, len(rows), total, name)
		} else {
			require.Equal(t, len(c.items), total, "%s: the page is the whole list", name)
		}
	}
}
