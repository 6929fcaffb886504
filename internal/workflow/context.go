package workflow

import (
	"slices"
	"strings"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow/jsonvalue"
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
		if withData {
			view[r.Type] = map[string]any{"id": r.ID, "data": r.Data}
		} else {
			view[r.Type] = r.ID
		}
	}
	return view
}

// ParseContext reads the context object of a request: type → id, or type → {id, data?}. nil (absent or null) gives
// none. The result is sorted by key.
func ParseContext(p *fault.Problems, path string, raw any) []ContextRef {
	if raw == nil {
		return nil
	}
	object, ok := raw.(map[string]any)
	if !ok {
		p.Add(path, raw, "must be an object")
		return nil
	}
	if len(object) == 0 || len(object) > MaxContexts {
		p.Add(path, nil, "must hold 1 to %d contexts", MaxContexts)
		return nil
	}
	refs := make([]ContextRef, 0, len(object))
	for kind, v := range object {
		if ref, ok := parseContextRef(p, jsonvalue.Join(path, kind), kind, v); ok {
			refs = append(refs, ref)
		}
	}
	slices.SortFunc(refs, func(a, b ContextRef) int { return strings.Compare(a.Key(), b.Key()) })
	return refs
}

func parseContextRef(p *fault.Problems, path, kind string, raw any) (ContextRef, bool) {
	ref := ContextRef{Type: kind}
	if !ValidContextPart(kind) {
		p.Add(path, nil, "the context type must be 1 to 100 letters, digits, - or _")
		return ref, false
	}
	idPath := path
	switch v := raw.(type) {
	case string:
		ref.ID = v
	case map[string]any:
		idPath = jsonvalue.Join(path, "id")
		id, isText := v["id"].(string)
		if !isText {
			p.Add(idPath, v["id"], "must be a string")
			return ref, false
		}
		ref.ID = id
		if !parseContextData(p, jsonvalue.Join(path, "data"), v["data"], &ref) {
			return ref, false
		}
	default:
		p.Add(path, raw, "must be an id or an object with an id")
		return ref, false
	}
	if !ValidContextPart(ref.ID) {
		p.Add(idPath, ref.ID, "must be 1 to 100 letters, digits, - or _")
		return ref, false
	}
	return ref, true
}

func parseContextData(p *fault.Problems, path string, raw any, ref *ContextRef) bool {
	if raw == nil {
		return true
	}
	data, ok := raw.(map[string]any)
	if !ok {
		p.Add(path, raw, "must be an object")
		return false
	}
	if !FitsJSON(data, MaxContextData) {
		p.Add(path, nil, "must not exceed %d bytes of JSON", MaxContextData)
		return false
	}
	ref.Data = data
	return true
}
