package usecase

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
)

// The bounds of every list.
const (
	DefaultPage = 10     // rows of a page when nothing is asked for (decisions.md §4)
	MaxPage     = 100    // rows of a page at most (api.md, Limits)
	CountCap    = 50_000 // totals stop here (api.md, Limits)
)

// Page asks for one page of a list, as Relay's cursor connections do. A cursor is what an edge carried, or a record's
// own identifier.
type Page struct {
	First, Last   *int
	After, Before *string
	// IncludeCursor makes the cursor's own record part of the page (decisions.md §4).
	IncludeCursor bool
}

// OrderDirection is ascending or descending.
type OrderDirection string

// The directions.
const (
	OrderAsc  OrderDirection = "ASC"
	OrderDesc OrderDirection = "DESC"
)

// Column is a column by which lists can be ordered. Every noun offers some of them.
type Column string

// The columns.
const (
	ColumnID        Column = "id"
	ColumnCreatedAt Column = "created_at"
	ColumnUpdatedAt Column = "updated_at"
	ColumnName      Column = "name"
	ColumnArrivedAt Column = "arrived_at"
	// ColumnLastTriggeredAt orders workflows by their last trigger; never triggered counts as oldest.
	ColumnLastTriggeredAt Column = "last_triggered_at"
	// ColumnSubscriberID and ColumnMessageID order what belongs to an event, along the indexes that there are.
	ColumnSubscriberID Column = "subscriber_id"
	ColumnMessageID    Column = "message_id"
)

// Order is how a list is sorted: by a column, ties by id in the same direction.
type Order struct {
	Field     Column
	Direction OrderDirection
	// What says in which parts the list is read (see parts).
	values   []Value // which its records have
	among    []Part
	from, to id.ID // between which its records were stored; empty: no bound
}

// OrElse is the order asked for, or the list's own.
func (o *Order) OrElse(field Column, direction OrderDirection) Order {
	if o == nil {
		return Order{Field: field, Direction: direction}
	}
	return *o
}

// Connection is one page of a list (Relay's cursor connections). The total is counted only when asked for.
type Connection[T any] struct {
	Edges    []*Edge[T]
	PageInfo PageInfo
	Total    func(context.Context) (int, error)
}

// Edge is one item of a page with its cursor.
type Edge[T any] struct {
	Node   *T
	Cursor string
}

// PageInfo says what lies around a page. Both flags are exact.
type PageInfo struct {
	HasNextPage     bool
	HasPreviousPage bool
	StartCursor     *string
	EndCursor       *string
}

// Nodes are the items of the page without their cursors.
func (c *Connection[T]) Nodes() []*T {
	nodes := make([]*T, len(c.Edges))
	for i, e := range c.Edges {
		nodes[i] = e.Node
	}
	return nodes
}

// TotalCount is the number of records that meet the filters, whatever the page; it stops at CountCap.
func (c *Connection[T]) TotalCount(ctx context.Context) (int, error) {
	n, err := c.Total(ctx)
	return min(n, CountCap), err
}

// TotalCountCapped reports whether there are more records than TotalCount says.
func (c *Connection[T]) TotalCountCapped(ctx context.Context) (bool, error) {
	n, err := c.Total(ctx)
	return n > CountCap, err
}

// Once counts at most once: both fields of the total are resolved at the same time.
func Once[N any](count func(context.Context) (N, error)) func(context.Context) (N, error) {
	var counting sync.Mutex
	var counted *N
	return func(ctx context.Context) (N, error) {
		counting.Lock()
		defer counting.Unlock()
		if counted == nil {
			n, err := count(ctx)
			if err != nil {
				return *new(N), postgres.Translate(fmt.Errorf("count a list: %w", err))
			}
			counted = &n
		}
		return *counted, nil
	}
}

// listQuery is what every generated ent query offers, as far as a list needs it.
type listQuery[Q any, P, O ~func(*sql.Selector), S interface {
	Int(context.Context) (int, error)
}, T any] interface {
	Where(...P) Q
	Order(...O) Q
	Limit(int) Q
	Clone() Q
	Modify(...func(*sql.Selector)) S
	All(context.Context) ([]*T, error)
}

