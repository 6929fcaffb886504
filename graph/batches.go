package graph

import (
	"context"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/notify/inbox"
)

// What a door without an operation's loaders asks for once for all records of an answer.

// MessageParents finds what messages show besides themselves: their triggers, and their subscribers with channel settings.
func (r *Resolver) MessageParents(ctx context.Context, messages []*ent.Message) (*inbox.MessageParents, error) {
	return r.Services.Messages.Parents(ctx, messages)
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
