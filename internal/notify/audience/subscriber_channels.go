package audience

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/integration"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/ent/subscriberchannel"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaudience"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// SubscriberChannels are the use cases of a subscriber's settings for single integrations: webhook URLs, device tokens.
type SubscriberChannels struct {
	usecase.Deps
	secrets   *secret.Keeper
	providers *provider.Registry
}

// SubscriberChannelConnection is a page of channel settings.
type SubscriberChannelConnection = usecase.Connection[ent.SubscriberChannel]

// SubscriberChannelEdge is one channel setting of a page.
type SubscriberChannelEdge = usecase.Edge[ent.SubscriberChannel]

// SubscriberChannelFilter narrows a list of channel settings; the fields that are set combine with AND.
type SubscriberChannelFilter struct {
	SubscriberID *string // external
	ProviderID   *string
}

func (f *SubscriberChannelFilter) predicates(ctx context.Context, db *ent.Client) (ps []predicate.SubscriberChannel, err error) {
	if f == nil {
		return nil, nil
	}
	if f.SubscriberID != nil {
		ids, err := db.Subscriber.Query().Where(subscriber.SubscriberID(*f.SubscriberID)).IDs(ctx)
		if err != nil {
			return nil, err
		}
		ps = append(ps, subscriberchannel.SubscriberIDIn(ids...))
	}
	return usecase.WithFilter(ps, f.ProviderID, subscriberchannel.ProviderID), nil
}

// List is a page of channel settings.
func (s *SubscriberChannels) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *SubscriberChannelFilter) (*SubscriberChannelConnection, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*SubscriberChannelConnection, error) {
		ps, err := filter.predicates(ctx, db)
		if err != nil {
			return nil, err
		}
		return usecase.Paginate(ctx, db.SubscriberChannel.Query(), ps, page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one channel setting by its global or internal id.
func (s *SubscriberChannels) Get(ctx context.Context, globalID string) (*ent.SubscriberChannel, error) {
	recordID, err := usecase.RecordID("SubscriberChannel", globalID)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ent.SubscriberChannel, error) {
		found, err := db.SubscriberChannel.Get(ctx, recordID)
		return found, usecase.NotFound(err, "Channel setting %s was not found.", globalID)
	})
}

// SubscriberChannelKey names a channel setting: a subscriber, a provider and, when it has several, the integration.
type SubscriberChannelKey struct {
	SubscriberID          string // external
	ProviderID            string
	IntegrationIdentifier *string // nil: the provider's newest active integration
}

func (k SubscriberChannelKey) integration() string {
	if k.IntegrationIdentifier == nil {
		return ""
	}
	return *k.IntegrationIdentifier
}

// ByKey is one channel setting by its key.
func (s *SubscriberChannels) ByKey(ctx context.Context, key SubscriberChannelKey) (*ent.SubscriberChannel, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ent.SubscriberChannel, error) {
		owner, err := usecase.LivingSubscriber(ctx, db, key.SubscriberID)
		if err != nil {
			return nil, err
		}
		found, err := db.SubscriberChannel.Query().Where(key.of(owner)...).Only(ctx)
		return found, usecase.NotFound(err, "Subscriber %s has no channel settings for %s.", key.SubscriberID, key.ProviderID)
	})
}

func (k SubscriberChannelKey) of(owner *ent.Subscriber) []predicate.SubscriberChannel {
	return []predicate.SubscriberChannel{
		subscriberchannel.SubscriberID(owner.ID), subscriberchannel.ProviderID(k.ProviderID),
		subscriberchannel.IntegrationIdentifier(k.integration()),
	}
}

// SetSubscriberChannelInput describes a subscriber's settings for an integration.
type SetSubscriberChannelInput struct {
	SubscriberChannelKey
	Credentials workflow.ChannelCredentials
}

func (in *SetSubscriberChannelInput) check(p *fault.Problems, known workflow.KnownProviders) {
	if !known.TakesSettings(in.ProviderID) {
		p.Add("providerId", in.ProviderID, "must be a provider with channel settings of a subscriber")
	}
	for path, text := range map[string]string{
		"channel": in.Credentials.Channel, "alertUid": in.Credentials.AlertUID, "title": in.Credentials.Title, "state": in.Credentials.State,
	} {
		usecase.CheckText(p, "credentials."+path, &text, usecase.MaxTextLength)
	}
	if len(in.Credentials.DeviceTokens) > workflow.MaxDeviceTokens {
		p.Add("credentials.deviceTokens", nil, "must not hold more than %d items", workflow.MaxDeviceTokens)
		return
	}
	in.Credentials.Validate(p, "credentials")
}

