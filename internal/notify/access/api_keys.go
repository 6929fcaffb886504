package access

import (
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/apikey"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccess"
	"github.com/carillon/carillon/internal/viewer"
)

// APIKeys are the use cases of API keys. A key belongs to one environment and may do there what its scopes say; an admin of
// the organization manages the keys of all its environments, by naming the environment.
type APIKeys struct {
	usecase.Deps
	environments *Environments
}

// APIKeyConnection is a page of API keys.
type APIKeyConnection = usecase.Connection[ent.APIKey]

// APIKeyEdge is one API key of a page.
type APIKeyEdge = usecase.Edge[ent.APIKey]

// APIKeyFilter narrows a list of API keys; the fields that are set combine with AND.
type APIKeyFilter struct {
	NameContains   *string // case-insensitive
	Hint           *string
	Revoked        *bool
	ExpiresBefore  *time.Time
	LastUsedBefore *time.Time
	CreatedAfter   *time.Time
	CreatedBefore  *time.Time
}

func (f *APIKeyFilter) predicates() (ps []predicate.APIKey) {
	if f == nil {
		return nil
	}
	ps = usecase.WithFilter(ps, f.NameContains, apikey.NameContainsFold)
	ps = usecase.WithFilter(ps, f.Hint, apikey.Hint)
	ps = usecase.WithFilter(ps, f.Revoked, func(revoked bool) predicate.APIKey {
		if revoked {
			return apikey.RevokedAtNotNil()
		}
		return apikey.RevokedAtIsNil()
	})
	ps = usecase.WithFilter(ps, f.ExpiresBefore, apikey.ExpiresAtLT)
	ps = usecase.WithFilter(ps, f.LastUsedBefore, apikey.LastUsedAtLT)
	ps = usecase.WithFilter(ps, f.CreatedAfter, apikey.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, apikey.CreatedAtLT)
}

