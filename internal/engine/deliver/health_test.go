package deliver

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/provider"
)

// What single calls show of an integration, in the words of the cases below.
var signs = map[string]pgmessage.Health{
	"works":      {Works: true},
	"well":       {Works: true, Well: true},
	"probe well": {Works: true, Well: true, Probe: true},
	"probe 429":  {Well: true, Probe: true, Learned: new(3.0)},
	"429":        {Learned: new(5.0)},
	"faster":     {Works: true, Faster: true},
	"fail":       {Failures: 1, Cause: "busy"},
	"probe fail": {Failures: 1, Cause: "still busy", Probe: true},
	"fault":      {Failures: 1, Fault: true, Cause: "bad key"},
}

// TestSumOfSigns: what a batch writes leaves the integration as the writes of its calls one after another would.
func TestSumOfSigns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		calls []string
		want  pgmessage.Health
	}{
		{[]string{"works"}, pgmessage.Health{Anew: true}},
		{[]string{"well", "works"}, pgmessage.Health{Well: true, Anew: true}},
		{[]string{"works", "well"}, pgmessage.Health{Well: true, Anew: true}},
		{[]string{"probe well", "works"}, pgmessage.Health{Well: true, Probe: true, Anew: true}},
		{[]string{"probe well", "well", "works"}, pgmessage.Health{Well: true, Probe: true, Anew: true}},
		{[]string{"fail", "fail"}, pgmessage.Health{Failures: 2, Cause: "busy"}},
		{[]string{"fail", "works"}, pgmessage.Health{Anew: true}},
		{[]string{"fail", "well"}, pgmessage.Health{Well: true, Anew: true}},
		{[]string{"well", "fail"}, pgmessage.Health{Well: true, Anew: true, Failures: 1, Cause: "busy"}},
		{[]string{"probe well", "fail"}, pgmessage.Health{Well: true, Probe: true, Anew: true, Failures: 1, Cause: "busy"}},
		{[]string{"fail", "fail", "well", "fail"}, pgmessage.Health{Well: true, Anew: true, Failures: 1, Cause: "busy"}},
		{[]string{"probe fail", "well"}, pgmessage.Health{Well: true, Anew: true}},
		{[]string{"fail", "probe 429"}, pgmessage.Health{Well: true, Probe: true, Anew: true, Learned: new(3.0)}},
		{[]string{"well", "429"}, pgmessage.Health{Well: true, Anew: true, Learned: new(5.0)}},
		{[]string{"fail", "429"}, pgmessage.Health{Failures: 1, Cause: "busy", Learned: new(5.0)}},
		{[]string{"429", "well"}, pgmessage.Health{Well: true, Anew: true, Learned: new(5.0)}},
		{[]string{"faster", "429"}, pgmessage.Health{Anew: true, Faster: true, Learned: new(5.0)}},
		{[]string{"fault", "works"}, pgmessage.Health{Anew: true, Fault: true, Cause: "bad key"}},
		{[]string{"fault", "well"}, pgmessage.Health{Well: true, Anew: true, Fault: true, Cause: "bad key"}},
		{[]string{"fault", "probe well"}, pgmessage.Health{Well: true, Probe: true, Anew: true}},
		{[]string{"probe well", "fault"}, pgmessage.Health{Well: true, Probe: true, Anew: true, Failures: 1, Fault: true, Cause: "bad key"}},
		{[]string{"fault", "fail"}, pgmessage.Health{Failures: 2, Fault: true, Cause: "busy"}},
	} {
		var sum pgmessage.Health
		for _, call := range c.calls {
			add(&sum, new(signs[call]))
		}
		require.Equal(t, c.want, sum, c.calls)
	}
}

func TestSignsOfOneIntegrationAreSummedUp(t *testing.T) {
	t.Parallel()
	sign := func(integrationID, call string) pgmessage.MessageOutcome {
		s := signs[call]
		s.EnvironmentID, s.IntegrationID, s.At = "env", integrationID, noon
		return pgmessage.MessageOutcome{Sign: &s}
	}
	sums := sumSigns([]pgmessage.MessageOutcome{sign("a", "fail"), {}, sign("b", "works"), sign("c", "429"), sign("a", "fail"), sign("d", "well")})
	require.Equal(t, []pgmessage.Health{
		{EnvironmentID: "env", IntegrationID: "a", At: noon, Failures: 2, Cause: "busy"},
		{EnvironmentID: "env", IntegrationID: "c", At: noon, Learned: new(5.0)},
		{EnvironmentID: "env", IntegrationID: "d", At: noon, Well: true, Anew: true},
	}, sums, "b has nothing to write")
}

