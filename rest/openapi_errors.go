package rest

import (
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"strconv"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/intake"
	"github.com/carillon/carillon/internal/shape"
)

// failures are the answers that are no success, by status: what they are called, and what they mean.
var failures = map[int][2]string{
	http.StatusBadRequest:                  {"BadRequest", "The request as a whole is refused; type says why."},
	http.StatusUnauthorized:                {"Unauthorized", "There is no valid API key."},
	http.StatusForbidden:                   {"Forbidden", "The environment or its organization is suspended, or the caller lacks a right."},
	http.StatusNotFound:                    {"NotFound", "What the path names does not exist in this environment."},
	http.StatusRequestTimeout:              {"RequestTimeout", "The request did not arrive in time: 10 seconds, and one more for each 64 KiB, unless the server is set otherwise."},
	http.StatusConflict:                    {"Conflict", "The request with this idempotency key is still being processed. Retry after Retry-After seconds."},
	http.StatusRequestEntityTooLarge:       {"TooLarge", "The body or one of its events is too large."},
	http.StatusRequestURITooLong:           {"UriTooLong", fmt.Sprintf("The URL is longer than %d KiB.", maxTarget>>10)},
	http.StatusUnsupportedMediaType:        {"UnsupportedMediaType", "The body is not JSON."},
	http.StatusExpectationFailed:           {"ExpectationFailed", "The header Expect asks for something other than 100-continue."},
	http.StatusUnprocessableEntity:         {"Unprocessable", "Fields are wrong, all of them reported together; or the idempotency key was used for a different body."},
	http.StatusTooManyRequests:             {"TooManyRequests", "The rate limit is reached. Retry after Retry-After seconds."},
	http.StatusRequestHeaderFieldsTooLarge: {"HeadersTooLarge", "The headers are too large."},
	http.StatusInternalServerError:         {"InternalError", "A failure of the service; errorId names it."},
	http.StatusServiceUnavailable:          {"Unavailable", "Storage or queue is not available, the service has more to do than it can, or is stopping. Retry after Retry-After seconds."},
}

func (c *components) errorMembers() schema {
	return schema{
		"statusCode": schema{"type": "integer", "minimum": 400, "maximum": 599, "description": "The HTTP status."},
		"timestamp":  c.timestamp(), "path": text("The request's target with its query string."), "message": text("What went wrong, in words. For wrong fields it is always: Validation Error."),
	}
}

var errorRequired = []string{"statusCode", "timestamp", "path", "message"}

// errors defines the bodies of failures.
func (c *components) errors() {
	c.Named("Error", func() schema {
		properties := c.errorMembers()
		properties["errorId"] = schema{"type": "string", "format": "uuid", "description": "Names a failure of the service in its log; with 500 and 503 only."}
		return shape.Record("A failure.", properties, errorRequired...)
	})
	c.Named("BadRequestError", func() schema {
		properties := c.errorMembers()
		properties["type"] = enum("Why the request is refused.", "MALFORMED_REQUEST", "MALFORMED_BODY", "INVALID_CURSOR", "IDEMPOTENCY_KEY_TOO_LONG", "INVALID_TOPIC_KEY",
			"PAYLOAD_VALIDATION_ERROR", "ALL_ITEMS_FAILED", "EMPTY_PREFERENCES", "CRITICAL_WORKFLOW", "MESSAGE_ID_REQUIRED")
		properties["errors"] = list("Where the payload violates its schema, or why each item failed; else empty.", schema{"oneOf": []schema{
			c.of(reflect.TypeFor[itemError]()), c.Named("PayloadProblem", func() schema {
				return shape.Record("Where a payload violates the schema of its workflow.", schema{
					"field": text("Dotted path; root for the payload itself."), "message": text("What the schema demands."),
					"value": schema{"description": "The offending value."}, "schemaPath": text("The place in the schema."),
				}, "field", "message")
			}),
		}})
		properties["schema"] = anything("The workflow's payload schema, with PAYLOAD_VALIDATION_ERROR.")
		properties["data"] = schema{"type": "array", "maxItems": 0, "items": free(), "description": "Empty, with ALL_ITEMS_FAILED."}
		properties["meta"] = c.of(reflect.TypeFor[itemsMeta]())
		return shape.Record("A request that is refused as a whole.", properties, append(errorRequired, "type", "errors")...)
	})
	c.Named("ValidationError", func() schema {
		properties := c.errorMembers()
		properties["errors"] = schema{
			"type": "object", "additionalProperties": c.of(reflect.TypeFor[fieldError]()),
			"description": "Problems by field: a dotted path with array positions, or general. Empty when an idempotency key was used for a different body.",
		}
		return shape.Record("A request with wrong fields.", properties, append(errorRequired, "errors")...)
	})
}

