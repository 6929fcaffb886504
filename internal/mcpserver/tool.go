package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/workflow"
)

// Bounds of a result, so that it fits into what an assistant reads at once.
const (
	maxPage   = 50        // records of one page
	maxText   = 4_000     // characters of one text
	maxValue  = 8 * 1024  // bytes of one member whose JSON is the operator's own
	maxResult = 64 * 1024 // bytes of a result as JSON
	maxHours  = 31 * 24   // of the longest period that the API counts
)

// object is a JSON object.
type object = map[string]any

// result is what a tool answers: an object, and a text for people when the object alone would be hard to read.
type result struct {
	data object
	text string
}

// readOnly describes a tool that changes nothing.
func readOnly(name, title, description string) *mcp.Tool {
	return &mcp.Tool{Name: name, Title: title, Description: description, Annotations: &mcp.ToolAnnotations{
		Title: title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: new(false), OpenWorldHint: new(false),
	}}
}

// writing describes a tool that changes what is stored or sends. A client may repeat a call of one that is idempotent: the same
// arguments have no second effect.
func writing(name, title, description string, idempotent bool) *mcp.Tool {
	return &mcp.Tool{Name: name, Title: title, Description: description, Annotations: &mcp.ToolAnnotations{
		Title: title, DestructiveHint: new(true), IdempotentHint: idempotent, OpenWorldHint: new(true),
	}}
}

// The closed sets that arguments are taken from, in the API's spelling.
type (
	channel       string
	messageStatus string
	runStatus     string
	moment        string
)

// enum is the schema of a closed set.
func enum(values []string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, v := range values {
		s.Enum = append(s.Enum, strings.ToUpper(v))
	}
	return s
}

// schemaOf makes the JSON Schema of a tool's arguments from their Go type.
func schemaOf[In any]() (*jsonschema.Schema, error) {
	s, err := jsonschema.For[In](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[channel]():       enum(workflow.Channel("").Values()),
		reflect.TypeFor[messageStatus](): enum(workflow.MessageStatus("").Values()),
		reflect.TypeFor[runStatus]():     enum(workflow.RunStatus("").Values()),
		reflect.TypeFor[moment]():        {Type: "string", Format: "date-time"},
	}})
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", reflect.TypeFor[In](), err)
	}
	for _, argument := range s.Properties {
		nameType(argument)
	}
	for name, most := range map[string]float64{"first": maxPage, "hours": maxHours} {
		if number := s.Properties[name]; number != nil {
			number.Minimum, number.Maximum = new(1.0), new(most)
		}
	}
	return s, nil
}

// nameType leaves a list or a pointer the one type that it has beside null: clients that read one type convert what people typed
// by it, and some assistants refuse a schema with several. withoutNulls takes null for every argument.
func nameType(argument *jsonschema.Schema) {
	if len(argument.Types) == 2 && argument.Types[0] == "null" {
		argument.Type, argument.Types = argument.Types[1], nil
	}
}

// withoutNulls takes an argument that is null for one that was left out, as many assistants write it.
func withoutNulls(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if call, isCall := req.(*mcp.CallToolRequest); isCall {
			var arguments map[string]json.RawMessage
			if json.Unmarshal(call.Params.Arguments, &arguments) == nil { // the SDK says what is wrong with others
				maps.DeleteFunc(arguments, func(_ string, value json.RawMessage) bool { return string(value) == "null" })
				if raw, err := json.Marshal(arguments); err == nil {
					call.Params.Arguments = raw
				}
			}
		}
		return next(ctx, method, req)
	}
}

// addTool offers a tool. Its arguments are checked against their schema before run is called; its result is bounded.
func addTool[In any](server *mcp.Server, tool *mcp.Tool, run func(context.Context, In) (*result, error)) {
	schema, err := schemaOf[In]()
	if err != nil {
		panic(err) // a tool's type is wrong: every start would show it
	}
	offered := *tool
	offered.InputSchema = schema
	smaller := "the dashboard shows it whole"
	if schema.Properties["first"] != nil {
		smaller = "ask for fewer records with a smaller `first`, or narrow the filter"
	}
	mcp.AddTool(server, &offered, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, object, error) {
		res, err := run(ctx, in)
		if err != nil {
			return nil, nil, advise(err)
		}
		raw, err := json.Marshal(res.data)
		if err != nil {
			return nil, nil, fmt.Errorf("write the result: %w", err)
		}
		if size := len(raw) + len(res.text); size > maxResult {
			return nil, nil, fmt.Errorf("the result has %d bytes, at most %d are returned: %s", size, maxResult, smaller)
		}
		if res.text == "" {
			return nil, res.data, nil // the SDK adds the JSON as text
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: res.text}}}, res.data, nil
	})
}