func TestHealthSign(t *testing.T) {
	t.Parallel()
	rate := func(f float64) func(*pgrun.IntegrationRow) {
		return func(row *pgrun.IntegrationRow) { row.LearnedRate = &f }
	}
	failedBefore := func(row *pgrun.IntegrationRow) { row.BreakerFailures = 1 }
	for _, c := range []struct {
		name    string
		failure *provider.Error
		of      pgrun.IntegrationRow
		probe   bool
		want    pgmessage.Health
	}{
		{"Works", nil, integration("a"), false, pgmessage.Health{Works: true}},
		{"WorksAgain", nil, integration("a", failedBefore), false, pgmessage.Health{Works: true, Well: true}},
		{"ProbeWorks", nil, integration("a"), true, pgmessage.Health{Works: true, Well: true, Probe: true}},
		{"WorksAtALearnedRate", nil, integration("a", rate(7)), false, pgmessage.Health{Works: true, Faster: true}},
		{"BadAddress", &provider.Error{Class: provider.Permanent}, integration("a", failedBefore), false, pgmessage.Health{Works: true, Well: true}},
		{
			"Fault", &provider.Error{Class: provider.Fault, Status: 401}, integration("a"), false,
			pgmessage.Health{Fault: true, Failures: 1, Cause: "fault: 401"},
		},
		{
			"Transient", &provider.Error{Class: provider.Transient, Status: 503}, integration("a"), true,
			pgmessage.Health{Failures: 1, Probe: true, Cause: "transient: 503"},
		},
		{"Unknown", &provider.Error{Class: provider.Unknown}, integration("a"), false, pgmessage.Health{Failures: 1, Cause: "unknown:"}},
		{"TooMany", &provider.Error{Class: provider.Transient, Status: 429}, integration("a"), false, pgmessage.Health{Learned: new(3.0)}},
		{"TargetAway", &provider.Error{Class: provider.Transient, OfTarget: true}, integration("a"), false, pgmessage.Health{}},
		{"TargetInDoubt", &provider.Error{Class: provider.Unknown, OfTarget: true}, integration("a"), true, pgmessage.Health{Probe: true}},
		{"TargetBusy", &provider.Error{Class: provider.Transient, Status: 429, OfTarget: true}, integration("a"), false, pgmessage.Health{}},
		{
			"TargetRefuses", &provider.Error{Class: provider.Permanent, Status: 404, OfTarget: true}, integration("a"), true,
			pgmessage.Health{Works: true, Well: true, Probe: true},
		},
		{"ProbeIsTooMany", &provider.Error{Class: provider.Transient, Status: 429}, integration("a"), true, pgmessage.Health{Well: true, Probe: true, Learned: new(3.0)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := onDelivery(nil, c.of)
			d.probe = c.probe
			for range 3 {
				d.adapter.rate.count(noon)
			}
			c.want.EnvironmentID, c.want.IntegrationID, c.want.ProviderID, c.want.At = "env", "a", "vendor-a", noon
			require.Equal(t, c.want, *d.healthSign(c.failure))
			require.Equal(t, c.want.Failures > 0, d.adapter.unhealthy.Load(), "the next call that works is to be recorded")
		})
	}
}

// TestWorkingAgainIsReportedOnce: the failures of this process are reset by the first call that works after them.
func TestWorkingAgainIsReportedOnce(t *testing.T) {
	t.Parallel()
	d := onDelivery(nil, integration("a"))
	require.False(t, d.healthSign(nil).Well)
	d.healthSign(&provider.Error{Class: provider.Transient})
	require.True(t, d.healthSign(nil).Well)
	require.False(t, d.healthSign(nil).Well)
	d.healthSign(&provider.Error{Class: provider.Transient})
	require.True(t, d.healthSign(&provider.Error{Class: provider.Permanent}).Well)
	d.adapter = nil
	require.False(t, d.healthSign(nil).Well)
}

func TestRateMeter(t *testing.T) {
	t.Parallel()
	at := func(ms int) time.Time { return noon.Add(time.Duration(ms) * time.Millisecond) }
	calls := func(instants ...int) *rateMeter {
		m := &rateMeter{}
		for _, ms := range instants {
			m.count(at(ms))
		}
		return m
	}
	require.Nil(t, calls(0).tooHigh(at(1)), "a call that was refused alone teaches nothing about rates")
	require.Equal(t, 2.0, *calls(0, 10).tooHigh(at(20)))
	require.Equal(t, 3.0, *calls(0, 10, 20, 1000).tooHigh(at(1010)), "the second before counts as well")
	require.Equal(t, 4.0, *calls(0, 10, 1000, 1010, 1020, 1030).tooHigh(at(1040)), "the busier one of both seconds")
	require.Nil(t, calls(0, 10, 20).tooHigh(at(2000)), "an older one does not")

	m := calls(0, 10)
	require.NotNil(t, m.tooHigh(at(20)))
	require.Nil(t, m.tooHigh(at(30)), "all calls of a burst are refused together")
	require.False(t, m.mayRise(at(1019)))
	require.True(t, m.mayRise(at(1020)))
	require.False(t, m.mayRise(at(1030)))
	require.True(t, m.mayRise(at(-5000)), "the clock was set back")
}

// TestInterruptIsNoFailureOfTheIntegration: a process that stops ends its calls. What was answered before still counts.
func TestInterruptIsNoFailureOfTheIntegration(t *testing.T) {
	t.Parallel()
	w := newWorker(t)
	refused := &provider.Error{Class: provider.Transient, Status: 503}
	for _, failure := range []*provider.Error{{Class: provider.Unknown}, {Class: provider.Transient}, refused} {
		o := w.outcomeOfAttempt(onDelivery(nil, integration("a")), nil, failure)
		require.Equal(t, 1, o.Sign.Failures, "%v", failure)
	}
	w.Interrupt()
	for _, failure := range []*provider.Error{{Class: provider.Unknown}, {Class: provider.Transient}} {
		o := w.outcomeOfAttempt(onDelivery(nil, integration("a")), nil, failure)
		require.Nil(t, o.Sign, "%v", failure)
		require.NotNil(t, o.DueAt, "it is tried again")
	}
	require.Equal(t, 1, w.outcomeOfAttempt(onDelivery(nil, integration("a")), nil, refused).Sign.Failures)
	require.True(t, w.outcomeOfAttempt(onDelivery(nil, integration("a")), &provider.Receipt{}, nil).Sign.Works)
}
