package app

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestIdleness: memory is given back once after the start and once after each time of work.
func TestIdleness(t *testing.T) {
	t.Parallel()
	var i idleness
	var begins []bool
	total := uint64(0)
	for _, allocates := range []uint64{1, 2, idleAllocates, idleAllocates + 1, 500 << 20, 0, 0, 700 << 20, 3} {
		total += allocates
		begins = append(begins, i.begins(total))
	}
	require.Equal(t, []bool{true, false, false, false, false, true, false, false, true}, begins)
}

func TestAllocated(t *testing.T) { //nolint:paralleltest // counts what the process allocates
	before := allocated()
	kept = make([]byte, 1<<20)
	require.GreaterOrEqual(t, allocated(), before+1<<20)
}

var kept []byte // so that the compiler cannot leave it out
