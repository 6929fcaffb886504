// Package graph is the GraphQL door: one .graphqls and one .resolvers.go per noun, each resolver one call to a use case
// in notify. rest calls the same resolver methods.
package graph

import "github.com/carillon/carillon/internal/notify"

// Resolver is the root of all resolvers.
type Resolver struct{ Services *notify.Services }

// page gathers the arguments of a Relay connection.
func page(first *int, after *string, last *int, before *string) notify.Page {
	return notify.Page{First: first, After: after, Last: last, Before: before}
}

// text is the text or "".
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
