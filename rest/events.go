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
	result, err := s.Resolvers.Mutation().TriggerEvent(ctx, *notify.NewTriggerInput(in.Body, in.Fields))
	if err != nil {
		return nil, err
	}
	noteTriggers(in, result)
	return &Reply{http.StatusCreated, triggerView(result)}, nil
}

// POST /v1/events/trigger/broadcast
func (s *server) broadcast(ctx context.Context, in *Input) (*Reply, error) {
	result, err := s.Resolvers.Mutation().BroadcastEvent(ctx, *notify.NewTriggerInput(in.Body, in.Fields))
	if err != nil {
		return nil, err
	}
	noteTriggers(in, result)
	return &Reply{http.StatusOK, triggerView(result)}, nil
}

// POST /v1/events/trigger/bulk
func (s *server) bulkTrigger(ctx context.Context, in *Input) (*Reply, error) {
	events, err := in.list("events")
	if err != nil {
		return nil, err
	}
	inputs := make([]*notify.TriggerInput, len(events))
	for i, document := range events {
		inputs[i] = notify.NewTriggerInput(document, nil)
	}
	results, err := s.Resolvers.Mutation().BulkTriggerEvents(ctx, inputs)
	if err != nil {
		return nil, err
	}
	noteTriggers(in, results...)
	views := make([]triggerResponse, len(results))
	for i, r := range results {
		views[i] = triggerView(r)
	}
	return &Reply{http.StatusCreated, views}, nil
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
