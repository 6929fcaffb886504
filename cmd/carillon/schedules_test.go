package main_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSchedules makes a schedule by command, changes when it runs, runs it by hand and deletes it.
func TestSchedules(t *testing.T) {
	t.Parallel()
	in := install(t)
	schedules := func(code int, args ...string) string {
		t.Helper()
		return in.carillon(t, in.key, code, append([]string{"schedules"}, args...)...)
	}
	var preview struct{ Runs []string }
	require.NoError(t, json.Unmarshal([]byte(schedules(0, "preview", "--at", "2099-03-02T09:00", "--zone", "Europe/Berlin", "--rule", "FREQ=WEEKLY;BYDAY=MO")), &preview))
	require.Len(t, preview.Runs, 10)
	require.Equal(t, "2099-03-02T08:00:00Z", preview.Runs[0])

	require.Contains(t, schedules(1, "preview"), "--at: is required")
	require.Contains(t, schedules(1, "create", "Greeting", "hello", "--everyone", "--at", "9:00"), "--at: must be a date and a time")
	wrong := schedules(1, "preview", "--at", "2099-01-01T09:00", "--zone", "Nowhere", "--rule", "FREQ=X", "--exceptions", "Monday")
	for _, flag := range []string{"--zone", "--rule", "--exceptions"} {
		require.Contains(t, wrong, flag+": ", "the API has other names")
	}
	require.Contains(t, schedules(1, "create", "Greeting", "hello", "--at", "2099-01-01T09:00"), "--everyone")
	require.Contains(t, schedules(1, "create", "Greeting", "hello", "--at", "2099-01-01T09:00", "--everyone", "--payload", "[]"), "--payload is not a JSON object")
	require.Contains(t, schedules(1, "create", "Greeting", "nothing", "--at", "2099-01-01T09:00", "--everyone"), "Workflow nothing was not found")
	type schedule struct {
		InternalID string
		Workflow   struct{ Identifier string }
		To         []struct{ SubscriberID string }
		TimeZone   string
		NextRunAt  *string
		Enabled    bool
		RRule      *string
	}
	var made struct{ TriggerSchedule schedule }
	require.NoError(t, json.Unmarshal([]byte(schedules(0, "create", "Greeting", "hello", "--at", "2099-01-01T09:00", "--zone", "Europe/Berlin",
		"--subscribers", "ada,grace", "--payload", `{"name": "World"}`)), &made))
	require.Equal(t, "hello", made.TriggerSchedule.Workflow.Identifier)
	require.Len(t, made.TriggerSchedule.To, 2)
	require.Equal(t, "2099-01-01T08:00:00Z", *made.TriggerSchedule.NextRunAt)
	id := made.TriggerSchedule.InternalID

	changed := func(args ...string) schedule {
		t.Helper()
		var answer struct{ TriggerSchedule schedule }
		require.NoError(t, json.Unmarshal([]byte(schedules(0, append([]string{"update", id}, args...)...)), &answer))
		return answer.TriggerSchedule
	}
	ruled := changed("--rule", "FREQ=DAILY", "--exceptions", "2099-01-01")
	require.Equal(t, "2099-01-02T08:00:00Z", *ruled.NextRunAt, "what is left out stays")
	require.Nil(t, changed("--no-enabled").NextRunAt)
	require.True(t, changed("--enabled").Enabled)

	require.Contains(t, schedules(0, "run", id), `"status": "PROCESSED"`)
	var list struct{ Nodes []schedule }
	require.NoError(t, json.Unmarshal([]byte(schedules(0, "list")), &list))
	require.Len(t, list.Nodes, 1)
	require.Equal(t, "2099-01-02T08:00:00Z", *list.Nodes[0].NextRunAt, "a run by hand leaves it")
	schedules(0, "delete", id)
	require.NotContains(t, schedules(0, "list"), id)
}
