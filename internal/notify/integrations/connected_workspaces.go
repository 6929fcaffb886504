package integrations

import (
	"context"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/channelconnection"
	"github.com/carillon/carillon/ent/integration"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaudience"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// ConnectedWorkspaces are the use cases of connected workspaces: workspaces that an integration may post to. Their access
// token is stored encrypted and never shown.
type ConnectedWorkspaces struct {
	usecase.Deps
	secrets *secret.Keeper
}

// ConnectedWorkspaceConnection is a page of connected workspaces.
type ConnectedWorkspaceConnection = usecase.Connection[ent.ChannelConnection]

// ConnectedWorkspaceEdge is one connected workspace of a page.
type ConnectedWorkspaceEdge = usecase.Edge[ent.ChannelConnection]

// ConnectedWorkspaceFilter narrows a list of connected workspaces; the fields that are set combine with AND.
type ConnectedWorkspaceFilter struct {
	IdentifierIn          []string
	IntegrationIdentifier *string
	SubscriberID          *string  // external
	ContextKeys           []string // exactly this set; empty: without context; nil: any
	CreatedAfter          *time.Time
	CreatedBefore         *time.Time
}

func (f *ConnectedWorkspaceFilter) predicates() (ps []predicate.ChannelConnection) {
	if f == nil {
		return nil
	}
	if f.IdentifierIn != nil {
		ps = append(ps, channelconnection.IdentifierIn(f.IdentifierIn...))
	}
	if f.IntegrationIdentifier != nil {
		ps = append(ps, channelconnection.HasIntegrationWith(
			integration.Identifier(*f.IntegrationIdentifier), integration.Deleted(false)))
	}
	ps = usecase.WithFilter(ps, f.SubscriberID, channelconnection.SubscriberID)
	ps = usecase.ScopeMatch(ps, f.ContextKeys, channelconnection.Scope, func() predicate.ChannelConnection { return channelconnection.IDIn() })
	ps = usecase.WithFilter(ps, f.CreatedAfter, channelconnection.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, channelconnection.CreatedAtLT)
}

// List is a page of connected workspaces.
func (c *ConnectedWorkspaces) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *ConnectedWorkspaceFilter) (*ConnectedWorkspaceConnection, error) {
	return usecase.Read(ctx, c.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ConnectedWorkspaceConnection, error) {
		return usecase.Paginate(ctx, db.ChannelConnection.Query(), filter.predicates(), page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one connected workspace by its global or internal id.
func (c *ConnectedWorkspaces) Get(ctx context.Context, globalID string) (*ent.ChannelConnection, error) {
	recordID, err := usecase.RecordID("ChannelConnection", globalID)
	if err != nil {
		return nil, err
	}
	return c.one(ctx, channelconnection.ID(recordID), globalID)
}

// ByIdentifier is one connected workspace by its identifier.
func (c *ConnectedWorkspaces) ByIdentifier(ctx context.Context, identifier string) (*ent.ChannelConnection, error) {
	return c.one(ctx, channelconnection.Identifier(identifier), identifier)
}

func (c *ConnectedWorkspaces) one(ctx context.Context, p predicate.ChannelConnection, name string) (*ent.ChannelConnection, error) {
	return usecase.Read(ctx, c.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ent.ChannelConnection, error) {
		found, err := db.ChannelConnection.Query().Where(p).Only(ctx)
		return found, usecase.NotFound(err, "Channel connection %s was not found.", name)
	})
}

// CreateConnectedWorkspaceInput describes a new connected workspace.
type CreateConnectedWorkspaceInput struct {
	Identifier    *string // generated when nil
	Integration   string  // id or identifier
	SubscriberID  *string // external; whose workspace it is, nil: the whole environment's
	ContextKeys   []string
	WorkspaceID   *string // of a Slack team, or the Entra tenant of a Teams customer
	WorkspaceName *string
	AccessToken   *string
}

// Create makes a connected workspace.
func (c *ConnectedWorkspaces) Create(ctx context.Context, in CreateConnectedWorkspaceInput) (*ent.ChannelConnection, error) {
	problems := fault.Problems{}
	usecase.CheckIdentifier(&problems, in.Identifier)
	contexts := checkContextKeys(&problems, in.ContextKeys)
	usecase.CheckText(&problems, "workspaceId", in.WorkspaceID, usecase.MaxNameLength)
	usecase.CheckText(&problems, "workspaceName", in.WorkspaceName, usecase.MaxNameLength)
	return usecase.Write(ctx, c.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.ChannelConnection, error) {
		parent, err := integrationRef(ctx, db, &problems, "integration", in.Integration)
		if err != nil {
			return nil, err
		}
		if parent != nil && parent.Channel != workflow.ChannelChat {
			problems.Add("integration", in.Integration, "must serve the channel chat")
		}
		if in.SubscriberID != nil {
			if _, err := subscriberRef(ctx, db, &problems, "subscriberId", *in.SubscriberID); err != nil {
				return nil, err
			}
		}
		if err := problems.Err(); err != nil {
			return nil, err
		}
		if err := useContexts(ctx, contexts); err != nil {
			return nil, err
		}
		recordID := c.NewID()
		token, err := provider.SealToken(c.secrets, recordID, given(in.AccessToken))
		if err != nil {
			return nil, err
		}
		identifier := generatedIdentifier("conn_", in.Identifier, recordID)
		create := db.ChannelConnection.Create().SetID(recordID).SetIdentifier(identifier).SetIntegrationID(parent.ID).
			SetNillableSubscriberID(in.SubscriberID).SetContextKeys(contexts).SetScope(contexts.Scope()).
			SetNillableWorkspaceID(in.WorkspaceID).SetNillableWorkspaceName(in.WorkspaceName)
		if token != nil {
			create.SetAccessToken(token)
		}
		created, err := create.Save(ctx)
		if err != nil {
			return nil, usecase.AlreadyExists(err, "Channel connection %s exists already.", identifier)
		}
		return created, usecase.Audit(ctx, db, "create", created, map[string]any{"identifier": identifier})
	})
}

// UpdateConnectedWorkspaceInput changes a connected workspace; absent fields stay as they are, null clears the token.
type UpdateConnectedWorkspaceInput struct {
	ID            string
	WorkspaceID   *string
	WorkspaceName *string
	AccessToken   graphql.Omittable[*string]
}

// Update changes a connected workspace.
func (c *ConnectedWorkspaces) Update(ctx context.Context, in UpdateConnectedWorkspaceInput) (*ent.ChannelConnection, error) {
	problems := fault.Problems{}
	usecase.CheckText(&problems, "workspaceId", in.WorkspaceID, usecase.MaxNameLength)
	usecase.CheckText(&problems, "workspaceName", in.WorkspaceName, usecase.MaxNameLength)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return usecase.Write(ctx, c.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.ChannelConnection, error) {
		found, err := c.Get(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		change := found.Update().SetNillableWorkspaceID(in.WorkspaceID).SetNillableWorkspaceName(in.WorkspaceName)
		if token, set := in.AccessToken.ValueOK(); set && given(token) != usecase.Mask {
			sealed, err := provider.SealToken(c.secrets, found.ID, given(token))
			if err != nil {
				return nil, err
			}
			if sealed == nil {
				change.ClearAccessToken()
			} else {
				change.SetAccessToken(sealed)
			}
		}
		updated, err := change.Save(ctx)
		if err != nil {
			return nil, err
		}
		return updated, usecase.Audit(ctx, db, "update", updated, nil)
	})
}

// Delete removes a connected workspace. Its endpoints stay without it.
func (c *ConnectedWorkspaces) Delete(ctx context.Context, globalID string) (*ent.ChannelConnection, error) {
	return usecase.Write(ctx, c.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.ChannelConnection, error) {
		found, err := c.Get(ctx, globalID)
		if err != nil {
			return nil, err
		}
		tx, _ := postgres.TxFromContext(ctx)
		if err := pgaudience.DetachEndpointsFromConnection(ctx, tx, viewer.Scope{EnvironmentID: found.EnvironmentID}, found.ID); err != nil {
			return nil, err
		}
		if err := db.ChannelConnection.DeleteOne(found).Exec(ctx); err != nil {
			return nil, err
		}
		return found, usecase.Audit(ctx, db, "delete", found, map[string]any{"identifier": found.Identifier})
	})
}

