// Package payload checks payload schemas, and payloads against them, with a bound on what a check may cost.
package payload

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

// MaxSchemaBytes bounds a payload schema as compact JSON.
const MaxSchemaBytes = 256 << 10

// Bounds of a payload schema's shape and of the problems reported about one payload.
const (
	maxSchemaDepth   = 64
	maxPayloadFaults = 100
)

// CodePayload is the stable code of a payload that violates its workflow's schema.
const CodePayload = "PAYLOAD_VALIDATION_ERROR"

// PayloadSchema is a compiled payload schema. It is immutable and safe for concurrent use, so callers keep it beside the
// workflow version it belongs to.
type PayloadSchema struct {
	raw    map[string]any
	schema *jsonschema.Schema
	costs  *schemaCosts
}

// PayloadFault is one violation (decisions.md §14).
type PayloadFault struct {
	Field      string `json:"field"` // dotted path, root for the payload itself
	Message    string `json:"message"`
	Value      any    `json:"value,omitempty"` // left out above 1 KiB
	SchemaPath string `json:"schemaPath"`
}

// schemaURL is the name under which the compiler knows the schema, and calls it in its errors; nothing is ever loaded from
// it. A name without a scheme would become that of a file in the server's working directory.
const schemaURL = "urn:carillon:payload"

type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("references outside the schema are not allowed: %s", url)
}

// CompileSchema compiles a JSON Schema (draft 2020-12 unless $schema names another). References stay inside the schema,
// and what it costs to validate is bounded. An empty schema gives nil, which accepts everything.
func CompileSchema(schema map[string]any) (*PayloadSchema, error) {
	if len(schema) == 0 {
		return nil, nil
	}
	raw, err := json.Marshal(schema)
	switch {
	case err != nil:
		return nil, fmt.Errorf("payload schema: %w", err)
	case len(raw) > MaxSchemaBytes:
		return nil, fmt.Errorf("payload schema: must not exceed %d bytes", MaxSchemaBytes)
	case depthOf(schema, 0) > maxSchemaDepth:
		return nil, fmt.Errorf("payload schema: must not be nested deeper than %d levels", maxSchemaDepth)
	case (&jsonCount{}).tooMany(schema):
		return nil, errSchemaValues
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(raw)))
	if err != nil {
		return nil, fmt.Errorf("payload schema: %w", err)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	c.AssertFormat()
	c.UseRegexpEngine(compilePattern)
	if err := c.AddResource(schemaURL, doc); err != nil {
		return nil, fmt.Errorf("payload schema: %w", err)
	}
	compiled, err := c.Compile(schemaURL)
	if err != nil {
		return nil, schemaError(err)
	}
	costs, err := measureCost(compiled)
	if err != nil {
		return nil, err
	}
	return &PayloadSchema{raw: schema, schema: compiled, costs: costs}, nil
}

func depthOf(v any, depth int) int {
	if depth > maxSchemaDepth {
		return depth
	}
	deepest := depth
	switch x := v.(type) {
	case map[string]any:
		for _, item := range x {
			deepest = max(deepest, depthOf(item, depth+1))
		}
	case []any:
		for _, item := range x {
			deepest = max(deepest, depthOf(item, depth+1))
		}
	}
	return deepest
}

// Raw is the schema as the author wrote it.
func (s *PayloadSchema) Raw() map[string]any {
	if s == nil {
		return nil
	}
	return s.raw
}

// Apply is Fill and, when validate is set, Check. A nil schema accepts all.
func (s *PayloadSchema) Apply(payload map[string]any, validate bool) (map[string]any, error) {
	filled, _, err := s.Fill(payload, validate)
	if err != nil || !validate {
		return filled, err
	}
	return filled, s.Check(filled)
}

