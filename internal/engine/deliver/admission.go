package deliver

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/engine/retry"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

const (
	probeLease = time.Minute // how long a probe may take before another one may be made
	// ordinaryShare is the part of an integration's pace that waits in line; the rest is free for the urgent lane, which
	// goes at once and is only counted, so that a broadcast cannot starve a login code.
	ordinaryShare = 0.8
	slotLife      = 10 * time.Second // a place in line that was not used for so long is given up
	// learnedAhead is how far ahead places are given at a rate that was learned. It may be another one soon: what would wait for longer
	// gets no place and comes back, so that it does not keep the place that a provider gave it in its worst minute.
	learnedAhead    = 30 * time.Second
	configuredAhead = 10 * 366 * 24 * time.Hour // of a rate that people have set: as far as it takes
)

// applyAdmission rejects what must not be attempted now: suppressed addresses, integrations with an open breaker, and what is
// beyond an integration's pace.
func (w *Worker) applyAdmission(ctx context.Context, tx pgx.Tx, deliveries []*Delivery) error {
	if err := rejectSuppressed(ctx, tx, deliveries); err != nil {
		return err
	}
	if err := reserveProbes(ctx, tx, deliveries); err != nil {
		return err
	}
	return applyPacing(ctx, tx, deliveries)
}

// reject takes the attempt back.
func (d *Delivery) reject(failure *provider.Error) { d.attempt, d.failure = nil, failure }

// rejectSuppressed takes suppressed addresses out, and rejects deliveries that have no other.
func rejectSuppressed(ctx context.Context, tx pgx.Tx, deliveries []*Delivery) error {
	var addresses []pgmessage.Address
	for _, d := range deliveries {
		if d.attempt == nil {
			continue
		}
		for _, to := range slices.Concat(d.envelope.Suppressible(d.Channel), d.copies()) {
			addresses = append(addresses, d.address(to))
		}
	}
	if len(addresses) == 0 {
		return nil
	}
	suppressed, err := pgmessage.LoadSuppressed(ctx, tx, addresses)
	if err != nil || len(suppressed) == 0 {
		return err
	}
	for _, d := range deliveries {
		if d.attempt == nil {
			continue
		}
		left, why := d.envelope.Unsuppressed(d.EnvironmentID, d.Channel, suppressed)
		switch {
		case why == "":
		case len(left) == 0:
			d.reject(retry.Suppressed(why))
		case d.Channel == workflow.ChannelEmail:
			d.envelope.To = left
		}
		for _, to := range d.copies() {
			if suppressed[d.address(to)] != "" {
				d.withheld = append(d.withheld, to)
			}
		}
	}
	return nil
}

// copies are the addresses that the trigger adds to a mail as copies, with the names that may be beside them.
func (d *Delivery) copies() []string {
	if d.Channel != workflow.ChannelEmail {
		return nil
	}
	over := d.event.StepOverrides(d.StepID, d.Channel, "").Email
	if over == nil {
		return nil
	}
	return slices.Concat(over.CC, over.BCC)
}

func (d *Delivery) address(to string) pgmessage.Address {
	return state.AddressOf(d.EnvironmentID, d.Channel, to)
}

// reserveProbes lets one attempt through to each integration whose breaker is open and whose probe is due, and rejects the others for now.
func reserveProbes(ctx context.Context, tx pgx.Tx, deliveries []*Delivery) error {
	var due []pgmessage.Probe
	open := false
	for _, d := range deliveries {
		if d.attempt == nil || isHealthy(d.integration) {
			continue
		}
		open = true
		listed := slices.ContainsFunc(due, func(p pgmessage.Probe) bool { return p.IntegrationID == d.integration.ID })
		if !listed && (d.integration.ProbeAt == nil || !d.integration.ProbeAt.After(d.now)) {
			due = append(due, pgmessage.Probe{EnvironmentID: d.EnvironmentID, IntegrationID: d.integration.ID, Now: d.now})
		}
	}
	if !open {
		return nil
	}
	var taken map[string]bool
	if len(due) > 0 {
		var err error
		if taken, err = pgmessage.TakeProbes(ctx, tx, due, probeLease); err != nil {
			return err
		}
	}
	for _, d := range urgentFirst(deliveries) {
		if d.attempt == nil || isHealthy(d.integration) {
			continue
		}
		if taken[d.integration.ID] {
			delete(taken, d.integration.ID)
			d.probe = true
			continue
		}
		wait := time.Second
		if at := d.integration.ProbeAt; at != nil {
			wait = max(wait, at.Sub(d.now))
		}
		d.reject(&provider.Error{
			Class: provider.Transient, Code: retry.CodeBreaker, Text: "the integration is not called for the time being: " + state.Deref(d.integration.BreakerCause), RetryAfter: wait,
		})
	}
	return nil
}

