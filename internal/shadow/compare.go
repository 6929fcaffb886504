package shadow

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Difference is where two answers differ.
type Difference struct {
	Kind string `json:"kind"` // status, missing, extra, type, value, length
	Path string `json:"path,omitempty"`
	Old  string `json:"old,omitempty"` // shortened
	Here string `json:"here,omitempty"`
	// Reason is what the side that refused says of it; "" when neither did.
	Reason string `json:"reason,omitempty"`
}

// own are the members whose values are each side's own: ids, times, cursors, and texts for people. That they are there is compared.
var own = map[string]bool{
	"id": true, "slug": true, "createdAt": true, "updatedAt": true, "lastPublishedAt": true, "transactionId": true,
	"subscriptionId": true, "next": true, "previous": true, "error": true, "message": true, "updatedBy": true, "lastPublishedBy": true,
}

// keys tell the items of lists apart, whatever their order.
var keys = []string{"identifier", "workflowId", "subscriberId", "key"}

// differences compares two JSON values. What is null counts as left out.
func differences(path string, old, here any) []Difference {
	switch a := old.(type) {
	case map[string]any:
		if b, ok := here.(map[string]any); ok {
			return objects(path, a, b)
		}
	case []any:
		if b, ok := here.([]any); ok {
			return lists(path, a, b)
		}
	default:
		if fmt.Sprintf("%T", old) == fmt.Sprintf("%T", here) {
			if old != here {
				return []Difference{{Kind: "value", Path: path, Old: short(old), Here: short(here)}}
			}
			return nil
		}
	}
	return []Difference{{Kind: "type", Path: path, Old: short(old), Here: short(here)}}
}

func objects(path string, old, here map[string]any) (all []Difference) {
	names := maps.Clone(old)
	maps.Copy(names, here)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		below := strings.TrimPrefix(path+"."+name, ".")
		a, b := old[name], here[name]
		switch {
		case a == nil && b == nil, own[name] && (a == nil) == (b == nil), strings.HasPrefix(name, "_"):
		case name == "next" || name == "previous": // pages may end elsewhere: the items are compared
		case name == "lastTriggeredAt": // an event that is explained triggers nothing
		case b == nil:
			all = append(all, Difference{Kind: "missing", Path: below, Old: short(a)})
		case a == nil:
			all = append(all, Difference{Kind: "extra", Path: below, Here: short(b)})
		case name == "status": // of an event: its errors say why it is another
			for _, d := range differences(below, a, b) {
				d.Reason = reasonOf(here, old)
				all = append(all, d)
			}
		default:
			all = append(all, differences(below, a, b)...)
		}
	}
	return all
}

// reasonOf is what the first answer that gives a reason says: its errors, or else its message.
func reasonOf(answers ...any) string {
	for _, answer := range answers {
		object, _ := answer.(map[string]any)
		for _, name := range []string{"error", "errors", "message"} {
			if object[name] != nil {
				return short(object[name])
			}
		}
	}
	return ""
}

// lists compares items by what names them, or by their places.
func lists(path string, old, here []any) (all []Difference) {
	path += "[]"
	byKey := map[string]any{}
	for i, item := range here {
		byKey[keyOf(item, i)] = item
	}
	for i, item := range old {
		key := keyOf(item, i)
		match, there := byKey[key]
		if !there {
			all = append(all, Difference{Kind: "missing", Path: path, Old: short(item)})
			continue
		}
		delete(byKey, key)
		all = append(all, differences(path, item, match)...)
	}
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		all = append(all, Difference{Kind: "extra", Path: path, Here: short(byKey[key])})
	}
	return all
}

func keyOf(item any, place int) string {
	object, _ := item.(map[string]any)
	if inner, ok := object["workflow"].(map[string]any); ok && object["identifier"] == nil {
		object = inner
	}
	for _, key := range keys {
		if text, ok := object[key].(string); ok {
			return key + " " + text
		}
	}
	return fmt.Sprintf("%d", place)
}

// short is a value for a report.
func short(value any) string {
	raw, _ := json.Marshal(value)
	return strings.ToValidUTF8(string(raw[:min(len(raw), 200)]), "")
}
