package integrations

import (
	"context"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/notify/usecase"
)

// What belongs to other records, as nested lists show it: for all of them at once, by their internal ids. Each costs one
// query, one more with a cursor, and one more for totals.

// OfSubscribers reads channel endpoints of subscribers, newest first.
func (c *ChannelEndpoints) OfSubscribers(ctx context.Context, ids []string, page usecase.Page) (map[string]*usecase.Connection[ent.ChannelEndpoint], error) {
	return usecase.ReadEach(ctx, c.Deps, usecase.ReadAudience, func(db *ent.Client) *ent.ChannelEndpointQuery { return db.ChannelEndpoint.Query() },
		usecase.Relation{Column: "subscriber_id", Order: usecase.NewestFirst}, ids, page)
}

// OfMessages reads receipts of messages in order of their arrival.
func (r *Receipts) OfMessages(ctx context.Context, ids []string, page usecase.Page) (map[string]*usecase.Connection[ent.Receipt], error) {
	return usecase.ReadEach(ctx, r.Deps, usecase.ReadActivity, func(db *ent.Client) *ent.ReceiptQuery { return db.Receipt.Query() },
		usecase.Relation{Column: "message_id", Order: usecase.OldestFirst}, ids, page)
}
