package rest_test

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// contract is the OpenAPI document of a server, against which every response of every test is held.
type contract struct {
	document map[string]any
	mu       sync.Mutex
	compiler *jsonschema.Compiler
	compiled map[string]*jsonschema.Schema
}

// contracts are those of all servers, by the text of their documents.
var contracts = struct {
	sync.Mutex
	byText map[string]*contract
}{byText: map[string]*contract{}}

// produced are the places of the document that some response filled, over all tests.
var produced sync.Map

func contractOf(handler http.Handler) (*contract, error) {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	contracts.Lock()
	defer contracts.Unlock()
	if known := contracts.byText[w.Body.String()]; known != nil {
		return known, nil
	}
	decoded, err := jsonschema.UnmarshalJSON(bytes.NewReader(w.Body.Bytes()))
	if err != nil {
		return nil, fmt.Errorf("read the OpenAPI document: %w", err)
	}
	c := &contract{document: decoded.(map[string]any), compiler: jsonschema.NewCompiler(), compiled: map[string]*jsonschema.Schema{}} //nolint:forcetypeassert // an object
	c.compiler.AssertFormat()
	strict, _ := jsonschema.UnmarshalJSON(bytes.NewReader(w.Body.Bytes()))
	closeObjects(strict)
	strict.(map[string]any)["components"].(map[string]any)["schemas"].(map[string]any)["Timestamp"].(map[string]any)["pattern"] = timestampPattern //nolint:forcetypeassert // of the document
	if err := c.compiler.AddResource("file:///openapi.json", strict); err != nil {
		return nil, fmt.Errorf("compile the OpenAPI document: %w", err)
	}
	contracts.byText[w.Body.String()] = c
	return c, nil
}

// timestampPattern is how every instant is written. The document leaves it to its words.
const timestampPattern = `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$`

// closeObjects refuses members that the document does not name: here, not for clients, who must bear new ones.
func closeObjects(v any) {
	switch v := v.(type) {
	case map[string]any:
		if _, open := v["additionalProperties"]; v["properties"] != nil && !open && v["type"] == "object" {
			v["additionalProperties"] = false
		}
		for _, member := range v {
			closeObjects(member)
		}
	case []any:
		for _, item := range v {
			closeObjects(item)
		}
	}
}

// check holds a response against the document.
func (c *contract) check(method, target string, w *httptest.ResponseRecorder) error {
	body := w.Body.Bytes()
	if w.Header().Get("Content-Encoding") == "gzip" {
		r, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return err
		}
		if body, err = io.ReadAll(r); err != nil {
			return err
		}
	}
	place, headers := c.response(method, target, w.Code)
	if place == "" {
		return fmt.Errorf("%s %s answers %d, which is not documented", method, target, w.Code)
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, target, err)
	}
	if err := c.validate(place, instance); err != nil {
		return fmt.Errorf("%s %s answers %d against its description: %w\n%s", method, target, w.Code, err, body)
	}
	c.walk(place, instance)
	for name := range w.Header() {
		if headers != nil && !general[name] && headers[documentedHeader(name)] == nil {
			return fmt.Errorf("%s %s answers %d with %s, which is not documented there", method, target, w.Code, name)
		}
	}
	return nil
}

// general are headers that mean the same everywhere, and so are not documented.
var general = map[string]bool{"Content-Type": true, "Content-Length": true, "Content-Encoding": true, "Vary": true, "Allow": true, "Access-Control-Allow-Origin": true, "Access-Control-Expose-Headers": true}

// documentedHeader is a header's name as the document writes it.
func documentedHeader(name string) string {
	return map[string]string{
		"Ratelimit-Limit": "RateLimit-Limit", "Ratelimit-Remaining": "RateLimit-Remaining", "Ratelimit-Reset": "RateLimit-Reset",
		"Ratelimit-Policy": "RateLimit-Policy", "Www-Authenticate": "WWW-Authenticate",
	}[name] + map[bool]string{true: "", false: name}[strings.HasPrefix(name, "Ratelimit") || name == "Www-Authenticate"]
}

// response is the place of a response's schema, and its headers; "" when the document has none. What the routes share
// for unknown paths and methods is an Error.
func (c *contract) response(method, target string, code int) (place string, headers map[string]any) {
	const anyError = "/components/schemas/Error"
	path, pattern := c.pathOf(target)
	if method == http.MethodHead {
		method = http.MethodGet
	}
	op, known := path[strings.ToLower(method)].(map[string]any)
	if !known {
		if code == http.StatusNotFound || code == http.StatusMethodNotAllowed || code == http.StatusRequestURITooLong || code == http.StatusExpectationFailed {
			return anyError, nil
		}
		return "", nil
	}
	response, known := op["responses"].(map[string]any)[strconv.Itoa(code)].(map[string]any)
	if !known {
		return "", nil
	}
	if shared, ok := response["$ref"].(string); ok {
		produced.Store(shared, true)
		place = strings.TrimPrefix(shared, "#")
		response = c.at(place).(map[string]any)
	} else {
		place = "/paths/" + escaped(pattern) + "/" + strings.ToLower(method) + "/responses/" + strconv.Itoa(code)
	}
	headers, _ = response["headers"].(map[string]any)
	return place + "/content/application~1json/schema", headers
}

