package usecase

import (
	"context"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/carillon/carillon/internal/fault"
)

// PageOf is one page of a list that is computed as a whole, in the order of its keys, which are unique.
func PageOf[T any](items []*T, key func(*T) string, page Page) (*Connection[T], error) {
	limit, backward, err := page.Size()
	if err != nil {
		return nil, err
	}
	from, to := 0, len(items)
	at := func(cursor string) (place int, found bool, err error) {
		raw, err := base64.RawURLEncoding.DecodeString(cursor)
		if err != nil {
			return 0, false, fault.BadRequestf("INVALID_CURSOR", "The cursor is not valid.")
		}
		place, found = slices.BinarySearchFunc(items, string(raw), func(item *T, want string) int { return strings.Compare(key(item), want) })
		return place, found, nil
	}
	switch {
	case page.After != nil && *page.After != "":
		place, found, err := at(*page.After)
		if err != nil {
			return nil, err
		}
		if from = place; found {
			from++
		}
	case page.Before != nil && *page.Before != "":
		if to, _, err = at(*page.Before); err != nil {
			return nil, err
		}
	}
	if backward {
		from = max(from, to-limit)
	} else {
		to = min(to, from+limit)
	}
	conn := &Connection[T]{Edges: make([]*Edge[T], 0, to-from), Total: func(context.Context) (int, error) { return len(items), nil }}
	for _, item := range items[from:to] {
		conn.Edges = append(conn.Edges, &Edge[T]{Node: item, Cursor: base64.RawURLEncoding.EncodeToString([]byte(key(item)))})
	}
	conn.PageInfo.HasPreviousPage, conn.PageInfo.HasNextPage = from > 0, to < len(items)
	if len(conn.Edges) > 0 {
		conn.PageInfo.StartCursor, conn.PageInfo.EndCursor = &conn.Edges[0].Cursor, &conn.Edges[len(conn.Edges)-1].Cursor
	}
	return conn, nil
}
