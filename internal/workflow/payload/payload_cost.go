package payload

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// What a payload schema may cost. One visit is one subschema applied to one value; validation takes below a microsecond
// for it. A small schema can ask for any number of them, by references that double at each level.
const (
	maxSchemaValues = 20_000 // JSON values of its text
	maxSchemaParts  = 4_000  // of them objects and booleans, which may be subschemas
	maxSubschemas   = 2_000
	maxSchemaVisits = 10_000 // with every reference and combination followed once
	maxSamePlace    = 100    // subschemas that lead from one to the next without leaving the value
	maxPatternBytes = 1_000
	maxPatternSize  = 2_000   // instructions
	MaxPayloadSteps = 400_000 // visits of one payload's validation, larger ones counted as several
)

var (
	errSchemaValues = fmt.Errorf("payload schema: must not hold more than %d JSON values, %d of them objects or booleans", maxSchemaValues, maxSchemaParts)
	errSubschemas   = fmt.Errorf("payload schema: must not hold more than %d subschemas", maxSubschemas)
	errSchemaVisits = fmt.Errorf("payload schema: must not lead to more than %d subschemas once $ref, allOf, anyOf, oneOf, not, if and properties are followed: "+
		"remove combinations that repeat or nest each other", maxSchemaVisits)
	errSamePlace = fmt.Errorf("payload schema: must not follow more than %d references and combinations for one value", maxSamePlace)
	errCircle    = errors.New("payload schema: a reference leads back to itself without going down into the value: " +
		"recursion is possible through properties and items only")
	errDynamic = errors.New("payload schema: $dynamicRef and $recursiveRef are not supported: use $ref")
	errOutside = errors.New("payload schema: references outside the schema are not allowed: copy what is referred to into $defs")
	errPattern = fmt.Errorf("must not exceed %d bytes, nor %d steps once its repetitions are written out", maxPatternBytes, maxPatternSize)
)

// pattern is a regular expression of bounded size. Go matches in time linear to expression times text.
type pattern struct {
	*regexp.Regexp
	size int
}

// compilePattern compiles a regular expression unless it is too large. It is measured before it is compiled, since
// nested repetitions take memory then.
func compilePattern(source string) (jsonschema.Regexp, error) {
	if len(source) > maxPatternBytes {
		return nil, errPattern
	}
	parsed, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return nil, err //nolint:wrapcheck // names the expression
	}
	size := patternSize(parsed)
	if size > maxPatternSize {
		return nil, errPattern
	}
	compiled, err := regexp.Compile(source)
	if err != nil {
		return nil, err //nolint:wrapcheck // names the expression
	}
	return &pattern{compiled, size}, nil
}

func patternSize(re *syntax.Regexp) int {
	size := 1 + len(re.Rune)
	for _, sub := range re.Sub {
		size = min(size+patternSize(sub), maxPatternSize+1)
	}
	if re.Op == syntax.OpRepeat {
		size = min(size*max(re.Min, re.Max, 1), maxPatternSize+1)
	}
	return size
}

// schemaInfo is what a subschema costs at every visit and for every number, and the types that it looks further at.
type schemaInfo struct {
	fixed, numeric int
	types          typeSet
}

// schemaCosts is what meters need to know of a compiled schema.
type schemaCosts struct {
	of          map[*jsonschema.Schema]schemaInfo
	unevaluated bool // unevaluatedProperties or unevaluatedItems is used, so that all visits keep lists
}

// measureCost measures a compiled schema and refuses one that costs too much whatever the payload.
func measureCost(root *jsonschema.Schema) (*schemaCosts, error) {
	costs := &schemaCosts{of: map[*jsonschema.Schema]schemaInfo{}}
	if err := costs.collect(root); err != nil {
		return nil, err
	}
	depths := map[*jsonschema.Schema]int{}
	for s := range costs.of {
		if depth, err := samePlaceDepth(s, depths); err != nil {
			return nil, err
		} else if depth > maxSamePlace {
			return nil, errSamePlace
		}
	}
	if newVisitCounter().count(root) > maxSchemaVisits {
		return nil, errSchemaVisits
	}
	return costs, nil
}

// collect walks over all subschemas that are reached.
func (c *schemaCosts) collect(root *jsonschema.Schema) error {
	for waiting := []*jsonschema.Schema{root}; len(waiting) > 0; {
		s := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		if _, seen := c.of[s]; seen {
			continue
		}
		switch {
		case len(c.of) >= maxSubschemas:
			return errSubschemas
		case !strings.HasPrefix(s.Location, schemaURL+"#"):
			return errOutside
		case s.DynamicRef != nil || s.RecursiveRef != nil:
			return errDynamic
		}
		c.of[s] = infoOf(s)
		c.unevaluated = c.unevaluated || s.UnevaluatedProperties != nil || s.UnevaluatedItems != nil
		waiting = append(append(waiting, samePlace(s)...), below(s)...)
	}
	return nil
}

func infoOf(s *jsonschema.Schema) schemaInfo {
	info := schemaInfo{fixed: 1 + len(s.Required) + len(s.Dependencies) + len(s.DependentSchemas) + len(s.DependentRequired)}
	for _, names := range s.DependentRequired {
		info.fixed += len(names)
	}
	if s.Enum != nil {
		for _, v := range s.Enum.Values {
			info.fixed += jsonWeight(v)
		}
	}
	if s.Const != nil {
		info.fixed += jsonWeight(*s.Const)
	}
	if s.Types != nil {
		for _, name := range s.Types.ToStrings() {
			info.types |= typeNames[name]
			if name == "integer" {
				info.numeric++
			}
		}
	}
	for _, bound := range []*big.Rat{s.Minimum, s.Maximum, s.ExclusiveMinimum, s.ExclusiveMaximum, s.MultipleOf} {
		if bound != nil {
			info.numeric++
		}
	}
	return info
}

