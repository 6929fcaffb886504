package rest

import (
	"context"
	"time"

	"github.com/carillon/carillon/internal/notify/usecase"
)

// moment is an instant as the documented API shows it (decisions.md §1).
type moment time.Time

// MarshalJSON writes UTC in milliseconds.
func (m moment) MarshalJSON() ([]byte, error) {
	return []byte(`"` + timestamp(time.Time(m)) + `"`), nil
}

// optional is an instant that may not have come yet.
func optional(t *time.Time) *moment {
	if t == nil {
		return nil
	}
	m := moment(*t)
	return &m
}

// cursorPage is the envelope of the lists that page by cursor. All its members are always there.
type cursorPage[V any] struct {
	Data             []V     `json:"data"`
	Next             *string `json:"next"`
	Previous         *string `json:"previous"`
	TotalCount       int     `json:"totalCount"`
	TotalCountCapped bool    `json:"totalCountCapped"`
}

// pageReply shows a page of a list. Its cursors are the internal ids of its first and its last record.
func pageReply[T, V any](ctx context.Context, in *Input, conn *usecase.Connection[T], cursor func(*T) string, view func(*T) V) (*Reply, error) {
	page := cursorPage[V]{Data: views(conn.Nodes(), view)}
	if n := len(conn.Edges); n > 0 {
		first, last := cursor(conn.Edges[0].Node), cursor(conn.Edges[n-1].Node)
		if conn.PageInfo.HasNextPage {
			page.Next = &last
		}
		if conn.PageInfo.HasPreviousPage {
			page.Previous = &first
		}
	}
	var err error
	if page.TotalCount, err = conn.TotalCount(ctx); err != nil {
		return nil, err
	}
	if page.TotalCountCapped, err = conn.TotalCountCapped(ctx); err != nil {
		return nil, err
	}
	return in.reply(page), nil
}

// views shows each record of a list; no records are an empty list, never null.
func views[T, V any](records []*T, view func(*T) V) []V {
	shown := make([]V, len(records))
	for i, record := range records {
		shown[i] = view(record)
	}
	return shown
}

// listed is a list that is never null.
func listed(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
