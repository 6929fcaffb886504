package integrations

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/reply"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/secret"
)

// Replies are the use cases of mails that answered ours.
type Replies struct {
	usecase.Deps
	secrets *secret.Keeper
	domain  string // empty: replies are not received
}

// ReplyConnection is a page of replies.
type ReplyConnection = usecase.Connection[ent.Reply]

// ReplyEdge is one reply of a page.
type ReplyEdge = usecase.Edge[ent.Reply]

// ReplyFilter narrows a list of replies; the fields that are set combine with AND.
type ReplyFilter struct {
	MessageID     *string // global or internal id
	StatusIn      []reply.Status
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *ReplyFilter) predicates() (ps []predicate.Reply, values usecase.Values) {
	if f == nil {
		return nil, values
	}
	if f.MessageID != nil {
		ps = append(ps, reply.MessageIDIn(usecase.PlainIDs("Message", []string{*f.MessageID})...))
	}
	if f.StatusIn != nil {
		ps = append(ps, reply.StatusIn(f.StatusIn...))
	}
	return usecase.Created(ps, &values, f.CreatedAfter, f.CreatedBefore, 0), values
}

// List is a page of replies.
func (r *Replies) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *ReplyFilter) (*ReplyConnection, error) {
	return usecase.Read(ctx, r.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (*ReplyConnection, error) {
		ps, values := filter.predicates()
		return usecase.Paginate(ctx, db.Reply.Query(), ps, page, r.Newest(order, values))
	})
}

// Get is one reply by its global or internal id.
func (r *Replies) Get(ctx context.Context, globalID string) (*ent.Reply, error) {
	recordID, err := usecase.RecordID("Reply", globalID)
	if err != nil {
		return nil, err
	}
	return r.one(ctx, globalID, reply.ID(recordID))
}

// ByMailID is one reply by the message that it answers and its Message-ID.
func (r *Replies) ByMailID(ctx context.Context, messageID, mailID string) (*ent.Reply, error) {
	return r.one(ctx, mailID, reply.MessageIDIn(usecase.PlainIDs("Message", []string{messageID})...), reply.MailID(mailID))
}

func (r *Replies) one(ctx context.Context, name string, ps ...predicate.Reply) (*ent.Reply, error) {
	return usecase.Read(ctx, r.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (*ent.Reply, error) {
		found, err := db.Reply.Query().Where(ps...).Only(ctx)
		return found, usecase.NotFound(err, "Reply %s was not found.", name)
	})
}
