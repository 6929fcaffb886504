package app

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/workflow"
)

// TestDoctorHeld: what keeps messages from being sent although nothing is late, an open breaker and a pause, is named with its cause.
func TestDoctorHeld(t *testing.T) {
	t.Parallel()
	w := newWard(t)
	look := func() {
		w.findings = nil
		w.breakers(t.Context(), w.db)
		w.pauses(t.Context(), w.db)
	}
	smtp := w.db.Ent.Integration.Create().SetIdentifier("smtp").SetName("SMTP").SetProviderID("nodemailer").
		SetChannel(workflow.ChannelEmail).SaveX(w.ctx)
	look()
	require.Equal(t, LevelOK, w.find(t, "breakers").Level)
	require.Equal(t, LevelOK, w.find(t, "pauses").Level)

	now := time.Now()
	w.now = func() time.Time { return now }
	smtp.Update().SetBreaker(workflow.BreakerOpen).SetBreakerCause("fault: 401").SetBreakerOpenedAt(now.Add(-time.Hour)).ExecX(w.ctx)
	paused := w.db.Ent.Pause.Create().SetKind(workflow.PauseIntegration).SetTarget(smtp.ID).SetReason("the vendor asked for it").SaveX(w.ctx)
	look()
	w.requireFault(t, LevelWarn, "breakers", "the integration smtp of environment")
	require.Contains(t, w.find(t, "breakers").What, "is not called since 1h0m0s: fault: 401")
	w.requireFault(t, LevelWarn, "pauses", "the deliveries of integration smtp of environment")
	require.Contains(t, w.find(t, "pauses").What, "(the vendor asked for it)")
	require.Contains(t, w.find(t, "pauses").Cure, "carillon repair resume "+paused.ID)

	paused.Update().SetResumedAt(now).ExecX(w.ctx)
	smtp.Update().SetActive(false).ExecX(w.ctx)
	look()
	require.Equal(t, LevelOK, w.find(t, "breakers").Level, "one that is switched off is not called anyway")
	require.Equal(t, LevelOK, w.find(t, "pauses").Level)
}
