package usecase

import (
	"entgo.io/ent/dialect/sql"
	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/ent"
)

// record is a pointer to an ent record.
type record[T any] interface {
	*T
	ent.Node
}

// ByID indexes records by internal id, as the batch loaders of nested fields want them.
func ByID[T any, R record[T]](rows []R) map[string]R {
	index := make(map[string]R, len(rows))
	for _, row := range rows {
		recordID, _ := row.OrderKey("id").(string)
		index[recordID] = row
	}
	return index
}

// GlobalIDs returns the global ids of records, in their order.
func GlobalIDs[T any, R record[T]](rows []R) []string {
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.GlobalID()
	}
	return ids
}

// GroupBy gathers records under a key.
func GroupBy[T any](rows []*T, key func(*T) string) map[string][]*T {
	groups := make(map[string][]*T)
	for _, row := range rows {
		groups[key(row)] = append(groups[key(row)], row)
	}
	return groups
}

// Distinct gives each value once, in the order of its first mention.
func Distinct[T comparable](values []T) []T {
	seen := make(map[T]bool, len(values))
	out := make([]T, 0, len(values))
	for _, v := range values {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

// SetOrClearMap is setOrClear for objects, whose null is a nil map.
func SetOrClearMap[B any](field graphql.Omittable[map[string]any], set func(map[string]any) B, unset func() B) {
	switch value, given := field.ValueOK(); {
	case !given:
	case value == nil:
		unset()
	default:
		set(value)
	}
}

// Descending is the option of generated orders for largest or newest first.
func Descending() sql.OrderTermOption { return sql.OrderDesc() }
