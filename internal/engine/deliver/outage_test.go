package deliver

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestOutage(t *testing.T) {
	t.Parallel()
	const span = 5 * time.Second
	noon := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	at := func(seconds int) time.Time { return noon.Add(time.Duration(seconds) * time.Second) }
	o := outage{until: at(2)}
	require.True(t, o.answered(at(0), at(1), span), "the process may have begun after an outage")
	require.False(t, o.answered(at(2), at(2), span))
	require.False(t, o.answered(at(60), at(60), span), "no claim was made in between")

	o.failed(at(61))
	o.failed(at(64))
	require.False(t, o.answered(at(65), at(65), span), "a short one ends no lease")
	require.False(t, o.answered(at(70), at(70), span))

	o.failed(at(71))
	o.failed(at(75))
	require.True(t, o.answered(at(76), at(76), span))
	require.True(t, o.answered(at(80), at(80), span))
	require.False(t, o.answered(at(81), at(81), span))

	require.True(t, o.answered(at(90), at(95), span), "a claim that waited for its answer")
	require.True(t, o.answered(at(99), at(99), span))
	require.False(t, o.answered(at(100), at(100), span))
}
