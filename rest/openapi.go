package rest

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/workflow"
)

// operation is what the document says of a route beyond the table of routes.
type operation struct {
	id, tag, summary, text string
	query                  []schema
	body                   string // component of the request's body
	status                 int
	answer                 schema
	failures               []int // besides those of every route
}

const (
	tagEndpoints     = "Channel endpoints"
	tagIntegrations  = "Integrations"
	tagSubscriptions = "Subscriptions"
	tagPreferences   = "Preferences"
	tagMessages      = "Messages"
	tagWorkflows     = "Workflows"
	tagEvents        = "Events"
)

var tags = []schema{
	{"name": tagEndpoints, "description": "Where subscribers are reached on single integrations."},
	{"name": tagIntegrations, "description": "Accounts with providers."},
	{"name": tagSubscriptions, "description": "Who hears of a topic."},
	{"name": tagPreferences, "description": "Which channels a subscriber wants."},
	{"name": tagMessages, "description": "What a subscriber has seen and read."},
	{"name": tagWorkflows, "description": "What can be triggered."},
	{"name": tagEvents, "description": "Triggers: the way to send notifications."},
}

func arrayOf(s schema) schema { return schema{"type": "array", "items": s} }

// operations are the routes' words, by method and pattern.
func (c *components) operations() map[string]operation {
	subscription := func(name string, dropped ...string) schema {
		return c.named(name, func() schema {
			c.of(reflect.TypeFor[subscriptionView]())
			return without(c.schemas["Subscription"], dropped...)
		})
	}
	c.of(reflect.TypeFor[subscriptionView]())
	c.of(reflect.TypeFor[workflow.ChannelPreferences]())
	full := subscription("SubscriptionResult")
	deleted := subscription("DeletedSubscription", "name", "preferences")
	listed := c.named("ListedSubscription", func() schema {
		s := without(c.schemas["Subscription"], "name", "preferences", "updatedAt")
		return s
	})
	c.schemas["SubscriptionResult"]["required"] = append(c.schemas["SubscriptionResult"]["required"].([]string), "updatedAt")   //nolint:forcetypeassert // of without
	c.schemas["DeletedSubscription"]["required"] = append(c.schemas["DeletedSubscription"]["required"].([]string), "updatedAt") //nolint:forcetypeassert // of without
	short := c.named("TopicRef", func() schema { return without(c.schemas["Topic"], "createdAt", "updatedAt") })
	for _, name := range []string{"SubscriptionResult", "DeletedSubscription"} {
		c.schemas[name]["properties"].(schema)["topic"] = short //nolint:forcetypeassert // of without
	}
	delete(c.schemas, "Subscription")
	itemResults := func(name string, item schema) schema {
		return c.named(name, func() schema {
			return record("What became of the items of a call.", schema{
				"data": described(arrayOf(item), "The subscriptions of the items that succeeded."), "meta": c.of(reflect.TypeFor[itemsMeta]()),
				"errors": described(arrayOf(c.of(reflect.TypeFor[itemError]())), "Why single items failed; left out when none did."),
			}, "data", "meta")
		})
	}
	page := func(name string, item schema) schema {
		return c.named(name, func() schema {
			s := c.object(reflect.TypeFor[cursorPage[string]]())
			s["properties"].(schema)["data"] = described(arrayOf(item), "The items.") //nolint:forcetypeassert // of object
			s["description"] = "A page of a list."
			return s
		})
	}
	const topicPath = "/v2/topics/{topicKey}/subscriptions"
	return map[string]operation{
		"GET /v1/channel-endpoints": {
			id: "listChannelEndpoints", tag: tagEndpoints, summary: "List channel endpoints", text: "Filters combine with AND and compare exactly.",
			query: append(c.cursorQuery("createdAt", "createdAt", "updatedAt", "_id"), queryParameter("subscriberId", text("Endpoints of this subscriber.")),
				queryParameter("channel", c.of(reflect.TypeFor[workflow.Channel]())), queryParameter("providerId", c.givenProviderID()),
				queryParameter("integrationIdentifier", text("Endpoints of this integration.")), queryParameter("connectionIdentifier", text("Endpoints of this connection."))),
			status: http.StatusOK, answer: page("ChannelEndpointPage", c.of(reflect.TypeFor[channelEndpoint]())), failures: []int{http.StatusBadRequest, http.StatusUnprocessableEntity},
		},
		"GET /v1/channel-endpoints/{identifier}": {
			id: "getChannelEndpoint", tag: tagEndpoints, summary: "Retrieve a channel endpoint", text: "No context or subscriber restricts it.",
			status: http.StatusOK, answer: c.of(reflect.TypeFor[channelEndpoint]()), failures: []int{http.StatusNotFound},
		},
		"GET /v2/subscribers/{subscriberId}/subscriptions": {
			id: "listSubscriptions", tag: tagSubscriptions, summary: "List a subscriber's topic subscriptions", text: "In all contexts, unless contextKeys is given.",
			query:  append(c.cursorQuery("_id", "_id", "createdAt", "updatedAt"), queryParameter("key", text("Subscriptions of this topic."))),
			status: http.StatusOK, answer: page("SubscriptionPage", listed), failures: []int{http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity},
		},
		"DELETE /v1/integrations/{integrationId}": {
			id: "deleteIntegration", tag: tagIntegrations, summary: "Delete an integration", text: "For good. Answers with the integrations that remain, by ascending id.",
			status: http.StatusOK, answer: arrayOf(c.of(reflect.TypeFor[integration]())), failures: []int{http.StatusBadRequest, http.StatusNotFound},
		},
		"PATCH " + topicPath + "/{identifier}": {
			id: "updateSubscription", tag: tagSubscriptions, summary: "Update a topic subscription", text: "What is left out stays as it is.",
			body: "UpdateSubscriptionRequest", status: http.StatusOK, answer: full, failures: []int{http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity},
		},
		"POST " + topicPath: {
			id: "createSubscriptions", tag: tagSubscriptions, summary: "Create topic subscriptions", text: "Creates the topic when it does not exist. Every item has an outcome of its own; only when all fail it is a 400.",
			body: "CreateSubscriptionsRequest", status: http.StatusCreated, answer: itemResults("CreateSubscriptionsResult", full), failures: []int{http.StatusBadRequest, http.StatusUnprocessableEntity},
		},
		"DELETE " + topicPath: {
			id: "deleteSubscriptions", tag: tagSubscriptions, summary: "Delete topic subscriptions", text: "Every item has an outcome of its own; only when all fail it is a 400.",
			body: "DeleteSubscriptionsRequest", status: http.StatusOK, answer: itemResults("DeleteSubscriptionsResult", deleted),
			failures: []int{http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity},
		},
		"PATCH /v2/subscribers/{subscriberId}/preferences/bulk": {
			id: "updatePreferences", tag: tagPreferences, summary: "Bulk update subscriber preferences", text: "All or nothing: an unknown or a critical workflow refuses the whole call.",
			body: "UpdatePreferencesRequest", status: http.StatusOK, answer: arrayOf(c.of(reflect.TypeFor[preference]())),
			failures: []int{http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity},
		},
		"POST /v1/subscribers/{subscriberId}/messages/mark-as": {
			id: "markMessages", tag: tagMessages, summary: "Update notifications state", text: "Answers with the messages that were found, in the order of the request.",
			body: "MarkMessagesRequest", status: http.StatusCreated, answer: arrayOf(c.of(reflect.TypeFor[message]())),
			failures: []int{http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity},
		},
		"GET /v2/subscribers/{subscriberId}/preferences": {
			id: "getPreferences", tag: tagPreferences, summary: "Retrieve subscriber preferences", text: "Effective values of all five channels, globally and for every active workflow.",
			query: []schema{
				queryParameter("criticality", schema{"type": "string", "enum": []string{"critical", "nonCritical", "all"}, "default": "nonCritical", "description": "Which workflows."}),
				queryParameter("contextKeys", c.contextKeys("The scope of the preferences; without it the one without context.")),
			},
			status: http.StatusOK, answer: c.of(reflect.TypeFor[subscriberPreferences]()), failures: []int{http.StatusNotFound, http.StatusUnprocessableEntity},
		},
		"GET /v2/workflows": {
			id: "listWorkflows", tag: tagWorkflows, summary: "List workflows", text: "Filters combine with AND.",
			query: []schema{
				queryParameter("limit", schema{"type": "integer", "minimum": 1, "default": notify.DefaultSlice, "description": "Workflows at most; above 1000 served as 1000."}),
				queryParameter("offset", schema{"type": "integer", "minimum": 0, "default": 0, "description": "Workflows to skip."}), direction(),
				queryParameter("orderBy", ordering("createdAt", "createdAt", "updatedAt", "name", "lastTriggeredAt")),
				queryParameter("query", text("A part of the name or of the identifier, in any case.")),
				queryParameter("tags", list("Workflows with any of these tags.", schema{"type": "string"})),
				queryParameter("status", list("Workflows in any of these states.", c.of(reflect.TypeFor[workflow.Status]()))),
			},
			status: http.StatusOK, answer: c.of(reflect.TypeFor[workflowList]()), failures: []int{http.StatusUnprocessableEntity},
		},
		"POST /v1/events/trigger": {
			id: "triggerEvent", tag: tagEvents, summary: "Trigger event", text: "Starts the workflow for the recipients. The status tells what became of the event; most failures are one of its values, not an error.",
			body: "TriggerRequest", status: http.StatusCreated, answer: c.of(reflect.TypeFor[triggerResponse]()), failures: []int{http.StatusBadRequest, http.StatusUnprocessableEntity},
		},
		"POST /v1/events/trigger/broadcast": {
			id: "broadcastEvent", tag: tagEvents, summary: "Broadcast event to all", text: "Starts the workflow for all subscribers that exist now.",
			body: "BroadcastRequest", status: http.StatusOK, answer: c.of(reflect.TypeFor[triggerResponse]()), failures: []int{http.StatusBadRequest, http.StatusUnprocessableEntity},
		},
		"POST /v1/events/trigger/bulk": {
			id: "bulkTriggerEvents", tag: tagEvents, summary: "Bulk trigger event", text: "One result per event, in order.",
			body: "BulkTriggerRequest", status: http.StatusCreated, answer: arrayOf(c.of(reflect.TypeFor[triggerResponse]())), failures: []int{http.StatusBadRequest, http.StatusUnprocessableEntity},
		},
	}
}

