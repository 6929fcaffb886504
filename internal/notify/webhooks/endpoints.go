// Package webhooks owns the use cases of outgoing webhooks: endpoints with their secrets, and deliveries.
package webhooks

import (
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/webhookendpoint"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgwebhook"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/calendar"
)

// Services are the use cases of this package.
type Services struct {
	WebhookEndpoints  *Endpoints
	WebhookDeliveries *Deliveries
}

// New builds the use cases.
func New(b usecase.Deps, cfg usecase.Config) Services {
	endpoints := &Endpoints{b, cfg.Secrets}
	return Services{WebhookEndpoints: endpoints, WebhookDeliveries: &Deliveries{b, endpoints}}
}

// Endpoints are the use cases of webhook endpoints.
type Endpoints struct {
	usecase.Deps
	secrets *secret.Keeper
}

// Bounds of endpoints: every event of an environment is held against all of its endpoints.
const (
	MaxEndpoints    = 20
	maxURL          = 2048 // bytes
	maxDescription  = 200  // characters
	maxWorkflows    = 100
	maxOverlap      = 7 * 24 * time.Hour
	maxWorkflowName = 255 // bytes
)

// WebhookEndpointEdge is one endpoint of a page.
type WebhookEndpointEdge = usecase.Edge[ent.WebhookEndpoint]

// WebhookEndpointConnection is a page of endpoints.
type WebhookEndpointConnection = usecase.Connection[ent.WebhookEndpoint]

// WebhookEndpointFilter narrows a list of endpoints; the fields that are set combine with AND.
type WebhookEndpointFilter struct {
	Active        *bool
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *WebhookEndpointFilter) predicates() (ps []predicate.WebhookEndpoint) {
	if f == nil {
		return nil
	}
	ps = usecase.WithFilter(ps, f.Active, webhookendpoint.ActiveEQ)
	ps = usecase.WithFilter(ps, f.CreatedAfter, webhookendpoint.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, webhookendpoint.CreatedAtLT)
}

