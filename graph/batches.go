package graph

import (
	"context"

	"github.com/carillon/carillon/ent"
)

// What a door without an operation's loaders asks for once for all records of an answer.

// MessageEvents finds the triggers of messages by their internal ids, as far as messages show them.
func (r *Resolver) MessageEvents(ctx context.Context, messages []*ent.Message) (map[string]*ent.Event, error) {
	ids := make([]string, len(messages))
	for i, m := range messages {
		ids[i] = m.EventID
	}
	return r.Services.Messages.Events(ctx, ids)
}

// WorkflowUsers finds the users whom workflows name by their internal ids.
func (r *Resolver) WorkflowUsers(ctx context.Context, workflows []*ent.Workflow) (map[string]*ent.User, error) {
	var ids []string
	for _, w := range workflows {
		for _, userID := range []*string{w.UpdatedBy, w.LastPublishedBy} {
			if userID != nil {
				ids = append(ids, *userID)
			}
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return r.Services.Workflows.UserBatch(ctx, ids)
}
