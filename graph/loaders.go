package graph

import (
	"context"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vikstrous/dataloadgen"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/audience"
)

// Loaders gather what the nested fields of one operation ask for, so that a page of records costs one query per kind of
// nested record and not one per row.
type Loaders struct {
	mu    sync.Mutex
	named map[string]any // loaders that are made when they are asked for, by their names; see kept

	subscribers             *dataloadgen.Loader[string, *ent.Subscriber]
	topics                  *dataloadgen.Loader[string, *ent.Topic]
	subscriptions           *dataloadgen.Loader[string, *ent.Subscription]
	tenants                 *dataloadgen.Loader[string, *ent.Tenant]
	feeds                   *dataloadgen.Loader[string, *ent.Feed]
	events                  *dataloadgen.Loader[string, *ent.Event]
	workflows               *dataloadgen.Loader[string, *audience.WorkflowSummary]
	versions                *dataloadgen.Loader[string, *ent.WorkflowVersion]
	users                   *dataloadgen.Loader[string, *ent.User]
	subscriptionPreferences *dataloadgen.Loader[string, []*ent.SubscriptionPreference]
}

const (
	// loadWait is how long the first field waits for its siblings, which gqlgen resolves side by side.
	loadWait = time.Millisecond
	// loadBatch bounds the keys of one query.
	loadBatch = 1000
)

func newLoaders(s *notify.Services) *Loaders {
	return &Loaders{
		named: map[string]any{},

		subscribers:             batched(s.Subscribers.Batch),
		topics:                  batched(s.Topics.Batch),
		subscriptions:           batched(s.Subscriptions.Batch),
		tenants:                 batched(s.Tenants.Batch),
		feeds:                   batched(s.Feeds.Batch),
		events:                  batched(s.Messages.Events),
		workflows:               batched(s.Preferences.Summaries),
		versions:                batched(s.Workflows.VersionBatch),
		users:                   batched(s.Workflows.UserBatch),
		subscriptionPreferences: batched(s.SubscriptionPreferences.OfSubscriptions),
	}
}

// batched makes a loader whose value is zero for a key without a record: the record went, the field is null.
func batched[V any](find func(ctx context.Context, keys []string) (map[string]V, error)) *dataloadgen.Loader[string, V] {
	return dataloadgen.NewLoader(func(ctx context.Context, keys []string) ([]V, []error) {
		found, err := find(ctx, keys)
		if err != nil {
			return nil, []error{err}
		}
		values := make([]V, len(keys))
		for i, key := range keys {
			values[i] = found[key]
		}
		return values, nil
	}, dataloadgen.WithWait(loadWait), dataloadgen.WithBatchCapacity(loadBatch))
}

type loadersKey struct{}

// withLoaders gives an operation its own loaders: what they keep is as old as the operation, never older. See also loadersOfMutations
// and freshLoaders.
func withLoaders(s *notify.Services) graphql.OperationMiddleware {
	return func(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
		return next(withFreshLoaders(ctx, s))
	}
}

// withFreshLoaders puts loaders into ctx that are made on first use: ten thousand subscriptions wait for their next event.
func withFreshLoaders(ctx context.Context, s *notify.Services) context.Context {
	return context.WithValue(ctx, loadersKey{}, sync.OnceValue(func() *Loaders { return newLoaders(s) }))
}

// load is the operation's loaders. Outside an operation each call has its own, which makes every field a query.
func (r *Resolver) load(ctx context.Context) *Loaders {
	if loaders, ok := ctx.Value(loadersKey{}).(func() *Loaders); ok {
		return loaders()
	}
	return newLoaders(r.Services)
}

// named loads a record by an id that may be empty.
func named[V any](ctx context.Context, loader *dataloadgen.Loader[string, V], key string) (V, error) {
	if key == "" {
		return *new(V), nil
	}
	return loader.Load(ctx, key)
}

// embedded is the record that came with its parent, else the one that a loader finds.
func embedded[V any](ctx context.Context, have *V, loader *dataloadgen.Loader[string, *V], key string) (*V, error) {
	if have != nil {
		return have, nil
	}
	return named(ctx, loader, key)
}

// freshLoaders gives every event of a subscription its own loaders: what they keep is as old as the event.
func freshLoaders(s *notify.Services) graphql.ResponseMiddleware {
	return func(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
		if graphql.HasOperationContext(ctx) {
			if op := graphql.GetOperationContext(ctx).Operation; op != nil && op.Operation == ast.Subscription {
				ctx = withFreshLoaders(ctx, s)
			}
		}
		return next(ctx)
	}
}

// loadersOfMutations gives every mutation of an operation its own loaders: those before it may have changed what they keep.
func loadersOfMutations(s *notify.Services) graphql.RootFieldMiddleware {
	return func(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
		if graphql.GetOperationContext(ctx).Operation.Operation == ast.Mutation {
			ctx = withFreshLoaders(ctx, s)
		}
		return next(ctx)
	}
}
