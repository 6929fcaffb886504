package rest

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/carillon/carillon/internal/admission"
)

// Route is one documented route.
type Route struct {
	Method   string
	Pattern  string // path with parameters in braces
	Category admission.Category
	// MaxBody bounds the unpacked body in bytes.
	MaxBody int64
	// Cost is what the route counts against its rate limit; 0: 1.
	Cost int
	run  func(*server, context.Context, *Input) (*Reply, error)
}

// The bounds of bodies (decisions.md §3, Body size).
const (
	maxEventsBody = 32 << 20
	maxBody       = 1 << 20
)

// triggerPattern is the route that takes one event for those whom it names.
const triggerPattern = "/v1/events/trigger"

// bulkPattern is the route that takes several events.
const bulkPattern = "/v1/events/trigger/bulk"

// routes is every documented route.
func routes() []Route {
	const topicSubscriptions = "/v2/topics/{topicKey}/subscriptions"
	return []Route{
		{http.MethodGet, "/v1/channel-endpoints", admission.CategoryConfiguration, maxBody, 1, (*server).listChannelEndpoints},
		{http.MethodGet, "/v1/channel-endpoints/{identifier}", admission.CategoryConfiguration, maxBody, 1, (*server).getChannelEndpoint},
		{http.MethodGet, "/v2/subscribers/{subscriberId}/subscriptions", admission.CategoryConfiguration, maxBody, 1, (*server).listSubscriptions},
		{http.MethodDelete, "/v1/integrations/{integrationId}", admission.CategoryGlobal, maxBody, 1, (*server).deleteIntegration},
		{http.MethodPatch, topicSubscriptions + "/{identifier}", admission.CategoryConfiguration, maxBody, 1, (*server).updateSubscription},
		{http.MethodPost, topicSubscriptions, admission.CategoryConfiguration, maxBody, 1, (*server).createSubscriptions},
		{http.MethodDelete, topicSubscriptions, admission.CategoryConfiguration, maxBody, 1, (*server).deleteSubscriptions},
		{http.MethodPatch, "/v2/subscribers/{subscriberId}/preferences/bulk", admission.CategoryConfiguration, maxBody, 1, (*server).updatePreferences},
		{http.MethodPost, "/v1/subscribers/{subscriberId}/messages/mark-as", admission.CategoryConfiguration, maxBody, 1, (*server).markMessages},
		{http.MethodGet, "/v2/subscribers/{subscriberId}/preferences", admission.CategoryConfiguration, maxBody, 1, (*server).readPreferences},
		{http.MethodGet, "/v2/workflows", admission.CategoryConfiguration, maxBody, 1, (*server).listWorkflows},
		{http.MethodPost, triggerPattern, admission.CategoryTrigger, maxEventsBody, 1, (*server).trigger},
		{http.MethodPost, "/v1/events/trigger/broadcast", admission.CategoryTrigger, maxEventsBody, admission.BulkCost, (*server).broadcast},
		{http.MethodPost, bulkPattern, admission.CategoryTrigger, maxEventsBody, admission.BulkCost, (*server).bulkTrigger},
	}
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
