package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

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
