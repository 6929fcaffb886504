// Package stall bounds the waits of tests. A bound is there to end a test that hangs, never to measure how fast the machine
// is, so it grows with what else the machine does.
package stall

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// least is how much longer than on an idle machine everything may take: the race detector and the other tests that run at
// the same time slow it down before the load average shows them.
const least = 5

// Limit is how long to wait for what takes less than usual on an idle machine. CARILLON_TEST_PATIENCE sets the factor;
// otherwise the machine's load does.
func Limit(usual time.Duration) time.Duration {
	return time.Duration(float64(usual) * factor(os.Getenv("CARILLON_TEST_PATIENCE"), loadAverage(), runtime.NumCPU()))
}

func factor(chosen, load string, cores int) float64 {
	if f, err := strconv.ParseFloat(chosen, 64); err == nil && f > 0 {
		return f
	}
	waiting, err := strconv.ParseFloat(load, 64)
	if err != nil {
		return least
	}
	return max(least, 3*waiting/float64(cores))
}

// loadAverage is how many threads ran or wanted to in the last minute, as text; "" where the system does not say.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}
