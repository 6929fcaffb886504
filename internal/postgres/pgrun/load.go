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
	"github.com/carillon/carillon/internal/workflow/plan"
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

// IntegrationRow is an integration that is not deleted, with its credentials and configurations still encrypted.
type IntegrationRow struct {
	plan.Integration
	EnvironmentID   string
	Credentials     []byte
	Configurations  []byte
	UpdatedAt       time.Time
	Breaker         workflow.BreakerState
	BreakerCause    *string
	BreakerFailures int
	ProbeAt         *time.Time // by the environment's clock, from when on one call may probe whether it is well again
	RateLimit       *float64   // calls per second
	LearnedRate     *float64
	Simulation      *workflow.Simulation // nil: the provider itself is called
}

// EnvironmentRow is what all runs of an environment share.
type EnvironmentRow struct {
	ID             string
	OrganizationID string
	DefaultLocale  string
	Integrations   []IntegrationRow // active ones, by ascending id
	Layouts        []LayoutRow
	Snippets       map[string]string            // sources by identifier
	Translations   map[string]map[string]string // locale → key → text
	Variables      map[string]any               // by name, texts; secret ones are not among them
	Secrets        []SealedVariable
	FrozenAt       *time.Time // the instant its own clock has come to; nil: it runs with the real one
}

// SealedVariable is a secret variable of an environment, still encrypted.
type SealedVariable struct {
	ID     string
	Name   string
	Sealed []byte
}

// LayoutRow is a layout of an environment.
type LayoutRow struct {
	Identifier string
	Content    string
	Default    bool
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
	Layouts             bool // of the environments; only e-mails have one
	Snippets            bool // of the environments
	Virtual             bool // environments may have clocks of their own
}

// Snapshot is the answer to a SnapshotQuery.
type Snapshot struct {
	Environments      map[string]*EnvironmentRow
	Versions          []VersionRow
	Tenants           map[string]TenantRow
	TenantPreferences []TenantPreferenceRow
	Contexts          []ContextRow
	Subscribers       []pgsubscriber.SubscriberRow
}

