package stall

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestFactor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		chosen, load string
		cores        int
		want         float64
	}{
		{"", "0.20", 2, least},
		{"", "40.00", 2, 60},
		{"", "40.00", 64, least},
		{"", "", 2, least},
		{"20", "40.00", 2, 20},
		{"0.5", "40.00", 2, 0.5},
		{"-1", "", 2, least},
		{"many", "", 2, least},
	} {
		require.InDelta(t, c.want, factor(c.chosen, c.load, c.cores), 1e-9, "%+v", c)
	}
	require.GreaterOrEqual(t, Limit(time.Second), time.Millisecond)
}
