package webhooks

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/webhookdelivery"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgwebhook"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// Deliveries are the use cases of deliveries to webhook endpoints.
type Deliveries struct {
	usecase.Deps
	endpoints *Endpoints
}

// maxReplay is how many deliveries one call sends again.
const maxReplay = 10_000

// WebhookDeliveryConnection is a page of deliveries.
type WebhookDeliveryConnection = usecase.Connection[ent.WebhookDelivery]

// WebhookDeliveryEdge is one delivery of a page.
type WebhookDeliveryEdge = usecase.Edge[ent.WebhookDelivery]

// WebhookDeliveryFilter narrows a list of deliveries; the fields that are set combine with AND.
type WebhookDeliveryFilter struct {
	EndpointID    *string // global or internal id
	StatusIn      []workflow.WebhookDeliveryStatus
	EventTypeIn   []workflow.WebhookEventType
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *WebhookDeliveryFilter) predicates() (ps []predicate.WebhookDelivery, values usecase.Values) {
	if f == nil {
		return nil, values
	}
	if f.EndpointID != nil {
		ps = append(ps, webhookdelivery.EndpointIDIn(usecase.PlainIDs("WebhookEndpoint", []string{*f.EndpointID})...))
	}
	if f.StatusIn != nil {
		ps = append(ps, webhookdelivery.StatusIn(f.StatusIn...))
	}
	if f.EventTypeIn != nil {
		ps = append(ps, webhookdelivery.EventTypeIn(f.EventTypeIn...))
	}
	return usecase.Created(ps, &values, f.CreatedAfter, f.CreatedBefore, 0), values
}

// List is a page of deliveries.
func (d *Deliveries) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *WebhookDeliveryFilter) (*WebhookDeliveryConnection, error) {
	return usecase.Read(ctx, d.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (*WebhookDeliveryConnection, error) {
		ps, values := filter.predicates()
		return usecase.Paginate(ctx, db.WebhookDelivery.Query(), ps, page, d.Newest(order, values))
	})
}

// Get is one delivery by its global or internal id.
func (d *Deliveries) Get(ctx context.Context, globalID string) (*ent.WebhookDelivery, error) {
	recordID, err := usecase.RecordID("WebhookDelivery", globalID)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, d.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (*ent.WebhookDelivery, error) {
		found, err := db.WebhookDelivery.Get(ctx, recordID)
		return found, usecase.NotFound(err, "Webhook delivery %s was not found.", globalID)
	})
}

// Ping sends an event of type ping to an active endpoint.
func (d *Deliveries) Ping(ctx context.Context, endpointID string) (*ent.WebhookDelivery, error) {
	return usecase.Write(ctx, d.Deps, usecase.WriteIntegrations, func(ctx context.Context, db *ent.Client) (*ent.WebhookDelivery, error) {
		endpoint, err := d.activeEndpoint(ctx, endpointID)
		if err != nil {
			return nil, err
		}
		made, err := pgwebhook.Ping(ctx, d.Reader(ctx), scopeOf(ctx), endpoint.ID)
		if err != nil {
			return nil, err
		}
		delivery, err := db.WebhookDelivery.Get(ctx, made)
		if err != nil {
			return nil, err
		}
		return delivery, usecase.Audit(ctx, db, "ping", endpoint, nil)
	})
}

// activeEndpoint is an endpoint to which deliveries are made.
func (d *Deliveries) activeEndpoint(ctx context.Context, globalID string) (*ent.WebhookEndpoint, error) {
	found, err := d.endpoints.Get(ctx, globalID)
	if err == nil && !found.Active {
		return nil, fault.Conflictf("WEBHOOK_ENDPOINT_INACTIVE", "The webhook endpoint is not active; activate it first.")
	}
	return found, err
}

// Replay sends a delivery again that succeeded or failed.
func (d *Deliveries) Replay(ctx context.Context, globalID string) (*ent.WebhookDelivery, error) {
	recordID, err := usecase.RecordID("WebhookDelivery", globalID)
	if err != nil {
		return nil, err
	}
	return usecase.Write(ctx, d.Deps, usecase.WriteIntegrations, func(ctx context.Context, db *ent.Client) (*ent.WebhookDelivery, error) {
		found, err := db.WebhookDelivery.Get(ctx, recordID)
		if err != nil {
			return nil, usecase.NotFound(err, "Webhook delivery %s was not found.", globalID)
		}
		if _, err := d.activeEndpoint(ctx, found.EndpointID); err != nil {
			return nil, err
		}
		switch n, err := pgwebhook.Again(ctx, d.Reader(ctx), scopeOf(ctx), pgwebhook.Replay{EndpointID: found.EndpointID, ID: found.ID}, 1); {
		case err != nil:
			return nil, err
		case n == 0:
			return nil, fault.Conflictf("WEBHOOK_DELIVERY_PENDING", "The delivery is still under way.")
		}
		replayed, err := db.WebhookDelivery.Get(ctx, found.ID)
		if err != nil {
			return nil, err
		}
		return replayed, usecase.Audit(ctx, db, "replay", replayed, nil)
	})
}

// ReplayWebhookDeliveriesInput says which deliveries of an endpoint are sent again.
type ReplayWebhookDeliveriesInput struct {
	EndpointID string
	FailedOnly *bool // nil: true
	From, To   *time.Time
}

// ReplayWebhookDeliveriesPayload says how many deliveries are sent again, and whether there are more.
type ReplayWebhookDeliveriesPayload struct {
	Count int
	More  bool
}

// ReplayMany sends deliveries of an endpoint again, the oldest first.
func (d *Deliveries) ReplayMany(ctx context.Context, in ReplayWebhookDeliveriesInput) (*ReplayWebhookDeliveriesPayload, error) {
	r := pgwebhook.Replay{FailedOnly: in.FailedOnly == nil || *in.FailedOnly}
	if in.From != nil {
		r.From = *in.From
	}
	if in.To != nil {
		r.To = *in.To
	}
	switch {
	case in.From != nil && in.To != nil && !in.From.Before(*in.To):
		return nil, fault.Invalidf("to", "must be after from")
	case !r.FailedOnly && (in.From == nil || in.To == nil):
		return nil, fault.Invalidf("failedOnly", "must be true without from and to")
	}
	return usecase.Write(ctx, d.Deps, usecase.WriteIntegrations, func(ctx context.Context, db *ent.Client) (*ReplayWebhookDeliveriesPayload, error) {
		endpoint, err := d.activeEndpoint(ctx, in.EndpointID)
		if err != nil {
			return nil, err
		}
		r.EndpointID = endpoint.ID
		n, err := pgwebhook.Again(ctx, d.Reader(ctx), scopeOf(ctx), r, maxReplay)
		if err != nil {
			return nil, err
		}
		return &ReplayWebhookDeliveriesPayload{n, n == maxReplay}, usecase.Audit(ctx, db, "replay", endpoint, map[string]any{
			"failedOnly": r.FailedOnly, "from": in.From, "to": in.To, "count": n,
		})
	})
}

func scopeOf(ctx context.Context) viewer.Scope {
	v, _ := viewer.FromContext(ctx)
	return v.Scope
}