// List is a page of endpoints.
func (e *Endpoints) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *WebhookEndpointFilter) (*WebhookEndpointConnection, error) {
	return usecase.Read(ctx, e.Deps, usecase.ReadIntegrations, func(ctx context.Context, db *ent.Client) (*WebhookEndpointConnection, error) {
		return usecase.Paginate(ctx, db.WebhookEndpoint.Query(), filter.predicates(), page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one endpoint by its global or internal id.
func (e *Endpoints) Get(ctx context.Context, globalID string) (*ent.WebhookEndpoint, error) {
	recordID, err := usecase.RecordID("WebhookEndpoint", globalID)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, e.Deps, usecase.ReadIntegrations, func(ctx context.Context, db *ent.Client) (*ent.WebhookEndpoint, error) {
		found, err := db.WebhookEndpoint.Get(ctx, recordID)
		return found, usecase.NotFound(err, "Webhook endpoint %s was not found.", globalID)
	})
}

// CreateWebhookEndpointInput describes a new endpoint.
type CreateWebhookEndpointInput struct {
	URL         string
	Description *string
	EventTypes  []workflow.WebhookEventType
	Workflows   []string
	Channels    []workflow.Channel
	Ordered     *bool
}

// CreateWebhookEndpointPayload is a new endpoint with its secret, which is shown this once.
type CreateWebhookEndpointPayload struct {
	WebhookEndpoint *ent.WebhookEndpoint
	Secret          string
}

// Create makes an endpoint.
func (e *Endpoints) Create(ctx context.Context, in CreateWebhookEndpointInput) (*CreateWebhookEndpointPayload, error) {
	if err := check(&in.URL, in.Description, in.Workflows); err != nil {
		return nil, err
	}
	return usecase.Write(ctx, e.Deps, usecase.WriteIntegrations, func(ctx context.Context, db *ent.Client) (*CreateWebhookEndpointPayload, error) {
		full := fault.BadRequestf("TOO_MANY_WEBHOOK_ENDPOINTS", "An environment has at most %d webhook endpoints.", MaxEndpoints)
		if err := usecase.CheckRoom(ctx, webhookendpoint.Table, MaxEndpoints, db.WebhookEndpoint.Query().Count, full); err != nil {
			return nil, err
		}
		create := db.WebhookEndpoint.Create().SetID(e.NewID()).SetURL(in.URL).SetNillableDescription(in.Description).SetNillableOrdered(in.Ordered).
			SetEventTypes(distinct(in.EventTypes)).SetWorkflows(distinct(in.Workflows)).SetChannels(distinct(in.Channels))
		recordID, _ := create.Mutation().ID()
		plain, sealed, err := e.newSecret(recordID)
		if err != nil {
			return nil, err
		}
		created, err := create.SetSecret(sealed).Save(ctx)
		if err != nil {
			return nil, err
		}
		return &CreateWebhookEndpointPayload{created, plain}, usecase.Audit(ctx, db, "create", created, map[string]any{
			"url": in.URL, "eventTypes": created.EventTypes, "workflows": created.Workflows, "channels": created.Channels, "ordered": created.Ordered,
		})
	})
}

func (e *Endpoints) newSecret(recordID string) (plain string, sealed []byte, err error) {
	plain = provider.NewWebhookSecret()
	sealed, err = provider.SealWebhookSecret(e.secrets, recordID, plain)
	return plain, sealed, err
}

// UpdateWebhookEndpointInput changes an endpoint; fields that are nil stay.
type UpdateWebhookEndpointInput struct {
	ID          string
	URL         *string
	Description *string
	EventTypes  []workflow.WebhookEventType
	Workflows   []string
	Channels    []workflow.Channel
	Ordered     *bool
	Active      *bool
}

// Update changes an endpoint. One that was deactivated after failures starts anew when it is activated.
func (e *Endpoints) Update(ctx context.Context, in UpdateWebhookEndpointInput) (*ent.WebhookEndpoint, error) {
	if err := check(in.URL, in.Description, in.Workflows); err != nil {
		return nil, err
	}
	return e.change(ctx, in.ID, func(ctx context.Context, db *ent.Client, found *ent.WebhookEndpoint) (*ent.WebhookEndpoint, error) {
		change, changes := found.Update(), map[string]any{}
		usecase.SetIf(changes, "url", in.URL, change.SetURL)
		usecase.SetIf(changes, "description", in.Description, change.SetDescription)
		usecase.SetIf(changes, "ordered", in.Ordered, change.SetOrdered)
		usecase.SetIf(changes, "active", in.Active, change.SetActive)
		if in.EventTypes != nil {
			change.SetEventTypes(distinct(in.EventTypes))
			changes["eventTypes"] = in.EventTypes
		}
		if in.Workflows != nil {
			change.SetWorkflows(distinct(in.Workflows))
			changes["workflows"] = in.Workflows
		}
		if in.Channels != nil {
			change.SetChannels(distinct(in.Channels))
			changes["channels"] = in.Channels
		}
		if in.Active != nil && *in.Active {
			change.ClearDisabledAt().ClearDisabledReason().ClearFailingSince()
		}
		updated, err := change.Save(ctx)
		if err == nil && found.Ordered && !updated.Ordered {
			err = pgwebhook.Unchain(ctx, e.Reader(ctx), found.ID)
		}
		if err != nil {
			return nil, err
		}
		return updated, usecase.Audit(ctx, db, "update", updated, changes)
	})
}

// change runs fn on an endpoint of the viewer's environment, in one transaction.
func (e *Endpoints) change(ctx context.Context, globalID string, fn func(context.Context, *ent.Client, *ent.WebhookEndpoint) (*ent.WebhookEndpoint, error)) (*ent.WebhookEndpoint, error) {
	return usecase.Write(ctx, e.Deps, usecase.WriteIntegrations, func(ctx context.Context, db *ent.Client) (*ent.WebhookEndpoint, error) {
		found, err := e.Get(ctx, globalID)
		if err != nil {
			return nil, err
		}
		found, err = db.WebhookEndpoint.Query().Where(webhookendpoint.ID(found.ID)).ForUpdate().Only(ctx) // of two rotations the second follows the first
		if err != nil {
			return nil, usecase.NotFound(err, "Webhook endpoint %s was not found.", globalID)
		}
		return fn(ctx, db, found)
	})
}

// Delete removes an endpoint. Its deliveries stay until their retention ends; those that wait fail when they are due.
func (e *Endpoints) Delete(ctx context.Context, globalID string) (*ent.WebhookEndpoint, error) {
	return e.change(ctx, globalID, func(ctx context.Context, db *ent.Client, found *ent.WebhookEndpoint) (*ent.WebhookEndpoint, error) {
		if err := db.WebhookEndpoint.DeleteOne(found).Exec(ctx); err != nil {
			return nil, err
		}
		return found, usecase.Audit(ctx, db, "delete", found, map[string]any{"url": found.URL})
	})
}

// RotateWebhookSecretInput names an endpoint, and for how long its present secret signs as well.
type RotateWebhookSecretInput struct {
	ID      string
	Overlap *string // an ISO 8601 duration; nil: P1D
}

// RotateWebhookSecretPayload is an endpoint with its new secret, which is shown this once.
type RotateWebhookSecretPayload struct {
	WebhookEndpoint *ent.WebhookEndpoint
	Secret          string
}

// Rotate gives an endpoint another secret. Until the overlap ends each delivery has a signature under both.
func (e *Endpoints) Rotate(ctx context.Context, in RotateWebhookSecretInput) (*RotateWebhookSecretPayload, error) {
	now, overlap := e.Stamp(), "P1D"
	if in.Overlap != nil {
		overlap = *in.Overlap
	}
	period, err := calendar.ParsePeriod(overlap)
	if err != nil {
		return nil, fault.Invalidf("overlap", "%s", err.Error())
	}
	end := period.After(now).UTC()
	if end.Sub(now) > maxOverlap {
		return nil, fault.Invalidf("overlap", "must be at most P7D")
	}
	var plain string
	rotated, err := e.change(ctx, in.ID, func(ctx context.Context, db *ent.Client, found *ent.WebhookEndpoint) (*ent.WebhookEndpoint, error) {
		var sealed []byte
		var err error
		if plain, sealed, err = e.newSecret(found.ID); err != nil {
			return nil, err
		}
		change := found.Update().SetSecret(sealed).SetPreviousSecret(found.Secret).SetPreviousSecretUntil(end)
		if !end.After(now) {
			change.ClearPreviousSecret().ClearPreviousSecretUntil()
		}
		rotated, err := change.Save(ctx)
		if err != nil {
			return nil, err
		}
		return rotated, usecase.Audit(ctx, db, "rotate", rotated, map[string]any{"url": found.URL, "previousSecretUntil": end})
	})
	if err != nil {
		return nil, err
	}
	return &RotateWebhookSecretPayload{rotated, plain}, nil
}

// check returns the faults of an endpoint. Where its URL leads is checked when it is called.
func check(address, description *string, workflows []string) error {
	problems := fault.Problems{}
	if address != nil {
		u, err := provider.CheckURL(*address)
		switch {
		case len(*address) > maxURL:
			problems.Add("url", nil, "must be at most %d bytes long", maxURL)
		case err != nil || u.Fragment != "":
			problems.Add("url", *address, "must be a URL of http or https with a host, without user, password and fragment")
		}
	}
	if description != nil && (utf8.RuneCountInString(*description) > maxDescription) {
		problems.Add("description", nil, "must be at most %d characters long", maxDescription)
	}
	if len(workflows) > maxWorkflows {
		problems.Add("workflows", nil, "must be at most %d", maxWorkflows)
	}
	for _, identifier := range workflows[:min(len(workflows), maxWorkflows)] {
		if identifier == "" || len(identifier) > maxWorkflowName {
			problems.Add("workflows", nil, "must be identifiers of 1 to %d bytes", maxWorkflowName)
			break
		}
	}
	return problems.Err()
}

// distinct is a list without repetitions, in order; never nil.
func distinct[T ~string](list []T) []T {
	out := append([]T{}, list...)
	slices.Sort(out)
	return slices.Compact(out)
}
