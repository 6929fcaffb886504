package integrations

import (
	"context"
	"maps"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/integration"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgintegration"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
)

// Integrations are the use cases of integrations: providers with credentials. E-mail and SMS have one primary among
// their active integrations, which serves when nothing else decides.
type Integrations struct {
	usecase.Deps
	providers *provider.Registry
	secrets   *secret.Keeper
	prefix    string
	probe     *provider.Deps // builds adapters to check credentials; nil: the registry's own checks are all
	test      func(context.Context, usecase.IntegrationTest) (*ent.Attempt, error)
}

// IntegrationConnection is a page of integrations.
type IntegrationConnection = usecase.Connection[ent.Integration]

// IntegrationEdge is one integration of a page.
type IntegrationEdge = usecase.Edge[ent.Integration]

// IntegrationFilter narrows a list of integrations; the fields that are set combine with AND.
type IntegrationFilter struct {
	IdentifierIn   []string
	ChannelIn      []workflow.Channel
	ProviderIDIn   []string
	NameContains   *string // case-insensitive
	Active         *bool
	Primary        *bool
	IncludeDeleted *bool // true: deleted ones as well
	Deleted        *bool // true: deleted ones only; goes before IncludeDeleted
	CreatedAfter   *time.Time
	CreatedBefore  *time.Time
}

func (f *IntegrationFilter) predicates(prefix string) (ps []predicate.Integration) {
	switch {
	case f != nil && f.Deleted != nil:
		ps = append(ps, integration.Deleted(*f.Deleted))
	case f == nil || f.IncludeDeleted == nil || !*f.IncludeDeleted:
		ps = append(ps, integration.Deleted(false))
	}
	if f == nil {
		return ps
	}
	if f.IdentifierIn != nil {
		ps = append(ps, integration.IdentifierIn(f.IdentifierIn...))
	}
	if f.ChannelIn != nil {
		ps = append(ps, integration.ChannelIn(f.ChannelIn...))
	}
	if f.ProviderIDIn != nil {
		ps = append(ps, integration.ProviderIDIn(providerIDsIn(prefix, f.ProviderIDIn)...))
	}
	ps = usecase.WithFilter(ps, f.NameContains, integration.NameContainsFold)
	ps = usecase.WithFilter(ps, f.Active, integration.ActiveEQ)
	ps = usecase.WithFilter(ps, f.Primary, integration.PrimaryEQ)
	ps = usecase.WithFilter(ps, f.CreatedAfter, integration.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, integration.CreatedAtLT)
}

