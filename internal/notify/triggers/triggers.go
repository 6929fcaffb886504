package triggers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// Limits of a trigger (api.md, Limits; decisions.md §3, §16).
const (
	MaxBulkEvents      = 100
	MaxEventBytes      = 512 << 10 // compact JSON of one event without payload.attachments
	MaxAttachmentBytes = 20 << 20  // decoded files of payload.attachments of one event
)

// Triggers are the use cases that accept events.
type Triggers struct {
	deps      usecase.Deps
	accept    usecase.Acceptor
	explainer usecase.Explainer
	now       func() time.Time
	urls      *audience.WebhookURLs
	log       *slog.Logger
	providers *knownProviders
	count     func(status string, n int)
}

func newTriggers(b usecase.Deps, cfg usecase.Config) *Triggers {
	if cfg.Count == nil {
		cfg.Count = func(string, int) {}
	}
	return &Triggers{
		deps: b, accept: cfg.Accept, explainer: cfg.Explain, now: cfg.Now, count: cfg.Count,
		urls: audience.NewWebhookURLs(cfg.Secrets), log: cmp.Or(cfg.Logger, slog.New(slog.DiscardHandler)),
		providers: newKnownProviders(cfg.Providers, cmp.Or(cfg.Prefix, workflow.OwnPrefix)),
	}
}

// TriggerResult is what became of one event.
type TriggerResult struct {
	Acknowledged bool
	Status       workflow.TriggerStatus
	// Error says what was wrong when the status is error.
	Error         []string
	TransactionID *string
	// EventID is the internal id of the accepted event; nil when nothing was accepted.
	EventID *string
}

// Trigger accepts one event for the recipients it names. Every status is a success of the call; an invalid request and a
// payload that violates the workflow's schema are errors.
func (t *Triggers) Trigger(ctx context.Context, in TriggerInput, options ...TriggerOption) (*TriggerResult, error) {
	return t.one(ctx, in, event.KindTrigger, options)
}

// Broadcast accepts one event for all subscribers that exist now.
func (t *Triggers) Broadcast(ctx context.Context, in TriggerInput, options ...TriggerOption) (*TriggerResult, error) {
	return t.one(ctx, in, event.KindBroadcast, options)
}

// Bulk accepts up to 100 events, each alone: one that is wrong has the status error and leaves the others untouched. The
// results are in the order of the events.
func (t *Triggers) Bulk(ctx context.Context, in []*TriggerInput, options ...TriggerOption) ([]*TriggerResult, error) {
	switch {
	case len(in) == 0:
		return nil, fault.Invalidf("events", "events must hold at least one item")
	case len(in) > MaxBulkEvents:
		return nil, fault.Invalidf("events", "events must not hold more than %d items", MaxBulkEvents)
	}
	triggers, err := t.run(ctx, in, event.KindTrigger, true, options)
	if err != nil {
		return nil, err
	}
	results := make([]*TriggerResult, len(triggers))
	for i, tr := range triggers {
		results[i] = t.bulkResult(ctx, tr)
	}
	return results, nil
}

// Urgent reports whether the events of a workflow are known to be urgent.
func (t *Triggers) Urgent(environmentID, workflow string) bool {
	return t.accept.Urgent(environmentID, workflow)
}

func (t *Triggers) one(ctx context.Context, in TriggerInput, kind event.Kind, options []TriggerOption) (*TriggerResult, error) {
	triggers, err := t.run(ctx, []*TriggerInput{&in}, kind, false, options)
	if err != nil {
		return nil, err
	}
	if triggers[0].outcome.Err != nil {
		return nil, triggers[0].outcome.Err
	}
	return triggers[0].result(), nil
}

// trigger is one event on its way through the use case.
type trigger struct {
	accept.Acceptance
	unnamed  bool // the caller gave no transactionId
	problems fault.Problems
	outcome  accept.Outcome
}

