package rest

import (
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/carillon/carillon/internal/intake"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/triggers"
	"github.com/carillon/carillon/internal/shape"
)

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

// answer is the schema of a successful answer.
type answer func(c *components) schema

// one is an answer of one T.
func one[T any]() answer {
	return func(c *components) schema { return c.of(reflect.TypeFor[T]()) }
}

// many is an answer of a list of T.
func many[T any]() answer {
	return func(c *components) schema { return shape.ArrayOf(c.of(reflect.TypeFor[T]())) }
}

// page is an answer of a page of items, under its name in the document.
func page(name string, item answer) answer {
	return func(c *components) schema {
		return c.Named(name, func() schema {
			s := c.object(reflect.TypeFor[cursorPage[string]]())
			s["properties"].(schema)["data"] = describedAs(shape.ArrayOf(item(c)), "The items.") //nolint:forcetypeassert // of object
			s["description"] = "A page of a list."
			return s
		})
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
func document(routes []Route, providers *integrations.Providers, wrapper string) map[string]any {
	c := newComponents(providers)
	c.errors()
	paths := map[string]schema{}
	for i := range routes {
		route := &routes[i]
		if paths[route.Pattern] == nil {
			paths[route.Pattern] = schema{}
			if parameters := pathParameters(route.Pattern, route.example(c).arguments(route.Pattern)); len(parameters) > 0 {
				paths[route.Pattern]["parameters"] = parameters
			}
		}
		paths[route.Pattern][strings.ToLower(route.Method)] = route.operation(c, wrapper == "data")
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
			"schemas": c.Schemas, "headers": headerComponents(), "responses": failureComponents(),
			"parameters": schema{"IdempotencyKey": schema{
				"name": "idempotency-key", "in": "header", "description": "Makes a POST or PATCH repeatable; unique per organization. GET and DELETE ignore it.",
				"schema": schema{"type": "string", "maxLength": triggers.MaxIdempotencyKey},
			}},
			"securitySchemes": schema{"apiKey": schema{
				"type": "apiKey", "in": "header", "name": "Authorization", "description": "ApiKey <key>, the key being a secret key of the environment.",
			}},
		},
	}
}

func pathParameters(pattern string, values map[string]string) []schema {
	var parameters []schema
	for _, match := range pathParameter.FindAllStringSubmatch(pattern, -1) {
		parameters = append(parameters, schema{
			"name": match[1], "in": "path", "required": true, "description": parameterTexts[match[1]], "schema": schema{"type": "string", "minLength": 1},
			"example": values[match[1]],
		})
	}
	return parameters
}

// operation is the route as the document has it.
func (r *Route) operation(c *components, wrapped bool) schema {
	content, shown := r.answer(c), r.example(c)
	if wrapped && c.needsWrap(content) {
		content, shown.Answer = shape.Record("The answer.", schema{"data": content}, "data"), schema{"data": shown.Answer}
	}
	var parameters []schema
	if r.query != nil {
		parameters = r.query.Parameters(c.Document)
		shown.show(parameters)
	}
	out := schema{
		"operationId": r.ID, "tags": []string{r.Tag}, "summary": r.Summary, "description": r.Text,
		"parameters": append(parameters, schema{"$ref": "#/components/parameters/IdempotencyKey"}),
	}
	if r.body != nil {
		out["requestBody"] = schema{"required": true, "content": jsonContent(r.body.Schema(c.Document), shown.Request), "description": "At most " + strconv.FormatInt(r.MaxBody>>20, 10) + " MiB, unpacked."}
	}
	headers := always
	if r.takesKeys() {
		headers = append([]string{intake.HeaderKey, intake.HeaderReplay}, always...)
	}
	responses := schema{strconv.Itoa(r.Success): schema{
		"description": http.StatusText(r.Success), "headers": headerRefs(headers...), "content": jsonContent(content, shown.Answer),
	}}
	failureRefs(responses, r.failures()...)
	out["responses"] = responses
	return out
}

// takesKeys reports whether idempotency keys apply to the route.
func (r *Route) takesKeys() bool { return r.Method == http.MethodPost || r.Method == http.MethodPatch }

// failures are the statuses of all failures that the route may answer.
func (r *Route) failures() []int {
	failures := append([]int{
		http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestURITooLong, http.StatusExpectationFailed,
		http.StatusTooManyRequests, http.StatusRequestHeaderFieldsTooLarge, http.StatusInternalServerError, http.StatusServiceUnavailable,
	}, r.Failures...)
	if r.Method != http.MethodGet { // a body that is not read must be well-formed all the same
		failures = append(failures, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	if r.takesKeys() {
		failures = append(failures, http.StatusConflict)
	}
	return failures
}

// needsWrap reports whether an answer has no data member of its own (decisions.md §1, Envelope).
func (c *components) needsWrap(answer schema) bool {
	properties, _ := c.Resolve(answer)["properties"].(schema)
	return properties["data"] == nil
}
