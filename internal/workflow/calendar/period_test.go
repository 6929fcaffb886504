package calendar_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/workflow/calendar"
)

func TestParsePeriod(t *testing.T) {
	t.Parallel()
	at := time.Date(2024, 1, 31, 10, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"PT90M":     at.Add(90 * time.Minute),
		"PT0.5S":    at.Add(500 * time.Millisecond),
		"P1D":       at.AddDate(0, 0, 1),
		"P2W":       at.AddDate(0, 0, 14),
		"P1M":       time.Date(2024, 2, 29, 10, 0, 0, 0, time.UTC),
		"P1Y1MT1H":  time.Date(2025, 2, 28, 11, 0, 0, 0, time.UTC),
		"P0D":       at,
		"P1DT12H1S": at.Add(36*time.Hour + time.Second),
	} {
		p, err := calendar.ParsePeriod(text)
		require.NoError(t, err, text)
		require.Equal(t, want, p.After(at), text)
	}
	for _, bad := range []string{"", "P", "PT", "1h", "-PT1S", "P1.5D", "P0.5M", "PT1X", "P1000Y", "tomorrow"} {
		_, err := calendar.ParsePeriod(bad)
		require.Error(t, err, bad)
	}
}
