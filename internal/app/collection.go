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

// collectFromFloor has garbage collected from heapFloor on. Above twice of what is in use the floor changes nothing.
func collectFromFloor() {
	if os.Getenv("GOGC") == "" {
		adjustGCPercent(goDefault)
	}
}

const goDefault = 100 // percent

// adjustGCPercent sets by what is in use when garbage is collected next, now and after each collection. percent is what is set already.
func adjustGCPercent(percent int) {
	if wanted := gcPercent(heapInUse()); wanted != percent {
		debug.SetGCPercent(wanted)
		percent = wanted
	}
	runtime.AddCleanup(new([16]byte), adjustGCPercent, percent)
}

// gcPercent is by how much the heap may grow over what is in use, in steps, since a change halts the program for a moment.
func gcPercent(live uint64) int {
	const step = 25
	if live == 0 || live >= heapFloor/2 {
		return goDefault
	}
	return int(min((heapFloor-live)*goDefault/live, 1_000) / step * step)
}

// heapInUse is how many bytes of heap the last collection found in use.
func heapInUse() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
