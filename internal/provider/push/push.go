// Package push holds the push providers, one file each. A message has one device token as its target.
package push

import (
	"encoding/json"
	"maps"
	"regexp"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/provider"
)

// payload is what apps get with the message: the trigger's payload, and over it the data of the step.
func payload(m *provider.Message) map[string]any {
	if len(m.CustomData) == 0 {
		return m.Payload
	}
	return provider.Merge(maps.Clone(m.Payload), m.CustomData)
}

// overridden is an override of any type, nearest to the step first; nil without one.
func overridden(m *provider.Message, name string) any {
	if v, ok := m.Merge[name]; ok {
		return v
	}
	return m.Overrides[name]
}

// without is a copy of m that lacks some keys.
func without(m map[string]any, names ...string) map[string]any {
	out := maps.Clone(m)
	for _, name := range names {
		delete(out, name)
	}
	return out
}

// withoutTexts is a copy of m that lacks those of some keys whose value is no object: an object is in the vendor's own form.
func withoutTexts(m map[string]any, names ...string) map[string]any {
	out := maps.Clone(m)
	for _, name := range names {
		if _, isObject := out[name].(map[string]any); !isObject {
			delete(out, name)
		}
	}
	return out
}

// number reads a JSON number.
func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	case json.Number:
		f, err := v.Float64()
		return f, err == nil
	}
	return 0, false
}

// hostLabel is one label of a host name.
var hostLabel = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`)

func invalidInstance() error {
	return fault.Invalidf("credentials.instanceId", "must be letters, digits and dashes")
}