// Fill is a trigger's payload with the schema's defaults filled in and, when validate is set, the number of steps that Check
// takes for it. A payload for which either would cost too much is an Invalid failure of code PAYLOAD_SCHEMA_TOO_EXPENSIVE.
// The given payload is not changed.
func (s *PayloadSchema) Fill(payload map[string]any, validate bool) (filled map[string]any, steps int, err error) {
	if s == nil {
		return payload, 0, nil
	}
	if payload == nil {
		payload = map[string]any{}
	}
	f := filler{left: maxDefaults, steps: MaxPayloadSteps, bytes: maxDefaultBytes}
	filled, _ = f.fill(s.schema, payload, 0).(map[string]any)
	if f.steps < 0 || f.bytes < 0 {
		return nil, 0, tooExpensive()
	}
	if !validate {
		return filled, 0, nil
	}
	if steps = s.steps(filled); steps > MaxPayloadSteps {
		return nil, steps, tooExpensive()
	}
	return filled, steps, nil
}

// Check is a BadRequest failure of code PAYLOAD_VALIDATION_ERROR for a payload that violates the schema. The payload must be
// one that Fill returned with its steps.
func (s *PayloadSchema) Check(filled map[string]any) error {
	faults := s.check(filled)
	if len(faults) == 0 {
		return nil
	}
	return s.failure(faults)
}

func (s *PayloadSchema) failure(faults []PayloadFault) error {
	texts := make([]string, len(faults))
	fields := make([]fault.Field, len(faults))
	for i, f := range faults {
		texts[i] = f.Field + ": " + f.Message
		fields[i] = fault.Field{Path: f.Field, Message: f.Message, Value: f.Value}
	}
	return &fault.Error{
		Kind: fault.BadRequest, Code: CodePayload, Fields: fields,
		Message: "The payload does not match the schema: " + strings.Join(texts, "; "),
		Details: map[string]any{"errors": faults, "schema": s.raw},
	}
}

// check lists the violations of a payload that is affordable, sorted by field.
func (s *PayloadSchema) check(payload map[string]any) []PayloadFault {
	if s == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if err := s.schema.Validate(any(payload)); !errors.As(err, &invalid) {
		return nil
	}
	var faults []PayloadFault
	collectFaults(invalid, payload, &faults)
	slices.SortStableFunc(faults, func(a, b PayloadFault) int { return strings.Compare(a.Field, b.Field) })
	return faults
}

// collectFaults takes the leaves: inner nodes only say that a part failed.
func collectFaults(e *jsonschema.ValidationError, payload map[string]any, out *[]PayloadFault) {
	if len(e.Causes) > 0 {
		for _, c := range e.Causes {
			collectFaults(c, payload, out)
		}
		return
	}
	if len(*out) >= maxPayloadFaults {
		return
	}
	f := PayloadFault{Field: "root", Message: shortText(faultText(e.ErrorKind)), SchemaPath: schemaPath(e)}
	if len(e.InstanceLocation) > 0 {
		f.Field = strings.Join(e.InstanceLocation, ".")
		f.Value = smallValue(jsonvalue.Lookup(payload, f.Field))
	}
	*out = append(*out, f)
}

// maxFaultBytes bounds the value and the message of one fault.
const maxFaultBytes = 1 << 10

func smallValue(v any) any {
	if jsonBytes(v, maxFaultBytes) > maxFaultBytes { // so that a large one is not encoded for each of its faults
		return nil
	}
	if raw, err := json.Marshal(v); err != nil || len(raw) > maxFaultBytes {
		return nil
	}
	return v
}

// jsonBytes is a lower bound of the length of a value's JSON. It stops counting beyond limit.
func jsonBytes(v any, limit int) int {
	n := 1
	switch x := v.(type) {
	case map[string]any:
		for name, item := range x {
			if n += len(name) + 3 + jsonBytes(item, limit-n); n > limit {
				break
			}
		}
	case []any:
		for _, item := range x {
			if n += jsonBytes(item, limit-n); n > limit {
				break
			}
		}
	case string:
		n += len(x)
	case json.Number:
		n = len(x)
	}
	return n
}

// shortText cuts a message that lists a payload's many names.
func shortText(text string) string {
	if len(text) <= maxFaultBytes {
		return text
	}
	return strings.ToValidUTF8(text[:maxFaultBytes], "") + "…"
}

func schemaPath(e *jsonschema.ValidationError) string {
	_, fragment, _ := strings.Cut(e.SchemaURL, "#")
	for _, part := range e.ErrorKind.KeywordPath() {
		fragment += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(part)
	}
	return "#" + fragment
}