// OpenToken decrypts the access token of a connected workspace, for those who post with it.
func (c *ConnectedWorkspaces) OpenToken(found *ent.ChannelConnection) (string, error) {
	return provider.OpenToken(c.secrets, found.ID, found.AccessToken)
}

// given is the value of an optional text, "" without one.
func given(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// integrationRef is the living integration that a field names by id or identifier; a problem and nil when there is none.
func integrationRef(ctx context.Context, db *ent.Client, problems *fault.Problems, field, ref string) (*ent.Integration, error) {
	by := integration.Identifier(ref)
	if recordID, err := usecase.RecordID("Integration", ref); err == nil {
		by = integration.Or(by, integration.ID(recordID))
	}
	found, err := db.Integration.Query().Where(by, integration.Deleted(false)).First(ctx)
	if ent.IsNotFound(err) {
		problems.Add(field, ref, "no integration has this id or identifier")
		return nil, nil
	}
	return found, err
}

// subscriberRef is the living subscriber with an external identifier; a problem and nil when there is none.
func subscriberRef(ctx context.Context, db *ent.Client, problems *fault.Problems, field, subscriberID string) (*ent.Subscriber, error) {
	found, err := db.Subscriber.Query().Where(subscriber.SubscriberID(subscriberID), subscriber.Deleted(false)).First(ctx)
	if ent.IsNotFound(err) {
		problems.Add(field, subscriberID, "no subscriber has this identifier")
		return nil, nil
	}
	return found, err
}

// checkContextKeys is the set of the keys of a request; ill-formed keys and too many are problems.
func checkContextKeys(problems *fault.Problems, keys []string) workflow.ContextSet {
	set := workflow.NewContextSet(keys...)
	switch {
	case !set.Valid():
		problems.Add("contextKeys", nil, "each must be type:id, both 1 to 100 letters, digits, - or _")
	case len(set) > workflow.MaxContexts:
		problems.Add("contextKeys", nil, "must not name more than %d contexts", workflow.MaxContexts)
	}
	if set == nil {
		return workflow.ContextSet{}
	}
	return set
}

// useContexts makes the contexts that are named for the first time.
func useContexts(ctx context.Context, contexts workflow.ContextSet) error {
	refs := make([]workflow.ContextRef, len(contexts))
	for i, key := range contexts {
		kind, name, _ := strings.Cut(key, ":")
		refs[i] = workflow.ContextRef{Type: kind, ID: name}
	}
	tx, _ := postgres.TxFromContext(ctx)
	v, _ := viewer.FromContext(ctx)
	return pgaudience.EnsureContexts(ctx, tx.Pgx, v.Scope, refs)
}

// generatedIdentifier is the identifier asked for, else one made from the record's id.
func generatedIdentifier(prefix string, wanted *string, recordID id.ID) string {
	if wanted != nil {
		return *wanted
	}
	return prefix + recordID
}
