// Package graph is the GraphQL door: one .graphqls and one .resolvers.go per noun, each resolver one call to a use case
// in notify. rest calls the same resolver methods.
package graph

import (
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/usecase"
)

// Resolver is the root of all resolvers.
type Resolver struct{ Services *notify.Services }

// page gathers the arguments of a Relay connection.
func page(first *int, after *string, last *int, before *string) usecase.Page {
	return usecase.Page{First: first, After: after, Last: last, Before: before}
}

// pageWith is page where the cursor's own record may be part of it.
func pageWith(first *int, after *string, last *int, before *string, includeCursor bool) usecase.Page {
	p := page(first, after, last, before)
	p.IncludeCursor = includeCursor
	return p
}

// text is the text or "".
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
