package workflow

import (
	"encoding/json"

	"github.com/carillon/carillon/internal/jsonnum"
)

// Optional is a field of a request in its three states: absent (keep what is stored), null (clear it), given.
type Optional[T any] struct {
	Value T
	Set   bool // given or null
	Null  bool
}

// Given is an Optional that holds v.
func Given[T any](v T) Optional[T] { return Optional[T]{Value: v, Set: true} }

// Cleared is an Optional that holds null.
func Cleared[T any]() Optional[T] { return Optional[T]{Set: true, Null: true} }

func givenOr[T any](v T, null bool) Optional[T] { return Optional[T]{Value: v, Set: true, Null: null} }

// Ptr is the value to store: nil for null and absent.
func (o Optional[T]) Ptr() *T {
	if !o.Set || o.Null {
		return nil
	}
	return &o.Value
}

// IsZero is true when absent, so that omitzero leaves the member out.
func (o Optional[T]) IsZero() bool { return !o.Set }

// MarshalJSON writes the value or null.
func (o Optional[T]) MarshalJSON() ([]byte, error) {
	if !o.Set || o.Null {
		return []byte("null"), nil
	}
	return json.Marshal(o.Value)
}

// UnmarshalJSON is called only for members that are there.
func (o *Optional[T]) UnmarshalJSON(raw []byte) error {
	*o = Optional[T]{Set: true}
	if string(raw) == "null" {
		o.Null = true
		return nil
	}
	return jsonnum.Unmarshal(raw, &o.Value)
}
