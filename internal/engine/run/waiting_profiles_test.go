package run

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/workflow"
)

// TestWaitingProfiles: a profile waits until the newest event that sets it is fanned out, which may be before the event is reported.
func TestWaitingProfiles(t *testing.T) {
	t.Parallel()
	p := NewPlanner(newExecutor(t))
	key := pgsubscriber.SubscriberKey{EnvironmentID: "env", SubscriberID: "ann"}
	fannedOut := func(eventID string) {
		input := called("ann", "Ann")
		inputs := namedInputs{}
		inputs.add("env", eventID, &input)
		p.waiting.stored(inputs)
	}
	accepted := func(eventID, recipients, actor string) {
		p.Unplanned("env", eventID, []byte(recipients), []byte(actor), false)
	}
	waits := func() bool { return p.waiting.includes(key) }

	accepted("1", `{"direct": [{"subscriberId": "ann"}]}`, "")
	require.False(t, waits(), "it sets nothing")
	accepted("2", `{"direct": [{"subscriberId": "ann", "email": "a@x.example"}]}`, "")
	accepted("3", "", `{"subscriberId": "ann", "email": null}`)
	require.True(t, waits())
	fannedOut("2")
	require.True(t, waits(), "the third sets it again")
	fannedOut("3")
	require.False(t, waits())

	fannedOut("4")
	accepted("4", "", `{"subscriberId": "ann", "email": "b@x.example"}`)
	require.False(t, waits(), "it was fanned out before its client had its reply")
	accepted("5", "", `{"subscriberId": "ann", "email": "c@x.example"}`)
	require.True(t, waits())
	bare := namedInputs{}
	bare.add("env", "6", &workflow.SubscriberInput{SubscriberID: "ann"})
	p.waiting.stored(bare)
	require.True(t, waits())
	require.False(t, p.waiting.includes(pgsubscriber.SubscriberKey{EnvironmentID: "other", SubscriberID: "ann"}))
}
