package authoring

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/calendar"
)

// PreviewWaitInput is a digest or a delay that need not be saved, and whom it waits for.
type PreviewWaitInput struct {
	Digest        *workflow.DigestControls
	Delay         *workflow.DelayControls
	Payload       map[string]any
	PayloadSchema map[string]any // makes the payload when none is given
	SubscriberID  *string        // the operator's identifier; nil: a subscriber without hours
	Timezone      *string        // nil: the subscriber's, else UTC
	Critical      bool           // the workflow's: the hours do not count then (semantics.md §4.5)
}

// WaitPreview is when a wait ends.
type WaitPreview struct {
	Timezone string
	Waits    []workflow.PreviewedWait
	Error    *string // why there are none
}

// PreviewWait computes when a digest or a delay ends, by the clock of the environment.
func (w *Workflows) PreviewWait(ctx context.Context, in PreviewWaitInput) (*WaitPreview, error) {
	step := workflow.Step{StepID: "wait", Digest: in.Digest, Delay: in.Delay}
	switch {
	case (in.Digest == nil) == (in.Delay == nil):
		return nil, fault.Invalidf("digest", "either a digest or a delay is required")
	case in.Digest != nil:
		step.Type = workflow.StepDigest
	default:
		step.Type = workflow.StepDelay
	}
	if in.Timezone != nil && *in.Timezone != "" {
		if _, ok := workflow.Location(*in.Timezone); !ok {
			return nil, fault.Invalidf("timezone", "is no IANA time zone")
		}
	}
	return usecase.Read(ctx, w.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (*WaitPreview, error) {
		zone, hours, err := waiter(ctx, db, in)
		if err != nil {
			return nil, err
		}
		out := &WaitPreview{Timezone: zone, Waits: []workflow.PreviewedWait{}}
		definition := workflow.Definition{Steps: []workflow.Step{step}}
		if err := definition.Check(workflow.CheckOptions{}); err != nil {
			out.Error = new("The wait is not complete yet.")
			return out, nil //nolint:nilerr // it is the answer
		}
		now, err := w.Instant(ctx)
		if err != nil {
			return nil, err
		}
		sample, err := samplePayload(in.Payload, in.PayloadSchema)
		if err != nil {
			return nil, err
		}
		waits, problem := step.PreviewWaits(now.Truncate(time.Second), sample, workflow.LocationOrUTC(zone), hours, w.settings.MaxDelay)
		if problem != "" {
			out.Error = &problem
		}
		out.Waits = append(out.Waits, waits...)
		return out, nil
	})
}

// waiter is the time zone and the hours of whom a wait is for.
func waiter(ctx context.Context, db *ent.Client, in PreviewWaitInput) (zone string, hours *calendar.Schedule, err error) {
	zone = "UTC"
	if in.SubscriberID != nil && *in.SubscriberID != "" {
		found, err := previewedSubscriber(ctx, db, *in.SubscriberID)
		if err != nil {
			return "", nil, err
		}
		if !in.Critical {
			hours = found.Schedule
		}
		if found.Timezone != nil && *found.Timezone != "" {
			zone = *found.Timezone
		}
	}
	if in.Timezone != nil && *in.Timezone != "" {
		zone = *in.Timezone
	}
	return zone, hours, nil
}