func urgentFirst(deliveries []*Delivery) []*Delivery {
	order := slices.Clone(deliveries)
	slices.SortStableFunc(order, func(a, b *Delivery) int { return cmp.Compare(rank(a.Lane), rank(b.Lane)) })
	return order
}

func rank(lane string) int { return slices.Index([]string{"urgent", "normal", "bulk"}, lane) }

// applyPacing gives the attempts of integrations with a rate their places in line, by one write per batch. Those whose place lies
// ahead keep it and come back then; those for which there is none yet come back after a while.
func applyPacing(ctx context.Context, tx pgx.Tx, deliveries []*Delivery) error {
	spans := map[string]*pgmessage.Pace{}
	var paced []*Delivery
	for _, d := range urgentFirst(deliveries) {
		if d.attempt == nil || paceOf(d.integration) == 0 {
			continue
		}
		if s := d.envelope.Slot; s != nil && s.IntegrationID == d.integration.ID && d.now.Sub(s.At) < slotLife {
			continue
		}
		p := spans[d.integration.ID]
		if p == nil {
			p = &pgmessage.Pace{EnvironmentID: d.EnvironmentID, IntegrationID: d.integration.ID, Now: d.now, Step: ordinaryStep(d.integration), Ahead: aheadOf(d.integration)}
			spans[d.integration.ID] = p
		}
		p.Span += d.step()
		if d.Lane != "urgent" {
			paced = append(paced, d)
		}
	}
	if len(spans) == 0 {
		return nil
	}
	list := make([]pgmessage.Pace, 0, len(spans))
	for _, p := range spans {
		list = append(list, *p)
	}
	begins, err := pgmessage.ReservePace(ctx, tx, list)
	if err != nil {
		return err
	}
	for _, d := range paced {
		wait := begins[d.integration.ID]
		begins[d.integration.ID] += d.step()
		switch {
		case wait <= 0:
			continue
		case wait+d.step() > aheadOf(d.integration)+time.Millisecond:
			d.envelope.Slot, wait = nil, state.Deferral(d.now.Sub(later(d.CreatedAt, d.envelope.Again)), learnedAhead/2)
		default:
			d.envelope.Slot = &state.Slot{IntegrationID: d.integration.ID, At: d.now.Add(wait)}
		}
		d.reject(&provider.Error{Class: provider.Transient, Code: retry.CodePaced, Text: "waits in line: the integration takes no more at once", RetryAfter: wait})
	}
	return nil
}

// step is the time that one attempt takes up of its integration's pace.
func (d *Delivery) step() time.Duration {
	rate := paceOf(d.integration)
	if d.Lane != "urgent" {
		rate *= ordinaryShare
	}
	return time.Duration(float64(time.Second) / rate)
}

func isHealthy(i *pgrun.IntegrationRow) bool { return i.Breaker == workflow.BreakerClosed }

// paceOf is how many attempts per second an integration takes; 0: any number.
func paceOf(i *pgrun.IntegrationRow) float64 {
	configured, learned := deref64(i.RateLimit), deref64(i.LearnedRate)
	if configured > 0 && learned > 0 {
		return min(configured, learned)
	}
	return max(configured, learned)
}

func ordinaryStep(i *pgrun.IntegrationRow) time.Duration {
	return time.Duration(float64(time.Second) / (paceOf(i) * ordinaryShare))
}

// aheadOf is how far ahead places at that pace are given.
func aheadOf(i *pgrun.IntegrationRow) time.Duration {
	if paceOf(i) == deref64(i.RateLimit) {
		return configuredAhead
	}
	return learnedAhead
}

func deref64(f *float64) float64 {
	if f == nil {
		return 0
	}
	return *f
}
