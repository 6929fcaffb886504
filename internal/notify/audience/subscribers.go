package audience

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/channelendpoint"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/ent/subscriberchannel"
	"github.com/carillon/carillon/ent/subscription"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// Subscribers are the use cases of subscribers: those who can be notified. A deleted one is unknown to everything but
// the history of its messages.
type Subscribers struct{ usecase.Deps }

// SubscriberConnection is a page of subscribers.
type SubscriberConnection = usecase.Connection[ent.Subscriber]

// SubscriberEdge is one subscriber of a page.
type SubscriberEdge = usecase.Edge[ent.Subscriber]

// SubscriberFilter narrows a list of subscribers; the fields that are set combine with AND.
type SubscriberFilter struct {
	SubscriberIDIn []string
	Email          *string // exact
	Phone          *string // exact
	NameContains   *string // first or last name, case-insensitive
	Deleted        *bool   // nil and false: the living; true: the deleted
	CreatedAfter   *time.Time
	CreatedBefore  *time.Time
}

func (f *SubscriberFilter) predicates() []predicate.Subscriber {
	if f == nil {
		return []predicate.Subscriber{subscriber.Deleted(false)}
	}
	ps := []predicate.Subscriber{subscriber.Deleted(f.Deleted != nil && *f.Deleted)}
	if f.SubscriberIDIn != nil {
		ps = append(ps, subscriber.SubscriberIDIn(f.SubscriberIDIn...))
	}
	ps = usecase.WithFilter(ps, f.Email, subscriber.Email)
	ps = usecase.WithFilter(ps, f.Phone, subscriber.Phone)
	ps = usecase.WithFilter(ps, f.NameContains, func(part string) predicate.Subscriber {
		return subscriber.Or(subscriber.FirstNameContainsFold(part), subscriber.LastNameContainsFold(part))
	})
	ps = usecase.WithFilter(ps, f.CreatedAfter, subscriber.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, subscriber.CreatedAtLT)
}

// List is a page of subscribers.
func (s *Subscribers) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *SubscriberFilter) (*SubscriberConnection, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*SubscriberConnection, error) {
		return usecase.Paginate(ctx, db.Subscriber.Query(), filter.predicates(), page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one subscriber by its global or internal id, deleted or not.
func (s *Subscribers) Get(ctx context.Context, globalID string) (*ent.Subscriber, error) {
	recordID, err := usecase.RecordID("Subscriber", globalID)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ent.Subscriber, error) {
		found, err := db.Subscriber.Get(ctx, recordID)
		return found, usecase.NotFound(err, "Subscriber %s was not found.", globalID)
	})
}

// BySubscriberID is the living subscriber with this external identifier.
func (s *Subscribers) BySubscriberID(ctx context.Context, subscriberID string) (*ent.Subscriber, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ent.Subscriber, error) {
		return usecase.LivingSubscriber(ctx, db, subscriberID)
	})
}

// Batch finds subscribers by internal id, for nested fields. Cost: one query.
func (s *Subscribers) Batch(ctx context.Context, ids []string) (map[string]*ent.Subscriber, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (map[string]*ent.Subscriber, error) {
		rows, err := db.Subscriber.Query().Where(subscriber.IDIn(ids...)).All(ctx)
		return usecase.ByID(rows), err
	})
}

// ProfileChanges are the texts of a profile that a call gives.
type ProfileChanges = workflow.Profile[graphql.Omittable[*string]]

// SubscriberProfile is what can be changed of a subscriber; absent fields stay as they are, null clears.
type SubscriberProfile struct {
	workflow.Profile[graphql.Omittable[*string]]
	Data     graphql.Omittable[map[string]any]
	Schedule graphql.Omittable[*ScheduleInput]
}

func (f *SubscriberProfile) check(p *fault.Problems) {
	for _, text := range f.Texts() {
		usecase.CheckText(p, text.Name, text.Value.Value(), text.Most)
	}
	f.checkAddresses(p)
	usecase.CheckData(p, "data", f.Data.Value())
	if tag := f.Locale.Value(); tag != nil && !workflow.ValidLocale(*tag) {
		p.Add("locale", *tag, "must be a language tag such as en-GB")
	}
	if zone := f.Timezone.Value(); zone != nil {
		if _, ok := workflow.Location(*zone); !ok {
			p.Add("timezone", *zone, "must be a time zone of the IANA database such as Europe/Berlin")
		}
	}
	if schedule := f.Schedule.Value(); schedule != nil {
		schedule.Schedule().Validate(p, "schedule")
	}
}

// checkAddresses reports addresses that nothing could ever be sent to, or that no client may open. An empty text is none.
func (f *SubscriberProfile) checkAddresses(p *fault.Problems) {
	if email := usecase.Text(f.Email.Value()); email != "" && !workflow.ValidEmail(email) {
		p.Add("email", email, "must be a bare e-mail address such as ada@example.com")
	}
	if phone := usecase.Text(f.Phone.Value()); phone != "" && !workflow.ValidPhone(phone) {
		p.Add("phone", phone, "must be a phone number in E.164 form such as +4915112345678")
	}
	if avatar := usecase.Text(f.Avatar.Value()); !workflow.SafeLink(avatar) {
		p.Add("avatar", avatar, "must be a http, https or mailto URL, or a relative one")
	}
}

