package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// ReadEvent reads the body of a trigger: one JSON object and nothing else.
func ReadEvent(in io.Reader) (event map[string]any, err error) {
	raw, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("read the event: %w", err)
	}
	raw = bytes.TrimSpace(bytes.TrimPrefix(raw, []byte("\ufeff"))) // some editors begin with this mark
	if len(raw) == 0 {
		return nil, errors.New("read the event: it must be a JSON object: nothing was given")
	}
	var syntax *json.SyntaxError
	if err := json.Unmarshal(raw, new(any)); errors.As(err, &syntax) {
		at := raw[:min(int(syntax.Offset), len(raw))]
		return nil, fmt.Errorf("read the event: it must be one JSON object: line %d: %w", 1+bytes.Count(at, []byte("\n")), err)
	}
	if raw[0] != '{' {
		return nil, errors.New("read the event: it must be a JSON object, such as {\"name\": \"hello\", \"to\": \"ada\"}")
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&event); err != nil {
		return nil, fmt.Errorf("read the event: %w", err)
	}
	return event, nil
}

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
