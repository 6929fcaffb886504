package usecase

import (
	"context"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// self is what a call concerns, as far as a subscriber's own credential is asked.
type self struct {
	subscriberIDs []string // external; empty: a subscriber may not call
	contextKeys   []string // nil: the call names no context set
}

// OrSelf returns a need that a subscriber's own credential meets as well, on its own behalf: for what concerns the
// subscribers that a call names, in the context set that it names (nil: it names none). A need without it refuses
// subscribers, because no role includes theirs.
func (n Need) OrSelf(contextKeys []string, subscriberIDs ...string) Need {
	n.self = self{subscriberIDs, contextKeys}
	return n
}

// ofSubscriber reports why a subscriber's credential may not call; nil when it may.
func (s self) ofSubscriber(v viewer.Viewer) error {
	for _, subscriberID := range s.subscriberIDs {
		if trimmed, _ := workflow.ParseSubscriberID(subscriberID); trimmed != v.ExternalID {
			return fault.Forbiddenf("This credential is for one subscriber, and for another one.")
		}
	}
	if v.ContextScope != nil && s.contextKeys != nil && ScopeOf(s.contextKeys) != *v.ContextScope {
		return fault.Forbiddenf("This credential is for one context set, and for another one.")
	}
	return nil
}

// IsSelf reports whether the viewer is a subscriber.
func IsSelf(ctx context.Context) bool {
	v, _ := viewer.FromContext(ctx)
	return v.Role == viewer.RoleSubscriber
}

// WithinContext reports whether the viewer's credential reaches records of a context set.
func WithinContext(ctx context.Context, scopeKey string) bool {
	v, _ := viewer.FromContext(ctx)
	return v.ContextScope == nil || *v.ContextScope == scopeKey
}

// Self is the subscriberId that a call is about: the one it names, or a subscriber's own when it names none.
func Self(ctx context.Context, named *string) (string, error) {
	v, _ := viewer.FromContext(ctx)
	switch {
	case named != nil:
		return *named, nil
	case v.Role == viewer.RoleSubscriber:
		return v.ExternalID, nil
	}
	return "", fault.Invalidf("subscriberId", "is required: only a subscriber's own credential implies it")
}

// OwnContext is the context set that a call is about: the one it names, or the one that the viewer's credential is bound
// to, or none.
func OwnContext(ctx context.Context, named []string) []string {
	v, _ := viewer.FromContext(ctx)
	if named == nil && v.ContextScope != nil {
		return workflow.ParseScope(*v.ContextScope)
	}
	if named == nil {
		return []string{}
	}
	return named
}
