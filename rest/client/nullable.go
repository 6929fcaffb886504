package client

import "encoding/json"

// Nullable is a member of a request that is left out, null, or a T. Its zero value is left out, which keeps what is stored;
// null clears it.
type Nullable[T any] struct {
	value *T
	given bool
}

// Value sets a member to v.
func Value[T any](v T) Nullable[T] { return Nullable[T]{value: &v, given: true} }

// Null clears a member.
func Null[T any]() Nullable[T] { return Nullable[T]{given: true} }

// Get returns the value; ok is false when the member is left out or null.
func (n Nullable[T]) Get() (v T, ok bool) {
	if n.value == nil {
		return v, false
	}
	return *n.value, true
}

// IsNull reports whether the member is null, not just left out.
func (n Nullable[T]) IsNull() bool { return n.given && n.value == nil }

// MarshalJSON returns the value or null; the tag omitzero leaves out what was not given.
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return json.Marshal(n.value) }

// UnmarshalJSON reads the value or null.
func (n *Nullable[T]) UnmarshalJSON(b []byte) error {
	n.given, n.value = true, nil
	return json.Unmarshal(b, &n.value)
}
