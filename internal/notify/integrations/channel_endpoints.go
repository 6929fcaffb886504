package integrations

import (
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/channelconnection"
	"github.com/carillon/carillon/ent/channelendpoint"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaudience"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/workflow"
)

// ChannelEndpoints are the use cases of channel endpoints: the documented delivery targets of subscribers.
type ChannelEndpoints struct {
	usecase.Deps
	providers *Providers
	secrets   *secret.Keeper
}

// ChannelEndpointConnection is a page of channel endpoints.
type ChannelEndpointConnection = usecase.Connection[ent.ChannelEndpoint]

// ChannelEndpointEdge is one channel endpoint of a page.
type ChannelEndpointEdge = usecase.Edge[ent.ChannelEndpoint]

// ChannelEndpointFilter narrows a list of channel endpoints; the fields that are set combine with AND and compare
// exactly (decisions.md §5). A value without records makes an empty list.
type ChannelEndpointFilter struct {
	SubscriberID          *string // external
	Channel               *workflow.Channel
	ProviderID            *string
	IntegrationIdentifier *string
	ConnectionIdentifier  *string
	ContextKeys           []string // exactly this set; empty: without context; nil: any
	Type                  *workflow.EndpointType
	CreatedAfter          *time.Time
	CreatedBefore         *time.Time
}

func (f *ChannelEndpointFilter) predicates(prefix string) (ps []predicate.ChannelEndpoint) {
	if f == nil {
		return nil
	}
	if f.ProviderID != nil {
		ps = append(ps, channelendpoint.ProviderID(workflow.ProviderIDIn(prefix, *f.ProviderID)))
	}
	ps = usecase.WithFilter(ps, f.SubscriberID, channelendpoint.SubscriberExternalID)
	ps = usecase.WithFilter(ps, f.Channel, channelendpoint.ChannelEQ)
	ps = usecase.WithFilter(ps, f.IntegrationIdentifier, channelendpoint.IntegrationIdentifier)
	ps = usecase.WithFilter(ps, f.ConnectionIdentifier, channelendpoint.ConnectionIdentifier)
	ps = usecase.ScopeMatch(ps, f.ContextKeys, channelendpoint.Scope, func() predicate.ChannelEndpoint { return channelendpoint.IDIn() })
	ps = usecase.WithFilter(ps, f.Type, channelendpoint.TypeEQ)
	ps = usecase.WithFilter(ps, f.CreatedAfter, channelendpoint.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, channelendpoint.CreatedAtLT)
}

// Check reports values outside their enumerations: they are mistakes, not values without records.
func (f *ChannelEndpointFilter) Check(p *fault.Problems, known *Providers) {
	if f == nil || f.ProviderID == nil || known.Documented(*f.ProviderID) {
		return
	}
	p.Add("providerId", *f.ProviderID, "must be one of the documented provider ids")
}

// List is a page of channel endpoints, newest first unless ordered otherwise.
func (c *ChannelEndpoints) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *ChannelEndpointFilter) (*ChannelEndpointConnection, error) {
	var p fault.Problems
	if filter.Check(&p, c.providers); p.Any() {
		return nil, p.Err()
	}
	return usecase.Read(ctx, c.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ChannelEndpointConnection, error) {
		return usecase.Paginate(ctx, db.ChannelEndpoint.Query(), filter.predicates(c.providers.prefix), page, order.OrElse(usecase.ColumnCreatedAt, usecase.OrderDesc))
	})
}

// Get is one channel endpoint by its global or internal id.
func (c *ChannelEndpoints) Get(ctx context.Context, globalID string) (*ent.ChannelEndpoint, error) {
	recordID, err := usecase.RecordID("ChannelEndpoint", globalID)
	if err != nil {
		return nil, err
	}
	return c.one(ctx, channelendpoint.ID(recordID), globalID)
}

// ByIdentifier is one channel endpoint by its identifier, whatever its context and subscriber.
func (c *ChannelEndpoints) ByIdentifier(ctx context.Context, identifier string) (*ent.ChannelEndpoint, error) {
	v, err := usecase.Require(ctx, usecase.ReadAudience)
	if err != nil {
		return nil, err
	}
	found, err := pgaudience.EndpointByIdentifier(ctx, c.Reader(ctx), v.Scope, identifier)
	if err == nil && found == nil {
		err = fault.NotFoundf("Channel endpoint %s was not found.", identifier)
	}
	return found, postgres.Translate(err)
}

func (c *ChannelEndpoints) one(ctx context.Context, p predicate.ChannelEndpoint, name string) (*ent.ChannelEndpoint, error) {
	return usecase.Read(ctx, c.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ent.ChannelEndpoint, error) {
		found, err := db.ChannelEndpoint.Query().Where(p).Only(ctx)
		return found, usecase.NotFound(err, "Channel endpoint %s was not found.", name)
	})
}

// CreateChannelEndpointInput describes a new channel endpoint.
type CreateChannelEndpointInput struct {
	Identifier   *string // generated when nil
	SubscriberID string  // external
	Integration  string  // id or identifier
	Connection   *string // id or identifier
	ContextKeys  []string
	Endpoint     workflow.ChannelEndpointTargetInput
}

