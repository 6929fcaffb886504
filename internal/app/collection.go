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

// heapInUse is how many bytes of heap the last collection found in use.
func heapInUse() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
