package intake

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDeadlinesGrowWithWhatArrived(t *testing.T) {
	t.Parallel()
	m, began := New(Config{}), time.Unix(0, 0)
	for passed, seconds := range map[int64]float64{0: 10, 32 << 10: 10.5, 64 << 10: 11, 20 << 20: 330} {
		require.InDelta(t, seconds, m.deadline(began, passed).Sub(began).Seconds(), 1e-6)
	}
}
