package pgrun

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/plan"
)

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

// Of returns what of it belongs to a subscriber by its internal id, as far as the key asks for it.
func (p *Personal) Of(subscriberID string, key *PersonKey) (own Personal) {
	for _, row := range p.Preferences {
		if key.Preferences && row.SubscriberID == subscriberID && row.Scope == key.Scope && (row.WorkflowID == "" || row.WorkflowID == key.WorkflowID) {
			own.Preferences = append(own.Preferences, row)
		}
	}
	for _, row := range p.Settings {
		if key.Settings && row.SubscriberID == subscriberID {
			own.Settings = append(own.Settings, row)
		}
	}
	for _, row := range p.Endpoints {
		if key.Endpoints && row.SubscriberID == subscriberID && row.Scope == key.Scope {
			own.Endpoints = append(own.Endpoints, row)
		}
	}
	return own
}

// How the subscribers of a PersonalQuery are named: rows u of their environments, internal ids, scopes and workflows.
const (
	personalByID   = `unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS u (env, sub, scope, wf)`
	personalByName = `(SELECT n.env, s.id AS sub, n.scope, n.wf FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS n (env, sub, scope, wf)
	JOIN subscribers s ON s.environment_id = n.env AND s.subscriber_id = n.sub AND NOT s.deleted) AS u`
)

// What is read of a preference p, a setting c and an endpoint e.
const (
	preferenceColumns = `p.subscriber_id, p.scope, p.workflow_id, p.enabled, p.channels`
	settingColumns    = `c.subscriber_id, c.id, c.provider_id, coalesce(c.integration_id, ''), c.integration_identifier, c.credentials, c.registered`
	endpointColumns   = `e.subscriber_id, e.scope, e.identifier, e.integration_id, coalesce(e.connection_id, ''), e.type, e.endpoint`
)

// LoadPersonal reads what belongs to single subscribers, in one round trip; none when nothing is wanted.
func LoadPersonal(ctx context.Context, q postgres.Querier, want PersonalQuery) (*Personal, error) {
	p := &Personal{}
	b := &pgx.Batch{}
	p.queue(b, &want, personalByID)
	if b.Len() == 0 {
		return p, nil
	}
	if err := q.SendBatch(ctx, b).Close(); err != nil {
		return nil, fmt.Errorf("load what belongs to subscribers: %w", err)
	}
	return p, nil
}

// queue queues the statements that answer want, whose subscribers are named as one of personalByID and personalByName says.
func (p *Personal) queue(b *pgx.Batch, want *PersonalQuery, named string) {
	if len(want.Subscribers) == 0 {
		return
	}
	args := []any{want.Environments, want.Subscribers, want.Scopes, want.Workflows}
	if want.Preferences {
		b.Queue(`SELECT `+preferenceColumns+`
FROM (SELECT DISTINCT env, sub, scope, wf FROM `+named+`) AS u
JOIN preferences p ON p.environment_id = u.env AND p.subscriber_id = u.sub AND p.scope = u.scope AND p.workflow_id IN ('', u.wf)`,
			args...).Query(func(rows pgx.Rows) (err error) {
			p.Preferences, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (row PreferenceRow, err error) {
				return row, r.Scan(&row.SubscriberID, &row.Scope, &row.WorkflowID, &row.Enabled, &row.Channels)
			})
			return err
		})
	}
	if want.Settings {
		b.Queue(`SELECT `+settingColumns+`
FROM (SELECT DISTINCT env, sub FROM `+named+`) AS u
JOIN subscriber_channels c ON c.environment_id = u.env AND c.subscriber_id = u.sub ORDER BY c.id`,
			args...).Query(func(rows pgx.Rows) (err error) {
			p.Settings, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (row SettingRow, err error) {
				return row, r.Scan(&row.SubscriberID, &row.ID, &row.ProviderID, &row.IntegrationID, &row.IntegrationIdentifier, &row.Credentials, &row.Registered)
			})
			return err
		})
	}
	if want.Endpoints {
		b.Queue(`SELECT `+endpointColumns+`
FROM (SELECT DISTINCT env, sub, scope FROM `+named+`) AS u
JOIN channel_endpoints e ON e.environment_id = u.env AND e.subscriber_id = u.sub AND e.scope = u.scope ORDER BY e.id`,
			args...).Query(func(rows pgx.Rows) (err error) {
			p.Endpoints, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (row EndpointRow, err error) {
				return row, r.Scan(&row.SubscriberID, &row.Scope, &row.Identifier, &row.IntegrationID, &row.ConnectionID, &row.Type, &row.Data)
			})
			return err
		})
	}
}
