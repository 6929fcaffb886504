package rest

import (
	"bytes"
	"embed"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/carillon/carillon/internal/workflow"
)

//go:embed examples/*.json
var exampleFiles embed.FS

// example is a call of a route and its answer. A test calls it and writes the answer.
type example struct {
	// Target is the path with its query string.
	Target string `json:"target"`
	// Request is the body; nil: none.
	Request any `json:"request,omitempty"`
	// Answer is the body of success.
	Answer any `json:"answer,omitempty"`
}

// example reads the route's example, with the enumerated values as this server writes them.
func (r *Route) example(c *components) (e example) {
	raw, err := exampleFiles.ReadFile("examples/" + r.ID + ".json")
	if err == nil {
		prefix := strings.TrimSuffix(c.providers.ShownOrigin(workflow.OriginCloud), "cloud")
		err = json.Unmarshal(bytes.ReplaceAll(raw, []byte(`"svc-`), []byte(`"`+prefix)), &e)
	}
	if err != nil {
		panic("the example of " + r.ID + ": " + err.Error())
	}
	return e
}

// arguments are the values of the path parameters.
func (e example) arguments(pattern string) map[string]string {
	path, _, _ := strings.Cut(e.Target, "?")
	sent, values := strings.Split(path, "/"), map[string]string{}
	for i, segment := range strings.Split(pattern, "/") {
		if match := pathParameter.FindStringSubmatch(segment); match != nil && i < len(sent) {
			values[match[1]], _ = url.PathUnescape(sent[i])
		}
	}
	return values
}

// show adds the query's values to the parameters of an operation.
func (e example) show(parameters []schema) {
	_, query, _ := strings.Cut(e.Target, "?")
	values, _ := url.ParseQuery(query)
	for _, p := range parameters {
		name, _ := p["name"].(string)
		if !values.Has(name) {
			continue
		}
		p["example"] = values.Get(name)
		if s, _ := p["schema"].(schema); s["type"] == "integer" {
			p["example"], _ = strconv.Atoi(values.Get(name))
		}
	}
}

// failureExample is the body of an answer that is no success.
func failureExample(status int) schema {
	body := schema{"statusCode": status, "timestamp": "2026-01-31T12:00:00.000Z", "path": triggerPattern, "message": failures[status][1]}
	switch status {
	case http.StatusBadRequest:
		body["message"], body["type"], body["errors"] = "The payload does not fit the workflow's schema.", "PAYLOAD_VALIDATION_ERROR", []schema{
			{"field": "order.total", "message": "must be a number", "value": "49.90", "schemaPath": "/properties/order/properties/total/type"},
		}
	case http.StatusUnprocessableEntity:
		body["message"], body["errors"] = "Validation Error", schema{"name": schema{"messages": []string{"must be set"}}}
	case http.StatusInternalServerError, http.StatusServiceUnavailable:
		body["errorId"] = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
	}
	return body
}
