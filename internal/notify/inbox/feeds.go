package inbox

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/feed"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// Feeds are the use cases of feeds: named streams of in-app messages.
type Feeds struct{ usecase.Deps }

// FeedConnection is a page of feeds.
type FeedConnection = usecase.Connection[ent.Feed]

// FeedEdge is one feed of a page.
type FeedEdge = usecase.Edge[ent.Feed]

// FeedFilter narrows a list of feeds; the fields that are set combine with AND.
type FeedFilter struct {
	IdentifierIn  []string
	NameContains  *string // case-insensitive
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *FeedFilter) predicates() (ps []predicate.Feed) {
	if f == nil {
		return nil
	}
	if f.IdentifierIn != nil {
		ps = append(ps, feed.IdentifierIn(f.IdentifierIn...))
	}
	ps = usecase.WithFilter(ps, f.NameContains, feed.NameContainsFold)
	ps = usecase.WithFilter(ps, f.CreatedAfter, feed.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, feed.CreatedAtLT)
}

// List is a page of feeds.
func (f *Feeds) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *FeedFilter) (*FeedConnection, error) {
	return usecase.Read(ctx, f.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (*FeedConnection, error) {
		return usecase.Paginate(ctx, db.Feed.Query(), filter.predicates(), page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one feed by its global or internal id.
func (f *Feeds) Get(ctx context.Context, globalID string) (*ent.Feed, error) {
	recordID, err := usecase.RecordID("Feed", globalID)
	if err != nil {
		return nil, err
	}
	return f.one(ctx, feed.ID(recordID), globalID)
}

// ByIdentifier is one feed by its identifier.
func (f *Feeds) ByIdentifier(ctx context.Context, identifier string) (*ent.Feed, error) {
	return f.one(ctx, feed.Identifier(identifier), identifier)
}

func (f *Feeds) one(ctx context.Context, p predicate.Feed, name string) (*ent.Feed, error) {
	return usecase.Read(ctx, f.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (*ent.Feed, error) {
		found, err := db.Feed.Query().Where(p).Only(ctx)
		return found, usecase.NotFound(err, "Feed %s was not found.", name)
	})
}

// CreateFeedInput describes a new feed.
type CreateFeedInput struct {
	Identifier string // as a workflow's trigger identifier, decisions.md §1
	Name       string
}

// Create makes a feed. An identifier that is taken is a conflict.
func (f *Feeds) Create(ctx context.Context, in CreateFeedInput) (*ent.Feed, error) {
	var p fault.Problems
	if !workflow.ValidWorkflowIdentifier(in.Identifier) {
		p.Add("identifier", in.Identifier, "must be 1 to 255 letters, digits, '-', '_' or '.'")
	}
	usecase.CheckName(&p, "name", in.Name)
	if p.Any() {
		return nil, p.Err()
	}
	return usecase.Write(ctx, f.Deps, usecase.WriteContent, func(ctx context.Context, db *ent.Client) (*ent.Feed, error) {
		created, err := db.Feed.Create().SetIdentifier(in.Identifier).SetName(in.Name).Save(ctx)
		if err != nil {
			return nil, usecase.AlreadyExists(err, "Feed %s exists already.", in.Identifier)
		}
		return created, usecase.Audit(ctx, db, "create", created, map[string]any{"identifier": in.Identifier})
	})
}

// UpdateFeedInput changes a feed; absent fields stay as they are.
type UpdateFeedInput struct {
	ID   string
	Name *string
}

// Update changes a feed.
func (f *Feeds) Update(ctx context.Context, in UpdateFeedInput) (*ent.Feed, error) {
	var p fault.Problems
	usecase.CheckGivenName(&p, "name", in.Name)
	if p.Any() {
		return nil, p.Err()
	}
	return usecase.Write(ctx, f.Deps, usecase.WriteContent, func(ctx context.Context, db *ent.Client) (*ent.Feed, error) {
		found, err := f.Get(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		updated, err := db.Feed.UpdateOne(found).SetNillableName(in.Name).Save(ctx)
		if err != nil {
			return nil, err
		}
		return updated, usecase.Audit(ctx, db, "update", updated, nil)
	})
}

// Delete removes a feed and answers what was removed. Its messages stay, and keep naming it.
func (f *Feeds) Delete(ctx context.Context, globalID string) (*ent.Feed, error) {
	return usecase.Write(ctx, f.Deps, usecase.WriteContent, func(ctx context.Context, db *ent.Client) (*ent.Feed, error) {
		found, err := f.Get(ctx, globalID)
		if err != nil {
			return nil, err
		}
		if err := db.Feed.DeleteOne(found).Exec(ctx); err != nil {
			return nil, err
		}
		return found, usecase.Audit(ctx, db, "delete", found, nil)
	})
}

// Batch finds feeds by internal id, for nested fields. Cost: one query.
func (f *Feeds) Batch(ctx context.Context, ids []string) (map[string]*ent.Feed, error) {
	return usecase.Read(ctx, f.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (map[string]*ent.Feed, error) {
		rows, err := db.Feed.Query().Where(feed.IDIn(ids...)).All(ctx)
		return usecase.ByID(rows), err
	})
}

// FeedID is the internal id of a message's feed; nil when it lies in none. Messages of earlier releases may hold an identifier
// in its place, by which no list ever found them.
func FeedID(m *ent.Message) *string {
	if m.FeedID == nil || !id.Valid(*m.FeedID) {
		return nil
	}
	return m.FeedID
}