func queryParameter(name string, s schema) schema {
	p := schema{"name": name, "in": "query", "schema": s, "description": s["description"]}
	if p["description"] == nil {
		p["description"] = "Exactly this one."
	}
	if s["type"] == "array" {
		p["style"], p["explode"] = "form", true
	}
	return p
}

func ordering(first string, names ...string) schema {
	return schema{"type": "string", "enum": names, "default": first, "description": "What the list is sorted by; equal items by _id."}
}

func direction() schema {
	return queryParameter("orderDirection", schema{"type": "string", "enum": []string{"ASC", "DESC"}, "default": "DESC", "description": "Ascending or descending."})
}

// givenProviderID is a provider in a request, which may always use svc.
func (c *components) givenProviderID() schema {
	both := slices.Concat(c.shown(c.providers.IDs()), c.providers.IDs())
	slices.Sort(both)
	return enum("Endpoints of this provider.", slices.Compact(both)...)
}

func (c *components) contextKeys(description string) schema {
	return list(description+" The same set in any order; an empty value stands for no context.", schema{"type": "string"})
}

func (c *components) cursorQuery(first string, orders ...string) []schema {
	return []schema{
		queryParameter("after", text("A cursor: items that follow it.")), queryParameter("before", text("A cursor: items that precede it. Not together with after.")),
		queryParameter("limit", schema{"type": "integer", "minimum": 1, "maximum": notify.MaxPage, "default": notify.DefaultPage, "description": "Items at most."}),
		direction(), queryParameter("orderBy", ordering(first, orders...)), queryParameter("includeCursor", flag("Whether the cursor's own item is part of the page.")),
		queryParameter("contextKeys", c.contextKeys("Records with exactly these contexts.")),
	}
}