// faultText words the common violations as existing clients know them, and leaves the rest to the library.
func faultText(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return "must be " + strings.Join(k.Want, " or ")
	case *kind.Required:
		return "must have required property '" + strings.Join(k.Missing, "', '") + "'"
	case *kind.AdditionalProperties:
		return "must NOT have additional properties '" + strings.Join(k.Properties, "', '") + "'"
	case *kind.Enum:
		return "must be equal to one of the allowed values"
	case *kind.Const:
		return "must be equal to constant"
	case *kind.Format:
		return fmt.Sprintf("must match format %q", k.Want)
	case *kind.Pattern:
		return fmt.Sprintf("must match pattern %q", k.Want)
	case *kind.MinLength:
		return fmt.Sprintf("must NOT have fewer than %d characters", k.Want)
	case *kind.MaxLength:
		return fmt.Sprintf("must NOT have more than %d characters", k.Want)
	case *kind.MinItems:
		return fmt.Sprintf("must NOT have fewer than %d items", k.Want)
	case *kind.MaxItems:
		return fmt.Sprintf("must NOT have more than %d items", k.Want)
	case *kind.Minimum:
		return "must be >= " + boundText(k.Want)
	case *kind.Maximum:
		return "must be <= " + boundText(k.Want)
	case *kind.ExclusiveMinimum:
		return "must be > " + boundText(k.Want)
	case *kind.ExclusiveMaximum:
		return "must be < " + boundText(k.Want)
	default:
		return k.LocalizedString(englishPrinter)
	}
}

// boundText is a number of a schema as its author wrote it; a big.Rat writes 0.5 as 1/2.
func boundText(n *big.Rat) string {
	if n.IsInt() {
		return n.RatString()
	}
	f, _ := n.Float64()
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// maxDefaults bounds the defaults filled into one payload: a schema that refers to itself could ask for endlessly many.
const (
	maxDefaults     = 1_000
	maxDefaultBytes = 512 << 10
)

// filler lays a schema's defaults under a payload. Only properties that every valid payload shares count: those of the
// schema itself, its references and its allOf. It gives up when steps or bytes run out.
type filler struct{ left, steps, bytes int }

// fill gives v with defaults; v itself does not change.
func (f *filler) fill(s *jsonschema.Schema, v any, depth int) any {
	if s == nil {
		return v
	}
	if f.steps--; depth > maxSchemaDepth || f.left <= 0 || f.steps < 0 || f.bytes < 0 {
		return v
	}
	v = f.fill(s.Ref, v, depth+1)
	for _, part := range s.AllOf {
		v = f.fill(part, v, depth+1)
	}
	switch x := v.(type) {
	case map[string]any:
		return f.object(s, x, depth)
	case []any:
		return f.list(s, x, depth)
	}
	return v
}

func (f *filler) object(s *jsonschema.Schema, object map[string]any, depth int) any {
	if len(s.Properties) == 0 {
		return object
	}
	f.steps -= len(s.Properties) + len(object)>>2
	out := make(map[string]any, len(object)+len(s.Properties))
	maps.Copy(out, object)
	for _, name := range jsonvalue.SortedKeys(s.Properties) {
		property := s.Properties[name]
		v, there := out[name]
		if !there {
			if property.Default == nil || f.left <= 0 {
				continue
			}
			f.left--
			if f.bytes -= jsonBytes(*property.Default, f.bytes); f.bytes < 0 {
				return object
			}
			v = plainJSON(*property.Default)
		}
		out[name] = f.fill(property, v, depth+1)
	}
	return out
}

func (f *filler) list(s *jsonschema.Schema, list []any, depth int) any {
	items := s.Items2020
	if single, ok := s.Items.(*jsonschema.Schema); ok {
		items = single
	}
	if items == nil {
		return list
	}
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = f.fill(items, v, depth+1)
	}
	return out
}

// plainJSON copies a default out of the schema, with numbers as payloads have them: the schema keeps json.Number.
func plainJSON(v any) any {
	switch x := v.(type) {
	case json.Number:
		f, _ := x.Float64()
		return f
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, item := range x {
			out[k] = plainJSON(item)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, item := range x {
			out[i] = plainJSON(item)
		}
		return out
	}
	return v
}

// englishPrinter words the library's own messages.
var englishPrinter = message.NewPrinter(language.English)
