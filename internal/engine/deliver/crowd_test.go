package deliver

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
)

// TestServerOfTargetsThatHangs: it gets no more messages than its share, and what it holds of its integration is given back, so that targets
// at other servers do not wait.
func TestServerOfTargetsThatHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := NewWorker(state.New(state.Config{DB: &postgres.DB{}, AttemptsPerIntegration: 16, ConcurrentAttempts: 64}), nil)
		a := &openAdapter{attempts: newTokens(16)}
		to := func(server string) *Delivery {
			return &Delivery{ClaimedMessage: pgmessage.ClaimedMessage{Lane: "normal"}, adapter: a, server: server, attempt: &pgmessage.AttemptRow{}}
		}
		var done []func()
		for range 14 { // the share of the normal lane
			d := to("hangs.example")
			leave := d.enter()
			release, err := w.take(t.Context(), d)
			require.NoError(t, err)
			done = append(done, release, leave)
		}
		require.Len(t, a.attempts.lanes[1], 14)
		time.Sleep(LongAttempt)
		synctest.Wait()
		require.Empty(t, a.attempts.lanes[1], "the attempts are aside")
		require.Zero(t, w.sends.held[0])
		require.Zero(t, a.under.Load()+a.long.Load())

		admitted, deferred := w.deferSlow([]*Delivery{to("hangs.example"), to("well.example"), to("")})
		require.Len(t, deferred, 1)
		require.Equal(t, "hangs.example", deferred[0].server)
		require.Len(t, admitted, 2)
		for _, end := range done {
			end()
		}
		require.Zero(t, a.under.Load())
		require.Nil(t, a.servers.find("hangs.example"))
		require.Empty(t, w.slow)
		_, deferred = w.deferSlow([]*Delivery{to("hangs.example")})
		require.Empty(t, deferred)
	})
}
