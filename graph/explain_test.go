package graph_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExplain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.must(t, `mutation { createWorkflow(input: {name: "w", definition: {steps: [
		{type: IN_APP, stepId: "inbox", inApp: {body: "hi {{subscriber.firstName}} {{payload.n}}"}},
		{type: SMS, stepId: "text", sms: {body: "x"}, filters: [{type: NUMBER, value: AND, children: [
			{on: PAYLOAD, field: "n", operator: LARGER, value: "5"}]}]}]}}) { workflow { id } } }`, nil)
	const query = `{ explain(input: {name: "w", to: [{subscriber: {subscriberId: "u", firstName: "Ann"}}], payload: {n: 3}}) {
		status repeated transactionId next invalid { path }
		recipients { subscriberId created reached status reason steps { stepId type decision reason reasons chain
			condition { result operator text children { operator children { result operator field left right note } } } message { providerId integrationIdentifier to content { text } } } } } }`
	x := b.must(t, query, nil)["explain"].(map[string]any)
	subset(t, object(t, `{"status": "PROCESSED", "repeated": false, "transactionId": null, "next": null, "recipients": [
		{"subscriberId": "u", "created": true, "reached": true, "status": "COMPLETED", "reason": null, "steps": [
			{"stepId": "inbox", "type": "IN_APP", "decision": "SEND", "reason": "SENT", "message": {"providerId": "svc", "content": {"text": "hi Ann 3"}}},
			{"stepId": "text", "type": "SMS", "decision": "SKIP", "reason": "CONDITION", "reasons": ["CONDITION", "NO_ADDRESS"],
				"condition": {"result": false, "operator": "AND", "children": [{"operator": "AND", "children": [
					{"result": false, "operator": "LARGER", "field": "payload.n", "left": "3", "right": "\"5\"", "note": null}]}]}, "message": null},
			{"stepId": null, "decision": "COMPLETE", "reason": "COMPLETED"}]}]}`), x, "explain")
	r := b.ask(t, b.key, `{ explain(input: {name: "w", to: []}, first: 0) { status } }`, nil)
	require.Equal(t, "VALIDATION", r.code())
	x = b.must(t, `{ explainBroadcast(input: {name: "w", payload: {}}) { status recipients { subscriberId } } }`, nil)["explainBroadcast"].(map[string]any)
	require.Equal(t, "PROCESSED", x["status"])
	require.Empty(t, x["recipients"], "nobody exists: explaining creates none")
}
