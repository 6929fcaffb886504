package usecase

import (
	"context"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// AsSelf lets a subscriber use a case on its own behalf: what concerns the subscriber that a call names, in the context set
// that it names (nil: the call names none). Use cases that subscribers may use begin with it; all others refuse them,
// because no role includes theirs. For other viewers it changes nothing.
func AsSelf(ctx context.Context, subscriberID string, contextKeys []string) (context.Context, error) {
	v, ok := viewer.FromContext(ctx)
	if !ok || v.Role != viewer.RoleSubscriber {
		return ctx, nil
	}
	if trimmed, _ := workflow.ParseSubscriberID(subscriberID); trimmed != v.ExternalID {
		return ctx, fault.Forbiddenf("This credential is for one subscriber, and for another one.")
	}
	if v.ContextScope != nil && contextKeys != nil && ScopeOf(contextKeys) != *v.ContextScope {
		return ctx, fault.Forbiddenf("This credential is for one context set, and for another one.")
	}
	v.Role = viewer.RoleEditor
	return viewer.NewContext(ctx, v), nil
}

// IsSelf reports whether the viewer is a subscriber, before asSelf lets it act.
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
