package authoring_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/calendar"
)

// TestPreviewWaits computes when digests and delays end that were never saved, by the clock and the hours of whom they are for.
func TestPreviewWaits(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	a.Workflows.Now = func() time.Time { return time.Date(2026, 3, 27, 10, 0, 0, 0, time.UTC) } // a Friday; Berlin's clock jumps on Sunday
	hours := &calendar.Schedule{IsEnabled: true, WeeklySchedule: map[string]calendar.DaySchedule{
		"monday": {IsEnabled: true, Hours: []calendar.TimeRange{{Start: "09:00 AM", End: "05:00 PM"}}},
	}}
	a.DB.Ent.Subscriber.Create().SetSubscriberID("ada").SetTimezone("Europe/Berlin").SetSchedule(hours).SaveX(a.Ctx)
	daily := &workflow.DigestControls{Type: workflow.DigestTimed, Amount: 1, Unit: workflow.UnitDays, Timed: &workflow.DigestTimedAt{AtTime: "09:00"}}
	day := func(extend bool) *workflow.DelayControls {
		return &workflow.DelayControls{Type: workflow.DelayRegular, Amount: 1, Unit: workflow.UnitDays, ExtendToSchedule: extend}
	}
	scheduled := &workflow.DelayControls{Type: workflow.DelayScheduled, DelayPath: "at"}
	for name, c := range map[string]struct {
		in       authoring.PreviewWaitInput
		zone     string
		ends     []string
		extended bool // the first one
		problem  string
	}{
		"a digest without a zone": {in: authoring.PreviewWaitInput{Digest: daily}, zone: "UTC", ends: []string{"28 09", "29 09", "30 09", "31 09", "01 09"}},
		"over a jump of the clock": {
			in: authoring.PreviewWaitInput{Digest: daily, SubscriberID: new("ada")}, zone: "Europe/Berlin",
			ends: []string{"28 08", "29 07", "30 07", "31 07", "01 07"},
		},
		"another zone than the subscriber's": {
			in: authoring.PreviewWaitInput{Digest: daily, SubscriberID: new("ada"), Timezone: new("Asia/Tokyo")}, zone: "Asia/Tokyo",
			ends: []string{"28 00", "29 00", "30 00", "31 00", "01 00"},
		},
		"until the hours open": {
			in: authoring.PreviewWaitInput{Delay: day(true), SubscriberID: new("ada")}, zone: "Europe/Berlin", extended: true,
			ends: []string{"30 07", "06 07", "13 07", "20 07", "27 07"},
		},
		"of a critical workflow": {
			in: authoring.PreviewWaitInput{Delay: day(true), SubscriberID: new("ada"), Critical: true}, zone: "Europe/Berlin",
			ends: []string{"28 10", "29 09", "30 09", "31 09", "01 09"},
		},
		"whatever the hours":    {in: authoring.PreviewWaitInput{Delay: day(false), SubscriberID: new("ada")}, zone: "Europe/Berlin", ends: []string{"28 10", "29 09", "30 09", "31 09", "01 09"}},
		"a time in the payload": {in: authoring.PreviewWaitInput{Delay: scheduled, Payload: map[string]any{"at": "2026-04-02T12:00:00Z"}}, zone: "UTC", ends: []string{"02 12"}},
		"a time that a schema makes": {in: authoring.PreviewWaitInput{Delay: scheduled, PayloadSchema: map[string]any{
			"type": "object", "properties": map[string]any{"at": map[string]any{"type": "string", "examples": []any{"2026-04-02T12:00:00Z"}}},
		}}, zone: "UTC", ends: []string{"02 12"}},
		"a time that has passed": {in: authoring.PreviewWaitInput{Delay: scheduled, Payload: map[string]any{"at": "2026-01-02T12:00:00Z"}}, zone: "UTC", problem: "has passed"},
		"further than the operator permits": {
			in: authoring.PreviewWaitInput{Delay: &workflow.DelayControls{Type: workflow.DelayRegular, Amount: 14, Unit: workflow.UnitMonths}}, zone: "UTC", problem: "further ahead than the operator permits",
		},
		"the first ones are permitted": {
			in: authoring.PreviewWaitInput{Delay: &workflow.DelayControls{Type: workflow.DelayRegular, Amount: 13, Unit: workflow.UnitMonths}}, zone: "UTC",
			ends: []string{"27 10", "27 10", "27 10", "27 10", "27 10"},
		},
		"no time":    {in: authoring.PreviewWaitInput{Delay: scheduled}, zone: "UTC", problem: "payload.at is not a date-time"},
		"incomplete": {in: authoring.PreviewWaitInput{Delay: &workflow.DelayControls{Type: workflow.DelayRegular}}, zone: "UTC", problem: "not complete"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := a.Workflows.PreviewWait(a.Ctx, c.in)
			require.NoError(t, err)
			require.Equal(t, c.zone, out.Timezone)
			if c.problem != "" {
				require.Contains(t, *out.Error, c.problem)
				require.Empty(t, out.Waits)
				return
			}
			require.Nil(t, out.Error)
			var ends []string
			for i, w := range out.Waits {
				ends = append(ends, w.Ends.UTC().Format("02 15"))
				if i > 0 {
					require.Equal(t, out.Waits[i-1].Ends, w.Begins)
				}
			}
			require.Equal(t, c.ends, ends)
			require.Equal(t, c.extended, out.Waits[0].Extended)
		})
	}
	for name, in := range map[string]authoring.PreviewWaitInput{
		"digest":   {},
		"timezone": {Digest: daily, Timezone: new("Mars/Olympus")},
	} {
		_, err := a.Workflows.PreviewWait(a.Ctx, in)
		require.Equal(t, []string{name}, notifytest.Paths(t, err))
	}
	_, err := a.Workflows.PreviewWait(a.Ctx, authoring.PreviewWaitInput{Digest: daily, SubscriberID: new("stranger")})
	require.Error(t, err)
}
