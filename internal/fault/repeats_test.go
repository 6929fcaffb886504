package fault_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
)

func TestRepeatsAreSaidNowAndThen(t *testing.T) {
	t.Parallel()
	now := time.Unix(1e9, 0)
	refused := errors.New("connection refused")
	var repeats fault.Repeats
	say := func(err error) (int, bool) { return repeats.Say(err, now) }

	_, ok := say(fmt.Errorf("look for due events: %w", refused))
	require.True(t, ok)
	_, ok = say(fmt.Errorf("claim messages: %w", errors.Join(refused, errors.New("the second host: as well"))))
	require.False(t, ok, "the same cause")
	now = now.Add(9 * time.Second)
	left, ok := say(errors.New("starting up"))
	require.True(t, ok, "another cause")
	require.Equal(t, 1, left)
	_, ok = say(refused)
	require.False(t, ok)
	now = now.Add(time.Second)
	left, ok = say(refused)
	require.True(t, ok, "it lasts")
	require.Equal(t, 1, left)

	said := 0
	for n := range 100 {
		if _, ok := say(fmt.Errorf("cause %d", n)); ok {
			said++
		}
	}
	require.Less(t, said, 20)
}
