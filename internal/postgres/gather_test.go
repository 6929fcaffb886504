package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
)

// waiting is a context that calls begins when its end is first waited for.
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
	running, sizes := make(chan struct{}), make(chan int, callers)
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
	for total < callers {
		n := <-sizes
		total, largest = total+n, max(largest, n)
	}
	require.Equal(t, callers, total, "who leaves is not asked for")
	require.Equal(t, most, largest)
}

// A caller runs the query itself while no other runs, and stays until it is done; who comes meanwhile is answered by a worker, also
// after Close.
func TestGatherDirect(t *testing.T) {
	t.Parallel()
	begun, running := make(chan struct{}, 3), make(chan struct{})
	g := &postgres.Gather[int, int]{Direct: true, Ask: func(_ context.Context, questions []int) ([]int, error) {
		begun <- struct{}{}
		<-running
		return questions, nil
	}}
	gone, leave := context.WithCancel(t.Context())
	leave()
	var answered sync.WaitGroup
	get := func(ctx context.Context, question int) {
		answered.Go(func() {
			if got, err := g.Get(ctx, question); err != nil || got != question {
				t.Errorf("%d: %d %v", question, got, err)
			}
		})
	}
	get(gone, 1)
	<-begun
	queued := make(chan struct{})
	get(waiting{t.Context(), sync.OnceFunc(func() { close(queued) })}, 2)
	<-queued
	closed := make(chan struct{})
	go func() {
		g.Close()
		close(closed)
	}()
	close(running)
	answered.Wait()
	<-closed
	require.Len(t, begun, 1, "the second was asked by itself")
	_, err := g.Get(t.Context(), 3)
	require.ErrorIs(t, err, postgres.ErrClosed)
}

// What a worker takes is bounded by weight, and as many workers run at once as may and as what queues fills.
func TestGatherWeighsAndRunsSeveral(t *testing.T) {
	t.Parallel()
	const workers, most, callers = 3, 10, 20
	running, sums := make(chan struct{}), make(chan int, callers)
	begun := make(chan struct{}, callers)
	g := &postgres.Gather[int, int]{
		Most: most, Workers: workers, Weight: func(q int) int { return q },
		Ask: func(_ context.Context, questions []int) ([]int, error) {
			begun <- struct{}{}
			<-running
			sum := 0
			for _, q := range questions {
				sum += q
			}
			sums <- sum
			return questions, nil
		},
	}
	var first, queued, answered sync.WaitGroup
	ask := func(from *sync.WaitGroup) {
		from.Add(1)
		answered.Go(func() {
			if got, err := g.Get(waiting{t.Context(), sync.OnceFunc(from.Done)}, 4); err != nil || got != 4 {
				t.Errorf("%d %v", got, err)
			}
		})
	}
	ask(&first)
	<-begun                               // it finds no worker
	for _, filling := range []int{5, 6} { // to twenty; to thirty, of which the second took twelve
		for range filling - 1 {
			ask(&first)
		}
		first.Wait()
		require.Empty(t, begun, "what waits for the next queries does not fill them")
		ask(&first)
		<-begun
	}
	first.Wait()
	for range callers - 1 - 5 - 6 {
		ask(&queued)
	}
	queued.Wait()
	require.Empty(t, begun, "no more queries run than may")
	close(running)
	answered.Wait()
	close(sums)
	total, largest := 0, 0
	for sum := range sums {
		total, largest = total+sum, max(largest, sum)
	}
	require.Equal(t, 4*callers, total)
	require.Equal(t, 12, largest, "a query takes questions until they weigh ten")
}