// List is a page of integrations.
func (i *Integrations) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *IntegrationFilter) (*IntegrationConnection, error) {
	return usecase.Read(ctx, i.Deps, usecase.ReadIntegrations, func(ctx context.Context, db *ent.Client) (*IntegrationConnection, error) {
		return usecase.Paginate(ctx, db.Integration.Query(), filter.predicates(i.prefix), page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one integration by its global or internal id, also a deleted one.
func (i *Integrations) Get(ctx context.Context, globalID string) (*ent.Integration, error) {
	recordID, err := usecase.RecordID("Integration", globalID)
	if err != nil {
		return nil, err
	}
	return i.one(ctx, globalID, integration.ID(recordID))
}

// ByIdentifier is one living integration by its identifier.
func (i *Integrations) ByIdentifier(ctx context.Context, identifier string) (*ent.Integration, error) {
	return i.one(ctx, identifier, integration.Identifier(identifier), integration.Deleted(false))
}

func (i *Integrations) one(ctx context.Context, name string, ps ...predicate.Integration) (*ent.Integration, error) {
	return usecase.Read(ctx, i.Deps, usecase.ReadIntegrations, func(ctx context.Context, db *ent.Client) (*ent.Integration, error) {
		found, err := db.Integration.Query().Where(ps...).Only(ctx)
		return found, usecase.NotFound(err, "Integration %s was not found.", name)
	})
}

// IntegrationConfigurations are settings of an integration that no provider reads.
type IntegrationConfigurations struct {
	InboundWebhookEnabled    *bool
	InboundWebhookSigningKey *string // masked when read
}

// CreateIntegrationInput describes a new integration.
type CreateIntegrationInput struct {
	ProviderID     string
	Name           *string // nil: the provider's name
	Identifier     *string // made from the name when nil
	Credentials    map[string]any
	Configurations *IntegrationConfigurations
	Active         *bool // nil: true
	Primary        *bool // nil: when it is the first of its channel, or only a built-in demo holds the place
	Conditions     []condition.StepFilter
	RateLimit      *float64 // calls per second; nil: no limit
	Simulation     *workflow.Simulation
	SecretsLater   bool // made switched off, it may lack what its provider requires and no API shows, until it is switched on
}

// Create makes an integration. Its credentials are checked against the provider and stored encrypted.
func (i *Integrations) Create(ctx context.Context, in CreateIntegrationInput) (*ent.Integration, error) {
	in.ProviderID = workflow.ProviderIDIn(i.prefix, in.ProviderID)
	credentials := merged(nil, in.Credentials)
	usable, err := i.withVariablesOfViewer(ctx, credentials)
	if err != nil {
		return nil, err
	}
	definition, err := i.checkInput(in, usable)
	if err != nil {
		return nil, err
	}
	name := definition.Name
	if in.Name != nil {
		name = *in.Name
	}
	return usecase.WriteNamed(ctx, i.Deps, usecase.WriteIntegrations, in.Identifier, func(ctx context.Context, db *ent.Client) (*ent.Integration, error) {
		identifier, err := usecase.GivenOrFree(in.Identifier, name, "integration", i.Now(), func(candidate string) (bool, error) {
			return db.Integration.Query().Where(integration.Identifier(candidate), integration.Deleted(false)).Exist(ctx)
		})
		if err != nil {
			return nil, err
		}
		create := db.Integration.Create().SetID(i.NewID()).SetIdentifier(identifier).SetName(name).
			SetProviderID(in.ProviderID).SetChannel(definition.Channel).SetActive(in.Active == nil || *in.Active)
		if in.Conditions != nil {
			create.SetConditions(in.Conditions)
		}
		if err := checkSending(ctx, db, in.RateLimit, in.Simulation); err != nil {
			return nil, err
		}
		create.SetNillableRateLimit(in.RateLimit)
		if in.Simulation != nil {
			create.SetSimulation(in.Simulation)
		}
		recordID, _ := create.Mutation().ID()
		sealed, configurations, err := i.seal(recordID, credentials, in.Configurations.merged(nil))
		if err != nil {
			return nil, err
		}
		primary, err := i.placeNew(ctx, db, in, definition.Channel)
		if err != nil {
			return nil, err
		}
		created, err := create.SetCredentials(sealed).SetConfigurations(configurations).SetPrimary(primary).Save(ctx)
		if err != nil {
			return nil, usecase.AlreadyExists(err, "Integration %s exists already.", identifier)
		}
		return created, usecase.Audit(ctx, db, "create", created, map[string]any{"identifier": identifier, "providerId": in.ProviderID})
	})
}

func (i *Integrations) checkInput(in CreateIntegrationInput, credentials provider.Credentials) (provider.Definition, error) {
	problems := fault.Problems{}
	definition, known := i.providers.Lookup(in.ProviderID)
	later := in.SecretsLater && in.Active != nil && !*in.Active
	if err := problems.Merge("", i.checkCredentials(in.ProviderID, credentials, later)); err != nil {
		return definition, err
	}
	usecase.CheckIdentifier(&problems, in.Identifier)
	usecase.CheckGivenName(&problems, "name", in.Name)
	condition.ValidateFilters(&problems, "conditions", in.Conditions, nil)
	if in.Primary != nil && *in.Primary {
		checkPrimary(&problems, known, definition.Channel, in.Active == nil || *in.Active)
	}
	return definition, problems.Err()
}

// checkCredentials asks the provider's definition, and its adapter when one can be built here. Of an integration whose secrets come
// later it asks for what is shown of credentials.
func (i *Integrations) checkCredentials(providerID string, credentials provider.Credentials, later bool) error {
	if later {
		return i.providers.ValidateWithoutSecrets(providerID, credentials, masked)
	}
	if err := i.providers.ValidateCredentials(providerID, credentials); err != nil || i.probe == nil {
		return err
	}
	adapter, err := i.providers.Open(*i.probe, providerID, credentials)
	if err != nil {
		return err
	}
	if closer, ok := adapter.(interface{ Close() error }); ok {
		return closer.Close()
	}
	return nil
}

func (i *Integrations) seal(recordID id.ID, credentials provider.Credentials, configurations map[string]any) (c, f []byte, err error) {
	if c, err = provider.SealCredentials(i.secrets, recordID, credentials); err != nil {
		return nil, nil, err
	}
	f, err = provider.SealConfigurations(i.secrets, recordID, configurations)
	return c, f, err
}

// UpdateIntegrationInput changes an integration; absent fields stay as they are. Of the credentials those given are
// set, null removes one, and the mask keeps the stored value.
type UpdateIntegrationInput struct {
	ID             string
	Name           *string
	Credentials    map[string]any
	Configurations *IntegrationConfigurations
	Active         *bool
	Primary        *bool // true takes the place of the present primary
	Conditions     graphql.Omittable[[]condition.StepFilter]
	RateLimit      graphql.Omittable[*float64]
	Simulation     graphql.Omittable[*workflow.Simulation]
	SecretsLater   bool // as of CreateIntegrationInput, while it stays switched off
}

// Update changes an integration. Sends that begin from then on use the new settings.
func (i *Integrations) Update(ctx context.Context, in UpdateIntegrationInput) (*ent.Integration, error) {
	return usecase.Write(ctx, i.Deps, usecase.WriteIntegrations, func(ctx context.Context, db *ent.Client) (*ent.Integration, error) {
		found, err := i.lock(ctx, db, in.ID)
		if err != nil {
			return nil, err
		}
		credentials, configurations, err := i.mergedSecrets(found, in)
		if err != nil {
			return nil, err
		}
		if err := i.checkUpdate(ctx, found, in, credentials); err != nil {
			return nil, err
		}
		sealed, sealedConfigurations, err := i.seal(found.ID, credentials, configurations)
		if err != nil {
			return nil, err
		}
		change := found.Update().SetNillableName(in.Name).SetCredentials(sealed).SetConfigurations(sealedConfigurations).
			SetNillableActive(in.Active)
		if conditions, given := in.Conditions.ValueOK(); given {
			change.SetConditions(conditions)
		}
		if err := checkSending(ctx, db, in.RateLimit.Value(), in.Simulation.Value()); err != nil {
			return nil, err
		}
		usecase.SetOrClear(in.RateLimit, change.SetRateLimit, change.ClearRateLimit)
		if simulation, given := in.Simulation.ValueOK(); given && simulation != nil {
			change.SetSimulation(simulation)
		} else if given {
			change.ClearSimulation()
		}
		if in.Credentials != nil { // whoever mends credentials does not want to wait for the next probe
			closed(change).ClearLearnedRate()
		}
		updated, err := change.Save(ctx)
		if err != nil {
			return nil, err
		}
		if updated, err = i.settlePrimary(ctx, db, updated, found.Active, in.Primary); err != nil {
			return nil, err
		}
		return updated, usecase.Audit(ctx, db, "update", updated, map[string]any{"credentials": in.Credentials != nil, "active": updated.Active})
	})
}

func (i *Integrations) mergedSecrets(found *ent.Integration, in UpdateIntegrationInput) (provider.Credentials, map[string]any, error) {
	credentials, err := i.OpenCredentials(found)
	if err != nil {
		return nil, nil, err
	}
	configurations, err := provider.OpenConfigurations(i.secrets, found.ID, found.Configurations)
	if err != nil {
		return nil, nil, err
	}
	return merged(credentials, in.Credentials), in.Configurations.merged(configurations), nil
}

func (i *Integrations) checkUpdate(ctx context.Context, found *ent.Integration, in UpdateIntegrationInput, credentials provider.Credentials) error {
	problems := fault.Problems{}
	// One that was made without its secrets has them by the time it is switched on.
	on := found.Active
	if in.Active != nil {
		on = *in.Active
	}
	if in.Credentials != nil || on && !found.Active {
		usable, err := i.withVariablesOfViewer(ctx, credentials)
		if err == nil {
			err = i.checkCredentials(found.ProviderID, usable, in.SecretsLater && !on)
		}
		if err := problems.Merge("", err); err != nil {
			return err
		}
	}
	if err := i.checkDestination(ctx, &problems, found, in.Credentials, credentials); err != nil {
		return err
	}
	usecase.CheckGivenName(&problems, "name", in.Name)
	condition.ValidateFilters(&problems, "conditions", in.Conditions.Value(), nil)
	if in.Primary != nil && *in.Primary {
		checkPrimary(&problems, true, found.Channel, on)
	}
	return problems.Err()
}

// DeleteIntegrationPayload answers the deletion of an integration.
type DeleteIntegrationPayload struct {
	DeletedID    string             // its global id
	Integrations []*ent.Integration // those that remain, oldest first
}

// Delete removes an integration for good and answers all that remain, oldest first (decisions.md §6). Cost: one round
// trip.
func (i *Integrations) Delete(ctx context.Context, globalID string) (*DeleteIntegrationPayload, error) {
	if _, err := usecase.Require(ctx, usecase.WriteIntegrations); err != nil {
		return nil, err
	}
	recordID, err := usecase.RecordID("Integration", globalID)
	if err != nil {
		return nil, err
	}
	rest, found, err := pgintegration.DeleteIntegration(ctx, i.DB, pgintegration.DeletedIntegration{
		Audit: usecase.NewAuditEntry(ctx, "delete", "Integration", recordID, nil), By: usecase.DeletingActor(ctx), At: i.Now(),
		Promote: []string{string(workflow.ChannelEmail), string(workflow.ChannelSMS)},
	})
	if err == nil && !found {
		err = fault.NotFoundf("Integration %s was not found.", globalID)
	}
	if err != nil {
		return nil, err
	}
	return &DeleteIntegrationPayload{DeletedID: id.Global("Integration", recordID), Integrations: rest}, nil
}

// lock reads a living integration for a change of it or of its channel's primary.
func (i *Integrations) lock(ctx context.Context, db *ent.Client, globalID string) (*ent.Integration, error) {
	recordID, err := usecase.RecordID("Integration", globalID)
	if err != nil {
		return nil, err
	}
	living := db.Integration.Query().Where(integration.ID(recordID), integration.Deleted(false))
	found, err := living.Clone().Only(ctx)
	if err != nil {
		return nil, usecase.NotFound(err, "Integration %s was not found.", globalID)
	}
	if err := lockChannel(ctx, db, found.Channel); err != nil {
		return nil, err
	}
	found, err = living.Only(ctx)
	return found, usecase.NotFound(err, "Integration %s was not found.", globalID)
}

// merged is credentials with a request's values laid over: null and "" remove, the mask keeps what is stored.
func merged(stored provider.Credentials, given map[string]any) provider.Credentials {
	out := maps.Clone(stored)
	if out == nil {
		out = provider.Credentials{}
	}
	for name, value := range given {
		value = plain(value)
		switch value {
		case nil, "":
			delete(out, name)
		case usecase.Mask:
		default:
			out[name] = value
		}
	}
	return out
}

// plain follows the pointers in which GraphQL hands over optional values.
func plain(value any) any {
	switch v := value.(type) {
	case *string:
		if v == nil {
			return nil
		}
		return *v
	case *bool:
		if v == nil {
			return nil
		}
		return *v
	case map[string]any:
		if v == nil {
			return nil
		}
	}
	return value
}

func (c *IntegrationConfigurations) merged(stored map[string]any) map[string]any {
	out := maps.Clone(stored)
	if out == nil {
		out = map[string]any{}
	}
	if c == nil {
		return out
	}
	if c.InboundWebhookEnabled != nil {
		out[inboundWebhookEnabled] = *c.InboundWebhookEnabled
	}
	if key := c.InboundWebhookSigningKey; key != nil && *key != usecase.Mask {
		out[inboundWebhookSigningKey] = *key
		if *key == "" {
			delete(out, inboundWebhookSigningKey)
		}
	}
	return out
}
