package pgrun

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// Configuration is what runs read of what the authors of an environment have set up. It does not change once it is read: a
// process may keep it for as long as its version is that of the environment. Each table that is read for it has the trigger
// configuration_changed, which gives the environment another version in the transaction of every change.
type Configuration struct {
	Version      string
	Integrations []IntegrationRow // active ones, by ascending id
	Layouts      []LayoutRow
	Snippets     map[string]string            // sources by identifier
	Translations map[string]map[string]string // locale → key → text
	Variables    map[string]any               // by name, texts; secret ones are not among them
	Secrets      []SealedVariable
	Pauses       workflow.Pauses // that last
}

// IntegrationRow is an integration that is not deleted, with its credentials and configurations still encrypted. Its breaker
// and its learned rate are no part of the configuration; see Snapshot.ApplyHealth.
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

// LoadConfigurations reads the configurations of environments of the snapshot, in one round trip. What changed since the
// versions were read may be in them: whoever compares versions then reads them again. It must not run in a transaction that
// changes them, in which the version is that from before.
func (w *Snapshot) LoadConfigurations(ctx context.Context, q postgres.Querier, environments []string) error {
	for _, environmentID := range environments {
		e := w.Environments[environmentID]
		e.Configuration = Configuration{Version: e.Version}
	}
	b := &pgx.Batch{}
	w.queueConfigurations(b, environments)
	if err := q.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("load configurations: %w", err)
	}
	return nil
}

// queueConfigurations reads the configurations of environments. It must come after queueEnvironments, so that their versions
// are not newer than they are.
func (w *Snapshot) queueConfigurations(b *pgx.Batch, environments []string) {
	if len(environments) == 0 {
		return
	}
	w.queueIntegrations(b, environments)
	w.queueTranslations(b, environments)
	w.queueVariables(b, environments)
	w.queueLayouts(b, environments)
	w.queueSnippets(b, environments)
	w.queuePauses(b, environments)
}

func (w *Snapshot) queueIntegrations(b *pgx.Batch, environments []string) {
	b.Queue(`SELECT id, environment_id, identifier, provider_id, channel, "primary", conditions, credentials, configurations, updated_at, rate_limit,
	simulation
FROM integrations WHERE environment_id = ANY($1) AND active AND NOT deleted ORDER BY id`, environments).
		Query(func(rows pgx.Rows) error {
			for rows.Next() {
				i := IntegrationRow{Breaker: workflow.BreakerClosed}
				if err := rows.Scan(&i.ID, &i.EnvironmentID, &i.Identifier, &i.ProviderID, &i.Channel, &i.Primary,
					&i.Conditions, &i.Credentials, &i.Configurations, &i.UpdatedAt, &i.RateLimit, &i.Simulation); err != nil {
					return err
				}
				if e := w.Environments[i.EnvironmentID]; e != nil {
					e.Integrations = append(e.Integrations, i)
				}
			}
			return rows.Err()
		})
}

const (
	// healthColumns are what is read of the health of an integration i.
	healthColumns = `i.id, i.environment_id, i.breaker, i.breaker_cause, i.breaker_failures, i.breaker_probe_at, i.learned_rate`
	// unwell is the condition on an integration i that its health says something.
	unwell = `i.active AND NOT i.deleted AND (i.breaker <> 'closed' OR i.breaker_failures > 0 OR i.learned_rate IS NOT NULL)`
)

// queueHealth reads the breakers and learned rates of integrations that have something to say.
func (w *Snapshot) queueHealth(b *pgx.Batch, environments []string) {
	b.Queue(`SELECT `+healthColumns+` FROM integrations i WHERE i.environment_id = ANY($1) AND `+unwell, environments).
		Query(func(rows pgx.Rows) (err error) {
			w.health, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (i IntegrationRow, err error) {
				return i, r.Scan(&i.ID, &i.EnvironmentID, &i.Breaker, &i.BreakerCause, &i.BreakerFailures, &i.ProbeAt, &i.LearnedRate)
			})
			return err
		})
}

// Unwell reports whether the health of an integration of the environment says something.
func (w *Snapshot) Unwell(environmentID string) bool {
	return slices.ContainsFunc(w.health, func(i IntegrationRow) bool { return i.EnvironmentID == environmentID })
}

// ApplyHealth gives the integrations of the snapshot their breakers and learned rates, in a copy of theirs: configurations that
// are kept show all as well.
func (w *Snapshot) ApplyHealth() {
	copied := map[string]bool{}
	for k := range w.health {
		h := &w.health[k]
		e := w.Environments[h.EnvironmentID]
		if e == nil {
			continue
		}
		if !copied[e.ID] {
			copied[e.ID], e.Integrations = true, slices.Clone(e.Integrations)
		}
		for i := range e.Integrations {
			if own := &e.Integrations[i]; own.ID == h.ID {
				own.Breaker, own.BreakerCause, own.BreakerFailures, own.ProbeAt, own.LearnedRate = h.Breaker, h.BreakerCause, h.BreakerFailures, h.ProbeAt, h.LearnedRate
			}
		}
	}
}

func (w *Snapshot) queueTranslations(b *pgx.Batch, environments []string) {
	var id, locale string
	b.Queue(`SELECT environment_id, locale, content FROM translations WHERE environment_id = ANY($1)`, environments).
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

// queueVariables reads the variables of environments.
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

func (w *Snapshot) queueLayouts(b *pgx.Batch, environments []string) {
	var id string
	var layout LayoutRow
	b.Queue(`SELECT environment_id, identifier, content, is_default FROM layouts WHERE environment_id = ANY($1)`, environments).
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

func (w *Snapshot) queueSnippets(b *pgx.Batch, environments []string) {
	var id, identifier, content string
	b.Queue(`SELECT environment_id, identifier, content FROM snippets WHERE environment_id = ANY($1)`, environments).
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

func (w *Snapshot) queuePauses(b *pgx.Batch, environments []string) {
	var environmentID string
	var pause workflow.Pause
	b.Queue(`SELECT environment_id, id, kind, target FROM pauses WHERE environment_id = ANY($1) AND resumed_at IS NULL ORDER BY id`, environments).
		Query(func(rows pgx.Rows) error {
			_, err := pgx.ForEachRow(rows, []any{&environmentID, &pause.ID, &pause.Kind, &pause.Target}, func() error {
				if e := w.Environments[environmentID]; e != nil {
					e.Pauses = append(e.Pauses, pause)
				}
				return nil
			})
			return err
		})
}