func errorSchema(status int) schema {
	switch status {
	case http.StatusBadRequest:
		return shape.Ref("BadRequestError")
	case http.StatusUnprocessableEntity:
		return shape.Ref("ValidationError")
	}
	return shape.Ref("Error")
}

// headerTexts are the headers of responses; those of rate limits come only while limits are on.
var headerTexts = map[string]schema{
	"X-Request-Id":            text("Names the request in the service's log."),
	intake.HeaderKey:          text("The request's idempotency key, when it counts."),
	intake.HeaderReplay:       enum("true when the reply is that of an earlier, equal request.", "true"),
	"Retry-After":             whole("Seconds to wait before the next try."),
	"WWW-Authenticate":        text("ApiKey."),
	admission.HeaderLimit:     whole("Requests per second that the category of the route permits. Only while rate limits are on."),
	admission.HeaderRemaining: whole("Requests that are permitted at once now. Only while rate limits are on."),
	admission.HeaderReset:     whole("Seconds until the limit is whole again. Only while rate limits are on."),
	admission.HeaderPolicy:    text("The limit's terms. Only while rate limits are on."),
}

func headerRefs(names ...string) schema {
	headers := schema{}
	for _, name := range names {
		headers[name] = schema{"$ref": "#/components/headers/" + name}
	}
	return headers
}

func headerComponents() schema {
	headers := schema{}
	for name, s := range headerTexts {
		value := maps.Clone(s)
		delete(value, "description")
		headers[name] = schema{"description": s["description"], "schema": value}
	}
	return headers
}

// always are the headers that any response to an authenticated request may carry.
var always = []string{"X-Request-Id", admission.HeaderLimit, admission.HeaderRemaining, admission.HeaderReset, admission.HeaderPolicy}

func failureHeaders(status int) []string {
	switch status {
	case http.StatusUnauthorized:
		return []string{"X-Request-Id", "WWW-Authenticate"}
	case http.StatusRequestURITooLong, http.StatusExpectationFailed, http.StatusRequestHeaderFieldsTooLarge:
		return []string{"X-Request-Id"}
	case http.StatusConflict:
		return append([]string{"Retry-After", intake.HeaderKey}, always...)
	case http.StatusTooManyRequests:
		return append([]string{"Retry-After"}, always...)
	case http.StatusServiceUnavailable:
		return append([]string{"Retry-After", intake.HeaderKey}, always...)
	case http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity, http.StatusInternalServerError:
		return append([]string{intake.HeaderKey, intake.HeaderReplay}, always...)
	case http.StatusUnsupportedMediaType, http.StatusRequestEntityTooLarge:
		return always
	}
	return append([]string{intake.HeaderKey}, always...)
}

func failureComponents() schema {
	responses := schema{}
	for status, words := range failures {
		responses[words[0]] = schema{
			"description": words[1], "headers": headerRefs(failureHeaders(status)...), "content": jsonContent(errorSchema(status), failureExample(status)),
		}
	}
	return responses
}

func jsonContent(s schema, example any) schema {
	return schema{"application/json": schema{"schema": s, "example": example}}
}

// failureRefs are the responses of an operation that are no success.
func failureRefs(responses schema, statuses ...int) {
	for _, status := range statuses {
		words, known := failures[status]
		if !known {
			panic(fmt.Sprint("no words for status ", status))
		}
		responses[strconv.Itoa(status)] = schema{"$ref": "#/components/responses/" + words[0]}
	}
}
