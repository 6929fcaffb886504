package rest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
)

// The paths of the OpenAPI document: in 3.1, and in 3.0 for the tools that read no later one.
const (
	pathOpenAPI       = "/openapi.json"
	pathOpenAPIYAML   = "/openapi.yaml"
	pathOpenAPI30     = "/openapi-3.0.json"
	pathOpenAPI30YAML = "/openapi-3.0.yaml"
)

// form is one way to write the document.
type form struct {
	path  string
	older bool // 3.0
	yaml  bool
}

var forms = []form{{path: pathOpenAPI}, {path: pathOpenAPIYAML, yaml: true}, {path: pathOpenAPI30, older: true}, {path: pathOpenAPI30YAML, older: true, yaml: true}}

// serveDocument serves the document in each form. It does not change while the server runs; each form is written when it is first
// asked for, because writing all of them took a third of the time in which a process starts.
func (s *server) serveDocument(routes []Route) {
	written := sync.OnceValue(func() map[string]any { return document(routes, s.Resolvers.Services.Providers, s.ResponseWrapper) })
	for _, f := range forms {
		write := sync.OnceValues(func() ([]byte, error) { return f.write(written()) })
		s.mux.Get(f.path, s.answering(func(r *request) (*Reply, error) {
			if r.Method != http.MethodGet && r.Method != http.MethodHead {
				r.header.Set("Allow", "GET, HEAD")
				return nil, httpError{http.StatusMethodNotAllowed, "Method " + r.Method + " is not allowed here."}
			}
			raw, err := write()
			if f.yaml && err == nil {
				r.header.Set("Content-Type", "application/yaml; charset=utf-8")
			}
			return &Reply{Status: http.StatusOK, raw: raw}, err
		}))
	}
}

func (f form) write(document map[string]any) ([]byte, error) {
	raw, err := json.MarshalIndent(document, "", "  ")
	if err == nil && f.older {
		var decoded map[string]any
		if err = json.Unmarshal(raw, &decoded); err == nil {
			raw, err = json.MarshalIndent(downgrade(decoded), "", "  ")
		}
	}
	if err == nil && f.yaml {
		raw, err = yaml.JSONToYAML(raw)
	}
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", f.path, err)
	}
	return raw, nil
}

// downgrade makes a 3.1 document one of 3.0, in place: what 3.0 has other words for is rewritten, what it has none for (the
// pattern of member names, the summary of the API) is left out. Examples stay as they are.
func downgrade(document map[string]any) map[string]any {
	document["openapi"] = "3.0.3"
	delete(document["info"].(map[string]any), "summary")                           //nolint:forcetypeassert // of document
	schemas := document["components"].(map[string]any)["schemas"].(map[string]any) //nolint:forcetypeassert // of document
	downgrader(schemas).older(document)
	raw, _ := json.Marshal(document)
	for name := range schemas {
		if !bytes.Contains(raw, []byte(`"#/components/schemas/`+name+`"`)) { // it was copied wherever it was named
			delete(schemas, name)
		}
	}
	return document
}

// downgrader holds the named schemas of the document.
type downgrader map[string]any

func (d downgrader) older(v any) {
	switch v := v.(type) {
	case map[string]any:
		d.olderSchema(v)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if properties, ok := v[name].(map[string]any); ok && name == "properties" {
				for _, property := range properties { // a property may have the name of a keyword
					d.older(property)
				}
			} else if name != "example" && name != "enum" && name != "default" {
				d.older(v[name])
			}
		}
	case []any:
		for _, item := range v {
			d.older(item)
		}
	}
}

// olderSchema rewrites the keywords of one schema; other objects have none of them.
func (d downgrader) olderSchema(s map[string]any) {
	if kinds, ok := s["type"].([]any); ok { // [string, null]
		kinds = slices.DeleteFunc(kinds, func(kind any) bool { return kind == "null" })
		s["type"], s["nullable"] = kinds[0], true
	}
	if variants, ok := s["anyOf"].([]any); ok {
		d.olderUnion(s, variants)
	}
	if target, ok := s["$ref"].(string); ok && len(s) > 1 { // 3.0 ignores what is beside a reference
		delete(s, "$ref")
		s["allOf"] = []any{map[string]any{"$ref": target}}
	}
	if value, ok := s["const"]; ok {
		delete(s, "const")
		s["enum"] = []any{value}
	}
	for bound, inclusive := range map[string]string{"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"} {
		if value, ok := s[bound].(float64); ok {
			s[inclusive], s[bound] = value, true
		}
	}
	if examples, ok := s["examples"].([]any); ok && len(examples) > 0 {
		delete(s, "examples")
		s["example"] = examples[0]
	}
	delete(s, "propertyNames")
}

// olderUnion rewrites a schema that may be null. A named schema is copied, because no value is null that must fit a schema
// which is not nullable.
func (d downgrader) olderUnion(s map[string]any, variants []any) {
	others := slices.DeleteFunc(slices.Clone(variants), isNull)
	if len(others) == len(variants) {
		return
	}
	delete(s, "anyOf")
	only := others[0].(map[string]any) //nolint:forcetypeassert // a schema
	if target, ok := only["$ref"].(string); ok {
		only = d[strings.TrimPrefix(target, "#/components/schemas/")].(map[string]any) //nolint:forcetypeassert // a schema
	}
	for name, value := range only {
		if _, own := s[name]; !own {
			s[name] = value
		}
	}
	s["nullable"] = true
	if values, ok := s["enum"].([]any); ok {
		delete(s, "enum")
		own, _ := s["description"].(string)
		s["description"] = strings.TrimSpace(own + " One of " + inWords(values) + ", or null.")
	}
}

// inWords lists the values of an enum. One that may be null has them in its description only: in 3.0 null would have to be among them, which
// generators take for a text or fail on.
func inWords(values []any) string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = fmt.Sprint(value)
	}
	return strings.Join(texts, ", ")
}

func isNull(variant any) bool {
	s, ok := variant.(map[string]any)
	return ok && len(s) == 1 && s["type"] == "null"
}
