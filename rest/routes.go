package rest

import (
	"context"
	"net/http"
	"slices"
	"strings"
)

// Category is a class of routes that share a rate limit (decisions.md §16).
type Category string

// The categories.
const (
	CategoryTrigger       Category = "trigger"
	CategoryConfiguration Category = "configuration"
	CategoryGlobal        Category = "global"
)

// Route is one documented route.
type Route struct {
	Method   string
	Pattern  string // path with parameters in braces
	Category Category
	// MaxBody bounds the unpacked body in bytes.
	MaxBody int64
	// Cost is what the route counts against its rate limit; 0: 1.
	Cost int
	run  func(*server, context.Context, *Input) (*Reply, error)
}

// The bounds of bodies (decisions.md §3, Body size).
const (
	maxEventsBody = 20 << 20
	maxBody       = 1 << 20
)

// bulkCost is what one bulk trigger or broadcast counts.
const bulkCost = 100

// bulkPattern is the route that takes several events.
const bulkPattern = "/v1/events/trigger/bulk"

// routes is every documented route.
func routes() []Route {
	const topicSubscriptions = "/v2/topics/{topicKey}/subscriptions"
	return []Route{
		{http.MethodGet, "/v1/channel-endpoints", CategoryConfiguration, maxBody, 1, (*server).listChannelEndpoints},
		{http.MethodGet, "/v1/channel-endpoints/{identifier}", CategoryConfiguration, maxBody, 1, (*server).getChannelEndpoint},
		{http.MethodGet, "/v2/subscribers/{subscriberId}/subscriptions", CategoryConfiguration, maxBody, 1, (*server).listSubscriptions},
		{http.MethodDelete, "/v1/integrations/{integrationId}", CategoryGlobal, maxBody, 1, (*server).deleteIntegration},
		{http.MethodPatch, topicSubscriptions + "/{identifier}", CategoryConfiguration, maxBody, 1, (*server).updateSubscription},
		{http.MethodPost, topicSubscriptions, CategoryConfiguration, maxBody, 1, (*server).createSubscriptions},
		{http.MethodDelete, topicSubscriptions, CategoryConfiguration, maxBody, 1, (*server).deleteSubscriptions},
		{http.MethodPatch, "/v2/subscribers/{subscriberId}/preferences/bulk", CategoryConfiguration, maxBody, 1, (*server).updatePreferences},
		{http.MethodPost, "/v1/subscribers/{subscriberId}/messages/mark-as", CategoryConfiguration, maxBody, 1, (*server).markMessages},
		{http.MethodGet, "/v2/subscribers/{subscriberId}/preferences", CategoryConfiguration, maxBody, 1, (*server).readPreferences},
		{http.MethodGet, "/v2/workflows", CategoryConfiguration, maxBody, 1, (*server).listWorkflows},
		{http.MethodPost, "/v1/events/trigger", CategoryTrigger, maxEventsBody, 1, (*server).trigger},
		{http.MethodPost, "/v1/events/trigger/broadcast", CategoryTrigger, maxEventsBody, bulkCost, (*server).broadcast},
		{http.MethodPost, bulkPattern, CategoryTrigger, maxEventsBody, bulkCost, (*server).bulkTrigger},
	}
}

// accepts tells whether the route accepts events, which commit in a group with those of other requests.
func (r *Route) accepts() bool { return r.Category == CategoryTrigger }

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