// position is a place in an order: a record's value of the order's column, and its id.
type position struct {
	value any
	id    id.ID
}

// Paginate reads one page of the records of q that meet the filters, in the given order. q itself is unfiltered, so that
// a cursor's record is found even when it does not meet them. Cost: the page's rows, plus one row to each side.
func Paginate[Q listQuery[Q, P, O, S, T], P, O ~func(*sql.Selector), S interface {
	Int(context.Context) (int, error)
}, T any](ctx context.Context, q Q, filters []P, page Page, order Order) (*Connection[T], error) {
	limit, backward, err := page.Size()
	if err != nil {
		return nil, err
	}
	shared, parts := narrowed(filters, order)
	list := lister[Q, P, O, S, T]{all: q, base: q.Clone().Where(shared...), order: order, parts: parts}
	from, found, err := list.start(ctx, page)
	if err != nil {
		return nil, err
	}
	conn := &Connection[T]{Edges: []*Edge[T]{}, Total: Once(list.count)}
	if !found {
		return conn, nil
	}
	items, more, err := list.read(ctx, from, limit, backward, page.IncludeCursor)
	if err != nil || len(items) == 0 {
		return conn, err
	}
	behind := false
	if from != nil {
		edge := items[0]
		if backward {
			edge = items[len(items)-1]
		}
		if behind, err = list.any(ctx, list.positionOf(edge), !backward); err != nil {
			return nil, err
		}
	}
	if from == nil && !more {
		conn.Total = func(context.Context) (int, error) { return len(items), nil } // the page is the whole list
	}
	conn.PageInfo.HasNextPage, conn.PageInfo.HasPreviousPage = more, behind
	if backward {
		conn.PageInfo.HasNextPage, conn.PageInfo.HasPreviousPage = behind, more
	}
	list.fill(conn, items)
	return conn, nil
}

// FirstPage is the first page of a list, whose items have been read by other means: up to one more than limit. base is the
// list's query with its filters.
func FirstPage[Q listQuery[Q, P, O, S, T], P, O ~func(*sql.Selector), S interface {
	Int(context.Context) (int, error)
}, T any](base Q, order Order, items []*T, limit int) *Connection[T] {
	list := lister[Q, P, O, S, T]{base: base, order: order, parts: []Part{{}}}
	conn := &Connection[T]{Edges: []*Edge[T]{}, Total: Once(list.count)}
	if len(items) == 0 {
		return conn
	}
	if conn.PageInfo.HasNextPage = len(items) > limit; !conn.PageInfo.HasNextPage {
		conn.Total = func(context.Context) (int, error) { return len(items), nil } // the page is the whole list
	}
	list.fill(conn, items[:min(limit, len(items))])
	return conn
}

// fill puts items into a page.
func (l lister[Q, P, O, S, T]) fill(conn *Connection[T], items []*T) {
	for _, item := range items {
		conn.Edges = append(conn.Edges, &Edge[T]{Node: item, Cursor: l.cursorOf(item)})
	}
	conn.PageInfo.StartCursor = &conn.Edges[0].Cursor
	conn.PageInfo.EndCursor = &conn.Edges[len(conn.Edges)-1].Cursor
}

// Size is the number of rows asked for and whether the page is read backward from its cursor.
func (p Page) Size() (limit int, backward bool, err error) {
	after, before := p.After != nil && *p.After != "", p.Before != nil && *p.Before != ""
	switch {
	case p.First != nil && p.Last != nil:
		return 0, false, fault.Invalidf("last", "give first or last, not both")
	case after && before:
		return 0, false, fault.BadRequestf("INVALID_CURSOR", "Give after or before, not both.")
	case p.First != nil && before:
		return 0, false, fault.Invalidf("before", "give first with after, or last with before")
	case p.Last != nil && after:
		return 0, false, fault.Invalidf("after", "give first with after, or last with before")
	}
	field, n := "first", p.First
	if p.Last != nil || p.First == nil && before {
		backward, field = true, "last"
	}
	if p.Last != nil {
		n = p.Last
	}
	if n == nil {
		return DefaultPage, backward, nil
	}
	if *n < 1 || *n > MaxPage {
		return 0, false, fault.Invalidf(field, "must be between 1 and %d", MaxPage)
	}
	return *n, backward, nil
}

