package postgres_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
)

// waiting is a context that tells when somebody begins to wait for its end.
type waiting struct {
	context.Context
	begins func()
}

func (w waiting) Done() <-chan struct{} {
	w.begins()
	return w.Context.Done()
}

// Of many who ask while a query runs each gets its own answer, from queries that are no larger than they may be.
func TestGather(t *testing.T) {
	t.Parallel()
	const callers, most = 100, 7
	running, sizes := make(chan struct{}), make(chan int, callers+1)
	g := &postgres.Gather[int, int]{Most: most, Ask: func(_ context.Context, questions []int) ([]int, error) {
		<-running
		sizes <- len(questions)
		answers := make([]int, len(questions))
		for i, q := range questions {
			answers[i] = q * q
		}
		return answers, nil
	}}
	var queued, answered sync.WaitGroup
	queued.Add(callers)
	for n := range callers {
		answered.Go(func() {
			got, err := g.Get(waiting{t.Context(), queued.Done}, n)
			if err != nil || got != n*n {
				t.Errorf("%d: %d %v", n, got, err)
			}
		})
	}
	queued.Wait()
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, err := g.Get(gone, callers)
	require.Error(t, err, "who leaves is not kept waiting")
	close(running)
	answered.Wait()
	total, largest := 0, 0
	for total < callers+1 {
		n := <-sizes
		total, largest = total+n, max(largest, n)
	}
	require.Equal(t, callers+1, total)
	require.Equal(t, most, largest)
}
