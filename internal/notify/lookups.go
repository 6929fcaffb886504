package notify

import (
	"context"
	"strings"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// scopeMatch keeps the records of exactly one context set: nil keeps all, no keys those without context, and a malformed
// key matches nothing (decisions.md §4).
func scopeMatch[P any](ps []P, keys []string, equals func(string) P, nothing func() P) []P {
	if keys == nil {
		return ps
	}
	set := workflow.NewContextSet(keys...)
	if !set.Valid() {
		return append(ps, nothing())
	}
	return append(ps, equals(set.Scope()))
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

func splitGlobal(global string) (typ, recordID string, ok bool) { return id.ParseGlobal(global) }

// recordID is the identifier inside a global id of the given type. A record's plain internal id is accepted as well,
// since every node shows both.
func recordID(typ, global string) (id.ID, error) {
	if id.Valid(global) {
		return strings.ToLower(global), nil
	}
	if t, recordID, ok := id.ParseGlobal(global); ok && t == typ {
		return recordID, nil
	}
	return "", fault.NotFoundf("%s %s was not found.", typ, global)
}

func livingSubscriber(ctx context.Context, db *ent.Client, subscriberID string) (*ent.Subscriber, error) {
	trimmed, _ := workflow.ParseSubscriberID(subscriberID)
	found, err := db.Subscriber.Query().Where(subscriber.SubscriberID(trimmed), subscriber.Deleted(false)).Only(ctx)
	return found, notFound(err, "Subscriber %s was not found.", subscriberID)
}

// idOf is a workflow's id; the id of none matches nothing.
func idOf(w *ent.Workflow) string {
	if w == nil {
		return ""
	}
	return w.ID
}

// with adds the predicate for value when value is set.
func with[P, V any](ps []P, value *V, predicate func(V) P) []P {
	if value == nil {
		return ps
	}
	return append(ps, predicate(*value))
}

// actingUser is the user behind the request; nil when a key without an owner was used.
func actingUser(ctx context.Context) *string {
	if v, ok := viewer.FromContext(ctx); ok && v.UserID != "" {
		return &v.UserID
	}
	return nil
}

// deletingActor is the id that a deletion is recorded under: that of the user, or of the API key when it belongs to nobody.
func deletingActor(ctx context.Context) *string {
	if userID := actingUser(ctx); userID != nil {
		return userID
	}
	if v, ok := viewer.FromContext(ctx); ok && v.APIKeyID != "" {
		return &v.APIKeyID
	}
	return nil
}

// plainIDs turns global ids of a type into record ids. What is neither stays as it is and matches nothing.
func plainIDs(typ string, globals []string) []id.ID {
	ids := make([]id.ID, len(globals))
	for i, global := range globals {
		ids[i] = global
		if recordID, err := recordID(typ, global); err == nil {
			ids[i] = recordID
		}
	}
	return ids
}
