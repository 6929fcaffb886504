package pgrun

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/workflow"
)

// The functions of the hot path work on slices and serve several environments at once: every row that goes in or comes
// out carries its environment, and joins compare it.

// VersionRow is a published workflow version.
type VersionRow struct {
	ID            string
	EnvironmentID string
	WorkflowID    string
	Number        int
	Severity      workflow.Severity
	Definition    *workflow.Definition
	// Feeds are the internal ids of feeds that the definition names by their identifiers, which only versions published
	// before feeds were resolved do.
	Feeds map[string]string
}

// EnvironmentRow is what all runs of an environment share.
type EnvironmentRow struct {
	ID             string
	OrganizationID string
	DefaultLocale  string
	Configuration
	FrozenAt *time.Time // the instant its own clock has come to; nil: it runs with the real one
}

// TenantRow is a tenant as templates see it.
type TenantRow struct {
	ID         string
	Identifier string
	Name       *string
	Data       map[string]any
}

// ContextRow is a context as templates see it.
type ContextRow struct {
	EnvironmentID string
	Type          string
	Identifier    string
	Data          map[string]any
}

// TenantPreferenceRow is a workflow's override for one tenant.
type TenantPreferenceRow struct {
	TenantID    string
	WorkflowID  string
	Active      bool
	Preferences workflow.ChannelPreferences
}

// SnapshotQuery names what a batch of runs needs to know of its surroundings.
type SnapshotQuery struct {
	Environments []string
	Versions     []string
	Tenants      []string // internal ids
	// ContextEnvironments and ContextKeys are pairs: a context key of an environment.
	ContextEnvironments []string
	ContextKeys         []string
	Subscribers         []pgsubscriber.SubscriberKey
	Personal            PersonalQuery // of subscribers by their own ids, not the internal ones
	Configurations      []string      // environments whose Configuration is wanted
	Virtual             bool          // environments may have clocks of their own
	// Prints are read as well, of the same state of the database as what they stand for: a print of a row that another transaction has
	// changed meanwhile would confirm what was never read, once that is changed back. They are not read within a transaction. nil: none.
	Prints *Prints
	// Also queues what is read in the same round trip; nil: nothing.
	Also func(*pgx.Batch)
}

// Snapshot is the answer to a SnapshotQuery.
type Snapshot struct {
	Environments      map[string]*EnvironmentRow
	Versions          []VersionRow
	Tenants           map[string]TenantRow
	TenantPreferences []TenantPreferenceRow
	Contexts          []ContextRow
	Subscribers       []pgsubscriber.SubscriberRow
	Personal          Personal
	health            []IntegrationRow // of integrations that are not well, without the rest
}

