package client

import "github.com/carillon/carillon/graph/client/nullable"

// Nullable is a member of a request that is left out, null, or a T. Its zero value is left out, which keeps what is stored;
// null clears it.
type Nullable[T any] = nullable.Member[T]

// Value sets a member to v.
func Value[T any](v T) Nullable[T] { return nullable.Value(v) }

// Null clears a member.
func Null[T any]() Nullable[T] { return nullable.Null[T]() }
