package payload

import (
	"encoding/json"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/carillon/carillon/internal/fault"
)

// CodeSchemaCost is the stable code of a payload that its workflow's schema is too expensive for.
const CodeSchemaCost = "PAYLOAD_SCHEMA_TOO_EXPENSIVE"

// tooExpensive is the failure of a payload that would cost too much to validate. Only the author of the schema can cure
// it for good, so it says how.
func tooExpensive() error {
	return &fault.Error{
		Kind: fault.Invalid, Code: CodeSchemaCost, Message: fault.ValidationMessage,
		Fields: []fault.Field{{Path: "payload", Message: "cannot be checked: the payload schema of the workflow needs more than " +
			strconv.Itoa(MaxPayloadSteps) + " steps for it. The author of the workflow must simplify the schema (fewer anyOf, oneOf, allOf and $ref " +
			"inside each other, no large patterns), or the payload must be smaller"}},
	}
}

// typeSet is a set of JSON types.
type typeSet uint8

const (
	typeObject typeSet = 1 << iota
	typeArray
	typeString
	typeNumber
	typeOther
)

var typeNames = map[string]typeSet{
	"object": typeObject, "array": typeArray, "string": typeString, "number": typeNumber, "integer": typeNumber,
	"boolean": typeOther, "null": typeOther,
}

func typeOf(v any) typeSet {
	switch v.(type) {
	case map[string]any:
		return typeObject
	case []any:
		return typeArray
	case string:
		return typeString
	case json.Number, float64, int64:
		return typeNumber
	}
	return typeOther
}

// meter bounds the cost of validating one payload before it is validated: it goes the same way as validation, which
// knows no limit, without looking at what is valid, and stops when it has gone too far. It takes a small part of the
// time that validation takes, and no memory.
type meter struct {
	costs *schemaCosts
	left  int
}

// steps is what validation of a payload costs, at least; beyond MaxPayloadSteps it is not counted to the end.
func (s *PayloadSchema) steps(payload any) int {
	m := meter{costs: s.costs, left: MaxPayloadSteps}
	m.visit(s.schema, payload, 0)
	return MaxPayloadSteps - m.left
}

// visit counts what a schema does with a value that lies depth levels below the payload. Faults carry their path, hence
// the depth.
func (m *meter) visit(s *jsonschema.Schema, v any, depth int) {
	info := m.costs.of[s]
	m.left -= info.fixed + depth>>4
	if m.left < 0 || s.Bool != nil || info.types != 0 && info.types&typeOf(v) == 0 {
		return
	}
	switch x := v.(type) {
	case map[string]any:
		m.object(s, x, depth)
	case []any:
		m.list(s, x, depth)
	case string:
		m.left -= textWeight(s, x)
	case json.Number:
		comparisons := info.numeric
		if s.Enum != nil {
			comparisons += len(s.Enum.Values)
		}
		m.left -= comparisons * (1 + numberWeight(x))
	case float64, int64:
		m.left -= info.numeric
	}
	for _, part := range []*jsonschema.Schema{s.Ref, s.Not, s.If, s.Then, s.Else} {
		if part != nil {
			m.visit(part, v, depth)
		}
	}
	for _, parts := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for _, part := range parts {
			if m.visit(part, v, depth); m.left < 0 {
				return
			}
		}
	}
}

func textWeight(s *jsonschema.Schema, text string) int {
	weight := 0
	if s.MinLength != nil || s.MaxLength != nil {
		weight += len(text) >> 7
	}
	if p, ok := s.Pattern.(*pattern); ok {
		weight += p.size * len(text) >> 6
	}
	if s.Format != nil {
		weight += len(text) >> 5
		if s.Format.Name == "regex" {
			weight += min(len(text), maxPatternBytes)
		}
	}
	return weight
}

func (m *meter) object(s *jsonschema.Schema, object map[string]any, depth int) {
	m.left -= m.members(len(object))
	for name, value := range object {
		if m.left < 0 {
			return
		}
		if sub := s.Properties[name]; sub != nil {
			m.visit(sub, value, depth+1)
		} else if sub, ok := s.AdditionalProperties.(*jsonschema.Schema); ok {
			m.visit(sub, value, depth+1)
		}
		for expression, sub := range s.PatternProperties {
			if p, ok := expression.(*pattern); ok {
				m.left -= 1 + p.size*len(name)>>6
			}
			m.visit(sub, value, depth+1)
		}
		if s.UnevaluatedProperties != nil {
			m.visit(s.UnevaluatedProperties, value, depth+1)
		}
		if s.PropertyNames != nil {
			m.visit(s.PropertyNames, name, depth+1)
		}
		if sub := s.DependentSchemas[name]; sub != nil {
			m.visit(sub, object, depth)
		}
		if sub, ok := s.Dependencies[name].(*jsonschema.Schema); ok {
			m.visit(sub, object, depth)
		}
	}
}

// members is the cost of going over the members of a value.
func (m *meter) members(n int) int {
	if m.costs.unevaluated {
		return n
	}
	return n >> 2
}

// fewItems is the length of lists up to which validation compares all items with each other to find equal ones.
const fewItems = 20

func (m *meter) list(s *jsonschema.Schema, list []any, depth int) {
	m.left -= m.members(len(list))
	if s.UniqueItems {
		weight := jsonWeight(list)
		if len(list) <= fewItems {
			weight *= len(list)
		}
		m.left -= weight
	}
	single, _ := s.Items.(*jsonschema.Schema)
	each, _ := s.Items.([]*jsonschema.Schema)
	rest, _ := s.AdditionalItems.(*jsonschema.Schema)
	for i, item := range list {
		if m.left < 0 {
			return
		}
		for _, sub := range []*jsonschema.Schema{single, s.Items2020, s.Contains, s.UnevaluatedItems} {
			if sub != nil {
				m.visit(sub, item, depth+1)
			}
		}
		switch {
		case i < len(each):
			m.visit(each[i], item, depth+1)
		case rest != nil:
			m.visit(rest, item, depth+1)
		}
		if i < len(s.PrefixItems) {
			m.visit(s.PrefixItems[i], item, depth+1)
		}
	}
}