// LoadSnapshot reads what a batch of runs shares, in one round trip. Of the configurations that are not wanted it reads the
// version.
func LoadSnapshot(ctx context.Context, q postgres.Querier, want SnapshotQuery) (*Snapshot, error) {
	w := &Snapshot{Environments: map[string]*EnvironmentRow{}, Tenants: map[string]TenantRow{}}
	b := &pgx.Batch{}
	if want.Prints != nil {
		b.Queue("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
		want.Prints.queue(b)
	}
	w.queueEnvironments(b, want.Environments)
	w.queueConfigurations(b, want.Configurations)
	if want.Virtual {
		w.queueClocks(b, want.Environments)
	}
	if len(want.Versions) > 0 {
		w.queueVersions(b, want.Versions)
	}
	if len(want.Tenants) > 0 {
		w.queueTenants(b, want.Tenants)
	}
	if len(want.ContextKeys) > 0 {
		b.Queue(`SELECT c.environment_id, c.type, c.identifier, c.data
FROM (SELECT DISTINCT env, key FROM unnest($1::text[], $2::text[]) AS u (env, key)) AS u
JOIN contexts c ON c.environment_id = u.env AND c.type = split_part(u.key, ':', 1)
	AND c.identifier = substr(u.key, strpos(u.key, ':') + 1)`, want.ContextEnvironments, want.ContextKeys).
			Query(func(rows pgx.Rows) (err error) {
				w.Contexts, err = pgx.CollectRows(rows, pgx.RowToStructByPos[ContextRow])
				return err
			})
	}
	if len(want.Subscribers) > 0 {
		pgsubscriber.QueueFind(b, want.Subscribers, &w.Subscribers)
	}
	w.Personal.queue(b, &want.Personal, personalByName)
	if want.Also != nil {
		want.Also(b)
	}
	if want.Prints != nil {
		b.Queue("COMMIT")
	}
	if err := q.SendBatch(ctx, b).Close(); err != nil {
		return nil, fmt.Errorf("load the surroundings of runs: %w", err)
	}
	return w, nil
}

func (w *Snapshot) queueVersions(b *pgx.Batch, ids []string) {
	b.Queue(`SELECT v.id, v.environment_id, v.workflow_id, v.number, v.severity, v.definition,
	(SELECT jsonb_object_agg(f.identifier, f.id) FROM feeds f WHERE f.environment_id = v.environment_id AND f.identifier IN (
		SELECT ref #>> '{}' FROM jsonb_path_query(v.definition, '$.steps.**.feedId') AS ref
		WHERE ref #>> '{}' !~ '^[0-9a-f]{24}$'))
FROM workflow_versions v WHERE v.id = ANY($1)`, ids).Query(func(rows pgx.Rows) (err error) {
		w.Versions, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (v VersionRow, err error) {
			return v, r.Scan(&v.ID, &v.EnvironmentID, &v.WorkflowID, &v.Number, &v.Severity, &v.Definition, &v.Feeds)
		})
		return err
	})
}

// environmentsColumns are what is read of an environment e, its configuration aside.
const environmentsColumns = `e.id, e.organization_id, e.default_locale, e.configuration_version`

func (w *Snapshot) queueEnvironments(b *pgx.Batch, ids []string) {
	var id, organization, locale, version string
	b.Queue(`SELECT `+environmentsColumns+` FROM environments e WHERE e.id = ANY($1)`, ids).
		Query(func(rows pgx.Rows) error {
			_, err := pgx.ForEachRow(rows, []any{&id, &organization, &locale, &version}, func() error {
				w.Environments[id] = &EnvironmentRow{ID: id, OrganizationID: organization, DefaultLocale: locale, Configuration: Configuration{Version: version}}
				return nil
			})
			return err
		})
	w.queueHealth(b, ids)
}

func (w *Snapshot) queueTenants(b *pgx.Batch, ids []string) {
	b.Queue(`SELECT id, identifier, name, data FROM tenants WHERE id = ANY($1)`, ids).Query(func(rows pgx.Rows) error {
		list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[TenantRow])
		for _, t := range list {
			w.Tenants[t.ID] = t
		}
		return err
	})
	b.Queue(`SELECT tenant_id, workflow_id, active, preferences FROM tenant_workflows WHERE tenant_id = ANY($1)`, ids).
		Query(func(rows pgx.Rows) (err error) {
			w.TenantPreferences, err = pgx.CollectRows(rows, pgx.RowToStructByPos[TenantPreferenceRow])
			return err
		})
}

// queueClocks reads where the frozen clocks of the wanted environments have come to.
func (w *Snapshot) queueClocks(b *pgx.Batch, ids []string) {
	var id string
	var at time.Time
	b.Queue(`SELECT id, at FROM `+pgdue.FrozenClocks+` c WHERE id = ANY($1)`, ids).Query(func(rows pgx.Rows) error {
		_, err := pgx.ForEachRow(rows, []any{&id, &at}, func() error {
			if e := w.Environments[id]; e != nil {
				e.FrozenAt = new(at)
			}
			return nil
		})
		return err
	})
}
