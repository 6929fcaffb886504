package integrations

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/suppression"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// Suppressions are the use cases of addresses that nothing is sent to any more.
type Suppressions struct{ usecase.Deps }

// SuppressionConnection is a page of suppressions.
type SuppressionConnection = usecase.Connection[ent.Suppression]

// SuppressionEdge is one suppression of a page.
type SuppressionEdge = usecase.Edge[ent.Suppression]

// SuppressionFilter narrows a list of suppressions; the fields that are set combine with AND.
type SuppressionFilter struct {
	ChannelIn     []workflow.Channel
	Address       *string
	ReasonIn      []workflow.SuppressionReason
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *SuppressionFilter) predicates() (ps []predicate.Suppression, values usecase.Values) {
	if f == nil {
		return nil, values
	}
	channels := f.ChannelIn
	if channels == nil && f.Address != nil { // the index has addresses by channel
		channels = workflow.Channels()
	}
	if channels != nil {
		ps = append(ps, suppression.ChannelIn(channels...))
	}
	if f.Address != nil {
		ps = append(ps, suppression.AddressIn(*f.Address, workflow.SuppressedAddress(workflow.ChannelEmail, *f.Address)))
	}
	if f.ReasonIn != nil {
		ps = append(ps, suppression.ReasonIn(f.ReasonIn...))
	}
	return usecase.Created(ps, &values, f.CreatedAfter, f.CreatedBefore, 0), values
}

// List is a page of suppressions.
func (s *Suppressions) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *SuppressionFilter) (*SuppressionConnection, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*SuppressionConnection, error) {
		ps, values := filter.predicates()
		return usecase.Paginate(ctx, db.Suppression.Query(), ps, page, s.Newest(order, values))
	})
}

// Get is one suppression by its global or internal id.
func (s *Suppressions) Get(ctx context.Context, globalID string) (*ent.Suppression, error) {
	recordID, err := usecase.RecordID("Suppression", globalID)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ent.Suppression, error) {
		found, err := db.Suppression.Get(ctx, recordID)
		return found, usecase.NotFound(err, "Suppression %s was not found.", globalID)
	})
}

// ByAddress is the suppression of an address.
func (s *Suppressions) ByAddress(ctx context.Context, channel workflow.Channel, address string) (*ent.Suppression, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ent.Suppression, error) {
		found, err := db.Suppression.Query().Where(suppression.ChannelEQ(channel),
			suppression.Address(workflow.SuppressedAddress(channel, address))).Only(ctx)
		return found, usecase.NotFound(err, "No suppression of %s was found.", address)
	})
}

// CreateSuppressionInput names an address that nothing is to be sent to.
type CreateSuppressionInput struct {
	Channel workflow.Channel
	Address string
	Detail  *string
}

// Create suppresses an address by hand.
func (s *Suppressions) Create(ctx context.Context, in CreateSuppressionInput) (*ent.Suppression, error) {
	problems := fault.Problems{}
	switch address := workflow.SuppressedAddress(in.Channel, in.Address); {
	case in.Channel != workflow.ChannelEmail && in.Channel != workflow.ChannelSMS:
		problems.Add("channel", string(in.Channel), "must be e-mail or SMS")
	case in.Channel == workflow.ChannelEmail && !workflow.ValidEmail(address):
		problems.Add("address", in.Address, "is not an e-mail address")
	case in.Channel == workflow.ChannelSMS && !workflow.ValidPhone(address):
		problems.Add("address", in.Address, "is not a phone number such as +15550101234")
	default:
		in.Address = address
	}
	usecase.CheckText(&problems, "detail", in.Detail, usecase.MaxNameLength)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return usecase.Write(ctx, s.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.Suppression, error) {
		create := db.Suppression.Create().SetChannel(in.Channel).SetAddress(in.Address).SetReason(workflow.SuppressionManual)
		if in.Detail != nil {
			create.SetDetail(*in.Detail)
		}
		created, err := create.Save(ctx)
		if err != nil {
			return nil, usecase.AlreadyExists(err, "The address is suppressed already.")
		}
		return created, usecase.Audit(ctx, db, "create", created, map[string]any{"channel": in.Channel})
	})
}

// Delete lifts a suppression.
func (s *Suppressions) Delete(ctx context.Context, globalID string) (*ent.Suppression, error) {
	recordID, err := usecase.RecordID("Suppression", globalID)
	if err != nil {
		return nil, err
	}
	return usecase.Write(ctx, s.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.Suppression, error) {
		found, err := db.Suppression.Get(ctx, recordID)
		if err != nil {
			return nil, usecase.NotFound(err, "Suppression %s was not found.", globalID)
		}
		if err := db.Suppression.DeleteOne(found).Exec(ctx); err != nil {
			return nil, err
		}
		return found, usecase.Audit(ctx, db, "delete", found, map[string]any{"channel": found.Channel, "reason": found.Reason})
	})
}
