package usecase_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/notify/usecase"
)

// TestPageOf walks a computed list in both directions, and away from a cursor whose item has gone.
func TestPageOf(t *testing.T) {
	t.Parallel()
	items := []*string{new("a"), new("b"), new("c"), new("d"), new("e")}
	key := func(item *string) string { return *item }
	read := func(items []*string, page usecase.Page) (names string, info usecase.PageInfo) {
		conn, err := usecase.PageOf(items, key, page)
		require.NoError(t, err)
		for _, item := range conn.Nodes() {
			names += *item
		}
		total, err := conn.TotalCount(t.Context())
		require.NoError(t, err)
		require.Len(t, items, total)
		return names, conn.PageInfo
	}
	two := new(2)
	var pages []string
	for page := (usecase.Page{First: two}); ; {
		names, info := read(items, page)
		require.Equal(t, len(pages) > 0, info.HasPreviousPage)
		pages = append(pages, names)
		if page.After = info.EndCursor; !info.HasNextPage {
			break
		}
	}
	require.Equal(t, []string{"ab", "cd", "e"}, pages)
	pages = nil
	for page := (usecase.Page{Last: two}); ; {
		names, info := read(items, page)
		require.Equal(t, len(pages) > 0, info.HasNextPage)
		pages = append(pages, names)
		if page.Before = info.StartCursor; !info.HasPreviousPage {
			break
		}
	}
	require.Equal(t, []string{"de", "bc", "a"}, pages)

	_, info := read(items, usecase.Page{First: two})
	names, _ := read(slices.Concat(items[:1], items[2:]), usecase.Page{First: two, After: info.EndCursor})
	require.Equal(t, "cd", names)
	names, info = read(nil, usecase.Page{})
	require.Empty(t, names)
	require.Nil(t, info.EndCursor)
	_, err := usecase.PageOf(items, key, usecase.Page{After: new("?")})
	require.ErrorContains(t, err, "cursor")
	_, err = usecase.PageOf(items, key, usecase.Page{First: new(usecase.MaxPage + 1)})
	require.Error(t, err)
}
