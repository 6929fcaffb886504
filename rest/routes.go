package rest

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/shape"
)

// Route is one documented route: what it takes, answers and costs.
type Route struct {
	Method   string
	Pattern  string // path with parameters in braces
	Category admission.Category
	// MaxBody bounds the unpacked body in bytes.
	MaxBody int64
	// Cost is what the route counts against its rate limit; 0: 1.
	Cost int
	// Success is the status of an answer that is no failure.
	Success int
	// Failures are the statuses besides those that every route may answer.
	Failures []int

	// ID, Tag, Summary and Text are the words of the OpenAPI document.
	ID, Tag, Summary, Text string

	query  parameters      // nil: none
	body   shape.Described // nil: none
	answer answer
	run    func(*server, context.Context, *Input) (*Reply, error)
}

// parameters are a shape.Query.
type parameters interface {
	Parameters(d *shape.Document) []shape.Schema
}

// The bounds of bodies (decisions.md §3, Body size).
const (
	maxEventsBody = 32 << 20
	maxBody       = 1 << 20
)

// routes returns every documented route. Those of a noun are beside their handlers.
func routes() []Route {
	return slices.Concat(
		channelEndpointRoutes, integrationRoutes, subscriptionRoutes, preferenceRoutes, messageRoutes, workflowRoutes, eventRoutes,
	)
}

// accepts reports whether the route accepts events, which commit in a group with those of other requests.
func (r *Route) accepts() bool { return r.Category == admission.CategoryTrigger }

func byPattern(list []Route) map[string]map[string]*Route {
	patterns := map[string]map[string]*Route{}
	for i := range list {
		route := &list[i]
		if patterns[route.Pattern] == nil {
			patterns[route.Pattern] = map[string]*Route{}
		}
		patterns[route.Pattern][route.Method] = route
	}
	return patterns
}

// allowHeader lists the methods of a path; HEAD comes with GET.
func allowHeader(methods map[string]*Route) string {
	var names []string
	for name := range methods {
		names = append(names, name)
		if name == http.MethodGet {
			names = append(names, http.MethodHead)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
