package id_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/carillon/carillon/internal/id"
)

func TestNewAscends(t *testing.T) {
	t.Parallel()

	at := time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	ids := append(id.Batch(at, 5000), id.New(at), id.New(at.Add(-time.Hour)))
	require.True(t, slices.IsSorted(ids), "also of one instant, and when the clock goes back")
	require.Len(t, slices.Compact(slices.Clone(ids)), len(ids))
	for _, made := range ids {
		require.True(t, id.Valid(made))
	}
	require.Empty(t, id.Batch(at, 0))
}

func TestNewHoldsTheSeconds(t *testing.T) {
	t.Parallel()

	at := time.Now().Add(24 * time.Hour) // ahead of every other test's ids
	require.Equal(t, at.Unix(), parseSeconds(t, id.New(at)))
}

func parseSeconds(t *testing.T, made string) int64 {
	t.Helper()
	var seconds int64
	for _, c := range made[:8] {
		seconds = seconds<<4 | int64(slices.Index([]rune("0123456789abcdef"), c))
	}
	return seconds
}

func TestRoundTrips(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		recordID := rapid.StringMatching(`[0-9a-f]{24}`).Draw(t, "id")

		back, ok := id.ParseCode(id.Code(recordID))
		require.True(t, ok)
		require.Equal(t, recordID, back)

		name := rapid.String().Draw(t, "name")
		back, ok = id.ParseSlug(id.Slug(name, "wf", recordID), "wf")
		require.True(t, ok)
		require.Equal(t, recordID, back)

		typ, back, ok := id.ParseGlobal(id.Global("Topic", recordID))
		require.True(t, ok)
		require.Equal(t, "Topic", typ)
		require.Equal(t, recordID, back)
	})
}

func TestSlug(t *testing.T) {
	t.Parallel()

	require.Equal(t, "order-shipped_wf_1", id.Slug("  Order… Shipped!", "wf", "000000000000000000000001"))
	for _, bad := range []string{"", "order", "order_wf_", "order_wf_!", "order_st_1", "order_wf_zzzzzzzzzzzzzzzzzz"} {
		_, ok := id.ParseSlug(bad, "wf")
		require.False(t, ok, bad)
	}
}

func FuzzParseGlobal(f *testing.F) {
	f.Add("VG9waWM6MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAx")
	f.Add("not base64!")
	f.Fuzz(func(t *testing.T, global string) {
		if typ, recordID, ok := id.ParseGlobal(global); ok {
			require.NotEmpty(t, typ)
			require.True(t, id.Valid(recordID))
		}
	})
}

func TestFloorAndTime(t *testing.T) {
	t.Parallel()
	at := time.Date(2090, 3, 1, 12, 0, 0, 123456000, time.UTC)
	require.Equal(t, at, id.Time(id.Floor(at)))
	require.Greater(t, id.Floor(at.Add(time.Microsecond)), id.Floor(at))
	now := time.Now()
	require.LessOrEqual(t, id.Floor(now), id.New(now))
	require.False(t, id.Time(id.New(now)).Before(now.Truncate(time.Microsecond)))
	require.Len(t, id.Floor(at), 24)
	for _, early := range []time.Time{{}, time.Unix(-1, 0), time.Unix(0, 0)} {
		require.Equal(t, strings.Repeat("0", 24), id.Floor(early), early)
	}
	for _, late := range []time.Time{time.Unix(1<<32, 0), time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)} {
		require.Greater(t, id.Floor(late), id.Floor(time.Unix(1<<32-1, 0)), late)
	}
	for _, wrong := range []string{"", "xyz", "zzzzzzzzzzzzzzzzzzzzzzzz"} {
		require.Zero(t, id.Time(wrong))
	}
}