// run parses events, accepts the valid ones and sets the outcomes, in a number of round trips that does not depend on
// how many there are.
func (t *Triggers) run(ctx context.Context, in []*TriggerInput, kind event.Kind, bulk bool, options []TriggerOption) ([]*trigger, error) {
	v, err := usecase.Require(ctx, usecase.TriggerEvents)
	if err != nil {
		return nil, err
	}
	typed := make([]error, len(in))
	for i := range in {
		typed[i] = in[i].encode()
	}
	if err := CheckEventSizes(in, bulk); err != nil {
		return nil, err
	}
	if err := t.resolve(ctx, in); err != nil {
		return nil, err
	}
	triggers, valid := make([]*trigger, len(in)), make([]int, 0, len(in))
	call := accept.Request{Items: make([]accept.Acceptance, 0, len(in))}
	for i, document := range in {
		tr := parseTrigger(document, kind, t.providers)
		triggers[i] = tr
		if tr.outcome.Err = cmp.Or(typed[i], tr.problems.Err()); tr.outcome.Err != nil {
			continue
		}
		t.complete(ctx, v, tr)
		if err := t.urls.SealAccepted(&tr.Acceptance); err != nil {
			return nil, err
		}
		valid = append(valid, i)
		call.Items = append(call.Items, tr.Acceptance)
	}
	if len(valid) == 0 {
		return triggers, nil
	}
	outcomes, err := t.accepted(ctx, call, options, func(outcomes []accept.Outcome) []*TriggerResult {
		return t.settled(ctx, triggers, valid, outcomes, bulk)
	})
	if err != nil {
		return nil, err //nolint:wrapcheck // classified, or says what it did
	}
	for k, i := range valid {
		triggers[i].outcome = outcomes[k]
		if outcomes[k].Err == nil {
			t.count(string(outcomes[k].Status), 1)
		}
	}
	return triggers, nil
}

// settled are the results of triggers whose valid ones have these outcomes; nil when the call as a whole fails.
func (t *Triggers) settled(ctx context.Context, triggers []*trigger, valid []int, outcomes []accept.Outcome, bulk bool) []*TriggerResult {
	results := make([]*TriggerResult, len(triggers))
	for i, tr := range triggers {
		copied := *tr // the request reads its own, and may have given up
		if k, found := slices.BinarySearch(valid, i); found {
			copied.outcome = outcomes[k]
		}
		switch {
		case bulk:
			results[i] = t.bulkResult(ctx, &copied)
		case copied.outcome.Err != nil:
			return nil
		default:
			results[i] = copied.result()
		}
	}
	return results
}

// complete sets what does not come from the caller's document.
func (t *Triggers) complete(ctx context.Context, v viewer.Viewer, tr *trigger) {
	tr.EnvironmentID = v.EnvironmentID
	tr.RequestID = viewer.RequestID(ctx)
	tr.TraceParent = traceParent(ctx)
	if tr.TransactionID != "" {
		return
	}
	tr.unnamed = true
	if made, ok := transactionID(ctx); ok {
		tr.TransactionID = made
		return
	}
	tr.TransactionID, tr.Generated = workflow.GeneratedPrefix+id.New(t.now()), true
}

// traceParent is the W3C form of the present span, so that fan-out continues the request's trace.
func traceParent(ctx context.Context) string {
	span := trace.SpanContextFromContext(ctx)
	if !span.IsValid() {
		return ""
	}
	return fmt.Sprintf("00-%s-%s-%s", span.TraceID(), span.SpanID(), span.TraceFlags())
}

func (tr *trigger) result() *TriggerResult {
	r := &TriggerResult{Acknowledged: true, Status: tr.outcome.Status}
	if tr.TransactionID != "" {
		r.TransactionID = &tr.TransactionID
	}
	if tr.outcome.EventID != "" {
		r.EventID = &tr.outcome.EventID
	}
	if tr.outcome.Error != "" {
		r.Error = []string{tr.outcome.Error}
	}
	return r
}

// bulkResult is result for one of several events: its failure becomes a status, and a status error shows only a
// transactionId that the caller gave.
func (t *Triggers) bulkResult(ctx context.Context, tr *trigger) *TriggerResult {
	r := tr.result()
	if tr.outcome.Err != nil {
		r.Status, r.Error = workflow.TriggerError, t.texts(ctx, tr.outcome.Err)
	}
	if r.Status == workflow.TriggerError && tr.unnamed {
		r.TransactionID = nil
	}
	return r
}

// texts words the failure of one event of several: one text per problem. An unexpected failure is logged here, because
// the call succeeds.
func (t *Triggers) texts(ctx context.Context, err error) []string {
	var f *fault.Error
	switch {
	case !errors.As(err, &f) || f.Kind == fault.Internal:
		t.log.ErrorContext(ctx, "an event of several was not accepted", slog.Any("error", err))
		return []string{"The event could not be accepted because of an internal error."}
	case f.Kind != fault.Invalid:
		return []string{f.Message}
	}
	texts := make([]string, len(f.Fields))
	for i, field := range f.Fields {
		texts[i] = field.Message
		if field.Path != general {
			texts[i] = field.Path + " " + field.Message
		}
	}
	return texts
}
