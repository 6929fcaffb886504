package prove

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSeedRepeats: one seed draws the same faults and the same load, another one does not.
func TestSeedRepeats(t *testing.T) {
	t.Parallel()
	type drawn struct {
		fault, path, text string
		pause, span       time.Duration
	}
	draw := func(seed uint64) (all []drawn) {
		s := &system{serve: &process{}, worker: &process{}}
		c, l := newChaos(seed, 1, s.processFaults(), time.Second, time.Second), &load{seed: seed}
		for n := range 100 {
			f, pause, span := c.next()
			call := l.choose(n)
			d := drawn{fault: f.name, path: call.path, pause: pause, span: span}
			if len(call.heard) > 0 {
				d.text = call.heard[0].Workflow + call.heard[0].Subscribers[0]
			}
			all = append(all, d)
		}
		return all
	}
	require.Equal(t, draw(1), draw(1))
	require.NotEqual(t, draw(1), draw(2))
}

// TestFaultsOfACallersDatabase: a database that is not the run's own is neither killed nor frozen.
func TestFaultsOfACallersDatabase(t *testing.T) {
	t.Parallel()
	s := &system{serve: &process{}, worker: &process{}}
	var names []string
	for _, f := range s.processFaults() {
		names = append(names, f.name)
	}
	require.Equal(t, []string{"kill serve", "kill worker", "freeze serve", "freeze worker"}, names)
}
