package pace_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/pace"
)

func TestPage(t *testing.T) {
	t.Parallel()
	require.Equal(t, 10, pace.Page(10, 1000), "a second's worth")
	require.Equal(t, 1000, pace.Page(5000, 1000), "at most a page")
	require.Equal(t, 1, pace.Page(1, 1000))
}

func TestNext(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 25, 9, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		perSecond, made int
		due, want       time.Duration // from now
	}{
		"on time":                     {10, 10, 0, time.Second},
		"a part of a page":            {10, 5, 0, 500 * time.Millisecond},
		"nothing made":                {10, 0, 0, 0},
		"late, so it catches up":      {10, 10, -200 * time.Millisecond, 800 * time.Millisecond},
		"just within the slack":       {1, 1, -time.Second, 0},
		"far behind: from now":        {10, 10, -time.Hour, time.Second},
		"taken up early: not earlier": {10, 10, 300 * time.Millisecond, 1300 * time.Millisecond},
		"more than a second's worth":  {10, 40, 0, 4 * time.Second},
	} {
		require.Equal(t, now.Add(c.want), pace.Next(c.perSecond, c.made, now.Add(c.due), now), name)
	}
	require.Equal(t, now.Add(time.Second), pace.Next(3, 3, time.Time{}, now), "the first page")
}

func TestTake(t *testing.T) {
	t.Parallel()
	rows := []string{"a", "a", "b", "c", "c", "d"}
	same := func(i int) bool { return rows[i] == rows[i-1] }
	for name, c := range map[string]struct {
		most   int
		wanted string
		want   int
	}{
		"all":                        {9, "abcd", 6},
		"exactly all":                {4, "abcd", 6},
		"whole subscribers":          {1, "abcd", 2},
		"two":                        {2, "abcd", 3},
		"only who counts":            {1, "bd", 3},
		"those between do not count": {2, "bc", 5},
		"no row counts":              {1, "", 6},
	} {
		got := pace.Take(len(rows), c.most, same, func(i int) bool {
			for _, w := range c.wanted {
				if string(w) == rows[i] {
					return true
				}
			}
			return false
		})
		require.Equal(t, c.want, got, name)
	}
	require.Zero(t, pace.Take(0, 3, same, func(int) bool { return true }))
}
