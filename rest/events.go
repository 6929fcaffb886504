package rest

import (
	"context"
	"net/http"

	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/workflow"
)

// triggerResponse is the Trigger response of api.md; jobData is never sent.
type triggerResponse struct {
	Acknowledged  bool                   `json:"acknowledged"`
	Status        workflow.TriggerStatus `json:"status"`
	Error         []string               `json:"error,omitempty"`
	TransactionID *string                `json:"transactionId,omitempty"`
}

func triggerView(r *notify.TriggerResult) triggerResponse {
	return triggerResponse{Acknowledged: r.Acknowledged, Status: r.Status, Error: r.Error, TransactionID: r.TransactionID}
}

// POST /v1/events/trigger
func (s *server) trigger(ctx context.Context, in *Input) (*Reply, error) {
	reply := func(results []*notify.TriggerResult) *Reply {
		return &Reply{Status: http.StatusCreated, Body: triggerView(results[0])}
	}
	result, err := s.Resolvers.Mutation().TriggerEvent(in.accepting(ctx, reply), *notify.NewTriggerInput(in.Body, in.Fields))
	if err != nil {
		return nil, err
	}
	noteTriggers(in, result)
	return reply([]*notify.TriggerResult{result}), nil
}

// POST /v1/events/trigger/broadcast
func (s *server) broadcast(ctx context.Context, in *Input) (*Reply, error) {
	reply := func(results []*notify.TriggerResult) *Reply {
		return &Reply{Status: http.StatusOK, Body: triggerView(results[0])}
	}
	result, err := s.Resolvers.Mutation().BroadcastEvent(in.accepting(ctx, reply), *notify.NewTriggerInput(in.Body, in.Fields))
	if err != nil {
		return nil, err
	}
	noteTriggers(in, result)
	return reply([]*notify.TriggerResult{result}), nil
}

// POST /v1/events/trigger/bulk
func (s *server) bulkTrigger(ctx context.Context, in *Input) (*Reply, error) {
	inputs, err := in.events()
	if err != nil {
		return nil, err
	}
	reply := func(results []*notify.TriggerResult) *Reply {
		return &Reply{Status: http.StatusCreated, Body: views(results, triggerView)}
	}
	results, err := s.Resolvers.Mutation().BulkTriggerEvents(in.accepting(ctx, reply), inputs)
	if err != nil {
		return nil, err
	}
	noteTriggers(in, results...)
	return reply(results), nil
}

// events are the events of a bulk trigger; none when there are none.
func (in *Input) events() ([]*notify.TriggerInput, error) {
	documents, err := in.list("events")
	inputs := make([]*notify.TriggerInput, len(documents))
	for i, document := range documents {
		inputs[i] = notify.NewTriggerInput(document, nil)
	}
	return inputs, err
}

// checkEventSizes refuses events that are too large before an idempotency key is looked at (decisions.md §3, Order of
// checks). A body that is short enough for one event holds no larger ones.
func (in *Input) checkEventSizes() error {
	if len(in.Body) <= notify.MaxEventBytes {
		return nil
	}
	if in.request.route.Pattern != bulkPattern {
		return notify.CheckEventSizes([]*notify.TriggerInput{notify.NewTriggerInput(in.Body, in.Fields)}, false)
	}
	events, err := in.events()
	if err != nil {
		return nil //nolint:nilerr // a fault of a field, which is told in its turn
	}
	return notify.CheckEventSizes(events, true)
}

// noteTriggers names the transactions in the request's log line.
func noteTriggers(in *Input, results ...*notify.TriggerResult) {
	ids := make([]string, 0, len(results))
	for _, r := range results {
		if r.TransactionID != nil {
			ids = append(ids, *r.TransactionID)
		}
	}
	in.Note("transaction_ids", ids)
}
