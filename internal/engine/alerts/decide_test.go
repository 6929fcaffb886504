package alerts_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/alerts"
	"github.com/carillon/carillon/internal/workflow"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func at(minute float64) time.Time { return noon.Add(time.Duration(minute * float64(time.Minute))) }

func of(value float64) alerts.Figure { return alerts.Figure{Value: &value} }

var (
	tooLittle = alerts.Figure{}
	unknown   = alerts.Figure{Unknown: true}
)

// TestDecide follows rules through figures, one a minute.
func TestDecide(t *testing.T) {
	t.Parallel()
	plain := alerts.Rule{Threshold: 10}
	with := func(change func(*alerts.Rule)) alerts.Rule {
		r := plain
		change(&r)
		return r
	}
	for name, c := range map[string]struct {
		rule    alerts.Rule
		figures []alerts.Figure
		states  string // of each minute: o(k), p(ending), f(iring)
		notices string // of each minute: o(pened), r(eminder), c(leared), -
	}{
		"opens at the threshold and recovers below it": {plain, []alerts.Figure{of(9), of(10), of(11), of(9), of(3)}, "offoo", "-o-c-"},
		"waits before it opens": {
			with(func(r *alerts.Rule) { r.OpenAfter = 2 * time.Minute }),
			[]alerts.Figure{of(10), of(10), of(2), of(10), of(10), of(10)},
			"ppoppf", "-----o",
		},
		"waits before it recovers, and a relapse starts that anew": {
			with(func(r *alerts.Rule) { r.RecoverAfter = 2 * time.Minute }),
			[]alerts.Figure{of(10), of(1), of(12), of(1), of(1), of(1)},
			"fffffo", "o----c",
		},
		"does not flap between the two bounds": {
			with(func(r *alerts.Rule) { r.RecoverBelow = new(5.0) }),
			[]alerts.Figure{of(10), of(7), of(10), of(5), of(4), of(7), of(10)},
			"ffffoof", "o---c-o",
		},
		"reminds": {
			with(func(r *alerts.Rule) { r.RemindAfter = 2 * time.Minute }),
			[]alerts.Figure{of(10), of(10), of(10), of(10), of(10), of(1)},
			"fffffo", "o-r-rc",
		},
		"too little counts as below":      {plain, []alerts.Figure{tooLittle, of(10), tooLittle}, "ofo", "-oc"},
		"the unknown changes nothing":     {plain, []alerts.Figure{unknown, of(10), unknown, unknown, of(1)}, "offfo", "-o--c"},
		"reminders continue when unknown": {with(func(r *alerts.Rule) { r.RemindAfter = time.Minute }), []alerts.Figure{of(10), unknown}, "ff", "or"},
		"a silence that lasts longer tells nothing": {
			with(func(r *alerts.Rule) { r.SilencedUntil = new(at(9)) }), []alerts.Figure{of(10), of(10), of(1)}, "ffo", "---",
		},
		"what is open when a silence ends is told then": {
			with(func(r *alerts.Rule) { r.SilencedUntil = new(at(2)) }), []alerts.Figure{of(10), of(10), of(10), of(1)}, "fffo", "--oc",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var s alerts.State
			var notice alerts.Notice
			states, notices := "", ""
			s.Phase = workflow.AlertOK
			for minute, f := range c.figures {
				s, notice = alerts.Decide(c.rule, s, f, at(float64(minute)))
				states += string(s.Phase[0])
				notices += map[alerts.Notice]string{alerts.None: "-", alerts.Opened: "o", alerts.Reminder: "r", alerts.Recovered: "c"}[notice]
			}
			require.Equal(t, c.states, states)
			require.Equal(t, c.notices, notices)
		})
	}
}

// TestRecoveryIsToldDuringASilence: whoever was told of an opening is told of its end.
func TestRecoveryIsToldDuringASilence(t *testing.T) {
	t.Parallel()
	r := alerts.Rule{Threshold: 10, RemindAfter: time.Minute}
	s, notice := alerts.Decide(r, alerts.State{Phase: workflow.AlertOK}, of(10), at(0))
	require.Equal(t, alerts.Opened, notice)
	r.SilencedUntil = new(at(60))
	s, notice = alerts.Decide(r, s, of(30), at(5))
	require.Equal(t, alerts.None, notice, "no reminder")
	s, notice = alerts.Decide(r, s, of(1), at(6))
	require.Equal(t, alerts.Recovered, notice)
	require.Equal(t, &alerts.Incident{
		OpenedAt: at(0), Value: 10, Peak: 30, Notices: 2, ToldAt: new(at(0)), LastToldAt: new(at(0)), ClosedAt: new(at(6)),
	}, s.Incident)
	s, notice = alerts.Decide(r, s, of(1), at(7))
	require.Equal(t, alerts.None, notice)
	require.Nil(t, s.Incident, "a closed incident is done with")
}

