package integrations

import (
	"context"
	"errors"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// Providers are the use cases of the provider registry, which is read-only.
type Providers struct {
	registry *provider.Registry
	prefix   string
}

// List returns the providers, of one channel when given, in the order of the documented ids.
func (p *Providers) List(ctx context.Context, channel *workflow.Channel) ([]*provider.Definition, error) {
	if _, err := usecase.Require(ctx, usecase.AnyCredential); err != nil {
		return nil, err
	}
	list := []*provider.Definition{}
	for _, d := range p.registry.All() {
		if channel == nil || d.Channel == *channel {
			list = append(list, p.shown(d))
		}
	}
	return list, nil
}

// Get returns one provider by its id.
func (p *Providers) Get(ctx context.Context, providerID string) (*provider.Definition, error) {
	if _, err := usecase.Require(ctx, usecase.AnyCredential); err != nil {
		return nil, err
	}
	d, ok := p.registry.Lookup(workflow.ProviderIDIn(p.prefix, providerID))
	if !ok {
		return nil, fault.NotFoundf("Provider %s was not found.", providerID)
	}
	return p.shown(d), nil
}

// Of returns the provider that a record names; nil when this server has none such.
func (p *Providers) Of(ctx context.Context, providerID string) (*provider.Definition, error) {
	d, err := p.Get(ctx, providerID)
	if known := (*fault.Error)(nil); errors.As(err, &known) && known.Kind == fault.NotFound {
		return nil, nil
	}
	return d, err
}

func (p *Providers) shown(d provider.Definition) *provider.Definition {
	d.ID = workflow.ProviderIDOut(p.prefix, d.ID)
	return &d
}

// Documented reports whether clients may name a provider by this id: with the configured prefix, or with svc.
func (p *Providers) Documented(providerID string) bool {
	return p.registry.Has(workflow.ProviderIDIn(p.prefix, providerID))
}

// IDs lists all provider ids, with svc as the own prefix.
func (p *Providers) IDs() []string { return p.registry.IDs() }

// SettingIDs lists the providers that a subscriber's channel settings may name, with svc as the own prefix.
func (p *Providers) SettingIDs() []string { return p.registry.SettingIDs() }

// ShownID is a provider id as clients of this server see it.
func (p *Providers) ShownID(providerID string) string {
	return workflow.ProviderIDOut(p.prefix, providerID)
}

// ShownOrigin is a workflow's origin as clients of this server see it.
func (p *Providers) ShownOrigin(o workflow.Origin) string { return workflow.OriginOut(p.prefix, o) }

// ShownOptionalID is a provider id that may be missing, as clients of this server see it.
func (p *Providers) ShownOptionalID(providerID *string) *string {
	if providerID == nil {
		return nil
	}
	shown := p.ShownID(*providerID)
	return &shown
}