var parameterTexts = map[string]string{
	"identifier": "The identifier.", "subscriberId": "The operator's identifier of the subscriber.", "integrationId": "The integration's internal id.", "topicKey": "The topic's key.",
}

const infoText = `Sends notifications to subscribers in the app, by e-mail, SMS, chat and push.

Every request is authenticated by an API key of one environment. Bodies are JSON. An unknown path answers 404 and another
method of a known path 405, both in the shape of Error. POST and PATCH take an idempotency key: a repetition within 24 hours
gets the reply of the first request, byte for byte.`

// document is the OpenAPI document of a server.
func document(routes []Route, providers *notify.Providers, wrapper string) map[string]any {
	c := &components{schemas: map[string]schema{}, providers: providers}
	operations := c.operations()
	c.bodies()
	c.errors()
	paths := map[string]schema{}
	for i := range routes {
		route := &routes[i]
		if paths[route.Pattern] == nil {
			paths[route.Pattern] = schema{}
			if parameters := pathParameters(route.Pattern); len(parameters) > 0 {
				paths[route.Pattern]["parameters"] = parameters
			}
		}
		op, known := operations[route.Method+" "+route.Pattern]
		if !known {
			panic("the OpenAPI document does not know " + route.Method + " " + route.Pattern)
		}
		paths[route.Pattern][strings.ToLower(route.Method)] = op.object(route, wrapper == "data")
	}
	return map[string]any{
		"openapi": "3.1.0",
		"info": schema{
			"title": "Notification delivery", "version": "1.0.0", "summary": "Triggers, topics, preferences and inboxes", "description": infoText,
		},
		"servers":  []schema{{"url": "/", "description": "This server"}},
		"tags":     tags,
		"security": []schema{{"apiKey": []string{}}},
		"paths":    paths,
		"components": schema{
			"schemas": c.schemas, "headers": headerComponents(), "responses": failureComponents(),
			"parameters": schema{"IdempotencyKey": schema{
				"name": "idempotency-key", "in": "header", "description": "Makes a POST or PATCH repeatable; unique per organization. GET and DELETE ignore it.",
				"schema": schema{"type": "string", "maxLength": notify.MaxIdempotencyKey},
			}},
			"securitySchemes": schema{"apiKey": schema{
				"type": "apiKey", "in": "header", "name": "Authorization", "description": "ApiKey <key>, the key being a secret key of the environment.",
			}},
		},
	}
}

