package deliver

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/stall"
)

// fill takes all places that integrations get for a lane, in turn.
func fill(t *testing.T, p *places, lane string, of ...*openAdapter) (held []int, give []func()) {
	t.Helper()
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	held = make([]int, len(of))
	for more := true; more; {
		more = false
		for i, a := range of {
			p.mu.Lock()
			has := 0
			if s := p.of[a]; s != nil {
				has = s.held[rank(lane)]
			}
			free := has < p.left(rank(lane))
			p.mu.Unlock()
			if !free {
				_, err := p.take(stopped, a, lane)
				require.ErrorIs(t, err, context.Canceled)
				continue
			}
			back, err := p.take(t.Context(), a, lane)
			require.NoError(t, err)
			held[i], more, give = held[i]+1, true, append(give, back)
		}
	}
	return held, give
}

// TestPlacesAreLeftToOtherIntegrations: those that fill all they may have leave places to one that has none, and the less urgent lanes
// leave some to the others.
func TestPlacesAreLeftToOtherIntegrations(t *testing.T) {
	t.Parallel()
	p := newPlaces(256)
	slow := []*openAdapter{{}, {}, {}, {}}
	held, give := fill(t, p, "normal", slow...)
	require.Equal(t, []int{45, 45, 45, 45}, held)
	one, more := fill(t, p, "normal", &openAdapter{})
	require.Equal(t, []int{22}, one, "another one gets places at once")
	give = append(give, more...)
	urgent, more := fill(t, p, "urgent", slow[0])
	require.Equal(t, []int{27}, urgent, "whose own less urgent attempts do not count")
	for _, back := range append(give, more...) {
		back()
	}
	require.Equal(t, [3]int{}, p.held)
	require.Empty(t, p.of)
}

// TestPlacesGoToTheIntegrationWithFewest: who waits gets what is given back, the integration with fewest attempts first.
func TestPlacesGoToTheIntegrationWithFewest(t *testing.T) {
	t.Parallel()
	p := newPlaces(3)
	busy, calm, other := &openAdapter{}, &openAdapter{}, &openAdapter{}
	var last func()
	for _, a := range []*openAdapter{busy, busy, other} {
		give, err := p.take(t.Context(), a, "urgent")
		require.NoError(t, err)
		last = give
	}
	got := make(chan string, 2)
	wait := func(name string, a *openAdapter) {
		go func() {
			if _, err := p.take(t.Context(), a, "urgent"); err == nil {
				got <- name
			}
		}()
		require.Eventually(t, func() bool {
			p.mu.Lock()
			defer p.mu.Unlock()
			s := p.of[a]
			return s != nil && len(s.waiting[0]) == 1
		}, stall.Limit(time.Minute), time.Millisecond)
	}
	wait("busy", busy)
	wait("calm", calm)
	last()
	require.Equal(t, "calm", <-got)
}
