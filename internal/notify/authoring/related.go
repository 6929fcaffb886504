package authoring

import (
	"context"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/layout"
	"github.com/carillon/carillon/internal/notify/usecase"
)

// What belongs to other records, as nested lists show it: for all of them at once, by their internal ids. Each costs one
// query, one more with a cursor, and one more for totals.

// VersionsOf reads versions of workflows, newest first unless ordered otherwise.
func (w *Workflows) VersionsOf(ctx context.Context, ids []string, page usecase.Page, order *usecase.Order) (map[string]*usecase.Connection[ent.WorkflowVersion], error) {
	return usecase.ReadEach(ctx, w.Deps, usecase.ReadContent, func(db *ent.Client) *ent.WorkflowVersionQuery { return db.WorkflowVersion.Query() },
		usecase.Relation{Column: "workflow_id", Order: order.OrElse(usecase.ColumnID, usecase.OrderDesc)}, ids, page)
}

// OfIdentifiers finds layouts by their identifiers. Cost: one query.
func (l *Layouts) OfIdentifiers(ctx context.Context, identifiers []string) (map[string]*ent.Layout, error) {
	return usecase.Read(ctx, l.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (map[string]*ent.Layout, error) {
		rows, err := db.Layout.Query().Where(layout.IdentifierIn(identifiers...)).All(ctx)
		found := make(map[string]*ent.Layout, len(rows))
		for _, row := range rows {
			found[row.Identifier] = row
		}
		return found, err
	})
}
