package audience

import (
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/topic"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// Topics are the use cases of topics: named sets of subscribers.
type Topics struct{ usecase.Deps }

// TopicConnection is a page of topics.
type TopicConnection = usecase.Connection[ent.Topic]

// TopicEdge is one topic of a page.
type TopicEdge = usecase.Edge[ent.Topic]

// TopicFilter narrows a list of topics; the fields that are set combine with AND.
type TopicFilter struct {
	KeyIn         []string
	KeyContains   *string // case-insensitive
	NameContains  *string // case-insensitive
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *TopicFilter) predicates() (ps []predicate.Topic) {
	if f == nil {
		return nil
	}
	if f.KeyIn != nil {
		ps = append(ps, topic.KeyIn(f.KeyIn...))
	}
	ps = usecase.WithFilter(ps, f.KeyContains, topic.KeyContainsFold)
	ps = usecase.WithFilter(ps, f.NameContains, topic.NameContainsFold)
	ps = usecase.WithFilter(ps, f.CreatedAfter, topic.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, topic.CreatedAtLT)
}

// List is a page of topics.
func (t *Topics) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *TopicFilter) (*TopicConnection, error) {
	return usecase.Read(ctx, t.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*TopicConnection, error) {
		return usecase.Paginate(ctx, db.Topic.Query(), filter.predicates(), page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one topic by its global or internal id.
func (t *Topics) Get(ctx context.Context, globalID string) (*ent.Topic, error) {
	recordID, err := usecase.RecordID("Topic", globalID)
	if err != nil {
		return nil, err
	}
	return t.one(ctx, topic.ID(recordID), globalID)
}

// ByKey is one topic by its key.
func (t *Topics) ByKey(ctx context.Context, key string) (*ent.Topic, error) {
	return t.one(ctx, topic.Key(key), key)
}

func (t *Topics) one(ctx context.Context, p predicate.Topic, name string) (*ent.Topic, error) {
	return usecase.Read(ctx, t.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ent.Topic, error) {
		found, err := db.Topic.Query().Where(p).Only(ctx)
		return found, usecase.NotFound(err, "Topic %s was not found.", name)
	})
}

// CreateTopicInput describes a new topic.
type CreateTopicInput struct {
	Key  string // decisions.md §1, topic key
	Name *string
}

// WrongTopicKey is what is said of a key that no topic can have.
const WrongTopicKey = "must be 1 to 255 letters, digits, '-', '_', ':' or '.', other than . and .., or an e-mail address"

// Create makes a topic. A key that is taken is a conflict.
func (t *Topics) Create(ctx context.Context, in CreateTopicInput) (*ent.Topic, error) {
	var problems fault.Problems
	if !workflow.ValidTopicKey(in.Key) {
		problems.Add("key", nil, WrongTopicKey)
	}
	usecase.CheckText(&problems, "name", in.Name, usecase.MaxNameLength)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return usecase.Write(ctx, t.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.Topic, error) {
		created, err := db.Topic.Create().SetKey(in.Key).SetNillableName(in.Name).Save(ctx)
		if err != nil {
			return nil, usecase.AlreadyExists(err, "Topic %s exists already.", in.Key)
		}
		return created, usecase.Audit(ctx, db, "create", created, map[string]any{"key": in.Key})
	})
}

// UpdateTopicInput changes a topic; absent fields stay as they are, null clears.
type UpdateTopicInput struct {
	ID   string
	Name graphql.Omittable[*string]
}

// Update changes a topic.
func (t *Topics) Update(ctx context.Context, in UpdateTopicInput) (*ent.Topic, error) {
	var problems fault.Problems
	usecase.CheckText(&problems, "name", in.Name.Value(), usecase.MaxNameLength)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return usecase.Write(ctx, t.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.Topic, error) {
		found, err := t.Get(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		change := found.Update()
		usecase.SetOrClear(in.Name, change.SetName, change.ClearName)
		updated, err := change.Save(ctx)
		if err != nil {
			return nil, err
		}
		return updated, usecase.Audit(ctx, db, "update", updated, nil)
	})
}

// Delete removes a topic with its subscriptions and answers what was removed.
func (t *Topics) Delete(ctx context.Context, globalID string) (*ent.Topic, error) {
	return usecase.Write(ctx, t.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.Topic, error) {
		found, err := t.Get(ctx, globalID)
		if err != nil {
			return nil, err
		}
		if err := db.Topic.DeleteOne(found).Exec(ctx); err != nil {
			return nil, err
		}
		return found, usecase.Audit(ctx, db, "delete", found, nil)
	})
}

// Batch finds topics by internal id, for nested fields. Cost: one query.
func (t *Topics) Batch(ctx context.Context, ids []string) (map[string]*ent.Topic, error) {
	return usecase.Read(ctx, t.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (map[string]*ent.Topic, error) {
		rows, err := db.Topic.Query().Where(topic.IDIn(ids...)).All(ctx)
		return usecase.ByID(rows), err
	})
}
