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
	line.Put(event.LaneNormal, "env", "early") // before there are workers: left to its due time
	line.Open()
	line.Put(event.LaneNormal, "env", "a", "b", "c")
	line.Put(event.LaneUrgent, "env", "u")
	require.Equal(t, []string{"a", "b"}, queue.IDs(line.Take(t.Context(), event.LaneNormal, 2)))
	require.Equal(t, []string{"u"}, queue.IDs(line.Take(t.Context(), event.LaneUrgent, 2)))

	ended, end := context.WithCancel(t.Context())
	end()
	require.Empty(t, line.Take(ended, event.LaneBulk, 1))

	line.Close()
	line.Put(event.LaneNormal, "env", "late")
	require.Equal(t, []string{"c"}, queue.IDs(line.Take(t.Context(), event.LaneNormal, 2)), "what waits is still there")
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
	line.Put(event.LaneBulk, "env", make([]string, most)...)
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
	line.Put(event.LaneBulk, "env", make([]string, most)...)
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
			for _, id := range queue.IDs(line.Take(t.Context(), event.LaneBulk, 1)) {
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
	line.Put(event.LaneBulk, "env", ids...)
	for range workers {
		delete(want, <-got)
	}
	require.Empty(t, want)
}

// TestLineTurns: environments take turns, and those that have little are taken together.
func TestLineTurns(t *testing.T) {
	t.Parallel()
	line := queue.New().Events
	line.Open()
	take := func(limit int) []string { return queue.IDs(line.Take(t.Context(), event.LaneNormal, limit)) }
	line.Put(event.LaneNormal, "flood", "f1", "f2", "f3", "f4", "f5")
	line.Put(event.LaneNormal, "a", "a1")
	require.True(t, line.OthersWait(event.LaneNormal, "flood"))
	require.Equal(t, []string{"f1", "f2"}, take(2))
	line.Put(event.LaneNormal, "b", "b1", "b2")
	require.Equal(t, []string{"a1"}, take(2), "what b has finds no room beside it")
	require.Equal(t, []string{"f3", "f4"}, take(2))
	line.Put(event.LaneNormal, "c", "c1")
	require.Equal(t, []string{"b1", "b2", "f5", "c1"}, take(9))
	require.False(t, line.OthersWait(event.LaneNormal, "flood"))

	line.Put(event.LaneNormal, "a", "a4")
	line.Return(event.LaneNormal, queue.Item{EnvironmentID: "a", ID: "a2"}, queue.Item{EnvironmentID: "a", ID: "a3"}, queue.Item{EnvironmentID: "b", ID: "b3"})
	require.Equal(t, 4, line.Len(event.LaneNormal))
	line.Close()
	require.Equal(t, []string{"a2", "a3"}, take(2), "what is given back is taken first")
	require.Equal(t, []string{"b3", "a4"}, take(9))
	require.Empty(t, take(1))
}

// TestLineKeepsRoomForOthers: an environment whose room is full leaves room to others.
func TestLineKeepsRoomForOthers(t *testing.T) {
	t.Parallel()
	line := queue.New().Events
	line.Open()
	for range 100 {
		line.Put(event.LaneNormal, "flood", make([]string, 1_000)...)
	}
	full := line.Len(event.LaneNormal)
	require.Positive(t, full)
	line.Put(event.LaneNormal, "other", make([]string, 1_000)...)
	require.Equal(t, full+1_000, line.Len(event.LaneNormal))
	line.Put(event.LaneNormal, "flood", "one more")
	require.Equal(t, full+1_000, line.Len(event.LaneNormal))
}

func TestLineIsBounded(t *testing.T) {
	t.Parallel()
	line := queue.New().Events
	line.Open()
	page := make([]string, 9_999)
	for range 3 {
		line.Put(event.LaneNormal, "env", page...)
	}
	line.Close()
	require.Len(t, line.Take(t.Context(), event.LaneNormal, 100_000), 2*len(page))
}