// Set makes or changes a subscriber's settings for an integration: what is given replaces, device tokens are united, of
// more than a hundred the newest stay.
func (s *SubscriberChannels) Set(ctx context.Context, in SetSubscriberChannelInput) (*ent.SubscriberChannel, error) {
	var p fault.Problems
	in.check(&p, s.providers)
	if p.Any() {
		return nil, p.Err()
	}
	in.Credentials.DropMasked()
	return usecase.Write(ctx, s.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.SubscriberChannel, error) {
		owner, err := usecase.LivingSubscriber(ctx, db, in.SubscriberID)
		if err != nil {
			return nil, err
		}
		integrationID, err := s.integrationOf(ctx, db, in.SubscriberChannelKey)
		if err != nil {
			return nil, err
		}
		stored, err := s.take(ctx, db, owner, in.SubscriberChannelKey)
		if err != nil {
			return nil, err
		}
		given := in.Credentials
		if given.WebhookURL, err = s.secrets.SealURL(owner.EnvironmentID, given.WebhookURL); err != nil {
			return nil, err
		}
		merged := stored.Credentials.Merge(given)
		updated, err := db.SubscriberChannel.UpdateOne(stored).SetNillableIntegrationID(integrationID).SetCredentials(merged).
			SetRegistered(stored.Registered.With(merged.DeviceTokens, given.DeviceTokens, time.Now().UTC())).Save(ctx)
		if err != nil {
			return nil, err
		}
		return updated, usecase.Audit(ctx, db, "update", updated, nil)
	})
}

// integrationOf is the integration that settings belong to; nil while the provider has none.
func (s *SubscriberChannels) integrationOf(ctx context.Context, db *ent.Client, key SubscriberChannelKey) (*string, error) {
	q := db.Integration.Query().Where(integration.ProviderID(key.ProviderID), integration.Deleted(false)).
		Order(integration.ByID(usecase.Descending())).Limit(1)
	if key.integration() != "" {
		q.Where(integration.Identifier(key.integration()))
	} else {
		q.Where(integration.Active(true))
	}
	ids, err := q.IDs(ctx)
	switch {
	case err != nil:
		return nil, err
	case len(ids) > 0:
		return &ids[0], nil
	case key.integration() != "":
		return nil, fault.Invalidf("integrationIdentifier", "names no integration of the provider %s", key.ProviderID)
	}
	return nil, nil
}

// take is the locked row of a key, made when there is none.
func (s *SubscriberChannels) take(ctx context.Context, db *ent.Client, owner *ent.Subscriber, key SubscriberChannelKey) (*ent.SubscriberChannel, error) {
	tx, _ := postgres.TxFromContext(ctx)
	v, _ := viewer.FromContext(ctx)
	if err := pgaudience.EnsureSubscriberChannel(ctx, tx, v.Scope, owner.ID, key.ProviderID, key.integration()); err != nil {
		return nil, err
	}
	return db.SubscriberChannel.Query().Where(key.of(owner)...).ForUpdate().Only(ctx)
}

// RemoveDeviceTokensInput names device tokens that no longer reach their subscriber.
type RemoveDeviceTokensInput struct {
	SubscriberChannelKey
	DeviceTokens []string
}

// RemoveDeviceTokens takes device tokens out of a channel setting. Tokens that it does not hold are ignored.
func (s *SubscriberChannels) RemoveDeviceTokens(ctx context.Context, in RemoveDeviceTokensInput) (*ent.SubscriberChannel, error) {
	return usecase.Write(ctx, s.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.SubscriberChannel, error) {
		owner, err := usecase.LivingSubscriber(ctx, db, in.SubscriberID)
		if err != nil {
			return nil, err
		}
		stored, err := db.SubscriberChannel.Query().Where(in.of(owner)...).ForUpdate().Only(ctx)
		if err != nil {
			return nil, usecase.NotFound(err, "Subscriber %s has no channel settings for %s.", in.SubscriberID, in.ProviderID)
		}
		left := stored.Credentials.Without(in.DeviceTokens)
		updated, err := db.SubscriberChannel.UpdateOne(stored).SetCredentials(left).
			SetRegistered(stored.Registered.With(left.DeviceTokens, nil, time.Time{})).Save(ctx)
		if err != nil {
			return nil, err
		}
		return updated, usecase.Audit(ctx, db, "update", updated, nil)
	})
}

// Delete removes a channel setting and answers what was removed.
func (s *SubscriberChannels) Delete(ctx context.Context, globalID string) (*ent.SubscriberChannel, error) {
	return usecase.Write(ctx, s.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.SubscriberChannel, error) {
		found, err := s.Get(ctx, globalID)
		if err != nil {
			return nil, err
		}
		if err := db.SubscriberChannel.DeleteOne(found).Exec(ctx); err != nil {
			return nil, err
		}
		return found, usecase.Audit(ctx, db, "delete", found, nil)
	})
}
