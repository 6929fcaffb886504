package workflow

import (
	"slices"
	"strings"
)

// Limits of contexts (decisions.md §16).
const (
	MaxContexts    = 5
	MaxContextData = 64 << 10 // bytes of compact JSON

	maxContextPart = 100 // characters of a type or an id
	maxScope       = MaxContexts*(maxContextPart+len(":")+maxContextPart) + (MaxContexts-1)*len(",")
)

// ContextRef names one context; Data is what the caller gave with it, stored only when the context is new.
type ContextRef struct {
	Type string         `json:"type"`
	ID   string         `json:"id"`
	Data map[string]any `json:"data,omitempty"`
}

// Key is the context key, type:id.
func (r ContextRef) Key() string { return r.Type + ":" + r.ID }

// ContextSet is a set of context keys: sorted, without duplicates. It scopes subscriptions and preferences; only equal
// sets match, and the empty set is the context-free scope, not "any".
type ContextSet []string

// NewContextSet makes the set of keys.
func NewContextSet(keys ...string) ContextSet {
	set := slices.Clone(keys)
	slices.Sort(set)
	return slices.Compact(set)
}

// ContextSetOf is the set of the keys of refs.
func ContextSetOf(refs []ContextRef) ContextSet {
	keys := make([]string, len(refs))
	for i, r := range refs {
		keys[i] = r.Key()
	}
	return NewContextSet(keys...)
}

// ParseScope is the inverse of Scope.
func ParseScope(scope string) ContextSet {
	if scope == "" {
		return ContextSet{}
	}
	return NewContextSet(strings.Split(scope, ",")...)
}

// Scope is the canonical text of the set for unique keys: the sorted keys joined by a comma, "" without any. Keys hold
// no comma, and at most 1,009 bytes come together.
func (s ContextSet) Scope() string { return strings.Join(s, ",") }

// Equal is set equality.
func (s ContextSet) Equal(o ContextSet) bool { return slices.Equal(s, o) }

// Valid reports whether every key is a well-formed type:id; a malformed key matches nothing.
func (s ContextSet) Valid() bool {
	return !slices.ContainsFunc(s, func(key string) bool {
		kind, id, ok := strings.Cut(key, ":")
		return !ok || !ValidContextPart(kind) || !ValidContextPart(id)
	})
}

// ContextView is what templates and conditions see: type → id, or with data the object {id, data}. Conditions of
// subscriptions want ids only (semantics.md §11.29), so withData is false there.
func ContextView(refs []ContextRef, withData bool) map[string]any {
	view := make(map[string]any, len(refs))
	for _, r := range refs {
		switch {
		case !withData:
			view[r.Type] = r.ID
		case r.Data == nil: // templates take an empty object for something
			view[r.Type] = map[string]any{"id": r.ID, "data": nil}
		default:
			view[r.Type] = map[string]any{"id": r.ID, "data": r.Data}
		}
	}
	return view
}
