// Package nullable holds what the clients send for members that null clears.
package nullable

import "encoding/json"

// Member is a member of a request that is left out, null, or a T. Its zero value is left out, which keeps what is stored;
// null clears it.
type Member[T any] struct {
	value *T
	given bool
}

// Value sets a member to v.
func Value[T any](v T) Member[T] { return Member[T]{value: &v, given: true} }

// Null clears a member.
func Null[T any]() Member[T] { return Member[T]{given: true} }

// Get returns the value; ok is false when the member is left out or null.
func (n Member[T]) Get() (v T, ok bool) {
	if n.value == nil {
		return v, false
	}
	return *n.value, true
}

// IsNull reports whether the member is null, not just left out.
func (n Member[T]) IsNull() bool { return n.given && n.value == nil }

// MarshalJSON returns the value or null; the tag omitzero leaves out what was not given.
func (n Member[T]) MarshalJSON() ([]byte, error) { return json.Marshal(n.value) }

// UnmarshalJSON reads the value or null.
func (n *Member[T]) UnmarshalJSON(b []byte) error {
	n.given, n.value = true, nil
	return json.Unmarshal(b, &n.value)
}