// List is a page of the keys of an environment; nil: the viewer's own.
func (k *APIKeys) List(ctx context.Context, environmentID *string, page usecase.Page, order *usecase.Order, filter *APIKeyFilter) (*APIKeyConnection, error) {
	ctx, err := k.environments.enter(ctx, environmentID)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, k.Deps, usecase.ManageKeys, func(ctx context.Context, db *ent.Client) (*APIKeyConnection, error) {
		return usecase.Paginate(ctx, db.APIKey.Query(), filter.predicates(), page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one key of an environment (nil: the viewer's own) by its global or internal id.
func (k *APIKeys) Get(ctx context.Context, environmentID *string, globalID string) (*ent.APIKey, error) {
	ctx, err := k.environments.enter(ctx, environmentID)
	if err != nil {
		return nil, err
	}
	recordID, err := usecase.RecordID("APIKey", globalID)
	if err != nil {
		return nil, err
	}
	return k.one(ctx, apikey.ID(recordID), globalID)
}

// ByHint is the newest key of an environment (nil: the viewer's own) that ends with the given characters.
func (k *APIKeys) ByHint(ctx context.Context, environmentID *string, hint string) (*ent.APIKey, error) {
	ctx, err := k.environments.enter(ctx, environmentID)
	if err != nil {
		return nil, err
	}
	return k.one(ctx, apikey.Hint(hint), "…"+hint)
}

func (k *APIKeys) one(ctx context.Context, p predicate.APIKey, name string) (*ent.APIKey, error) {
	return usecase.Read(ctx, k.Deps, usecase.ManageKeys, func(ctx context.Context, db *ent.Client) (*ent.APIKey, error) {
		found, err := db.APIKey.Query().Where(p).Order(ent.Desc(apikey.FieldID)).First(ctx)
		return found, usecase.NotFound(err, "API key %s was not found.", name)
	})
}

// CreateAPIKeyInput describes a new key.
type CreateAPIKeyInput struct {
	Name          string
	EnvironmentID *string // nil: the viewer's own environment
	Scopes        []viewer.Grant
	Preset        *viewer.Preset // instead of Scopes; without either: all that the viewer may give
	ExpiresAt     *time.Time     // nil: never
}

// grants returns what the new key is to do.
func (in *CreateAPIKeyInput) grants(ctx context.Context, problems *fault.Problems) viewer.Grants {
	switch {
	case in.Scopes != nil && in.Preset != nil:
		problems.Add("preset", *in.Preset, "give scopes or preset, not both")
	case in.Preset != nil:
		return in.Preset.Grants()
	case in.Scopes == nil:
		return givable(ctx)
	case len(in.Scopes) == 0:
		problems.Add("scopes", in.Scopes, "must name at least one scope")
	}
	return viewer.GrantsOf(in.Scopes...)
}

// CreateAPIKeyPayload is a new key. Key is its plaintext, which cannot be read again.
type CreateAPIKeyPayload struct {
	APIKey *ent.APIKey
	Key    string
}

// Create makes a key of high entropy and answers its plaintext, this once.
func (k *APIKeys) Create(ctx context.Context, in CreateAPIKeyInput) (*CreateAPIKeyPayload, error) {
	var problems fault.Problems
	usecase.CheckName(&problems, "name", in.Name)
	k.checkExpiry(&problems, in.ExpiresAt)
	given := in.grants(ctx, &problems)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	ctx, err := k.environments.enter(ctx, in.EnvironmentID)
	if err != nil {
		return nil, err
	}
	return usecase.Write(ctx, k.Deps, usecase.ManageKeys, func(ctx context.Context, db *ent.Client) (*CreateAPIKeyPayload, error) {
		return newKey(ctx, db, k.Cell, in.Name, given, in.ExpiresAt)
	})
}

// newKey makes a key in the viewer's environment.
func newKey(ctx context.Context, db *ent.Client, cell auth.Cell, name string, grants viewer.Grants, expiresAt *time.Time) (*CreateAPIKeyPayload, error) {
	if err := mayGive(ctx, grants); err != nil {
		return nil, err
	}
	key := auth.NewKey(cell)
	created, err := storeKey(ctx, db, key, name, grants, expiresAt)
	if err != nil {
		return nil, err
	}
	return &CreateAPIKeyPayload{APIKey: created, Key: key}, nil
}

// givable is the most that a key made by the viewer may do: what its own key may, and for members and organization keys,
// which may manage the keys of all environments, everything.
func givable(ctx context.Context) viewer.Grants {
	if v, _ := viewer.FromContext(ctx); v.APIKeyID != "" {
		return v.Grants
	}
	return viewer.FullGrants
}

// mayGive refuses to make a key that may do more than the viewer's own.
func mayGive(ctx context.Context, grants viewer.Grants) error {
	if own := givable(ctx); !own.Covers(grants) {
		return fault.Forbiddenf("The key of this request has not all of these scopes, so it cannot give them; it has %s.", own)
	}
	return nil
}

// storeKey keeps the hash of a key in the viewer's environment.
func storeKey(ctx context.Context, db *ent.Client, key, name string, grants viewer.Grants, expiresAt *time.Time) (*ent.APIKey, error) {
	v, _ := viewer.FromContext(ctx)
	create := db.APIKey.Create().SetName(name).SetHash(auth.HashKey(key)).SetHint(auth.Hint(key)).SetScopes(grants.List()).
		SetNillableExpiresAt(expiresAt)
	if v.UserID != "" {
		create.SetUserID(v.UserID)
	}
	created, err := create.Save(ctx)
	if err != nil {
		return nil, usecase.AlreadyExists(err, "This API key exists already.")
	}
	return created, usecase.Audit(ctx, db, "create", created, map[string]any{"name": name, "hint": created.Hint, "scopes": created.Scopes})
}

func (k *APIKeys) checkExpiry(problems *fault.Problems, at *time.Time) {
	if at != nil && !at.After(k.Now()) {
		problems.Add("expiresAt", at, "must lie in the future; revoke the key to end it now")
	}
}

// UpdateAPIKeyInput changes a key; absent fields stay as they are, null clears.
type UpdateAPIKeyInput struct {
	ID            string
	EnvironmentID *string // nil: the viewer's own environment
	Name          *string
	ExpiresAt     graphql.Omittable[*time.Time]
}

// Update renames a key or moves its expiry. A key that may do more than the viewer's own is out of its hands, except that it
// may be revoked.
func (k *APIKeys) Update(ctx context.Context, in UpdateAPIKeyInput) (*ent.APIKey, error) {
	var problems fault.Problems
	usecase.CheckGivenName(&problems, "name", in.Name)
	k.checkExpiry(&problems, in.ExpiresAt.Value())
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return k.change(ctx, in.EnvironmentID, in.ID, func(ctx context.Context, db *ent.Client, found *ent.APIKey) (*ent.APIKey, error) {
		if err := mayGive(ctx, viewer.GrantsOf(found.Scopes...)); err != nil {
			return nil, err
		}
		change := found.Update()
		changes := map[string]any{}
		usecase.SetIf(changes, "name", in.Name, change.SetName)
		usecase.SetOrClear(in.ExpiresAt, change.SetExpiresAt, change.ClearExpiresAt)
		if at, given := in.ExpiresAt.ValueOK(); given {
			changes["expiresAt"] = at
		}
		updated, err := change.Save(ctx)
		if err != nil {
			return nil, err
		}
		return updated, usecase.Audit(ctx, db, "update", updated, changes)
	})
}

// Revoke ends a key for good, from the next request on. Revoking it again changes nothing.
func (k *APIKeys) Revoke(ctx context.Context, environmentID *string, globalID string) (*ent.APIKey, error) {
	return k.change(ctx, environmentID, globalID, func(ctx context.Context, db *ent.Client, found *ent.APIKey) (*ent.APIKey, error) {
		if found.RevokedAt != nil {
			return found, nil
		}
		if err := k.mayGo(ctx, db, found); err != nil {
			return nil, err
		}
		revoked, err := found.Update().SetRevokedAt(k.Now().UTC().Truncate(time.Microsecond)).Save(ctx)
		if err != nil {
			return nil, err
		}
		return revoked, usecase.Audit(ctx, db, "revoke", revoked, map[string]any{"name": found.Name, "hint": found.Hint})
	})
}

// Delete removes a key, which also revokes it, and answers what was removed.
func (k *APIKeys) Delete(ctx context.Context, environmentID *string, globalID string) (*ent.APIKey, error) {
	return k.change(ctx, environmentID, globalID, func(ctx context.Context, db *ent.Client, found *ent.APIKey) (*ent.APIKey, error) {
		if err := k.mayGo(ctx, db, found); err != nil {
			return nil, err
		}
		if err := db.APIKey.DeleteOne(found).Exec(ctx); err != nil {
			return nil, err
		}
		return found, usecase.Audit(ctx, db, "delete", found, map[string]any{"name": found.Name, "hint": found.Hint})
	})
}

// change runs a change of one key in its environment, one change per environment at a time.
func (k *APIKeys) change(ctx context.Context, environmentID *string, globalID string,
	fn func(ctx context.Context, db *ent.Client, found *ent.APIKey) (*ent.APIKey, error),
) (*ent.APIKey, error) {
	ctx, err := k.environments.enter(ctx, environmentID)
	if err != nil {
		return nil, err
	}
	return usecase.Write(ctx, k.Deps, usecase.ManageKeys, func(ctx context.Context, db *ent.Client) (*ent.APIKey, error) {
		tx, _ := postgres.TxFromContext(ctx)
		v, _ := viewer.FromContext(ctx)
		if err := pgaccess.LockEnvironment(ctx, tx, v.Scope); err != nil {
			return nil, err
		}
		found, err := k.Get(ctx, nil, globalID)
		if err != nil {
			return nil, err
		}
		k.AccessChanged(ctx)
		return fn(ctx, db, found)
	})
}

// mayGo keeps a caller from locking itself out: the key of this very request may not go while it is the environment's
// only usable one. Any other key may, at once, since it may have leaked.
func (k *APIKeys) mayGo(ctx context.Context, db *ent.Client, key *ent.APIKey) error {
	if v, _ := viewer.FromContext(ctx); v.APIKeyID != key.ID {
		return nil
	}
	others, err := db.APIKey.Query().Where(apikey.IDNEQ(key.ID), apikey.RevokedAtIsNil(),
		apikey.Or(apikey.ExpiresAtIsNil(), apikey.ExpiresAtGT(k.Now()))).Exist(ctx)
	if err != nil || others {
		return err
	}
	return fault.Conflictf("LAST_API_KEY", "This is the environment's only usable API key; create another one first.")
}
