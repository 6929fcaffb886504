package triggers

import (
	"context"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/explain"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
)

// Explanation is what an event would do, recipient by recipient and step by step.
type Explanation = explain.Explanation

// ExplainedRecipient is what an event would do for one subscriber.
type ExplainedRecipient = explain.ExplainedRecipient

// ExplainedStep is one decision of a run that did not happen.
type ExplainedStep = explain.ExplainedStep

// ExplainedMessage is what a send would send.
type ExplainedMessage = explain.ExplainedMessage

// InvalidRecipient is an element of "to" that is dropped.
type InvalidRecipient = workflow.InvalidRecipient

// ReasonNode says why a condition came out as it did.
type ReasonNode = condition.ReasonNode

// Explain returns what an event for the recipients it names would do. Nothing is written.
func (t *Triggers) Explain(ctx context.Context, in TriggerInput, first *int, after *string) (*Explanation, error) {
	return t.explain(ctx, in, event.KindTrigger, first, after)
}

// ExplainBroadcast returns what an event for all subscribers would do. Nothing is written.
func (t *Triggers) ExplainBroadcast(ctx context.Context, in TriggerInput, first *int, after *string) (*Explanation, error) {
	return t.explain(ctx, in, event.KindBroadcast, first, after)
}

func (t *Triggers) explain(ctx context.Context, in TriggerInput, kind event.Kind, first *int, after *string) (*Explanation, error) {
	v, err := usecase.Require(ctx, usecase.ReadActivity)
	if err != nil {
		return nil, err
	}
	page := explain.Page{Limit: workflow.MaxRecipients}
	if first != nil {
		page.Limit = *first
	}
	if page.Limit < 1 || page.Limit > workflow.MaxRecipients {
		return nil, fault.Invalidf("first", "must be 1 to %d", workflow.MaxRecipients)
	}
	if after != nil {
		page.After = *after
	}
	if err := in.encode(); err != nil {
		return nil, err
	}
	if len(in.audiences) > 0 {
		return nil, fault.Invalidf("to", "must not name an audience: audiencePreview shows whom one chooses")
	}
	if err := CheckEventSizes([]*TriggerInput{&in}, false); err != nil {
		return nil, err
	}
	tr := parseTrigger(&in, kind, t.providers)
	if err := tr.problems.Err(); err != nil {
		return nil, err
	}
	t.complete(ctx, v, tr)
	if err := t.urls.SealAccepted(&tr.Acceptance); err != nil {
		return nil, err
	}
	out, err := t.explainer.Explain(ctx, tr.Acceptance, page)
	if err != nil {
		return nil, err //nolint:wrapcheck // classified, or says what it did
	}
	if tr.Generated {
		out.TransactionID = nil
	}
	for _, r := range out.Recipients {
		for _, s := range r.Steps {
			if m := s.Message; m != nil {
				m.ProviderID = workflow.ProviderIDOut(t.providers.prefix, m.ProviderID)
			}
		}
	}
	return out, nil
}
