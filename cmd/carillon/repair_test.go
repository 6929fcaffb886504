package main_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/client"
)

// TestRepair pauses a workflow by command and resumes it, recalls what was sent, and replays it; each command first says what it
// would do.
func TestRepair(t *testing.T) {
	t.Parallel()
	in := install(t)
	c := &client.Client{URL: in.URL(), Key: in.key}
	graphQL(t, c, applyConfiguration, object{"d": object{"workflows": object{"hello": object{"name": "Hello", "steps": []object{
		{"stepId": "bell", "type": "in_app", "inApp": object{"body": "Hello"}},
	}}}}}, nil)
	graphQL(t, c, `mutation { createSubscriber(input: {subscriberId: "anna"}) { subscriber { id } } }`, nil, nil)
	repair := func(code int, args ...string) string {
		t.Helper()
		return in.carillon(t, in.key, code, append([]string{"repair"}, args...)...)
	}
	type pause struct {
		InternalID, Kind, TargetName, Reason string
		HeldCount                            int
	}
	pauses := func() (list []pause) {
		t.Helper()
		require.NoError(t, json.Unmarshal([]byte(repair(0, "pauses")), &list))
		return list
	}

	help := strings.Join(strings.Fields(repair(0, "--help")), " ")
	require.Contains(t, help, "a workflow, a broadcast, a subscriber, an integration or a channel")
	tried := repair(0, "pause", "workflow", "hello")
	require.Contains(t, tried, "Nothing was changed. --yes does it.")
	require.NotContains(t, tried, "internalId", "there is no such pause")
	require.Empty(t, pauses())
	repair(0, "pause", "workflow", "hello", "--reason", "a wrong text", "--yes")
	require.Contains(t, repair(1, "pause", "workflow", "hello", "--yes"), "It is paused already.")
	processed, err := fire(t.Context(), c, "hello", "t", "anna")
	require.NoError(t, err)
	require.True(t, processed, "triggers are accepted")
	until(t, patience, "the event is held", func(context.Context) (bool, error) { return pauses()[0].HeldCount == 1, nil })
	held := pauses()[0]
	require.Equal(t, []any{"WORKFLOW", "Hello", "a wrong text"}, []any{held.Kind, held.TargetName, held.Reason})
	require.Contains(t, repair(0, "resume", held.InternalID), `"held": 1`)
	require.Len(t, pauses(), 1)
	repair(0, "resume", held.InternalID, "--yes")
	require.Contains(t, repair(1, "resume", held.InternalID, "--yes"), "has ended already")
	ended := func(n int) func(context.Context) (bool, error) {
		return func(ctx context.Context) (bool, error) {
			runs, err := notifications(ctx, c)
			open, quietErr := quiet(ctx, c)
			return len(runs) == n && open == 0 && quietErr == nil, err
		}
	}
	until(t, patience, "it continues", ended(1))
	require.Empty(t, pauses())

	would := repair(0, "cancel", "t")
	require.Contains(t, would, `"stoppedCount": 0`)
	require.NotContains(t, would, "withdrawn", "a cancellation takes no message back")
	require.Contains(t, repair(0, "cancel", "t", "--yes"), `"subscriberId": "anna"`, "who was too late, as triggers name them")
	require.Contains(t, repair(0, "recall", "t"), `"withdrawnCount": 1`)
	require.Contains(t, repair(0, "recall", "t", "--yes"), `"withdrawnCount": 1`)
	require.Contains(t, repair(0, "recall", "t", "--yes"), `"withdrawnCount": 0`)
	require.Contains(t, repair(1, "recall", "none"), "Transaction none was not found.")

	var run struct {
		Notifications struct{ Nodes []struct{ InternalID string } }
	}
	graphQL(t, c, `{ notifications { nodes { internalId } } }`, nil, &run)
	of := run.Notifications.Nodes[0].InternalID
	require.Contains(t, repair(1, "replay", of, "none"), `has no step "none"`)
	tried = repair(0, "replay", of, "bell", "--version", "published")
	require.Contains(t, tried, "Nothing was changed.")
	require.NotContains(t, tried, "internalId", "there is no such notification")
	repair(0, "replay", of, "bell", "--yes")
	until(t, patience, "it is replayed", ended(2))
	tried = repair(0, "retry", "--channel", "email")
	require.Contains(t, tried, `"chosen": 0`)
	require.NotContains(t, tried, "internalId", "there is no such retry")
	require.Contains(t, repair(1, "pause", "channel", "fax", "--yes"), "email, sms, push or chat")
}
