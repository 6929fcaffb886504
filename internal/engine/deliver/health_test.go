package deliver

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgmessage"
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