// lister reads one list in one order.
type lister[Q listQuery[Q, P, O, S, T], P, O ~func(*sql.Selector), S interface {
	Int(context.Context) (int, error)
}, T any] struct {
	all   Q // without filters
	base  Q // with the filters that all parts share
	order Order
	parts []Part
}

// start is the position that the page's cursor names; nil without a cursor. found is false when the cursor is well
// formed but no such record exists, which makes an empty page.
func (l lister[Q, P, O, S, T]) start(ctx context.Context, page Page) (from *position, found bool, err error) {
	cursor := page.After
	if cursor == nil || *cursor == "" {
		cursor = page.Before
	}
	if cursor == nil || *cursor == "" {
		return nil, true, nil
	}
	if !id.Valid(*cursor) {
		from, err = l.parseCursor(*cursor)
		return from, err == nil, err
	}
	// The record may lie outside the filters: only its position counts, so it is looked up without them.
	rows, err := l.all.Clone().Where(P(sql.FieldEQ("id", strings.ToLower(*cursor)))).Limit(1).All(ctx)
	if err != nil || len(rows) == 0 {
		return nil, false, err
	}
	at := l.positionOf(rows[0])
	return &at, true, nil
}

// read gives up to limit items next to from, in display order, and whether more follow in the reading direction.
func (l lister[Q, P, O, S, T]) read(ctx context.Context, from *position, limit int, backward, include bool) ([]*T, bool, error) {
	items, err := l.rows(ctx, from, limit+1, backward, include)
	if err != nil {
		return nil, false, fmt.Errorf("read a page: %w", err)
	}
	more := len(items) > limit
	items = items[:min(limit, len(items))]
	if backward {
		slices.Reverse(items)
	}
	return items, more, nil
}

// any reports whether a record lies before (backward) or after a position.
func (l lister[Q, P, O, S, T]) any(ctx context.Context, at position, backward bool) (bool, error) {
	items, err := l.rows(ctx, &at, 1, backward, false)
	return len(items) > 0, err
}

// rows are up to limit records next to from, in the reading direction.
func (l lister[Q, P, O, S, T]) rows(ctx context.Context, from *position, limit int, backward, include bool) ([]*T, error) {
	narrow := func(s *sql.Selector, p Part) {
		p.keep(s, l.order)
		if from != nil {
			l.beyond(s, p, *from, backward, include)
		}
	}
	q := l.base.Clone().Limit(limit)
	switch len(l.parts) {
	case 0:
		return nil, nil
	case 1:
		only := l.parts[0]
		return q.Where(func(s *sql.Selector) { narrow(s, only) }).Order(func(s *sql.Selector) { l.sort(s, only, backward) }).All(ctx)
	}
	q.Modify(func(s *sql.Selector) {
		s.Where(sql.In(s.C("id"), ofParts(s, l.parts, func(s *sql.Selector, p Part) {
			narrow(s, p)
			l.sort(s, p, backward)
		})))
		l.sort(s, Part{}, backward)
	})
	return q.All(ctx)
}

// beyond keeps the records of a part on one side of a position.
func (l lister[Q, P, O, S, T]) beyond(s *sql.Selector, p Part, at position, backward, include bool) {
	ascending := (l.order.Direction == OrderAsc) != backward
	op := sql.OpLT
	switch {
	case ascending && include:
		op = sql.OpGTE
	case ascending:
		op = sql.OpGT
	case include:
		op = sql.OpLTE
	}
	columns, values := []string{s.C(string(l.order.Field)), p.id(s)}, []any{at.value, at.id}
	if l.order.Field == ColumnID {
		columns, values = columns[1:], values[1:]
	}
	p.beside(s, op, columns, values)
}

