// Package pgmove moves the rows of one organization from one installation (cell) to another, so that at any time at most one of
// them owns it, whenever the move ends early (deploy.md §8.2).
package pgmove

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgbackup"
)

// Staying are the tables whose rows no move takes along, and why. Every other table has an organization or an environment, or
// is named in reached.
var Staying = map[string]string{
	"carillon_installation": "belongs to the installation",
	"carillon_migrations":   "belongs to the installation",
	"log_in_tries":          "counts wrong log-ins by address, for minutes",
	"message_leases":        "name messages that are being sent: a move begins when none is",
	"rate_buckets":          "counts requests, for seconds",
	"sessions":              "a log-in names its cell: people log in anew",
}

// The placeholders of conditions: the organization, and its environments.
const (
	theOrganization = `$1::text`
	itsEnvironments = `ANY($2::text[])`
)

// reached are the conditions on rows t of tables that name neither an organization nor an environment.
var reached = map[string]string{
	"organizations": `t.id = ` + theOrganization,
	"users":         `t.id IN (SELECT m.user_id FROM members m WHERE m.organization_id = ` + theOrganization + `)`,
	"used_tokens":   `t.integration_id IN (SELECT i.id FROM integrations i WHERE i.environment_id = ` + itsEnvironments + `)`,
}

// table is a table of the organization.
type table struct {
	pgbackup.Table
	where string // on rows t
}

func (t table) name() string { return pgx.Identifier{t.Name}.Sanitize() }

// due are the columns by which rows of the table wait to be taken up.
func (t table) due() (columns []string) {
	for _, c := range []string{"due_at", "snoozed_until"} {
		if slices.Contains(t.Columns, c) {
			columns = append(columns, c)
		}
	}
	return columns
}

// owner is the column that names whose a row is, and whether that is an environment; "" when a row reaches it through others.
func (t table) owner() (column string, environment bool) {
	switch {
	case t.Name == "organizations":
		return "id", false
	case slices.Contains(t.Columns, "organization_id"):
		return "organization_id", false
	case slices.Contains(t.Columns, "environment_id"):
		return "environment_id", true
	}
	return "", false
}

// tables are those of organizations, each behind those that it refers to. It fails for a table of which it is not known whose
// its rows are.
func tables(ctx context.Context, tx pgx.Tx) (all []table, err error) {
	stored, err := pgbackup.Tables(ctx, tx)
	if err != nil {
		return nil, err
	}
	for _, s := range stored {
		t := table{Table: s, where: reached[s.Name]}
		switch column, environment := t.owner(); {
		case Staying[s.Name] != "":
			continue
		case t.where != "":
		case column == "":
			return nil, fmt.Errorf("it is not known whose the rows of table %s are: nothing can be moved", s.Name)
		case environment:
			t.where = `t.environment_id = ` + itsEnvironments
		default:
			t.where = `t.organization_id = ` + theOrganization
		}
		all = append(all, t)
	}
	return all, nil
}

// scope is the organization with its environments, as the parameters of conditions.
type scope struct {
	organization string
	environments []string
}

func readScope(ctx context.Context, q postgres.Querier, organization string) (s scope, err error) {
	rows, err := q.Query(ctx, `SELECT id FROM environments WHERE organization_id = $1 ORDER BY id`, organization)
	environments, err := postgres.Collect(rows, err, "list the environments", pgx.RowTo[string])
	return scope{organization: organization, environments: environments}, err
}

// given puts the scope into a condition, for statements without parameters. Ids hold nothing that would have to be quoted
// otherwise.
func (s scope) given(where string) string {
	return strings.NewReplacer(theOrganization, literal(s.organization), itsEnvironments, s.literals()).Replace(where)
}

func (s scope) literals() string {
	quoted := make([]string, len(s.environments))
	for i, id := range s.environments {
		quoted[i] = literal(id)
	}
	return `ANY(ARRAY[` + strings.Join(quoted, ",") + `]::text[])`
}

func literal(text string) string { return `'` + strings.ReplaceAll(text, `'`, `''`) + `'` }
