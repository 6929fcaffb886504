package app

import (
	"math"
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

// TestCollectFromFloor: a small heap has grown to the floor before its garbage is collected, whatever was set before. What is allocated at
// once after that does not grow by the small heap's percentage, and the limit follows what is in use up and down.
func TestCollectFromFloor(t *testing.T) {
	t.Setenv("GOGC", "")
	defer debug.SetGCPercent(debug.SetGCPercent(goDefault))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	runtime.GC()
	collectFromFloor()
	require.Eventually(t, func() bool { // a collection may have come between
		percent := debug.SetGCPercent(goDefault)
		debug.SetGCPercent(percent)
		live, _ := memoryInUse()
		return percent > goDefault && percent == gcPercent(live)
	}, stall.Limit(10*time.Second), time.Millisecond)

	small := debug.SetMemoryLimit(-1)
	require.Less(t, small, int64(1<<30))
	held := make([]byte, 2*small) // too much for the limit
	require.Eventually(t, func() bool {
		return debug.SetMemoryLimit(-1) > 2*int64(len(held))
	}, stall.Limit(10*time.Second), time.Millisecond)
	runtime.KeepAlive(held)
	require.Eventually(t, func() bool {
		runtime.GC()
		return debug.SetMemoryLimit(-1) <= small+32<<20
	}, stall.Limit(10*time.Second), time.Millisecond)
}

// TestHeapLimit: the limit leaves what gcPercent allows to any heap in use, and no more than twice what is in use, or the floor.
func TestHeapLimit(t *testing.T) {
	t.Parallel()
	for _, beside := range []uint64{0, 20 << 20, 200 << 20} {
		for live := uint64(1 << 20); live < 1<<30; live += 7 << 20 {
			limit, wanted := uint64(heapLimit(live, beside)), live+live*uint64(gcPercent(live))/100
			require.Greater(t, limit, wanted+beside, live)
			require.LessOrEqual(t, limit, 2*max(live, heapFloor)+beside+16<<20, live)
		}
	}
}