// LoadSnapshot reads what a batch of runs shares, in one round trip.
func LoadSnapshot(ctx context.Context, q postgres.Querier, want SnapshotQuery) (*Snapshot, error) {
	w := &Snapshot{Environments: map[string]*EnvironmentRow{}, Tenants: map[string]TenantRow{}}
	b := &pgx.Batch{}
	w.queueEnvironments(b, want.Environments)
	w.queueVariables(b, want.Environments)
	if want.Layouts {
		w.queueLayouts(b, want.Environments)
	}
	if want.Snippets {
		w.queueSnippets(b, want.Environments)
	}
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

func (w *Snapshot) queueEnvironments(b *pgx.Batch, ids []string) {
	var id, organization, locale string
	b.Queue(`SELECT id, organization_id, default_locale FROM environments WHERE id = ANY($1)`, ids).
		Query(func(rows pgx.Rows) error {
			_, err := pgx.ForEachRow(rows, []any{&id, &organization, &locale}, func() error {
				w.Environments[id] = &EnvironmentRow{ID: id, OrganizationID: organization, DefaultLocale: locale}
				return nil
			})
			return err
		})
	b.Queue(`SELECT id, environment_id, identifier, provider_id, channel, "primary", conditions, credentials, configurations, updated_at,
	breaker, breaker_cause, breaker_failures, breaker_probe_at, rate_limit, learned_rate, simulation
FROM integrations WHERE environment_id = ANY($1) AND active AND NOT deleted ORDER BY id`, ids).
		Query(func(rows pgx.Rows) error {
			for rows.Next() {
				var i IntegrationRow
				if err := rows.Scan(&i.ID, &i.EnvironmentID, &i.Identifier, &i.ProviderID, &i.Channel, &i.Primary,
					&i.Conditions, &i.Credentials, &i.Configurations, &i.UpdatedAt, &i.Breaker, &i.BreakerCause, &i.BreakerFailures, &i.ProbeAt,
					&i.RateLimit, &i.LearnedRate, &i.Simulation); err != nil {
					return err
				}
				if e := w.Environments[i.EnvironmentID]; e != nil {
					e.Integrations = append(e.Integrations, i)
				}
			}
			return rows.Err()
		})
	b.Queue(`SELECT environment_id, locale, content FROM translations WHERE environment_id = ANY($1)`, ids).
		Query(func(rows pgx.Rows) error {
			for rows.Next() {
				var texts map[string]string
				if err := rows.Scan(&id, &locale, &texts); err != nil {
					return err
				}
				if e := w.Environments[id]; e != nil {
					if e.Translations == nil {
						e.Translations = map[string]map[string]string{}
					}
					e.Translations[locale] = texts
				}
			}
			return rows.Err()
		})
}

// queueVariables reads the variables of environments. It must come after queueEnvironments.
func (w *Snapshot) queueVariables(b *pgx.Batch, environments []string) {
	var environmentID string
	var variable SealedVariable
	var value *string
	b.Queue(`SELECT environment_id, id, name, value, sealed FROM variables WHERE environment_id = ANY($1)`, environments).
		Query(func(rows pgx.Rows) error {
			_, err := pgx.ForEachRow(rows, []any{&environmentID, &variable.ID, &variable.Name, &value, &variable.Sealed}, func() error {
				e := w.Environments[environmentID]
				switch {
				case e == nil:
				case value == nil:
					e.Secrets = append(e.Secrets, variable)
				case e.Variables == nil:
					e.Variables = map[string]any{variable.Name: *value}
				default:
					e.Variables[variable.Name] = *value
				}
				return nil
			})
			return err
		})
}

func (w *Snapshot) queueLayouts(b *pgx.Batch, ids []string) {
	var id string
	var layout LayoutRow
	b.Queue(`SELECT environment_id, identifier, content, is_default FROM layouts WHERE environment_id = ANY($1)`, ids).
		Query(func(rows pgx.Rows) error {
			_, err := pgx.ForEachRow(rows, []any{&id, &layout.Identifier, &layout.Content, &layout.Default}, func() error {
				if e := w.Environments[id]; e != nil {
					e.Layouts = append(e.Layouts, layout)
				}
				return nil
			})
			return err
		})
}

func (w *Snapshot) queueSnippets(b *pgx.Batch, ids []string) {
	var id, identifier, content string
	b.Queue(`SELECT environment_id, identifier, content FROM snippets WHERE environment_id = ANY($1)`, ids).
		Query(func(rows pgx.Rows) error {
			_, err := pgx.ForEachRow(rows, []any{&id, &identifier, &content}, func() error {
				e := w.Environments[id]
				if e == nil {
					return nil
				}
				if e.Snippets == nil {
					e.Snippets = map[string]string{}
				}
				e.Snippets[identifier] = content
				return nil
			})
			return err
		})
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

// PersonalQuery names subscribers with what is wanted of them; the first four are parallel.
type PersonalQuery struct {
	Environments []string
	Subscribers  []string // internal ids
	Scopes       []string
	Workflows    []string
	Preferences  bool
	Settings     bool // channel settings: push and chat
	Endpoints    bool // channel endpoints in exactly the scope: chat
}

// PreferenceRow is a stored preference. WorkflowID is empty for the global one.
type PreferenceRow struct {
	SubscriberID string
	Scope        string
	WorkflowID   string
	workflow.PreferenceLevel
}

// SettingRow is a subscriber's channel setting.
type SettingRow struct {
	SubscriberID string
	plan.ChannelSetting
}

// EndpointRow is a subscriber's channel endpoint.
type EndpointRow struct {
	SubscriberID string
	Scope        string
	plan.Endpoint
}

// Personal is the answer to a PersonalQuery.
type Personal struct {
	Preferences []PreferenceRow
	Settings    []SettingRow
	Endpoints   []EndpointRow
}

// LoadPersonal reads what belongs to single subscribers, in one round trip; none when nothing is wanted.
func LoadPersonal(ctx context.Context, q postgres.Querier, want PersonalQuery) (*Personal, error) {
	p := &Personal{}
	b := &pgx.Batch{}
	if want.Preferences {
		b.Queue(`SELECT p.subscriber_id, p.scope, p.workflow_id, p.enabled, p.channels
FROM (SELECT DISTINCT env, sub, scope, wf FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS u (env, sub, scope, wf)) AS u
JOIN preferences p ON p.environment_id = u.env AND p.subscriber_id = u.sub AND p.scope = u.scope AND p.workflow_id IN ('', u.wf)`,
			want.Environments, want.Subscribers, want.Scopes, want.Workflows).Query(func(rows pgx.Rows) (err error) {
			p.Preferences, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (row PreferenceRow, err error) {
				return row, r.Scan(&row.SubscriberID, &row.Scope, &row.WorkflowID, &row.Enabled, &row.Channels)
			})
			return err
		})
	}
	if want.Settings {
		b.Queue(`SELECT c.subscriber_id, c.id, c.provider_id, coalesce(c.integration_id, ''), c.integration_identifier, c.credentials, c.registered
FROM (SELECT DISTINCT env, sub FROM unnest($1::text[], $2::text[]) AS u (env, sub)) AS u
JOIN subscriber_channels c ON c.environment_id = u.env AND c.subscriber_id = u.sub ORDER BY c.id`,
			want.Environments, want.Subscribers).Query(func(rows pgx.Rows) (err error) {
			p.Settings, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (row SettingRow, err error) {
				return row, r.Scan(&row.SubscriberID, &row.ID, &row.ProviderID, &row.IntegrationID, &row.IntegrationIdentifier, &row.Credentials, &row.Registered)
			})
			return err
		})
	}
	if want.Endpoints {
		b.Queue(`SELECT e.subscriber_id, e.scope, e.identifier, e.integration_id, coalesce(e.connection_id, ''), e.type, e.endpoint
FROM (SELECT DISTINCT env, sub, scope FROM unnest($1::text[], $2::text[], $3::text[]) AS u (env, sub, scope)) AS u
JOIN channel_endpoints e ON e.environment_id = u.env AND e.subscriber_id = u.sub AND e.scope = u.scope ORDER BY e.id`,
			want.Environments, want.Subscribers, want.Scopes).Query(func(rows pgx.Rows) (err error) {
			p.Endpoints, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (row EndpointRow, err error) {
				return row, r.Scan(&row.SubscriberID, &row.Scope, &row.Identifier, &row.IntegrationID, &row.ConnectionID, &row.Type, &row.Data)
			})
			return err
		})
	}
	if b.Len() == 0 {
		return p, nil
	}
	if err := q.SendBatch(ctx, b).Close(); err != nil {
		return nil, fmt.Errorf("load what belongs to subscribers: %w", err)
	}
	return p, nil
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
