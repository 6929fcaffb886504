package engine_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
)

// yearKinds are digests of every kind, told apart by the subscriber's data.
var yearKinds = map[string]workflow.DigestControls{
	"hours":   {Type: workflow.DigestRegular, Amount: 7, Unit: workflow.UnitHours},
	"days":    {Type: workflow.DigestRegular, Amount: 1, Unit: workflow.UnitDays},
	"weeks":   {Type: workflow.DigestRegular, Amount: 1, Unit: workflow.UnitWeeks},
	"months":  {Type: workflow.DigestRegular, Amount: 1, Unit: workflow.UnitMonths},
	"backoff": {Type: workflow.DigestBackoff, Amount: 5, Unit: workflow.UnitHours, BackoffAmount: 90, BackoffUnit: workflow.UnitMinutes},
	"daily":   {Type: workflow.DigestTimed, Amount: 1, Unit: workflow.UnitDays, Timed: &workflow.DigestTimedAt{AtTime: "02:30"}},
	"weekly":  {Type: workflow.DigestTimed, Amount: 1, Unit: workflow.UnitWeeks, Timed: &workflow.DigestTimedAt{AtTime: "09:00", WeekDays: []string{"monday", "sunday"}}},
	"each":    {Type: workflow.DigestTimed, Amount: 1, Unit: workflow.UnitMonths, Timed: &workflow.DigestTimedAt{AtTime: "01:30", MonthlyType: "each", MonthDays: []string{"29", "31"}}},
	"on":      {Type: workflow.DigestTimed, Amount: 1, Unit: workflow.UnitMonths, Timed: &workflow.DigestTimedAt{AtTime: "23:45", MonthlyType: "on", Ordinal: "last", OrdinalValue: "friday"}},
}

// yearZones are clocks of every sort: with and without summer time, of both hemispheres, off by halves and quarters of an
// hour, with a summer time of half an hour, and at both ends of the date line.
var yearZones = []string{
	"UTC", "Europe/Berlin", "America/New_York", "America/Los_Angeles", "America/St_Johns", "Asia/Kolkata", "Asia/Kathmandu",
	"Australia/Lord_Howe", "Australia/Sydney", "Africa/Cairo", "Pacific/Apia", "Pacific/Kiritimati",
}

// TestAYearOfHourlyTriggers compares when digests fire, and what they hold, with a golden file: around both changes of the
// clocks; with CARILLON_SOAK for the whole year.
func TestAYearOfHourlyTriggers(t *testing.T) {
	t.Parallel()
	golden, spans := "year-changes.golden.gz", [][2]time.Time{
		{time.Date(2026, 3, 28, 0, 0, 0, 0, time.UTC), time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)},
		{time.Date(2026, 10, 24, 0, 0, 0, 0, time.UTC), time.Date(2026, 10, 28, 0, 0, 0, 0, time.UTC)},
	}
	if os.Getenv("CARILLON_SOAK") != "" {
		golden, spans = "year.golden.gz", [][2]time.Time{{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)}}
	}
	b := setup(t)
	b.virtual(spans[0][0])
	wf, people := b.yearOf()
	began := time.Now()
	for _, span := range spans {
		for at := span[0]; at.Before(span[1]); at = at.Add(time.Hour) {
			b.triggered(wf, people, happened(at), func(c *ent.EventCreate) { c.SetPayload(map[string]any{}) })
		}
		b.stand(span[1].AddDate(0, 0, 40))
		b.settle()
	}
	t.Logf("played in %s", time.Since(began).Round(time.Millisecond))
	lines := b.firings()
	path := filepath.Join("testdata", golden)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		require.NoError(t, os.WriteFile(path, packed(t, strings.Join(lines, "\n")), 0o600))
	}
	want, err := os.ReadFile(path) //nolint:gosec // a file of ours
	require.NoError(t, err)
	unpacked, err := gzip.NewReader(bytes.NewReader(want))
	require.NoError(t, err)
	text, err := io.ReadAll(unpacked)
	require.NoError(t, err)
	require.Equal(t, strings.Split(strings.TrimSpace(string(text)), "\n"), lines)
}

func packed(t *testing.T, text string) []byte {
	t.Helper()
	var buf bytes.Buffer
	w, err := gzip.NewWriterLevel(&buf, gzip.BestCompression)
	require.NoError(t, err)
	_, err = w.Write([]byte(text + "\n"))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return buf.Bytes()
}

// yearOf makes a workflow with a digest of every kind, and a subscriber for every kind in every zone; each stops at the
// digest of its kind alone.
func (b *bundle) yearOf() (published, *workflow.Recipients) {
	b.tb.Helper()
	var steps []workflow.Step
	people := &workflow.Recipients{}
	for kind, controls := range yearKinds {
		steps = append(steps, workflow.Step{StepID: kind, Type: workflow.StepDigest, Digest: &controls, Filters: []condition.StepFilter{{
			Type: "TEXT", Value: "AND", Children: []condition.FieldFilterPart{{On: "subscriber", Field: "data.kind", Operator: "EQUAL", Value: kind}},
		}}})
	}
	slices.SortFunc(steps, func(a, b workflow.Step) int { return strings.Compare(a.StepID, b.StepID) })
	for _, step := range steps {
		for _, zone := range yearZones {
			who := step.StepID + " " + zone
			b.db.Ent.Subscriber.Create().SetSubscriberID(who).SetTimezone(zone).SetData(map[string]any{"kind": step.StepID}).ExecX(b.ctx)
			people.Direct = append(people.Direct, workflow.SubscriberInput{SubscriberID: who})
		}
	}
	steps = append(steps, inAppStep("{{subscriber.subscriberId}} {{step.total_count}}"))
	return b.workflow(workflow.Definition{Steps: steps}), people
}

// firings are all messages in the order in which they were due, with the local time.
func (b *bundle) firings() (lines []string) {
	b.tb.Helper()
	for _, m := range b.db.Ent.Message.Query().Where(message.ChannelEQ(workflow.ChannelInApp)).AllX(b.ctx) {
		parts := strings.Fields(m.Content.Text) // kind, zone, count
		loc, err := time.LoadLocation(parts[1])
		require.NoError(b.tb, err)
		lines = append(lines, fmt.Sprintf("%s %s %s %s %s", parts[0], parts[1], m.CreatedAt.UTC().Format("2006-01-02T15:04"), m.CreatedAt.In(loc).Format("Mon15:04"), parts[2]))
	}
	slices.Sort(lines)
	return lines
}
