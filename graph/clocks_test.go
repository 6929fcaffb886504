package graph_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/environment"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

func TestClock(t *testing.T) {
	t.Parallel()
	const fields = `{ now virtual frozen settled }`
	clock := func(t *testing.T, b *bundle, operation string) map[string]any {
		t.Helper()
		for _, v := range b.must(t, operation, nil) {
			answer := v.(map[string]any)
			if payload, ok := answer["clock"].(map[string]any); ok {
				return payload
			}
			return answer
		}
		return nil
	}

	t.Run("StandsWhereItIsMoved", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.db.VirtualClocks = true
		c := clock(t, b, `{ environmentClock `+fields+` }`)
		require.Equal(t, []any{true, false, true}, []any{c["virtual"], c["frozen"], c["settled"]})
		c = clock(t, b, `mutation { setClock(to: "2025-01-31T09:00:00+01:00") { clock `+fields+` } }`)
		require.Equal(t, map[string]any{"now": "2025-01-31T08:00:00Z", "virtual": true, "frozen": true, "settled": true}, c)
		c = clock(t, b, `mutation { advanceClock(by: "P1MT1H") { clock `+fields+` } }`)
		require.Equal(t, "2025-02-28T09:00:00Z", c["now"])
		c = clock(t, b, `mutation { advanceClock(to: "2025-03-01T00:00:00Z") { clock `+fields+` } }`)
		require.Equal(t, "2025-03-01T00:00:00Z", c["now"])
		c = clock(t, b, `mutation { setClock(to: "2024-12-24T00:00:00Z", settle: false) { clock `+fields+` } }`)
		require.Equal(t, "2024-12-24T00:00:00Z", c["now"])
		require.Equal(t, "2024-12-24T00:00:00Z", clock(t, b, `{ environmentClock `+fields+` }`)["now"])
		c = clock(t, b, `mutation { resetClock { clock `+fields+` } }`)
		require.Equal(t, false, c["frozen"])
		now, err := time.Parse(time.RFC3339, c["now"].(string))
		require.NoError(t, err)
		require.WithinDuration(t, time.Now(), now, time.Hour)
	})

	t.Run("IsWhatTemplatesTellTheTimeBy", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.db.VirtualClocks = true
		clock(t, b, `mutation { setClock(to: "2025-12-31T23:30:00Z", settle: false) { clock `+fields+` } }`)
		shown := b.must(t, `{ previewStep(input: {step: {type: SMS, sms: {body: "{{ 'now' | date: '%Y' }} {{ 'now' | date: '%Y', 'Europe/Berlin' }}"}}}) { content { text } } }`, nil)
		require.Equal(t, map[string]any{"content": map[string]any{"text": "2025 2026"}}, shown["previewStep"])
	})

	t.Run("Refuses", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.db.VirtualClocks = true
		require.Equal(t, "VALIDATION", b.ask(t, b.key, `mutation { advanceClock(by: "an hour") { clock { now } } }`, nil).code())
		require.Equal(t, "VALIDATION", b.ask(t, b.key, `mutation { advanceClock { clock { now } } }`, nil).code())
		require.Equal(t, "VALIDATION", b.ask(t, b.key, `mutation { advanceClock(to: "2001-01-01T00:00:00Z") { clock { now } } }`, nil).code())
		b.db.VirtualClocks = false
		r := b.ask(t, b.key, `mutation { setClock(to: "2025-01-01T00:00:00Z") { clock { now } } }`, nil)
		require.Contains(t, r.Errors[0].Message, "CARILLON_CLOCK=virtual")
		b.db.VirtualClocks = true
		require.NoError(t, b.db.Ent.Environment.Update().SetType(environment.TypeProduction).Exec(viewer.SystemContext(t.Context())))
		r = b.ask(t, b.key, `mutation { advanceClock(by: "P1D") { clock { now } } }`, nil)
		require.Contains(t, r.Errors[0].Message, "production")
		require.Equal(t, false, clock(t, b, `{ environmentClock `+fields+` }`)["virtual"])
	})

	t.Run("SetBackItTakesTheTimesOfIntegrationsAlong", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.db.VirtualClocks = true
		ctx := viewer.InScope(viewer.SystemContext(t.Context()), b.scope(t))
		i := b.db.Ent.Integration.Create().SetIdentifier("mail").SetName("m").SetProviderID("email-webhook").SetChannel(workflow.ChannelEmail).
			SetBreaker(workflow.BreakerOpen).SetBreakerOpenedAt(time.Now()).SetBreakerProbeAt(time.Now().Add(time.Minute)).
			SetPacedUntil(time.Now().Add(time.Hour)).SaveX(ctx)
		b.must(t, `mutation { setClock(to: "2025-01-31T09:00:00Z", settle: false) { clock { now } } }`, nil)
		i = b.db.Ent.Integration.GetX(ctx, i.ID)
		at := time.Date(2025, 1, 31, 9, 0, 0, 0, time.UTC)
		require.Nil(t, i.PacedUntil)
		require.Equal(t, []time.Time{at, at}, []time.Time{i.BreakerProbeAt.UTC(), i.BreakerOpenedAt.UTC()}, "its calls do not wait for the year in which the clock stood")
		require.Equal(t, workflow.BreakerOpen, i.Breaker)
		i = i.Update().SetBreakerProbeAt(at.Add(time.Minute)).SaveX(ctx)
		b.must(t, `mutation { advanceClock(by: "PT1S", settle: false) { clock { now } } }`, nil)
		require.Equal(t, at.Add(time.Minute), b.db.Ent.Integration.GetX(ctx, i.ID).BreakerProbeAt.UTC(), "set forward it changes nothing")
	})

	t.Run("EventsHappenByIt", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.db.VirtualClocks = true
		b.must(t, `mutation { setClock(to: "2025-01-31T09:00:00Z") { clock { now } } }`, nil)
		b.must(t, `mutation { createWorkflow(input: {name: "w", definition: {steps: [{type: IN_APP, inApp: {body: "x"}}]}}) { workflow { id } } }`, nil)
		made := b.must(t, `mutation { triggerEvent(input: {name: "w", to: [{subscriberId: "u"}]}) { result { eventId status } } }`, nil)["triggerEvent"].(map[string]any)["result"].(map[string]any)
		require.Equal(t, "PROCESSED", made["status"])
		ev := b.must(t, `query($id: ID!) { event(id: $id) { createdAt } }`, map[string]any{"id": made["eventId"]})["event"].(map[string]any)
		require.Equal(t, "2025-01-31T09:00:00Z", ev["createdAt"])
		c := clock(t, b, `mutation { setClock(to: "2025-01-31T09:00:00Z", settle: false) { clock `+fields+` } }`)
		require.Equal(t, "2025-01-31T09:00:00Z", c["now"])
		require.Equal(t, false, clock(t, b, `{ environmentClock `+fields+` }`)["settled"], "nobody has fanned the event out")
	})
}
