package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTypedEvent(t *testing.T) {
	t.Parallel()
	var event map[string]any
	require.NoError(t, json.Unmarshal([]byte(`{"name": "w", "payload": {"n": 1}, "to": ["u1", {"subscriberId": "u2", "email": "a@b.c"},
		{"type": "Topic", "topicKey": "news", "exclude": ["u3"]}], "actor": "u4", "tenant": "acme",
		"context": {"region": "eu", "shop": {"id": "s1", "data": {"x": 1}}}, "bridgeUrl": "ignored"}`), &event))
	got, err := json.Marshal(typedEvent(event, false))
	require.NoError(t, err)
	require.JSONEq(t, `{"name": "w", "payload": {"n": 1}, "to": [{"subscriberId": "u1"}, {"subscriber": {"subscriberId": "u2", "email": "a@b.c"}},
		{"topic": {"topicKey": "news", "exclude": ["u3"]}}], "actor": {"subscriberId": "u4"}, "tenantIdentifier": "acme",
		"context": [{"type": "region", "id": "eu"}, {"type": "shop", "id": "s1", "data": {"x": 1}}]}`, string(got))
	require.Equal(t, map[string]any{"name": "w", "to": []any{map[string]any{"subscriberId": "u"}}}, typedEvent(map[string]any{"name": "w", "to": "u"}, false))
	require.NotContains(t, typedEvent(event, true), "to")
}

func TestExplanationText(t *testing.T) {
	t.Parallel()
	var x explanation
	require.NoError(t, json.Unmarshal([]byte(`{"status": "PROCESSED", "now": "2025-01-01T00:00:00Z", "invalid": [{"path": "to.1", "reason": "must be a string"}],
		"recipients": [{"subscriberId": "u1", "created": true, "reached": true, "status": "COMPLETED", "steps": [
			{"stepId": "mail", "decision": "SEND", "at": "2025-01-01T00:00:00Z", "channel": "EMAIL", "reason": "QUEUED", "reasons": ["QUEUED"],
				"message": {"integrationIdentifier": "main", "providerId": "sendgrid", "to": ["a@b.c"], "subject": "Hi", "content": {"text": "one\ntwo"}}},
			{"stepId": "text", "decision": "SKIP", "at": "2025-01-01T00:00:00Z", "reason": "CONDITION", "reasons": ["CONDITION", "NO_ADDRESS"],
				"chain": "false: payload.n = 3 LARGER \"5\""}]},
			{"subscriberId": "u2", "reached": false, "reason": "SUBSCRIPTION", "status": "SKIPPED", "steps": []}]}`), &x))
	require.Equal(t, `PROCESSED at 2025-01-01T00:00:00Z 
dropped: to.1: must be a string

u1: COMPLETED, would be created
  2025-01-01T00:00:00Z mail SEND: QUEUED
      email through main (sendgrid) to a@b.c
      "Hi"
      | one
      | two
  2025-01-01T00:00:00Z text SKIP: CONDITION, NO_ADDRESS
      false: payload.n = 3 LARGER "5"

u2: SKIPPED, not reached: SUBSCRIPTION
`, x.text(true))
}
