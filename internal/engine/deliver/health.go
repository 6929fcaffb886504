package deliver

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/provider"
)

// tooMany is the status with which providers refuse a request because of its rate.
const tooMany = 429

// healthSign is what the attempt shows of its integration. A bad address or refused content shows that the provider works; too
// many attempts are a matter of pace. Trouble of one target shows nothing: the server of one subscriber that is away, or busy,
// must not keep the integration from serving the others.
func (d *Delivery) healthSign(failure *provider.Error) *pgmessage.Health {
	h := &pgmessage.Health{
		EnvironmentID: d.EnvironmentID, IntegrationID: d.integration.ID, ProviderID: d.integration.ProviderID, Probe: d.probe,
		At: d.now,
	}
	h.Works = failure == nil || failure.Class == provider.Permanent
	switch {
	case failure == nil:
		h.Well, h.Faster = d.shouldReport(), d.integration.LearnedRate != nil && d.adapter.rate.mayRise(d.now)
	case failure.Class == provider.Fault:
		h.Fault, h.Failures, h.Cause = true, 1, failure.Error()
	case failure.OfTarget && failure.Class != provider.Permanent:
	case failure.Status == tooMany:
		h.Well = d.probe
		if d.adapter != nil {
			h.Learned = d.adapter.rate.tooHigh(d.now)
		}
	case failure.Class == provider.Permanent:
		h.Well = d.shouldReport()
	default:
		h.Failures, h.Cause = 1, failure.Error()
	}
	if h.Failures > 0 && d.adapter != nil {
		d.adapter.unhealthy.Store(true)
	}
	return h
}

// shouldReport reports whether an attempt that worked must be recorded: a failure was counted before the delivery was read, or has
// been since, in this process.
func (d *Delivery) shouldReport() bool {
	failed := d.adapter != nil && d.adapter.unhealthy.Swap(false)
	return failed || d.probe || d.integration.BreakerFailures > 0
}

// sumSigns sums the signs of a batch up, one for each integration that changes.
func sumSigns(outcomes []pgmessage.MessageOutcome) (sums []pgmessage.Health) {
	at := map[string]int{}
	for i := range outcomes {
		s := outcomes[i].Sign
		if s == nil {
			continue
		}
		k, seen := at[s.IntegrationID]
		if !seen {
			k = len(sums)
			at[s.IntegrationID] = k
			sums = append(sums, pgmessage.Health{EnvironmentID: s.EnvironmentID, IntegrationID: s.IntegrationID, ProviderID: s.ProviderID})
		}
		add(&sums[k], s)
	}
	return slices.DeleteFunc(sums, func(s pgmessage.Health) bool {
		return !s.Well && !s.Fault && !s.Faster && s.Failures == 0 && s.Learned == nil
	})
}

// recordHealth records what a batch shows of its integrations. It only steers later attempts, so that a failure to record it is
// logged and fails nothing.
func (r *recorder) recordHealth(ctx context.Context, outcomes []pgmessage.MessageOutcome) {
	signs := sumSigns(outcomes)
	if len(signs) == 0 {
		return
	}
	changes, err := pgmessage.RecordHealth(ctx, r.DB, signs, r.Breaker)
	if err != nil {
		r.Logger.WarnContext(ctx, "health of integrations not recorded", slog.String("error", err.Error()))
	}
	for _, c := range changes {
		r.Meter.Breaker(c.ProviderID, c.State)
		r.Logger.WarnContext(ctx, "breaker of an integration changed", slog.String("integration_id", c.IntegrationID),
			slog.String("provider", c.ProviderID), slog.String("state", c.State), slog.String("cause", c.Cause))
	}
}

// add adds the next sign of an integration to the sum of those before it. An attempt that works ends the failures in a row before
// it, and a probe that works closes the breaker whatever came before it. That an earlier attempt was the first to work again, or a
// probe, stays in the sum: later attempts that work do not report it once more.
func add(sum, s *pgmessage.Health) {
	sum.At = s.At
	if s.Well {
		sum.Well, sum.Probe = true, sum.Probe || s.Probe
	}
	if s.Well && s.Probe {
		sum.Fault = false
	}
	if s.Works || s.Well {
		sum.Anew, sum.Failures = true, 0
		if !sum.Fault {
			sum.Cause = ""
		}
	}
	sum.Failures += s.Failures
	sum.Fault, sum.Faster = sum.Fault || s.Fault, sum.Faster || s.Faster
	sum.Cause = cmp.Or(s.Cause, sum.Cause)
	if s.Learned != nil {
		sum.Learned = s.Learned
	}
}

// rateMeter sees how many attempts per second of the environment's clock this process makes through an integration. A learned
// rate moves at most once a second, because all attempts of a burst are refused together.
type rateMeter struct {
	mu       sync.Mutex
	second   time.Time
	now, was int
	moved    time.Time
}

func (m *rateMeter) count(at time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.roll(at)
	m.now++
}

func (m *rateMeter) roll(at time.Time) {
	second := at.Truncate(time.Second)
	if second.Equal(m.second) {
		return
	}
	m.was, m.now = m.now, 0
	if !second.Equal(m.second.Add(time.Second)) {
		m.was = 0
	}
	m.second = second
}

// tooHigh is the rate that was refused; nil when it is unknown, or was returned within the last second.
func (m *rateMeter) tooHigh(at time.Time) *float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.roll(at)
	rate := max(m.now, m.was)
	if rate < 2 || !m.mayMove(at) { // one refused attempt alone shows nothing of the rate
		return nil
	}
	return new(float64(rate))
}

func (m *rateMeter) mayRise(at time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.mayMove(at)
}

// mayMove reports whether the learned rate may change now, as also when the clock was set back; it counts as a change.
func (m *rateMeter) mayMove(at time.Time) bool {
	if since := at.Sub(m.moved); since >= 0 && since < time.Second {
		return false
	}
	m.moved = at
	return true
}
