package notify

import (
	"context"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/internal/workflow"
)

// Deliveries are the use cases of what the engine makes of triggers. They only read, except that
// clocks are moved and runs cancelled.
type Deliveries struct {
	Events        *Events
	Notifications *Notifications
	Attempts      *Attempts
	Digests       *Digests
	Clocks        *Clocks
	Cancellations *Cancellations
	Statistics    *Statistics
}

func newDeliveries(b base, countRuns func(status string, n int)) Deliveries {
	return Deliveries{
		Events: &Events{b}, Notifications: &Notifications{b}, Attempts: &Attempts{b}, Digests: &Digests{b},
		Clocks: &Clocks{b}, Cancellations: &Cancellations{b, countRuns}, Statistics: &Statistics{b},
	}
}

// namedWorkflow is the internal id of the workflow that a filter names by id, slug or identifier; a name that nobody has gives one
// that matches nothing.
func namedWorkflow(ctx context.Context, db *ent.Client, ref string) (string, error) {
	found, err := workflowRefs(ctx, db, []string{ref})
	if err != nil {
		return "", err
	}
	return idOf(found[ref]), nil
}

// namedSubscribers are the internal ids that ever belonged to a subscriberId, deleted subscribers included.
func namedSubscribers(ctx context.Context, db *ent.Client, subscriberID string) ([]string, error) {
	return db.Subscriber.Query().Where(subscriber.SubscriberID(subscriberID)).IDs(ctx)
}

// living is the internal id of the subscriber who bears a subscriberId now.
func living(ctx context.Context, db *ent.Client, subscriberID string) (string, error) {
	found, err := db.Subscriber.Query().Where(subscriber.SubscriberID(subscriberID), subscriber.Deleted(false)).OnlyID(ctx)
	return found, notFound(err, "Subscriber %s was not found.", subscriberID)
}

func scopeOf(keys []string) string { return workflow.NewContextSet(keys...).Scope() }
