package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/vikstrous/dataloadgen"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/provider"
)

// kept is the loader of that name among an operation's; find makes it when it is asked for first.
func kept[V any](l *Loaders, name string, find func(ctx context.Context, keys []string) (map[string]V, error)) *dataloadgen.Loader[string, V] {
	l.mu.Lock()
	defer l.mu.Unlock()
	if have, ok := l.named[name].(*dataloadgen.Loader[string, V]); ok {
		return have
	}
	made := batched(find)
	l.named[name] = made
	return made
}

// record is the record of a type by its internal id; null without an id, and when there is no such record for the viewer.
func (r *Resolver) record(ctx context.Context, typ, recordID string) (ent.Node, error) {
	return named(ctx, kept(r.load(ctx), typ, func(ctx context.Context, ids []string) (map[string]ent.Node, error) {
		return r.Services.OfType(ctx, typ, ids)
	}), recordID)
}

// edge is the record that another one names by its internal id, as record finds it. What reading it needs is given by
// usecase.Nodes.
func edge[T any](ctx context.Context, r *Resolver, recordID string) (*T, error) {
	found, err := r.record(ctx, reflect.TypeFor[T]().Name(), recordID)
	node, _ := any(found).(*T)
	return node, err
}

// nested is what belongs to an owner: a page of a list, or figures. name and args distinguish the lists of an operation; the
// owners of one list are asked for together.
func nested[V any](ctx context.Context, r *Resolver, name string, args any, owner string, find func(ctx context.Context, owners []string) (map[string]V, error)) (V, error) {
	text, err := json.Marshal(args)
	if err != nil {
		return *new(V), fmt.Errorf("arguments of %s: %w", name, err)
	}
	return kept(r.load(ctx), name+string(text), find).Load(ctx, owner)
}

// list is nested for a page that has no arguments but those of every page.
func list[T any](ctx context.Context, r *Resolver, name string, p usecase.Page, owner string,
	find func(ctx context.Context, owners []string, p usecase.Page) (map[string]*usecase.Connection[T], error),
) (*usecase.Connection[T], error) {
	return nested(ctx, r, name, p, owner, func(ctx context.Context, owners []string) (map[string]*usecase.Connection[T], error) {
		return find(ctx, owners, p)
	})
}

// providerOf is the provider that a record names; null when this server has none such.
func (r *Resolver) providerOf(ctx context.Context, providerID string) (*provider.Definition, error) {
	return r.Services.Providers.Of(ctx, providerID)
}

// actorTypes are the types of those who are recorded in the audit, by the word for them.
var actorTypes = map[string]string{"user": "User", "api_key": "APIKey", "organization_key": "OrganizationKey"}
