package app

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/stall"
)

func TestGCPercent(t *testing.T) {
	t.Parallel()
	for live, want := range map[uint64]int{
		0:             goDefault, // nothing was collected yet
		1 << 20:       1_000,
		16 << 20:      200,
		20 << 20:      125, // a step below the floor, not above
		heapFloor / 2: 100,
		27 << 20:      75,
		heapFloor:     75,
		1 << 30:       75,
	} {
		require.Equal(t, want, gcPercent(live), live)
	}
}

// TestCollectFromFloor: a small heap has grown to the floor before its garbage is collected, whatever was set before.
func TestCollectFromFloor(t *testing.T) {
	t.Setenv("GOGC", "")
	defer debug.SetGCPercent(debug.SetGCPercent(goDefault))
	runtime.GC()
	collectFromFloor()
	require.Eventually(t, func() bool { // a collection may have come between
		percent := debug.SetGCPercent(goDefault)
		debug.SetGCPercent(percent)
		return percent > goDefault && percent == gcPercent(heapInUse())
	}, stall.Limit(10*time.Second), time.Millisecond)
}
