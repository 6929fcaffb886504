package usecase

import (
	"context"
	"fmt"
	"slices"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/id"
)

// OldestFirst and NewestFirst order nested lists by creation.
var (
	OldestFirst = Order{Field: ColumnID, Direction: OrderAsc}
	NewestFirst = Order{Field: ColumnID, Direction: OrderDesc}
)

// Relation is how the records of a nested list belong to the records that show it, their owners.
type Relation struct {
	// Column holds the internal id of the owner. The next columns of its index are the order.
	Column string
	Order  Order
	// Through is the table that has Column instead of the records, and Via their column that holds its id.
	Through, Via string
}

// relatedSelect reads what is no record: totals, and counts by owner.
type relatedSelect interface {
	Int(context.Context) (int, error)
	Scan(context.Context, any) error
}

// ReadEach reads for each of several owners a page of what belongs to it, for a viewer who meets a need.
func ReadEach[Q listQuery[Q, P, O, S, T], P, O ~func(*sql.Selector), S relatedSelect, T any](
	ctx context.Context, b Deps, need Need, query func(*ent.Client) Q, relation Relation, owners []id.ID, page Page,
) (map[id.ID]*Connection[T], error) {
	return Read(ctx, b, need, func(ctx context.Context, db *ent.Client) (map[id.ID]*Connection[T], error) {
		return paginateEach[Q, P, O, S, T](ctx, query(db), relation, owners, page)
	})
}

// paginateEach reads for each of several owners a page of the records of q that belong to it. Cost: one query, and one more
// with a cursor, whatever the number of owners; their totals cost one more for all of them. It reads the rows of the pages
// and one row to each side.
func paginateEach[Q listQuery[Q, P, O, S, T], P, O ~func(*sql.Selector), S relatedSelect, T any](
	ctx context.Context, q Q, relation Relation, owners []id.ID, page Page,
) (map[id.ID]*Connection[T], error) {
	limit, backward, err := page.Size()
	if err != nil {
		return nil, err
	}
	list := eachLister[Q, P, O, S, T]{lister[Q, P, O, S, T]{all: q, base: q, order: relation.Order}, relation, owners}
	from, found, err := list.start(ctx, page)
	if err != nil {
		return nil, err
	}
	pages := list.empty()
	if !found {
		return pages, nil
	}
	items, err := list.read(ctx, from, backward, false, limit+1)
	if err != nil {
		return nil, err
	}
	behind := map[id.ID][]*T{}
	if from != nil {
		if behind, err = list.read(ctx, from, !backward, true, 1); err != nil {
			return nil, err
		}
	}
	for owner, rows := range items {
		list.turn(pages[owner], rows, limit, backward, len(behind[owner]) > 0)
	}
	return pages, nil
}

// eachLister reads the lists of several owners in one order.
type eachLister[Q listQuery[Q, P, O, S, T], P, O ~func(*sql.Selector), S relatedSelect, T any] struct {
	lister[Q, P, O, S, T]
	relation Relation
	owners   []id.ID
}

// empty gives each owner a page without items, whose total is counted with those of the others.
func (l eachLister[Q, P, O, S, T]) empty() map[id.ID]*Connection[T] {
	totals := Once(l.count)
	pages := make(map[id.ID]*Connection[T], len(l.owners))
	for _, owner := range l.owners {
		pages[owner] = &Connection[T]{Edges: []*Edge[T]{}, Total: func(ctx context.Context) (int, error) {
			counts, err := totals(ctx)
			return counts[owner], err
		}}
	}
	return pages
}

// turn makes rows, up to one more than limit, the page of their owner.
func (l eachLister[Q, P, O, S, T]) turn(conn *Connection[T], rows []*T, limit int, backward, behind bool) {
	more := len(rows) > limit
	rows = rows[:min(limit, len(rows))]
	if backward {
		slices.Reverse(rows)
	}
	conn.PageInfo.HasNextPage, conn.PageInfo.HasPreviousPage = more, behind
	if backward {
		conn.PageInfo.HasNextPage, conn.PageInfo.HasPreviousPage = behind, more
	}
	if !more && !behind {
		conn.Total = func(context.Context) (int, error) { return len(rows), nil } // the page is the whole list
	}
	l.fill(conn, rows)
}

