package pgmove

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
)

// unique are the columns that hold a value once in a cell, whosever it is. Ids are not among them, which are random, nor addresses
// of users, by which people of both cells become one (people).
var unique = []struct{ table, column, kind string }{
	{"api_keys", "hash", "bytea"},
	{"organization_keys", "hash", "bytea"},
	{"invitations", "hash", "bytea"},
	{"images", "key", "text"},
}

// conflicts names the rows that the target cannot take because another organization there has the same value, such as a key that
// both cells were made with.
func (m *Move) conflicts(ctx context.Context, all []table, s scope) (rows []string, err error) {
	there, err := readScope(ctx, m.Target.Pool, s.organization)
	if err != nil {
		return nil, postgres.Translate(err)
	}
	where := map[string]string{}
	for _, t := range all {
		where[t.Name] = t.where
	}
	for _, u := range unique {
		type value struct{ ID, Value string }
		found, err := m.Source.Pool.Query(ctx, `SELECT t.id, t.`+u.column+`::text FROM `+u.table+` t WHERE `+s.given(where[u.table]))
		own, err := postgres.Collect(found, err, "read unique values", pgx.RowToStructByPos[value])
		if err != nil {
			return nil, postgres.Translate(err)
		}
		rowOf, values := map[string]string{}, make([]string, len(own))
		for i, v := range own {
			rowOf[v.Value], values[i] = v.ID, v.Value
		}
		found, err = m.Target.Pool.Query(ctx, `SELECT t.`+u.column+`::text FROM `+u.table+` t
WHERE t.`+u.column+` = ANY($1::text[]::`+u.kind+`[]) AND NOT (`+there.given(where[u.table])+`) ORDER BY 1`, values)
		taken, err := postgres.Collect(found, err, "look for unique values in the target", pgx.RowTo[string])
		if err != nil {
			return nil, postgres.Translate(err)
		}
		for _, v := range taken {
			rows = append(rows, fmt.Sprintf("%s %s (%s)", u.table, rowOf[v], u.column))
		}
	}
	return rows, nil
}