// ask runs an operation and returns its data, long texts shortened.
func (s *service) ask(ctx context.Context, query string, variables object) (object, error) {
	var data object
	if err := s.api.GraphQL(ctx, query, variables, &data); err != nil {
		return nil, err //nolint:wrapcheck // advise reads it
	}
	return shorten(data).(object), nil //nolint:forcetypeassert // it returns what it is given
}

// shorten cuts texts beyond maxText characters.
func shorten(value any) any {
	switch v := value.(type) {
	case object:
		for name, field := range v {
			v[name] = shorten(field)
		}
	case []any:
		for i, item := range v {
			v[i] = shorten(item)
		}
	case string:
		if runes := []rune(v); len(runes) > maxText {
			return fmt.Sprintf("%s … (%d more characters)", string(runes[:maxText]), len(runes)-maxText)
		}
	}
	return value
}

// shortenValues puts the beginning of their JSON in the place of members that are beyond maxValue bytes: alone they could fill a
// result, which then could not be had at all.
func shortenValues(o object, names ...string) {
	for _, name := range names {
		if raw, err := json.Marshal(o[name]); err == nil && len(raw) > maxValue {
			o[name] = shorten(string(raw))
		}
	}
}

// advice says what to do about an error of the API, by its code.
var advice = map[string]string{
	"UNAUTHENTICATED":           "The API key is unknown, revoked or expired: start `carillon mcp` with a valid one in CARILLON_API_KEY.",
	"FORBIDDEN":                 "The API key lacks the scope: use a key with that scope, made in the dashboard or with `carillon keys`.",
	"NOT_FOUND":                 "Find the right identifier with find_subscriber or one of the list tools.",
	"RATE_LIMITED":              "Wait a moment and repeat the call.",
	"TIMEOUT":                   "Ask for fewer records or a shorter period.",
	"COMPLEXITY_LIMIT_EXCEEDED": "Ask for fewer records with a smaller `first`.",
}

// advise adds to an error what to do about it.
func advise(err error) error {
	var refused *client.Error
	if errors.As(err, &refused) {
		if next := advice[refused.Code]; next != "" {
			return fmt.Errorf("%w. %s", err, next)
		}
		return err
	}
	var unreachable *url.Error
	if errors.As(err, &unreachable) {
		return fmt.Errorf("%w. Carillon does not answer: check that it is running and that CARILLON_URL is its address", err)
	}
	return err
}

// paging are the arguments of a list.
type paging struct {
	First int    `json:"first,omitempty" jsonschema:"how many records, 1 to 50; 10 when left out"`
	After string `json:"after,omitempty" jsonschema:"nextCursor of the page before"`
}

// listVariables are the variables of a list: its arguments are named as the fields of the API's filter.
func listVariables(in any) (object, error) {
	raw, err := json.Marshal(in)
	if err != nil {
		return nil, fmt.Errorf("read the arguments: %w", err)
	}
	var filter object
	if err := json.Unmarshal(raw, &filter); err != nil {
		return nil, fmt.Errorf("read the arguments: %w", err)
	}
	variables := object{"first": 10}
	for _, name := range []string{"first", "after"} {
		if value, given := filter[name]; given {
			variables[name] = value
			delete(filter, name)
		}
	}
	variables["filter"] = filter
	return variables, nil
}

// page turns a connection into its records and the cursor of the next page.
func page(connection any) object {
	c, _ := connection.(object)
	records := object{"items": c["nodes"]}
	if info, _ := c["pageInfo"].(object); info["hasNextPage"] == true {
		records["nextCursor"] = info["endCursor"]
	}
	return records
}

// list answers with one page of the field that query asks for.
func (s *service) list(ctx context.Context, in any, field, query string) (*result, error) {
	variables, err := listVariables(in)
	if err != nil {
		return nil, err
	}
	data, err := s.ask(ctx, query, variables)
	if err != nil {
		return nil, err
	}
	return &result{data: page(data[field])}, nil
}