// Who asks much leaves room in queries to others, whose questions do not wait for all of its, and every share's keep their order. Alone it gets
// all of a query.
func TestGatherTakesTurns(t *testing.T) {
	t.Parallel()
	const most, many = 8, 11
	running, begun := make(chan struct{}), make(chan struct{}, many)
	var queries [][]string
	g := &postgres.Gather[string, string]{Most: most, Share: func(q string) string { return q[:1] }, Ask: func(_ context.Context, questions []string) ([]string, error) {
		begun <- struct{}{}
		<-running
		queries = append(queries, questions)
		return questions, nil
	}}
	var answered sync.WaitGroup
	ask := func(question string) {
		queued := make(chan struct{})
		answered.Go(func() {
			if got, err := g.Get(waiting{t.Context(), sync.OnceFunc(func() { close(queued) })}, question); err != nil || got != question {
				t.Errorf("%s: %s %v", question, got, err)
			}
		})
		<-queued
	}
	ask("first")
	<-begun
	for n := range many {
		ask(fmt.Sprintf("a%02d", n))
	}
	ask("b00")
	ask("b01")
	ask("c00")
	close(running)
	answered.Wait()
	require.Equal(t, [][]string{
		{"first"},
		{"a00", "b00", "c00", "a01", "b01"},
		{"a02", "a03", "a04", "a05", "a06", "a07", "a08", "a09"},
		{"a10"},
	}, queries)
}

// A query that fails, panics or leaves questions without an answer is an error of its own questions; the next one is asked.
func TestGatherFailure(t *testing.T) {
	t.Parallel()
	g := &postgres.Gather[string, string]{Ask: func(_ context.Context, questions []string) ([]string, error) {
		switch questions[0] {
		case "fail":
			return nil, context.DeadlineExceeded
		case "panic":
			panic("broken")
		case "none":
			return nil, nil
		}
		return questions, nil
	}}
	_, err := g.Get(t.Context(), "fail")
	require.ErrorIs(t, err, context.DeadlineExceeded)
	_, err = g.Get(t.Context(), "panic")
	require.ErrorContains(t, err, "panic: broken")
	_, err = g.Get(t.Context(), "none")
	require.ErrorContains(t, err, "did not answer")
	got, err := g.Get(t.Context(), "next")
	require.NoError(t, err)
	require.Equal(t, "next", got)
}

// Close returns when what queued is answered, and refuses what comes later.
func TestGatherClose(t *testing.T) {
	t.Parallel()
	begun, running := make(chan struct{}, 2), make(chan struct{})
	g := &postgres.Gather[int, int]{Most: 1, Ask: func(_ context.Context, questions []int) ([]int, error) {
		begun <- struct{}{}
		<-running
		return questions, nil
	}}
	var queued, answered sync.WaitGroup
	queued.Add(2)
	for n := range 2 {
		answered.Go(func() {
			if got, err := g.Get(waiting{t.Context(), queued.Done}, n); err != nil || got != n {
				t.Errorf("%d: %d %v", n, got, err)
			}
		})
	}
	queued.Wait()
	<-begun
	closed := make(chan struct{})
	go func() {
		g.Close()
		close(closed)
	}()
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, err := g.Get(gone, 2)
	for !errors.Is(err, postgres.ErrClosed) {
		_, err = g.Get(gone, 2)
	}
	require.Equal(t, fault.Unavailable, fault.KindOf(err))
	select {
	case <-closed:
		require.Fail(t, "closed before what queued is answered")
	default:
	}
	close(running)
	<-closed
	answered.Wait()
	require.Len(t, begun, 1, "the second query ran")
}

type inherited struct{}

// A query has a bound of its own and nothing of its callers, unless it inherits the context of the one that began it.
func TestGatherContext(t *testing.T) {
	t.Parallel()
	ctx := context.WithValue(t.Context(), inherited{}, "caller")
	for _, inherit := range []bool{false, true} {
		g := &postgres.Gather[int, string]{Inherit: inherit, Ask: func(ctx context.Context, _ []int) ([]string, error) {
			_, bounded := ctx.Deadline()
			value, _ := ctx.Value(inherited{}).(string)
			if bounded == (value != "") {
				t.Errorf("bounded %t with %q", bounded, value)
			}
			return []string{value}, nil
		}}
		got, err := g.Get(ctx, 1)
		require.NoError(t, err)
		require.Equal(t, inherit, got == "caller")
	}
}
