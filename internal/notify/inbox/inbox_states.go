package inbox

import (
	"context"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/inboxstate"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// InboxStates are the use cases of inbox states: the counters and the sequence of a subscriber's inbox in one context
// set. They change with the messages they count, never by themselves.
type InboxStates struct{ usecase.Deps }

// InboxStateConnection is a page of inbox states.
type InboxStateConnection = usecase.Connection[ent.InboxState]

// InboxStateEdge is one inbox state of a page.
type InboxStateEdge = usecase.Edge[ent.InboxState]

// InboxStateFilter narrows a list of inbox states; the fields that are set combine with AND.
type InboxStateFilter struct {
	SubscriberID *string  // external
	ContextKeys  []string // as a set; nil: any
}

// List is a page of inbox states.
func (s *InboxStates) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *InboxStateFilter) (*InboxStateConnection, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*InboxStateConnection, error) {
		var ps []predicate.InboxState
		if filter != nil && filter.SubscriberID != nil {
			ids, err := db.Subscriber.Query().Where(subscriber.SubscriberID(*filter.SubscriberID)).IDs(ctx)
			if err != nil {
				return nil, err
			}
			ps = append(ps, inboxstate.SubscriberIDIn(ids...))
		}
		if filter != nil {
			ps = usecase.ScopeMatch(ps, filter.ContextKeys, inboxstate.Scope, func() predicate.InboxState { return inboxstate.IDIn() })
		}
		return usecase.Paginate(ctx, db.InboxState.Query(), ps, page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one inbox state by its global or internal id.
func (s *InboxStates) Get(ctx context.Context, globalID string) (*ent.InboxState, error) {
	recordID, err := usecase.RecordID("InboxState", globalID)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ent.InboxState, error) {
		found, err := db.InboxState.Get(ctx, recordID)
		return found, usecase.NotFound(err, "Inbox state %s was not found.", globalID)
	})
}

// BySubscriber is the inbox state of a subscriber in one context set; nil while that inbox never held a message.
func (s *InboxStates) BySubscriber(ctx context.Context, subscriberID string, contextKeys []string) (*ent.InboxState, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ent.InboxState, error) {
		owner, err := usecase.LivingSubscriber(ctx, db, subscriberID)
		if err != nil {
			return nil, err
		}
		found, err := db.InboxState.Query().Where(inboxstate.SubscriberID(owner.ID),
			inboxstate.Scope(workflow.NewContextSet(contextKeys...).Scope())).Only(ctx)
		if ent.IsNotFound(err) {
			return nil, nil //nolint:nilnil // documented
		}
		return found, err
	})
}