// apply sets the fields that are given. It fails when a text of the profile is no column.
func (f *SubscriberProfile) apply(m *ent.SubscriberMutation) error {
	var errs []error
	for _, text := range f.Texts() {
		switch value, given := text.Value.ValueOK(); {
		case given && value != nil:
			errs = append(errs, m.SetField(text.Column, *value))
		case given:
			errs = append(errs, m.ClearField(text.Column))
		}
	}
	switch data, given := f.Data.ValueOK(); {
	case given && data != nil:
		m.SetData(data)
	case given:
		m.ClearData()
	}
	switch schedule, given := f.Schedule.ValueOK(); {
	case given && schedule != nil:
		m.SetSchedule(schedule.Schedule())
	case given:
		m.ClearSchedule()
	}
	return errors.Join(errs...)
}

// CreateSubscriberInput describes a new subscriber.
type CreateSubscriberInput struct {
	SubscriberID string // decisions.md §1; surrounding blanks are trimmed
	SubscriberProfile
}

// WrongSubscriberID is what is said of a subscriberId that cannot be one.
const WrongSubscriberID = "must be 1 to 255 letters, digits or - _ . : @ | + = ~ /, other than . and .."

// Create makes a subscriber. A subscriberId that is taken is a conflict.
func (s *Subscribers) Create(ctx context.Context, in CreateSubscriberInput) (*ent.Subscriber, error) {
	var p fault.Problems
	subscriberID, ok := workflow.ParseNewSubscriberID(in.SubscriberID)
	if !ok {
		p.Add("subscriberId", in.SubscriberID, WrongSubscriberID)
	}
	in.check(&p)
	if p.Any() {
		return nil, p.Err()
	}
	return usecase.Write(ctx, s.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.Subscriber, error) {
		create := db.Subscriber.Create().SetSubscriberID(subscriberID)
		if err := in.apply(create.Mutation()); err != nil {
			return nil, err
		}
		created, err := create.Save(ctx)
		if err != nil {
			return nil, usecase.AlreadyExists(err, "Subscriber %s exists already.", subscriberID)
		}
		return created, usecase.Audit(ctx, db, "create", created, map[string]any{"subscriberId": subscriberID})
	})
}

// UpdateSubscriberInput changes a subscriber.
type UpdateSubscriberInput struct {
	ID string
	SubscriberProfile
}

// Update changes a living subscriber.
func (s *Subscribers) Update(ctx context.Context, in UpdateSubscriberInput) (*ent.Subscriber, error) {
	var p fault.Problems
	in.check(&p)
	if p.Any() {
		return nil, p.Err()
	}
	return usecase.Write(ctx, s.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.Subscriber, error) {
		found, err := s.living(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		change := db.Subscriber.UpdateOne(found)
		if err := in.apply(change.Mutation()); err != nil {
			return nil, err
		}
		updated, err := change.Save(ctx)
		if err != nil {
			return nil, err
		}
		return updated, usecase.Audit(ctx, db, "update", updated, nil)
	})
}

// living is a subscriber by its global or internal id, unless it is deleted.
func (s *Subscribers) living(ctx context.Context, globalID string) (*ent.Subscriber, error) {
	found, err := s.Get(ctx, globalID)
	if err == nil && found.Deleted {
		return nil, fault.NotFoundf("Subscriber %s was not found.", globalID)
	}
	return found, err
}

// Delete marks a subscriber as deleted and answers it. Its subscriptions, channel settings and channel endpoints go:
// they reach people, and their identifiers must be free when the subscriber comes back. Messages and preferences stay as
// history.
func (s *Subscribers) Delete(ctx context.Context, globalID string) (*ent.Subscriber, error) {
	return usecase.Write(ctx, s.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.Subscriber, error) {
		found, err := s.living(ctx, globalID)
		if err != nil {
			return nil, err
		}
		deleted, err := db.Subscriber.UpdateOne(found).SetDeleted(true).SetDeletedAt(s.Now().UTC()).
			SetNillableDeletedBy(usecase.DeletingActor(ctx)).Save(ctx)
		if err != nil {
			return nil, err
		}
		if err := removeReach(ctx, db, found.ID); err != nil {
			return nil, err
		}
		return deleted, usecase.Audit(ctx, db, "delete", deleted, nil)
	})
}

// removeReach deletes the subscriptions, channel settings and channel endpoints of subscribers that are being deleted.
func removeReach(ctx context.Context, db *ent.Client, ids ...string) error {
	if _, err := db.Subscription.Delete().Where(subscription.SubscriberIDIn(ids...)).Exec(ctx); err != nil {
		return fmt.Errorf("delete subscriptions: %w", err)
	}
	if _, err := db.SubscriberChannel.Delete().Where(subscriberchannel.SubscriberIDIn(ids...)).Exec(ctx); err != nil {
		return fmt.Errorf("delete channel settings: %w", err)
	}
	if _, err := db.ChannelEndpoint.Delete().Where(channelendpoint.SubscriberIDIn(ids...)).Exec(ctx); err != nil {
		return fmt.Errorf("delete channel endpoints: %w", err)
	}
	return nil
}
