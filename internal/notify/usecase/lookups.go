package usecase

import (
	"context"
	"strings"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/channelconnection"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// ScopeMatch keeps the records of exactly one context set: nil keeps all, no keys those without context, and a malformed
// key matches nothing (decisions.md §4).
func ScopeMatch[P any](ps []P, keys []string, equals func(string) P, nothing func() P) []P {
	if keys == nil {
		return ps
	}
	set := workflow.NewContextSet(keys...)
	if !set.Valid() {
		return append(ps, nothing())
	}
	return append(ps, equals(set.Scope()))
}

// NamedWorkflow is the internal id of the workflow that a filter names by id, slug or identifier; an unknown name gives one
// that matches nothing.
func NamedWorkflow(ctx context.Context, db *ent.Client, ref string) (string, error) {
	found, err := WorkflowRefs(ctx, db, []string{ref})
	if err != nil {
		return "", err
	}
	return WorkflowIDOf(found[ref]), nil
}

// HoldsTokens reports whether connected workspaces of an integration have access tokens, which go to the integration's server.
func HoldsTokens(ctx context.Context, db *ent.Client, integrationID string) (bool, error) {
	return db.ChannelConnection.Query().Where(channelconnection.IntegrationID(integrationID), channelconnection.AccessTokenNotNil()).Exist(ctx)
}

// NamedSubscribers are the internal ids that ever belonged to a subscriberId, deleted subscribers included.
func NamedSubscribers(ctx context.Context, db *ent.Client, subscriberID string) ([]string, error) {
	return db.Subscriber.Query().Where(subscriber.SubscriberID(subscriberID)).IDs(ctx)
}

// LivingSubscriberID is the internal id of the subscriber who bears a subscriberId now.
func LivingSubscriberID(ctx context.Context, db *ent.Client, subscriberID string) (string, error) {
	found, err := db.Subscriber.Query().Where(subscriber.SubscriberID(subscriberID), subscriber.Deleted(false)).OnlyID(ctx)
	return found, NotFound(err, "Subscriber %s was not found.", subscriberID)
}

// ScopeOf is the scope key of a context set.
func ScopeOf(keys []string) string { return workflow.NewContextSet(keys...).Scope() }

// SplitGlobal is the type and the record id inside a global id.
func SplitGlobal(global string) (typ, recordID string, ok bool) { return id.ParseGlobal(global) }

// RecordID is the identifier inside a global id of the given type. A record's plain internal id is accepted as well,
// since every node shows both.
func RecordID(typ, global string) (id.ID, error) {
	if id.Valid(global) {
		return strings.ToLower(global), nil
	}
	if t, recordID, ok := id.ParseGlobal(global); ok && t == typ {
		return recordID, nil
	}
	return "", fault.NotFoundf("%s %s was not found.", inWords(typ), global)
}

// inWords is the name of a type as texts write it: "API key" of APIKey.
func inWords(typ string) string {
	var words strings.Builder
	for i := range typ {
		if i > 0 && isCapital(typ[i]) && i+1 < len(typ) && !isCapital(typ[i+1]) {
			words.WriteString(" " + strings.ToLower(typ[i:i+1]))
			continue
		}
		words.WriteByte(typ[i])
	}
	return words.String()
}

func isCapital(letter byte) bool { return 'A' <= letter && letter <= 'Z' }

// LivingSubscriber is the subscriber who bears a subscriberId now.
func LivingSubscriber(ctx context.Context, db *ent.Client, subscriberID string) (*ent.Subscriber, error) {
	trimmed, _ := workflow.ParseSubscriberID(subscriberID)
	found, err := db.Subscriber.Query().Where(subscriber.SubscriberID(trimmed), subscriber.Deleted(false)).Only(ctx)
	return found, NotFound(err, "Subscriber %s was not found.", subscriberID)
}

// WorkflowIDOf is a workflow's id; the id of none matches nothing.
func WorkflowIDOf(w *ent.Workflow) string {
	if w == nil {
		return ""
	}
	return w.ID
}

// WithFilter adds the predicate for value when value is set.
func WithFilter[P, V any](ps []P, value *V, predicate func(V) P) []P {
	if value == nil {
		return ps
	}
	return append(ps, predicate(*value))
}

// ActingUser is the user behind the request; nil when a key without an owner was used.
func ActingUser(ctx context.Context) *string {
	if v, ok := viewer.FromContext(ctx); ok && v.UserID != "" {
		return &v.UserID
	}
	return nil
}

// DeletingActor is the id that a deletion is recorded under: that of the user, or of the API key when it belongs to no user.
func DeletingActor(ctx context.Context) *string {
	if userID := ActingUser(ctx); userID != nil {
		return userID
	}
	if v, ok := viewer.FromContext(ctx); ok && v.APIKeyID != "" {
		return &v.APIKeyID
	}
	return nil
}

// PlainIDs turns global ids of a type into record ids. What is neither stays as it is and matches nothing.
func PlainIDs(typ string, globals []string) []id.ID {
	ids := make([]id.ID, len(globals))
	for i, global := range globals {
		ids[i] = global
		if recordID, err := RecordID(typ, global); err == nil {
			ids[i] = recordID
		}
	}
	return ids
}
