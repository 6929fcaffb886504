package pgmove

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgbackup"
)

// kept are the tables by whose rows a cell answers for an organization that has moved: with 401 by its keys, and by passing on
// what vendors report to its integrations.
var kept = []string{"organizations", "environments", "api_keys", "organization_keys", "integrations"}

// emptied takes from integrations all but whose they are. It comes before anything is deleted: a report that is checked with
// half of what its integration needs would be refused for good.
const emptied = `UPDATE integrations t SET active = false, "primary" = false, credentials = NULL, configurations = NULL, conditions = NULL,
	simulation = NULL, breaker_cause = NULL
WHERE (active OR "primary" OR num_nonnulls(credentials, configurations, conditions, simulation, breaker_cause) > 0) AND t.environment_id = ` + itsEnvironments

// clearRows deletes the rows of an organization that has moved, but for those by which the cell says so.
func clearRows(ctx context.Context, db *postgres.DB, all []table, s scope) error {
	if _, err := inBatches(ctx, db, emptied, s); err != nil {
		return fmt.Errorf("empty the integrations: %w", err)
	}
	last := slices.Clone(all)
	slices.Reverse(last)
	// Those that are found through others, first.
	slices.SortStableFunc(last, func(a, b table) int { return len(reached[b.Name]) - len(reached[a.Name]) })
	last = append(last, table{Table: pgbackup.Table{Name: "sessions"}, where: `t.environment_id = ` + itsEnvironments})
	for _, t := range last {
		if slices.Contains(kept, t.Name) {
			continue
		}
		where := t.where
		if t.Name == "users" { // who is a member elsewhere stays
			where += ` AND NOT EXISTS (SELECT FROM members m WHERE m.user_id = t.id AND m.organization_id <> ` + theOrganization + `)`
		}
		_, err := inBatches(ctx, db, `DELETE FROM `+t.name()+` t WHERE t.ctid = ANY(ARRAY(SELECT t.ctid FROM `+t.name()+` t WHERE `+where+
			` LIMIT `+fmt.Sprint(batch)+`))`, s)
		if err != nil {
			return fmt.Errorf("delete %s: %w", t.Name, err)
		}
	}
	return nil
}

// remove deletes everything that a cell has of an organization that it does not own.
func remove(ctx context.Context, db *postgres.DB, all []table, organization string) error {
	s, err := readScope(ctx, db.Pool, organization)
	if err != nil {
		return postgres.Translate(err)
	}
	if err := clearRows(ctx, db, all, s); err != nil {
		return err
	}
	err = inMove(ctx, db, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `DELETE FROM organizations WHERE id = $1 AND move IN ('moved', 'arriving')`, organization)
		return err
	})
	if err != nil {
		return err
	}
	return fence(ctx, db, "")
}

// KeyHashes are the hashes of the organization's keys, in hexadecimal digits: by them a proxy finds the cell of keys that were
// made elsewhere.
func KeyHashes(ctx context.Context, db *postgres.DB, organization string) ([]string, error) {
	rows, err := db.Pool.Query(ctx, `SELECT encode(k.hash, 'hex') FROM api_keys k JOIN environments e ON e.id = k.environment_id
WHERE e.organization_id = $1 AND k.revoked_at IS NULL
UNION ALL SELECT encode(hash, 'hex') FROM organization_keys WHERE organization_id = $1 AND revoked_at IS NULL ORDER BY 1`, organization)
	hashes, err := postgres.Collect(rows, err, "list the keys", pgx.RowTo[string])
	return hashes, postgres.Translate(err)
}
