package queue_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/queue"
)

func TestLine(t *testing.T) {
	t.Parallel()
	line := queue.New().Events
	line.Put(event.LaneNormal, "early") // before there are workers: left to its due time
	line.Open()
	line.Put(event.LaneNormal, "a", "b", "c")
	line.Put(event.LaneUrgent, "u")
	require.Equal(t, []string{"a", "b"}, line.Take(t.Context(), event.LaneNormal, 2))
	require.Equal(t, []string{"u"}, line.Take(t.Context(), event.LaneUrgent, 2))

	ended, end := context.WithCancel(t.Context())
	end()
	require.Empty(t, line.Take(ended, event.LaneBulk, 1))

	line.Close()
	line.Put(event.LaneNormal, "late")
	require.Equal(t, []string{"c"}, line.Take(t.Context(), event.LaneNormal, 2), "what waits is still there")
	for range 2 {
		require.Empty(t, line.Take(t.Context(), event.LaneNormal, 2), "every worker hears of the end")
	}
}

// TestAwaitRoom: it waits until half of the room is free, for a limited time, and not at all without workers.
func TestAwaitRoom(t *testing.T) {
	t.Parallel()
	line := queue.New().Messages
	require.Zero(t, line.Room(event.LaneBulk))
	require.False(t, line.AwaitRoom(t.Context(), event.LaneBulk, time.Hour), "there are no workers")
	line.Open()
	most := line.Room(event.LaneBulk)
	require.True(t, line.AwaitRoom(t.Context(), event.LaneBulk, time.Hour))
	line.Put(event.LaneBulk, make([]string, most)...)
	require.Zero(t, line.Room(event.LaneBulk))
	require.Equal(t, most, line.Room(event.LaneNormal))
	require.False(t, line.AwaitRoom(t.Context(), event.LaneBulk, time.Nanosecond), "it takes long")

	const waiting = 3
	found := make(chan bool, waiting)
	for range waiting {
		go func() { found <- line.AwaitRoom(t.Context(), event.LaneBulk, time.Hour) }()
	}
	for line.Room(event.LaneBulk) < most {
		require.NotEmpty(t, line.Take(t.Context(), event.LaneBulk, most/10))
	}
	for range waiting {
		require.True(t, <-found)
	}
	line.Put(event.LaneBulk, make([]string, most)...)
	go func() { found <- line.AwaitRoom(t.Context(), event.LaneBulk, time.Hour) }()
	line.Close()
	require.False(t, <-found)
}

// TestLineWakesWorkers gives each of many workers, who wait before there is anything, its share.
func TestLineWakesWorkers(t *testing.T) {
	t.Parallel()
	line := queue.New().Messages
	line.Open()
	const workers = 8
	got := make(chan string, workers)
	for range workers {
		go func() {
			for _, id := range line.Take(t.Context(), event.LaneBulk, 1) {
				got <- id
			}
		}()
	}
	want := map[string]bool{}
	var ids []string
	for n := range workers {
		ids = append(ids, fmt.Sprint(n))
		want[ids[n]] = true
	}
	line.Put(event.LaneBulk, ids...)
	for range workers {
		delete(want, <-got)
	}
	require.Empty(t, want)
}

func TestLineIsBounded(t *testing.T) {
	t.Parallel()
	line := queue.New().Events
	line.Open()
	page := make([]string, 9_999)
	for range 3 {
		line.Put(event.LaneNormal, page...)
	}
	line.Close()
	require.Len(t, line.Take(t.Context(), event.LaneNormal, 100_000), 2*len(page))
}