// samePlace are the subschemas that a schema applies to the same value.
func samePlace(s *jsonschema.Schema) []*jsonschema.Schema {
	out := make([]*jsonschema.Schema, 0, 4)
	for _, one := range []*jsonschema.Schema{s.Ref, s.Not, s.If, s.Then, s.Else} {
		if one != nil {
			out = append(out, one)
		}
	}
	out = append(append(append(out, s.AllOf...), s.AnyOf...), s.OneOf...)
	for _, dependent := range s.DependentSchemas {
		out = append(out, dependent)
	}
	for _, dependent := range s.Dependencies {
		if one, ok := dependent.(*jsonschema.Schema); ok {
			out = append(out, one)
		}
	}
	return out
}

// below are the subschemas that a schema applies to members of the value.
func below(s *jsonschema.Schema) []*jsonschema.Schema {
	out := make([]*jsonschema.Schema, 0, len(s.Properties))
	for _, one := range s.Properties {
		out = append(out, one)
	}
	for _, one := range s.PatternProperties {
		out = append(out, one)
	}
	for _, one := range []*jsonschema.Schema{s.PropertyNames, s.UnevaluatedProperties, s.UnevaluatedItems, s.Contains, s.Items2020} {
		if one != nil {
			out = append(out, one)
		}
	}
	for _, either := range []any{s.AdditionalProperties, s.AdditionalItems, s.Items} {
		switch one := either.(type) {
		case *jsonschema.Schema:
			out = append(out, one)
		case []*jsonschema.Schema:
			out = append(out, one...)
		}
	}
	return append(out, s.PrefixItems...)
}

// onPath marks a schema whose depth is being found.
const onPath = -1

// samePlaceDepth is how many subschemas a schema leads through without leaving the value.
func samePlaceDepth(s *jsonschema.Schema, depths map[*jsonschema.Schema]int) (int, error) {
	switch known := depths[s]; known {
	case 0:
	case onPath:
		return 0, errCircle
	default:
		return known, nil
	}
	depths[s] = onPath
	deepest := 0
	for _, next := range samePlace(s) {
		depth, err := samePlaceDepth(next, depths)
		if err != nil {
			return 0, err
		}
		deepest = max(deepest, depth)
	}
	depths[s] = deepest + 1
	return depths[s], nil
}

// visitCounter counts the visits of a schema with every reference and combination followed. Subschemas that lead to each
// other in a circle count once together, since a payload decides how often they are gone through; so it goes by the
// strongly connected components of the graph (Tarjan's algorithm), each of which is complete before those that lead to it.
type visitCounter struct {
	index, low map[*jsonschema.Schema]int
	stack      []*jsonschema.Schema
	done       map[*jsonschema.Schema]int // visits, of whole components
}

func newVisitCounter() *visitCounter {
	return &visitCounter{index: map[*jsonschema.Schema]int{}, low: map[*jsonschema.Schema]int{}, done: map[*jsonschema.Schema]int{}}
}

func (c *visitCounter) count(s *jsonschema.Schema) int {
	c.index[s] = len(c.index) + 1
	c.low[s] = c.index[s]
	c.stack = append(c.stack, s)
	for _, next := range append(samePlace(s), below(s)...) {
		switch {
		case c.index[next] == 0:
			c.count(next)
			c.low[s] = min(c.low[s], c.low[next])
		case c.done[next] == 0: // on the stack
			c.low[s] = min(c.low[s], c.index[next])
		}
	}
	if c.low[s] == c.index[s] {
		c.complete(s)
	}
	return c.done[s]
}

// complete settles the component that ends the stack, of which first was reached first.
func (c *visitCounter) complete(first *jsonschema.Schema) {
	from := len(c.stack) - 1
	for c.stack[from] != first {
		from--
	}
	visits := 0
	for _, member := range c.stack[from:] {
		visits++
		for _, next := range append(samePlace(member), below(member)...) {
			visits = min(visits+max(c.done[next], 1), maxSchemaVisits+1)
		}
	}
	for _, member := range c.stack[from:] {
		c.done[member] = visits
	}
	c.stack = c.stack[:from]
}

// jsonCount counts the values of decoded JSON.
type jsonCount struct{ values, parts int }

// tooMany reports whether a schema is too large to be compiled at all.
func (n *jsonCount) tooMany(v any) bool {
	n.values++
	switch x := v.(type) {
	case map[string]any:
		n.parts++
		for _, item := range x {
			if n.tooMany(item) {
				return true
			}
		}
	case []any:
		if slices.ContainsFunc(x, n.tooMany) {
			return true
		}
	case bool:
		n.parts++
	}
	return n.values > maxSchemaValues || n.parts > maxSchemaParts
}

// jsonWeight is what it costs to compare or hash decoded JSON, in visits.
func jsonWeight(v any) int {
	weight := 1
	switch x := v.(type) {
	case map[string]any:
		for name, item := range x {
			weight += len(name)>>8 + jsonWeight(item)
		}
	case []any:
		for _, item := range x {
			weight += jsonWeight(item)
		}
	case string:
		weight += len(x) >> 8
	case json.Number:
		weight += numberWeight(x)
	}
	return weight
}

// numberWeight is what it costs to read a number exactly, in visits: the square of its digits, for many.
func numberWeight(n json.Number) int { return len(n)>>4 + len(n)*len(n)>>17 }