// read gives up to limit records of each owner next to from, in the reading direction.
func (l eachLister[Q, P, O, S, T]) read(ctx context.Context, from *position, backward, include bool, limit int) (map[id.ID][]*T, error) {
	q := l.base.Clone()
	if from != nil {
		q = q.Where(func(s *sql.Selector) { l.beyond(s, Part{}, *from, backward, include) })
	}
	q.Modify(func(s *sql.Selector) { // a modifier is applied after the filters and the tenancy when records are read
		outer := sql.Dialect(dialect.Postgres).Select(s.SelectedColumns()...).From(sql.Table(s.TableName()))
		owned := sql.Table("owned").As("owned")
		l.ofOwner(s)
		l.sort(s, Part{}, backward)
		l.sort(outer, Part{}, backward)
		*s = *outer.AppendSelect(owned.C("owner")).Join(owned).On(outer.C("id"), owned.C("id")).
			Prefix(l.eachOwner(s.Clone().Select(s.C("id")).Limit(limit), "SELECT o.id AS owner, r.id", ""))
	})
	rows, err := q.All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read nested pages: %w", err)
	}
	grouped := make(map[id.ID][]*T, len(l.owners))
	for _, row := range rows {
		owner, err := any(row).(interface {
			Value(string) (ent.Value, error)
		}).Value("owner") //nolint:forcetypeassert // every record has it
		if err != nil {
			return nil, fmt.Errorf("read nested pages: %w", err)
		}
		key, _ := owner.(string)
		grouped[key] = append(grouped[key], row)
	}
	return grouped, nil
}

// count counts the records of each owner, up to one beyond the cap.
func (l eachLister[Q, P, O, S, T]) count(ctx context.Context) (map[id.ID]int, error) {
	var rows []struct {
		Owner string `sql:"owner"`
		Total int    `sql:"total"`
	}
	err := l.base.Clone().Order(func(s *sql.Selector) { // an order is, when values are
		l.ofOwner(s)
		owned := sql.Table("owned")
		*s = *sql.Dialect(dialect.Postgres).Select(owned.C("owner"), owned.C("total")).From(owned).
			Prefix(l.eachOwner(s.Clone().Select(s.C("id")).Limit(CountCap+1), "SELECT o.id AS owner, count(r.id) AS total", " GROUP BY o.id"))
	}).Modify().Scan(ctx, &rows)
	if err != nil {
		return nil, err //nolint:wrapcheck // once says what it was
	}
	counts := make(map[id.ID]int, len(rows))
	for _, row := range rows {
		counts[row.Owner] = row.Total
	}
	return counts, nil
}

// ofOwner narrows a query to what belongs to the owner that the surrounding query calls o.
func (l eachLister[Q, P, O, S, T]) ofOwner(s *sql.Selector) {
	column := s.C(l.relation.Column)
	if l.relation.Through != "" {
		through := sql.Table(l.relation.Through)
		s.Join(through).On(s.C(l.relation.Via), through.C("id"))
		column = through.C(l.relation.Column)
	}
	s.Where(sql.P(func(b *sql.Builder) { b.WriteString(column + " = o.id") }))
}

// eachOwner is what a query finds for each owner, under the name owned.
func (l eachLister[Q, P, O, S, T]) eachOwner(found *sql.Selector, selected, grouped string) sql.Querier {
	return sql.ExprFunc(func(b *sql.Builder) {
		b.WriteString("WITH owned AS (" + selected + " FROM unnest(").Arg(l.owners).WriteString("::text[]) AS o(id) CROSS JOIN LATERAL (").
			Join(found).WriteString(") AS r" + grouped + ")")
	})
}
