package rest

import (
	"context"
	"net/http"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/notify/triggers"
	"github.com/carillon/carillon/internal/workflow"
)

// triggerPattern is the route that takes one event for those whom it names.
const triggerPattern = "/v1/events/trigger"

// bulkPattern is the route that takes several events.
const bulkPattern = "/v1/events/trigger/bulk"

var eventRoutes = []Route{{
	Method: http.MethodPost, Pattern: triggerPattern, Category: admission.CategoryTrigger, MaxBody: maxEventsBody,
	ID: "triggerEvent", Tag: tagEvents, Summary: "Trigger event",
	Text: "Starts the workflow for the recipients. The status says what became of the event; most failures are one of its values, not an error.",
	body: triggers.TriggerShape, Success: http.StatusCreated, answer: one[triggerResponse](),
	Failures: []int{http.StatusUnprocessableEntity}, run: (*server).trigger,
}, {
	Method: http.MethodPost, Pattern: "/v1/events/trigger/broadcast", Category: admission.CategoryTrigger, MaxBody: maxEventsBody, Cost: admission.BulkCost,
	ID: "broadcastEvent", Tag: tagEvents, Summary: "Broadcast event to all", Text: "Starts the workflow for all subscribers that exist now.",
	body: triggers.BroadcastShape, Success: http.StatusOK, answer: one[triggerResponse](),
	Failures: []int{http.StatusUnprocessableEntity}, run: (*server).broadcast,
}, {
	Method: http.MethodPost, Pattern: bulkPattern, Category: admission.CategoryTrigger, MaxBody: maxEventsBody, Cost: admission.BulkCost,
	ID: "bulkTriggerEvents", Tag: tagEvents, Summary: "Bulk trigger event", Text: "One result per event, in order.",
	body: triggers.BulkShape, Success: http.StatusCreated, answer: many[triggerResponse](),
	Failures: []int{http.StatusUnprocessableEntity}, run: (*server).bulkTrigger,
}}

// triggerResponse is the Trigger response of api.md; jobData is never sent.
type triggerResponse struct {
	_             struct{}               `doc:"What became of an event."`
	Acknowledged  bool                   `json:"acknowledged" doc:"Always true."`
	Status        workflow.TriggerStatus `json:"status"`
	Error         []string               `json:"error,omitempty" doc:"What was wrong, with the status error."`
	TransactionID *string                `json:"transactionId,omitempty"`
}

func triggerView(r *triggers.TriggerResult) triggerResponse {
	return triggerResponse{Acknowledged: r.Acknowledged, Status: r.Status, Error: r.Error, TransactionID: r.TransactionID}
}

func (s *server) trigger(ctx context.Context, in *Input) (*Reply, error) {
	reply := func(results []*triggers.TriggerResult) *Reply {
		return in.reply(triggerView(results[0]))
	}
	result, err := s.Resolvers.Services.Triggers.Trigger(ctx, *triggers.NewTriggerInput(in.Body, in.Fields), in.accepting(reply)...)
	if err != nil {
		return nil, err
	}
	noteTriggers(in, result)
	return reply([]*triggers.TriggerResult{result}), nil
}

func (s *server) broadcast(ctx context.Context, in *Input) (*Reply, error) {
	reply := func(results []*triggers.TriggerResult) *Reply {
		return in.reply(triggerView(results[0]))
	}
	result, err := s.Resolvers.Services.Triggers.Broadcast(ctx, *triggers.NewTriggerInput(in.Body, in.Fields), in.accepting(reply)...)
	if err != nil {
		return nil, err
	}
	noteTriggers(in, result)
	return reply([]*triggers.TriggerResult{result}), nil
}

func (s *server) bulkTrigger(ctx context.Context, in *Input) (*Reply, error) {
	inputs, err := in.events()
	if err != nil {
		return nil, err
	}
	reply := func(results []*triggers.TriggerResult) *Reply {
		return in.reply(views(results, triggerView))
	}
	results, err := s.Resolvers.Services.Triggers.Bulk(ctx, inputs, in.accepting(reply)...)
	if err != nil {
		return nil, err
	}
	noteTriggers(in, results...)
	return reply(results), nil
}

// events are the events of a bulk trigger; none when there are none.
func (in *Input) events() ([]*triggers.TriggerInput, error) {
	documents, err := in.list("events")
	inputs := make([]*triggers.TriggerInput, len(documents))
	for i, document := range documents {
		inputs[i] = triggers.NewTriggerInput(document, nil)
	}
	return inputs, err
}

// checkEventSizes refuses events that are too large before an idempotency key is looked at (decisions.md §3, Order of
// checks). A body that is short enough for one event holds no larger ones.
func (in *Input) checkEventSizes() error {
	if len(in.Body) <= triggers.MaxEventBytes {
		return nil
	}
	if in.request.route.Pattern != bulkPattern {
		return triggers.CheckEventSizes([]*triggers.TriggerInput{triggers.NewTriggerInput(in.Body, in.Fields)}, false)
	}
	events, err := in.events()
	if err != nil {
		return nil //nolint:nilerr // a fault of a field, which is reported in its turn
	}
	return triggers.CheckEventSizes(events, true)
}

// noteTriggers names the transactions in the request's log line.
func noteTriggers(in *Input, results ...*triggers.TriggerResult) {
	ids := make([]string, 0, len(results))
	for _, r := range results {
		if r.TransactionID != nil {
			ids = append(ids, *r.TransactionID)
		}
	}
	in.Note("transaction_ids", ids)
}