func escaped(segment string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(segment)
}

// pathOf finds the documented path of a request's target.
func (c *contract) pathOf(target string) (path map[string]any, pattern string) {
	sent, _, _ := strings.Cut(target, "?")
	segments := strings.Split(strings.TrimSuffix(sent, "/"), "/")
	paths := c.document["paths"].(map[string]any)
	for _, pattern := range slices.Sorted(maps.Keys(paths)) {
		parts := strings.Split(pattern, "/")
		if len(parts) == len(segments) && matches(parts, segments) {
			return paths[pattern].(map[string]any), pattern
		}
	}
	return nil, ""
}

func matches(parts, segments []string) bool {
	for i, part := range parts {
		if strings.HasPrefix(part, "{") {
			continue
		}
		if plain, err := url.PathUnescape(segments[i]); err != nil || part != plain {
			return false
		}
	}
	return true
}

// at is the part of the document that a JSON pointer names.
func (c *contract) at(pointer string) any {
	var value any = c.document
	for segment := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		segment = strings.NewReplacer("~1", "/", "~0", "~").Replace(segment)
		switch v := value.(type) {
		case map[string]any:
			value = v[segment]
		case []any:
			i, _ := strconv.Atoi(segment)
			value = v[i]
		}
	}
	return value
}

func (c *contract) validate(place string, instance any) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.compiled[place]
	if s == nil {
		var err error
		if s, err = c.compiler.Compile("file:///openapi.json#" + url.PathEscape(place)); err != nil {
			return err
		}
		c.compiled[place] = s
	}
	return s.Validate(instance)
}

// walk notes which members an instance fills.
func (c *contract) walk(place string, instance any) {
	s, ok := c.at(place).(map[string]any)
	if !ok {
		return
	}
	if target, ok := s["$ref"].(string); ok {
		c.walk(strings.TrimPrefix(target, "#"), instance)
		return
	}
	for _, choice := range []string{"anyOf", "oneOf"} {
		variants, _ := s[choice].([]any)
		for i := range variants {
			if at := fmt.Sprint(place, "/", choice, "/", i); c.validate(at, instance) == nil {
				c.walk(at, instance)
			}
		}
	}
	switch v := instance.(type) {
	case map[string]any:
		properties, _ := s["properties"].(map[string]any)
		for name, member := range v {
			switch _, named := properties[name]; {
			case named:
				at := place + "/properties/" + escaped(name)
				produced.Store("#"+at, true)
				c.walk(at, member)
			case s["additionalProperties"] != nil:
				c.walk(place+"/additionalProperties", member)
			}
		}
	case []any:
		for _, item := range v {
			c.walk(place+"/items", item)
		}
	}
}

// promised are all places that responses can fill.
func (c *contract) promised() map[string]bool {
	all, entered := map[string]bool{}, map[string]bool{}
	var enter func(place string)
	enter = func(place string) {
		s, ok := c.at(place).(map[string]any)
		if !ok || entered[place] {
			return
		}
		entered[place] = true
		if target, ok := s["$ref"].(string); ok {
			enter(strings.TrimPrefix(target, "#"))
			return
		}
		properties, _ := s["properties"].(map[string]any)
		for name := range properties {
			at := place + "/properties/" + escaped(name)
			all["#"+at] = true
			enter(at)
		}
		for _, choice := range []string{"anyOf", "oneOf"} {
			variants, _ := s[choice].([]any)
			for i := range variants {
				enter(fmt.Sprint(place, "/", choice, "/", i))
			}
		}
		enter(place + "/items")
		enter(place + "/additionalProperties")
	}
	for pattern, path := range c.document["paths"].(map[string]any) {
		for method, op := range path.(map[string]any) {
			op, ok := op.(map[string]any)
			if !ok {
				continue
			}
			for code, response := range op["responses"].(map[string]any) {
				if shared, ok := response.(map[string]any)["$ref"].(string); ok {
					all[shared] = true
					enter(strings.TrimPrefix(shared, "#") + "/content/application~1json/schema")
				} else {
					enter("/paths/" + escaped(pattern) + "/" + method + "/responses/" + code + "/content/application~1json/schema")
				}
			}
		}
	}
	return all
}

// TestMain looks at the end whether every documented member and every documented failure was produced by some test.
func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 && flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.fuzz").Value.String() == "" &&
		flag.Lookup("test.list").Value.String() == "" && flag.Lookup("test.skip").Value.String() == "" {
		code = unproduced()
	}
	os.Exit(code)
}

func unproduced() int {
	contracts.Lock()
	defer contracts.Unlock()
	for text, c := range contracts.byText {
		if strings.Contains(text, `"svc-cloud"`) && !strings.Contains(text, `"The answer."`) {
			var missing []string
			for place := range c.promised() {
				if _, there := produced.Load(place); !there {
					missing = append(missing, place)
				}
			}
			slices.Sort(missing)
			if len(missing) > 0 {
				fmt.Printf("documented, and in no response of any test:\n%s\n", strings.Join(missing, "\n"))
				return 1
			}
		}
	}
	return 0
}
