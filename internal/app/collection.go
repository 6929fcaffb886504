package app

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// heapFloor is the size that the heap may reach before garbage is collected, in bytes. By itself Go collects at twice of what is in
// use, which in this program is little: at full load it did so 25 times per second, with a fifth of the process's time. What an
// operator sets with GOGC or GOMEMLIMIT counts as ever.
const heapFloor = 48 << 20

// collectFromFloor has garbage collected from heapFloor on.
func collectFromFloor() {
	if os.Getenv("GOGC") == "" {
		limit := debug.SetMemoryLimit(-1)
		adjustCollection(collection{percent: goDefault, limit: limit, most: limit})
	}
}

const goDefault = 100 // percent

// collection is when garbage is collected next.
type collection struct {
	percent int   // by which the heap may grow over what is in use
	limit   int64 // bytes of memory that Go may have, see heapLimit
	most    int64 // the limit that the operator has set
}

// adjustCollection sets by what is in use when garbage is collected next, now and after each collection. set is what is set already.
func adjustCollection(set collection) {
	live, beside := memoryInUse()
	wanted := collection{percent: gcPercent(live), limit: min(heapLimit(live, beside), set.most), most: set.most}
	if wanted.limit != set.limit {
		debug.SetMemoryLimit(wanted.limit)
	}
	if wanted.percent != set.percent {
		debug.SetGCPercent(wanted.percent)
	}
	runtime.AddCleanup(new([16]byte), adjustCollection, wanted)
}

// gcPercent is by how much the heap may grow over what is in use, in steps, since a change halts the program for a moment. Above the floor
// that is less than Go's own: in a broadcast of mails it costs some 5 % of the time of the process and saves some 10 MiB.
func gcPercent(live uint64) int {
	const step, least, most = 25, 75, 1_000
	switch {
	case live == 0:
		return goDefault
	case live >= heapFloor:
		return least
	}
	return int(max(least, min((heapFloor-live)*100/live, most)/step*step))
}

// heapLimit is how many bytes of memory Go may have before garbage is collected, whatever the percentage says: one for a small heap, which
// holds until a while after the next collection, would let large requests that come meanwhile make the heap many times as large.
// beside is what Go has beside the heap. In steps, as gcPercent.
func heapLimit(live, beside uint64) int64 {
	const step = 16 << 20
	return int64((2*max(live, heapFloor) + beside + step) / step * step)
}

// memoryInUse is how many bytes of heap the last collection found in use, and how many bytes of memory Go has beside the heap.
func memoryInUse() (live, beside uint64) {
	samples := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"},
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/free:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(samples)
	beside = samples[1].Value.Uint64()
	for _, heap := range samples[2:] {
		beside -= min(beside, heap.Value.Uint64())
	}
	return samples[0].Value.Uint64(), beside
}
