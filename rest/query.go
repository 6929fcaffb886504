package rest

import (
	"slices"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/shape"
)

// cursorQuery is which page of a cursor list is asked for, in which order.
type cursorQuery struct {
	after, before *string
	limit         int
	includeCursor bool
	order         usecase.Order
	contextKeys   []string // nil: any; malformed ones are no problem: they match nothing
}

// page is the page that is asked for.
func (q *cursorQuery) page() usecase.Page {
	page := usecase.Page{After: q.after, Before: q.before, IncludeCursor: q.includeCursor}
	if q.before != nil {
		page.Last = &q.limit
	} else {
		page.First = &q.limit
	}
	return page
}

// cursorParameters are those of a list that pages by cursor; the first column is the list's own order.
func cursorParameters[T any](of func(*T) *cursorQuery, columns ...column) shape.Query[T] {
	cursor := shape.Cursor(id.Valid, fault.BadRequestf("INVALID_CURSOR", "The cursor is not valid."))
	return append(
		shape.Query[T]{
			shape.Param("after", cursor, "A cursor: items that follow it.", func(q *T, v string) { of(q).after = &v }),
			shape.Param("before", cursor, "A cursor: items that precede it. Not together with after.", func(q *T, v string) { of(q).before = &v }),
			shape.Param("limit", shape.Whole(usecase.DefaultPage, shape.Between(1, usecase.MaxPage)), "Items at most.", func(q *T, v int) { of(q).limit = v }),
		},
		append(orderParameters(func(q *T) *usecase.Order { return &of(q).order }, columns...),
			shape.Param("includeCursor", shape.Switch(), "Whether the cursor's own item is part of the page.", func(q *T, v bool) { of(q).includeCursor = v }),
			contextKeysParameter("Records with exactly these contexts.", func(q *T, v []string) { of(q).contextKeys = v }))...)
}

func contextKeysParameter[T any](description string, set func(*T, []string)) shape.Parameter[T] {
	return shape.Param("contextKeys", shape.JoinedWords(), description+" The same set in any order; an empty value means no context.", set)
}

// column is a documented name of a column that a list can be ordered by.
type column struct {
	name   string
	column usecase.Column
}

// The columns that cursor lists can be ordered by, under their documented names.
var (
	byRecord   = column{"_id", usecase.ColumnID}
	byCreation = column{"createdAt", usecase.ColumnCreatedAt}
	byChange   = column{"updatedAt", usecase.ColumnUpdatedAt}
)

// orderParameters are how a list is sorted; the first column is the list's own order.
func orderParameters[T any](of func(*T) *usecase.Order, columns ...column) []shape.Parameter[T] {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	return []shape.Parameter[T]{
		shape.Param("orderDirection", shape.Choice(usecase.OrderDesc, usecase.OrderAsc, usecase.OrderDesc), "Ascending or descending.",
			func(q *T, v usecase.OrderDirection) { of(q).Direction = v }),
		shape.Param("orderBy", shape.Choice(names[0], names...), "What the list is sorted by; equal items by _id.",
			func(q *T, v string) { of(q).Field = columns[slices.Index(names, v)].column }),
	}
}
