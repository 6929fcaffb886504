package state

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDeferral(t *testing.T) {
	t.Parallel()
	for waited, least := range map[time.Duration]time.Duration{0: 10 * time.Second, 4 * time.Minute: time.Minute, time.Hour: deferMost} {
		require.GreaterOrEqual(t, Deferral(waited, 10*time.Second), least)
		require.Less(t, Deferral(waited, 10*time.Second), least+least/2)
	}
}