func TestMeasure(t *testing.T) {
	t.Parallel()
	born := at(-60)
	for name, c := range map[string]struct {
		condition workflow.AlertCondition
		minimum   int
		counts    alerts.Counts
		want      alerts.Figure
	}{
		"a rate":                          {workflow.AlertFailureRate, 20, alerts.Counts{Messages: 90, Finished: 40, Failed: 10}, of(25)},
		"a rate of too few":               {workflow.AlertFailureRate, 20, alerts.Counts{Messages: 90, Finished: 19, Failed: 19}, tooLittle},
		"a rate of none":                  {workflow.AlertFailureRate, 0, alerts.Counts{}, tooLittle},
		"integrations":                    {workflow.AlertUnhealthyIntegration, 0, alerts.Counts{Unhealthy: 2}, of(2)},
		"a lag":                           {workflow.AlertLag, 0, alerts.Counts{OldestDue: new(at(-2))}, of(120)},
		"no lag":                          {workflow.AlertLag, 0, alerts.Counts{}, of(0)},
		"a clock that runs behind":        {workflow.AlertLag, 0, alerts.Counts{OldestDue: new(at(1))}, of(0)},
		"silence since the latest":        {workflow.AlertNoMessages, 0, alerts.Counts{Latest: new(at(-5)), WatchedSince: born}, of(5)},
		"silence since the rule was made": {workflow.AlertNoMessages, 0, alerts.Counts{Latest: new(at(-500)), WatchedSince: born}, of(60)},
		"silence from the start":          {workflow.AlertNoMessages, 0, alerts.Counts{WatchedSince: born}, of(60)},
		"a volume":                        {workflow.AlertVolume, 0, alerts.Counts{Messages: 7}, of(7)},
		"what was not found out":          {workflow.AlertVolume, 0, alerts.Counts{Messages: 7, Unknown: true}, unknown},
	} {
		require.Equal(t, c.want, alerts.Measure(c.condition, c.minimum, c.counts, noon), name)
	}
}

func TestPayload(t *testing.T) {
	t.Parallel()
	told := alerts.Told{
		Notice: alerts.Recovered, RuleID: "r", Name: "Failures", Environment: "Production", Condition: workflow.AlertFailureRate, Threshold: 10,
		WindowMinutes: 15, Value: new(2.5), Channel: new("email"), IncidentID: "i",
		Incident: &alerts.Incident{OpenedAt: at(0), Peak: 40, Notices: 3, ClosedAt: new(at(9))},
	}
	require.Equal(t, map[string]any{"alert": map[string]any{
		"state": "recovered", "ruleId": "r", "rule": "Failures", "environment": "Production", "condition": "failure_rate", "threshold": 10.0,
		"windowMinutes": 15, "value": 2.5, "channel": "email", "incidentId": "i", "peak": 40.0, "openedAt": "2026-01-02T12:00:00Z",
		"recoveredAt": "2026-01-02T12:09:00Z", "summary": "2.5 % of the messages of 15 minutes failed.",
	}}, told.Payload())
	require.Equal(t, "alert_i_3", told.TransactionID())
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]struct {
		condition workflow.AlertCondition
		value     float64
		window    int
	}{
		"2.5 % of the messages of 1 minute failed.":       {workflow.AlertFailureRate, 2.5, 1},
		"Messages in 15 minutes: 1.":                      {workflow.AlertVolume, 1, 15},
		"One subscriber got 1 message in 1 minute.":       {workflow.AlertSubscriberVolume, 1, 1},
		"One subscriber got 5000 messages in 60 minutes.": {workflow.AlertSubscriberVolume, 5000, 60},
		"There was no message for 61.0 minutes.":          {workflow.AlertNoMessages, 61, 0},
		"Unhealthy integrations: 2.":                      {workflow.AlertUnhealthyIntegration, 2, 0},
		"The oldest due row has waited for 7.0 seconds.":  {workflow.AlertLag, 7, 0},
	} {
		require.Equal(t, want, alerts.Describe(c.condition, &c.value, c.window))
	}
}
