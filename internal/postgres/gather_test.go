package postgres_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
)

// Of many who ask while a query runs each gets its own answer, from queries that are no larger than they may be.
func TestGather(t *testing.T) {
	t.Parallel()
	const callers, most = 100, 7
	running, asked := make(chan struct{}), make(chan []int, callers)
	g := &postgres.Gather[int, int]{Most: most, Ask: func(_ context.Context, questions []int) ([]int, error) {
		<-running
		asked <- questions
		answers := make([]int, len(questions))
		for i, q := range questions {
			answers[i] = q * q
		}
		return answers, nil
	}}
	var wg sync.WaitGroup
	for n := range callers {
		wg.Go(func() {
			got, err := g.Get(t.Context(), n)
			if err != nil || got != n*n {
				t.Errorf("%d: %d %v", n, got, err)
			}
		})
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, err := g.Get(gone, callers)
	require.Error(t, err, "who leaves is not kept waiting")
	close(running)
	wg.Wait()
	total := 0
	for len(asked) > 0 {
		questions := <-asked
		require.LessOrEqual(t, len(questions), most)
		total += len(questions)
	}
	require.GreaterOrEqual(t, total, callers)
}