// compareRows compares rows as Postgres orders them: by the first column, then by the next.
func compareRows(columns []string, op sql.Op, values []any) *sql.Predicate {
	return sql.P(func(b *sql.Builder) {
		b.Wrap(func(b *sql.Builder) { b.IdentComma(columns...) }).WriteOp(op).
			Wrap(func(b *sql.Builder) { b.Args(values...) })
	})
}

// sort puts the records of a part into the list's order, reversed when reading backward.
func (l lister[Q, P, O, S, T]) sort(s *sql.Selector, p Part, backward bool) {
	by := sql.Desc
	if (l.order.Direction == OrderAsc) != backward {
		by = sql.Asc
	}
	if p.Column != "" {
		s.OrderBy(by(s.C(p.Column)))
	}
	if l.order.Field != ColumnID {
		s.OrderBy(by(s.C(string(l.order.Field))))
	}
	s.OrderBy(by(p.id(s)))
	p.sortNamed(s, by("id"))
}

// count counts the records of the list, of each part up to one beyond the cap.
func (l lister[Q, P, O, S, T]) count(ctx context.Context) (int, error) {
	if len(l.parts) == 0 {
		return 0, nil
	}
	// An order is applied after the filters and the tenancy, a modifier before them.
	return l.base.Clone().Order(func(s *sql.Selector) {
		capped := ofParts(s, l.parts, func(s *sql.Selector, p Part) {
			p.keep(s, l.order)
			s.Limit(CountCap + 1)
		})
		*s = *sql.Dialect(dialect.Postgres).Select(sql.Count("*")).From(capped.As("capped"))
	}).Modify().Int(ctx)
}

// Counted counts the records of a query, up to one beyond the cap.
func Counted[Q listQuery[Q, P, O, S, T], P, O ~func(*sql.Selector), S interface {
	Int(context.Context) (int, error)
}, T any](ctx context.Context, q Q) (int, error) {
	return lister[Q, P, O, S, T]{base: q, parts: []Part{{}}}.count(ctx)
}

func (l lister[Q, P, O, S, T]) positionOf(item *T) position {
	node := any(item).(ent.Node)
	recordID, _ := node.OrderKey("id").(string)
	return position{node.OrderKey(string(l.order.Field)), recordID}
}

// cursorOf carries the value and the id, so that it stays valid when its record is deleted.
func (l lister[Q, P, O, S, T]) cursorOf(item *T) string {
	at := l.positionOf(item)
	var value string
	switch v := at.value.(type) {
	case time.Time:
		value = strconv.FormatInt(v.UnixMicro(), 10)
	case string:
		value = v
	}
	return base64.RawURLEncoding.EncodeToString([]byte(string(l.order.Field) + "\x00" + at.id + "\x00" + value))
}

// maxCursorMicros is the end of the year 9999; no record is of a later time, and the database knows few later ones.
const maxCursorMicros = 253_402_300_799_999_999

func (l lister[Q, P, O, S, T]) parseCursor(cursor string) (*position, error) {
	invalid := fault.BadRequestf("INVALID_CURSOR", "The cursor is not valid.")
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return nil, invalid
	}
	parts := strings.SplitN(string(raw), "\x00", 3)
	if len(parts) != 3 || parts[0] != string(l.order.Field) || !id.Valid(parts[1]) || !isStorable(parts[2]) {
		return nil, invalid
	}
	at := &position{value: parts[2], id: strings.ToLower(parts[1])}
	if _, isTime := any(new(T)).(ent.Node).OrderKey(string(l.order.Field)).(time.Time); isTime {
		micros, err := strconv.ParseInt(parts[2], 10, 64)
		if err != nil || micros < 0 || micros > maxCursorMicros {
			return nil, invalid
		}
		at.value = time.UnixMicro(micros).UTC()
	}
	return at, nil
}
