package pgmove

import (
	"context"

	"github.com/carillon/carillon/internal/postgres"
)

// Rows are the tables of organizations with the condition on rows t of one.
func Rows(ctx context.Context, db *postgres.DB, organization string) (names []string, where map[string]string, due map[string][]string, err error) {
	m := &Move{Source: db}
	all, s, err := m.rows(ctx, organization)
	where, due = map[string]string{}, map[string][]string{}
	for _, t := range all {
		names = append(names, t.Name)
		where[t.Name], due[t.Name] = s.given(t.where), t.due()
	}
	return names, where, due, err
}

// Kept are the tables whose rows stay behind.
func Kept() []string { return kept }

// UniqueColumn is one that holds a value once in a cell.
type UniqueColumn struct{ Table, Column, Kind string }

// Unique are those that are looked at before a move.
func Unique() (all []UniqueColumn) {
	for _, u := range unique {
		all = append(all, UniqueColumn{u.table, u.column, u.kind})
	}
	return all
}

// Leased reports whether messages of an organization are under a lease.
func Leased(ctx context.Context, db *postgres.DB, organization string) (found bool, err error) {
	s, err := readScope(ctx, db.Pool, organization)
	if err != nil {
		return false, err
	}
	err = db.Pool.QueryRow(ctx, s.given(leased)).Scan(&found)
	return found, err
}
