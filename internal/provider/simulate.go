package provider

import (
	"context"
	"io"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/carillon/carillon/internal/workflow"
)

// simulated answers in an adapter's stead.
type simulated struct {
	adapter Adapter
	how     *workflow.Simulation
	now     func() time.Time
	report  func(messageID string, kinds []workflow.ReceiptKind)

	mu      sync.Mutex
	allowed time.Time // calls before it are beyond the rate
}

// Simulated is an adapter that makes no call and answers as configured, also with limits, hangs and receipts, which
// report hears of in their order once a message was taken. Message ids are made of our own.
func Simulated(adapter Adapter, how *workflow.Simulation, now func() time.Time, report func(messageID string, kinds []workflow.ReceiptKind)) Adapter {
	if now == nil {
		now = time.Now
	}
	return &simulated{adapter: adapter, how: how, now: now, report: report}
}

// Close closes the adapter that it replaces.
func (s *simulated) Close() error {
	if closer, ok := s.adapter.(io.Closer); ok {
		return closer.Close()
	}
	return nil
}

// Send answers without a call.
func (s *simulated) Send(ctx context.Context, m *Message) (*Receipt, error) {
	latency := time.Duration(s.how.LatencyMs) * time.Millisecond
	if s.how.JitterMs > 0 {
		latency += time.Duration(rand.IntN(s.how.JitterMs)) * time.Millisecond //nolint:gosec // guards nothing
	}
	retryAfter := time.Duration(s.how.RetryAfterSeconds) * time.Second
	if !s.take() {
		return nil, &Error{Class: Transient, Status: 429, Code: "SIMULATED", Text: "simulated: too many calls", RetryAfter: retryAfter}
	}
	if latency > 0 {
		select {
		case <-time.After(latency):
		case <-ctx.Done():
			return nil, &Error{Class: Unknown, Code: "SIMULATED", Text: "simulated: no answer in time"}
		}
	}
	dice := rand.Float64() //nolint:gosec // guards nothing
	switch {
	case dice < s.how.RejectRate:
		return nil, &Error{Class: Permanent, Status: 400, Code: "SIMULATED", Text: "simulated: refused"}
	case dice < s.how.RejectRate+s.how.TransientRate:
		return nil, &Error{Class: Transient, Status: 503, Code: "SIMULATED", Text: "simulated: out of order", RetryAfter: retryAfter}
	}
	if s.report != nil && len(s.how.Receipts) > 0 {
		s.report("simulated-"+m.ID, s.how.Receipts)
	}
	if dice >= 1-s.how.HangRate {
		return nil, &Error{Class: Unknown, Code: "SIMULATED", Text: "simulated: taken, but the answer never came"}
	}
	return &Receipt{ID: "simulated-" + m.ID, Date: s.now()}, nil
}

// take reports whether the call keeps within the simulated rate, by the environment's clock, which may be set back.
func (s *simulated) take() bool {
	if s.how.RatePerSecond <= 0 {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now, step := s.now(), time.Duration(float64(time.Second)/s.how.RatePerSecond)
	if s.allowed.Sub(now) > max(step, time.Second) {
		s.allowed = now
	}
	if now.Before(s.allowed) {
		return false
	}
	if earliest := now.Add(-time.Second); s.allowed.Before(earliest) {
		s.allowed = earliest // what one second allows may come at once
	}
	s.allowed = s.allowed.Add(step)
	return true
}