func pathParameters(pattern string) []schema {
	var parameters []schema
	for _, match := range pathParameter.FindAllStringSubmatch(pattern, -1) {
		parameters = append(parameters, schema{
			"name": match[1], "in": "path", "required": true, "description": parameterTexts[match[1]], "schema": schema{"type": "string", "minLength": 1},
		})
	}
	return parameters
}

func (op operation) object(route *Route, wrapped bool) schema {
	answer := op.answer
	if wrapped && op.needsWrap() {
		answer = record("The answer.", schema{"data": answer}, "data")
	}
	headers := always
	failures := append([]int{
		http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestURITooLong, http.StatusExpectationFailed, http.StatusTooManyRequests,
		http.StatusInternalServerError, http.StatusServiceUnavailable,
	}, op.failures...)
	out := schema{
		"operationId": op.id, "tags": []string{op.tag}, "summary": op.summary, "description": op.text,
		"parameters": append(slices.Clone(op.query), schema{"$ref": "#/components/parameters/IdempotencyKey"}),
	}
	if op.body != "" {
		out["requestBody"] = schema{"required": true, "content": jsonContent(ref(op.body)), "description": "At most " + strconv.FormatInt(route.MaxBody>>20, 10) + " MiB, unpacked."}
	}
	if route.Method != http.MethodGet { // a body that nobody reads must be well-formed all the same
		failures = append(failures, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	if route.Method == http.MethodPost || route.Method == http.MethodPatch {
		headers = append([]string{headerKey, headerReplay}, always...)
		failures = append(failures, http.StatusConflict)
	}
	responses := schema{strconv.Itoa(op.status): schema{
		"description": http.StatusText(op.status), "headers": headerRefs(headers...), "content": jsonContent(answer),
	}}
	failureRefs(responses, failures...)
	out["responses"] = responses
	return out
}

// needsWrap tells an answer that has no data member of its own (decisions.md §1, Envelope).
func (op operation) needsWrap() bool {
	target, _ := op.answer["$ref"].(string)
	return !strings.HasSuffix(target, "Page") && !strings.HasSuffix(target, "SubscriptionsResult")
}

// openAPI serves the document, which does not change while the server runs.
func (s *server) openAPI(routes []Route) func(*request) (*Reply, error) {
	raw, err := json.MarshalIndent(document(routes, s.Resolvers.Services.Providers, s.ResponseWrapper), "", "  ")
	return func(r *request) (*Reply, error) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			r.header.Set("Allow", "GET, HEAD")
			return nil, httpError{http.StatusMethodNotAllowed, "Method " + r.Method + " is not allowed here."}
		}
		return &Reply{Status: http.StatusOK, raw: raw}, err
	}
}
