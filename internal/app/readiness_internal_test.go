package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
)

func TestReadinessSaysWhy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		condition condition
		status    int
		says      string
	}{
		"ready":         {condition{}, http.StatusOK, "ready"},
		"stopping":      {condition{draining: true, database: postgres.ErrReadOnly}, http.StatusServiceUnavailable, "stopping"},
		"no answer":     {condition{database: errors.New("10.0.0.1 refused")}, http.StatusServiceUnavailable, "the database does not answer"},
		"busy":          {condition{database: context.DeadlineExceeded, busy: true}, http.StatusServiceUnavailable, "connections of this process are in use"},
		"busy, full":    {condition{database: postgres.ErrDiskFull, busy: true}, http.StatusServiceUnavailable, "no space left"},
		"read-only":     {condition{database: fmt.Errorf("ask: %w", postgres.ErrReadOnly)}, http.StatusServiceUnavailable, "read-only"},
		"full":          {condition{database: postgres.ErrDiskFull}, http.StatusServiceUnavailable, "no space left"},
		"crowded":       {condition{database: fmt.Errorf("%w: FATAL", postgres.ErrCrowded)}, http.StatusServiceUnavailable, "gives no connection"},
		"refused":       {condition{database: fmt.Errorf("%w: FATAL", postgres.ErrLogIn)}, http.StatusServiceUnavailable, "refuses the log-in"},
		"writer halted": {condition{writer: 12 * time.Second, stalled: true}, http.StatusServiceUnavailable, "writer has not moved for 12 s"},
		"wrong clock":   {condition{apart: time.Hour + time.Millisecond}, http.StatusServiceUnavailable, "differ by 1h0m0s"},
		"rows locked":   {condition{unknown: true}, http.StatusOK, "ready, but how late due rows are is not known"},
		"on time": {
			condition{late: map[pgdue.DueTable]time.Duration{pgdue.DueEvents: 0, pgdue.DueMessages: lateAfter - 1}}, http.StatusOK, "ready",
		},
		"late": {
			condition{late: map[pgdue.DueTable]time.Duration{pgdue.DueEvents: time.Second, pgdue.DueMessages: lateAfter, pgdue.DueNotifications: 2 * lateAfter}},
			http.StatusOK, "ready, but late: messages by 60 s, notifications by 120 s; start more workers, and ask carillon doctor",
		},
	} {
		status, text := c.condition.readiness()
		require.Equal(t, c.status, status, name)
		require.Contains(t, text, c.says, name)
		if c.says == "ready" {
			require.Equal(t, "ready", text, name)
		}
	}
}
