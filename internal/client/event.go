package client

import (
	"maps"
	"slices"
)

// EventInput turns the documented form of an event into GraphQL's typed one.
func EventInput(event map[string]any, broadcast bool) map[string]any {
	typed := map[string]any{}
	for _, name := range []string{"name", "payload", "overrides", "transactionId"} {
		if event[name] != nil {
			typed[name] = event[name]
		}
	}
	if to := event["to"]; to != nil && !broadcast {
		list, several := to.([]any)
		if !several {
			list = []any{to}
		}
		recipients := []any{}
		for _, r := range list {
			recipients = append(recipients, typedRecipient(r))
		}
		typed["to"] = recipients
	}
	switch actor := event["actor"].(type) {
	case string:
		typed["actor"] = map[string]any{"subscriberId": actor}
	case map[string]any:
		typed["actor"] = actor
	}
	switch tenant := event["tenant"].(type) {
	case string:
		typed["tenantIdentifier"] = tenant
	case map[string]any:
		typed["tenant"] = tenant
	}
	if contexts, ok := event["context"].(map[string]any); ok {
		list := []any{}
		for _, kind := range slices.Sorted(maps.Keys(contexts)) {
			one := map[string]any{"type": kind, "id": contexts[kind]}
			if object, ok := contexts[kind].(map[string]any); ok {
				one["id"] = object["id"]
				if object["data"] != nil {
					one["data"] = object["data"]
				}
			}
			list = append(list, one)
		}
		typed["context"] = list
	}
	return typed
}

func typedRecipient(r any) map[string]any {
	object, ok := r.(map[string]any)
	switch {
	case !ok:
		return map[string]any{"subscriberId": r}
	case object["topicKey"] != nil:
		topic := maps.Clone(object)
		delete(topic, "type")
		return map[string]any{"topic": topic}
	}
	return map[string]any{"subscriber": object}
}