// Create makes a channel endpoint.
func (c *ChannelEndpoints) Create(ctx context.Context, in CreateChannelEndpointInput) (*ent.ChannelEndpoint, error) {
	problems := fault.Problems{}
	usecase.CheckIdentifier(&problems, in.Identifier)
	usecase.CheckAddressable(&problems, "identifier", in.Identifier)
	kind, target := in.Endpoint.Data(&problems, "endpoint")
	contexts := checkContextKeys(&problems, in.ContextKeys)
	return usecase.Write(ctx, c.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.ChannelEndpoint, error) {
		owner, err := subscriberRef(ctx, db, &problems, "subscriberId", in.SubscriberID)
		if err != nil {
			return nil, err
		}
		parent, err := integrationRef(ctx, db, &problems, "integration", in.Integration)
		if err != nil {
			return nil, err
		}
		if parent != nil && parent.Channel != workflow.ChannelChat {
			problems.Add("integration", in.Integration, "must serve the channel chat")
		}
		connection, err := connectionRef(ctx, db, &problems, in.Connection, parent)
		if err != nil {
			return nil, err
		}
		if err := problems.Err(); err != nil {
			return nil, err
		}
		if err := useContexts(ctx, contexts); err != nil {
			return nil, err
		}
		sealed := target
		if sealed.URL, err = c.secrets.SealURL(owner.EnvironmentID, target.URL); err != nil {
			return nil, err
		}
		recordID := c.NewID()
		identifier := generatedIdentifier("chep_", in.Identifier, recordID)
		create := db.ChannelEndpoint.Create().SetID(recordID).SetIdentifier(identifier).
			SetSubscriberID(owner.ID).SetSubscriberExternalID(owner.SubscriberID).
			SetIntegrationID(parent.ID).SetIntegrationIdentifier(parent.Identifier).SetProviderID(parent.ProviderID).
			SetChannel(parent.Channel).SetType(kind).SetEndpoint(sealed).
			SetContextKeys(contexts).SetScope(contexts.Scope())
		if connection != nil {
			create.SetConnectionID(connection.ID).SetConnectionIdentifier(connection.Identifier)
		}
		created, err := create.Save(ctx)
		if err != nil {
			return nil, usecase.AlreadyExists(err, "Channel endpoint %s exists already.", identifier)
		}
		return created, usecase.Audit(ctx, db, "create", created, map[string]any{"identifier": identifier})
	})
}

// UpdateChannelEndpointInput changes a channel endpoint; absent fields stay as they are, null takes the connection away.
type UpdateChannelEndpointInput struct {
	ID         string
	Endpoint   *workflow.ChannelEndpointTargetInput // of the same type
	Connection graphql.Omittable[*string]
}

// Update changes a channel endpoint's target or connection.
func (c *ChannelEndpoints) Update(ctx context.Context, in UpdateChannelEndpointInput) (*ent.ChannelEndpoint, error) {
	return usecase.Write(ctx, c.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.ChannelEndpoint, error) {
		found, err := c.Get(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		problems := fault.Problems{}
		change := found.Update()
		if in.Endpoint != nil {
			kind, target := in.Endpoint.Data(&problems, "endpoint")
			if kind != "" && kind != found.Type {
				problems.Add("endpoint", nil, "must be a target of type %s, which the endpoint has", found.Type)
			}
			if workflow.IsMaskedURL(target.URL) {
				target.URL = found.Endpoint.URL
			} else if target.URL, err = c.secrets.SealURL(found.EnvironmentID, target.URL); err != nil {
				return nil, err
			}
			change.SetEndpoint(target)
		}
		if ref, set := in.Connection.ValueOK(); set {
			parent, err := db.Integration.Get(ctx, found.IntegrationID)
			if err != nil {
				return nil, err
			}
			connection, err := connectionRef(ctx, db, &problems, ref, parent)
			if err != nil {
				return nil, err
			}
			if connection == nil {
				change.ClearConnectionID().ClearConnectionIdentifier()
			} else {
				change.SetConnectionID(connection.ID).SetConnectionIdentifier(connection.Identifier)
			}
		}
		if err := problems.Err(); err != nil {
			return nil, err
		}
		updated, err := change.Save(ctx)
		if err != nil {
			return nil, err
		}
		return updated, usecase.Audit(ctx, db, "update", updated, nil)
	})
}

// Delete removes a channel endpoint and answers what was removed.
func (c *ChannelEndpoints) Delete(ctx context.Context, globalID string) (*ent.ChannelEndpoint, error) {
	return usecase.Write(ctx, c.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.ChannelEndpoint, error) {
		found, err := c.Get(ctx, globalID)
		if err != nil {
			return nil, err
		}
		if err := db.ChannelEndpoint.DeleteOne(found).Exec(ctx); err != nil {
			return nil, err
		}
		return found, usecase.Audit(ctx, db, "delete", found, map[string]any{"identifier": found.Identifier})
	})
}

// connectionRef is the connection that a field names by id or identifier; nil without one. It must belong to the
// endpoint's integration, whose credentials it was made with.
func connectionRef(ctx context.Context, db *ent.Client, problems *fault.Problems, ref *string, parent *ent.Integration) (*ent.ChannelConnection, error) {
	if ref == nil {
		return nil, nil
	}
	by := channelconnection.Identifier(*ref)
	if recordID, err := usecase.RecordID("ChannelConnection", *ref); err == nil {
		by = channelconnection.Or(by, channelconnection.ID(recordID))
	}
	found, err := db.ChannelConnection.Query().Where(by).First(ctx)
	switch {
	case ent.IsNotFound(err):
		problems.Add("connection", *ref, "no connected workspace has this id or identifier")
		return nil, nil
	case err != nil:
		return nil, err
	case parent != nil && found.IntegrationID != parent.ID:
		problems.Add("connection", *ref, "belongs to another integration")
	}
	return found, nil
}
