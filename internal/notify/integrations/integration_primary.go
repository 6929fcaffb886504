package integrations

import (
	"context"
	"fmt"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/integration"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// hasPrimary lists the channels that have a primary integration; the others use all that are active (decisions.md §6).
func hasPrimary(c workflow.Channel) bool {
	return c == workflow.ChannelEmail || c == workflow.ChannelSMS
}

func checkPrimary(problems *fault.Problems, known bool, channel workflow.Channel, active bool) {
	switch {
	case known && !hasPrimary(channel):
		problems.Add("primary", true, "integrations of the channel %s have no primary", channel)
	case !active:
		problems.Add("primary", true, "an integration that is switched off cannot be primary")
	}
}

// SetPrimary makes an integration the primary of its channel, in place of the present one.
func (i *Integrations) SetPrimary(ctx context.Context, globalID string) (*ent.Integration, error) {
	primary := true
	return i.Update(ctx, UpdateIntegrationInput{ID: globalID, Primary: &primary})
}

// yieldsTo reports whether a primary gives its place to an integration of a provider that is made or switched on. The built-in
// demo senders yield to a real provider: whoever configures one means it to be used.
func yieldsTo(primary *ent.Integration, providerID string) bool {
	return workflow.DemoSender(primary.ProviderID) && !workflow.DemoSender(providerID)
}

// placeNew reports whether an integration about to be made becomes primary, and clears the place for it.
func (i *Integrations) placeNew(ctx context.Context, db *ent.Client, in CreateIntegrationInput, channel workflow.Channel) (bool, error) {
	active := in.Active == nil || *in.Active
	if !hasPrimary(channel) || !active || in.Primary != nil && !*in.Primary {
		return false, nil
	}
	if err := lockChannel(ctx, db, channel); err != nil {
		return false, err
	}
	present, err := primaryOf(ctx, db, channel)
	if err != nil || present == nil {
		return err == nil, err
	}
	if in.Primary == nil && !yieldsTo(present, in.ProviderID) {
		return false, nil
	}
	return true, present.Update().SetPrimary(false).Exec(ctx)
}

// settlePrimary keeps the rule after a change: exactly one primary among the active integrations of a channel, which is
// locked. wasActive is of before the change.
func (i *Integrations) settlePrimary(ctx context.Context, db *ent.Client, changed *ent.Integration, wasActive bool, want *bool) (*ent.Integration, error) {
	if !hasPrimary(changed.Channel) {
		return changed, nil
	}
	switch {
	case changed.Primary && (!changed.Active || want != nil && !*want):
		return i.yield(ctx, db, changed)
	case changed.Primary || !changed.Active || want != nil && !*want:
		return changed, nil
	}
	present, err := primaryOf(ctx, db, changed.Channel)
	if err != nil || present != nil && want == nil && (wasActive || !yieldsTo(present, changed.ProviderID)) {
		return changed, err
	}
	if present != nil {
		if err := present.Update().SetPrimary(false).Exec(ctx); err != nil {
			return nil, err
		}
	}
	return changed.Update().SetPrimary(true).Save(ctx)
}

// yield hands the place to the newest other active integration. When there is none, an active one keeps it.
func (i *Integrations) yield(ctx context.Context, db *ent.Client, changed *ent.Integration) (*ent.Integration, error) {
	yielded, err := changed.Update().SetPrimary(false).Save(ctx)
	if err != nil {
		return nil, err
	}
	next, err := promote(ctx, db, changed.Channel, changed.ID)
	if err != nil || next != nil || !changed.Active {
		return yielded, err
	}
	return yielded.Update().SetPrimary(true).Save(ctx)
}

// lockChannel lets changes of one channel's integrations follow each other, so that each sees the present primary. The
// rows are taken in one order, which keeps two changes from waiting for each other.
func lockChannel(ctx context.Context, db *ent.Client, channel workflow.Channel) error {
	_, err := db.Integration.Query().Where(integration.ChannelEQ(channel), integration.Deleted(false)).
		Order(ent.Asc(integration.FieldID)).ForUpdate().All(ctx)
	if err != nil {
		return fmt.Errorf("lock the integrations of %s: %w", channel, err)
	}
	return nil
}

// primaryOf is the present primary of a channel; nil when there is none.
func primaryOf(ctx context.Context, db *ent.Client, channel workflow.Channel) (*ent.Integration, error) {
	found, err := db.Integration.Query().
		Where(integration.ChannelEQ(channel), integration.Primary(true), integration.Deleted(false)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, nil
	}
	return found, err
}

// promote makes the most recently created active integration of a channel primary, if it has one besides those left out.
func promote(ctx context.Context, db *ent.Client, channel workflow.Channel, except ...string) (*ent.Integration, error) {
	if !hasPrimary(channel) {
		return nil, nil
	}
	next, err := db.Integration.Query().
		Where(integration.ChannelEQ(channel), integration.Active(true), integration.Deleted(false), integration.IDNotIn(except...)).
		Order(ent.Desc(integration.FieldID)).First(ctx)
	if ent.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return next.Update().SetPrimary(true).Save(ctx)
}

// BuiltIn reports whether an integration is one that every environment begins with: the inbox and the demo senders.
func BuiltIn(i *ent.Integration) bool {
	return i.ProviderID == workflow.OwnPrefix || workflow.DemoSender(i.ProviderID)
}

// EnvironmentDefaults gives a new environment its inbox and the built-in demo senders, all active, so that every
// channel but push delivers at once, into the catcher. ctx acts inside the new environment.
func (i *Integrations) EnvironmentDefaults(ctx context.Context, db *ent.Client, env *ent.Environment) error {
	v, _ := viewer.FromContext(ctx)
	if v.EnvironmentID != env.ID {
		return fmt.Errorf("integrations of environment %s: the context acts in another one", env.ID)
	}
	for _, providerID := range []string{"svc", "svc-email", "svc-sms", "svc-slack"} {
		definition, ok := i.providers.Lookup(providerID)
		if !ok {
			continue
		}
		err := db.Integration.Create().SetIdentifier(workflow.ProviderIDOut(i.prefix, providerID)).SetName(definition.Name).
			SetProviderID(providerID).SetChannel(definition.Channel).SetPrimary(hasPrimary(definition.Channel)).Exec(ctx)
		if err != nil {
			return fmt.Errorf("integration %s: %w", providerID, err)
		}
	}
	return nil
}
