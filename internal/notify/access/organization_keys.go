package access

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/organizationkey"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccess"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/viewer"
)

// OrganizationKeys are the use cases of organization keys, with which programs do an organization's own work. Such a key
// ranks as an admin, opens no environment's data, and ends by itself. Only owners make one.
type OrganizationKeys struct{ usecase.Deps }

// maxOrganizationKeyLife is how long an organization key is valid at most.
const maxOrganizationKeyLife = 366 * 24 * time.Hour

// OrganizationKeyConnection is a page of organization keys.
type OrganizationKeyConnection = usecase.Connection[ent.OrganizationKey]

// OrganizationKeyEdge is one organization key of a page.
type OrganizationKeyEdge = usecase.Edge[ent.OrganizationKey]

// OrganizationKeyFilter narrows a list of organization keys; the fields that are set combine with AND.
type OrganizationKeyFilter struct {
	NameContains   *string // case-insensitive
	Hint           *string
	Revoked        *bool
	ExpiresBefore  *time.Time
	LastUsedBefore *time.Time
}

func (f *OrganizationKeyFilter) predicates() (ps []predicate.OrganizationKey) {
	if f == nil {
		return nil
	}
	ps = usecase.WithFilter(ps, f.NameContains, organizationkey.NameContainsFold)
	ps = usecase.WithFilter(ps, f.Hint, organizationkey.Hint)
	ps = usecase.WithFilter(ps, f.Revoked, func(revoked bool) predicate.OrganizationKey {
		if revoked {
			return organizationkey.RevokedAtNotNil()
		}
		return organizationkey.RevokedAtIsNil()
	})
	ps = usecase.WithFilter(ps, f.ExpiresBefore, organizationkey.ExpiresAtLT)
	return usecase.WithFilter(ps, f.LastUsedBefore, organizationkey.LastUsedAtLT)
}

// List is a page of the organization's keys.
func (o *OrganizationKeys) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *OrganizationKeyFilter) (*OrganizationKeyConnection, error) {
	return usecase.Read(ctx, o.Deps, usecase.ReadOrganizationKeys, func(ctx context.Context, db *ent.Client) (*OrganizationKeyConnection, error) {
		return usecase.Paginate(ctx, db.OrganizationKey.Query(), filter.predicates(), page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one organization key by its global or internal id.
func (o *OrganizationKeys) Get(ctx context.Context, globalID string) (*ent.OrganizationKey, error) {
	recordID, err := usecase.RecordID("OrganizationKey", globalID)
	if err != nil {
		return nil, err
	}
	return o.one(ctx, organizationkey.ID(recordID), globalID)
}

// ByHint is the newest organization key that ends with the given characters.
func (o *OrganizationKeys) ByHint(ctx context.Context, hint string) (*ent.OrganizationKey, error) {
	return o.one(ctx, organizationkey.Hint(hint), "…"+hint)
}

func (o *OrganizationKeys) one(ctx context.Context, p predicate.OrganizationKey, name string) (*ent.OrganizationKey, error) {
	return usecase.Read(ctx, o.Deps, usecase.ReadOrganizationKeys, func(ctx context.Context, db *ent.Client) (*ent.OrganizationKey, error) {
		found, err := db.OrganizationKey.Query().Where(p).Order(ent.Desc(organizationkey.FieldID)).First(ctx)
		return found, usecase.NotFound(err, "Organization key %s was not found.", name)
	})
}

// CreateOrganizationKeyInput describes a new organization key.
type CreateOrganizationKeyInput struct {
	Name      string
	Scopes    []viewer.Grant
	ExpiresAt time.Time
}

// CreateOrganizationKeyPayload is a new organization key. Key is its plaintext, which cannot be read again.
type CreateOrganizationKeyPayload struct {
	OrganizationKey *ent.OrganizationKey
	Key             string
}

// Create makes an organization key of high entropy and answers its plaintext, this once.
func (o *OrganizationKeys) Create(ctx context.Context, in CreateOrganizationKeyInput) (*CreateOrganizationKeyPayload, error) {
	var problems fault.Problems
	usecase.CheckName(&problems, "name", in.Name)
	if len(in.Scopes) == 0 {
		problems.Add("scopes", in.Scopes, "must name at least one scope")
	}
	if now := o.Now(); !in.ExpiresAt.After(now) || in.ExpiresAt.Sub(now) > maxOrganizationKeyLife {
		problems.Add("expiresAt", in.ExpiresAt, "must lie in the future, at most 366 days from now")
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return usecase.Write(ctx, o.Deps, usecase.CreateOrganizationKey, func(ctx context.Context, db *ent.Client) (*CreateOrganizationKeyPayload, error) {
		key := auth.NewKey(o.Cell)
		made, err := storeOrganizationKey(ctx, db, key, in)
		if err != nil {
			return nil, err
		}
		return &CreateOrganizationKeyPayload{OrganizationKey: made, Key: key}, nil
	})
}

// storeOrganizationKey keeps the hash of a key in the viewer's organization.
func storeOrganizationKey(ctx context.Context, db *ent.Client, key string, in CreateOrganizationKeyInput) (*ent.OrganizationKey, error) {
	v, _ := viewer.FromContext(ctx)
	create := db.OrganizationKey.Create().SetName(in.Name).SetHash(auth.HashKey(key)).SetHint(auth.Hint(key)).
		SetScopes(viewer.GrantsOf(in.Scopes...).List()).SetExpiresAt(in.ExpiresAt)
	if v.UserID != "" {
		create.SetUserID(v.UserID)
	}
	made, err := create.Save(ctx)
	if err != nil {
		return nil, usecase.AlreadyExists(err, "This key exists already.")
	}
	return made, usecase.Audit(ctx, db, "create", made, map[string]any{"name": in.Name, "hint": made.Hint, "scopes": made.Scopes, "expiresAt": in.ExpiresAt})
}

// Rotate replaces an organization key by a new one with the same name, scopes and lifetime, and answers the new one's
// plaintext, this once. The replaced key stays valid for the overlap, an ISO 8601 duration, unless it ends before.
func (o *OrganizationKeys) Rotate(ctx context.Context, globalID, overlap string) (*CreateOrganizationKeyPayload, error) {
	now := o.Stamp()
	end, err := overlapEnd(overlap, now)
	if err != nil {
		return nil, err
	}
	return usecase.Write(ctx, o.Deps, usecase.ChangeOrganizationKey, func(ctx context.Context, db *ent.Client) (*CreateOrganizationKeyPayload, error) {
		tx, _ := postgres.TxFromContext(ctx)
		v, _ := viewer.FromContext(ctx)
		if err := pgaccess.LockOrganization(ctx, tx, v.Scope); err != nil { // of two rotations one counts
			return nil, err
		}
		found, err := o.Get(ctx, globalID)
		if err != nil {
			return nil, err
		}
		life := keyLife{found.CreatedAt, &found.ExpiresAt, found.RevokedAt, found.SuccessorID}
		if err := life.rotatable(now); err != nil {
			return nil, err
		}
		key := auth.NewKey(o.Cell)
		made, err := storeOrganizationKey(ctx, db, key, CreateOrganizationKeyInput{Name: found.Name, Scopes: found.Scopes, ExpiresAt: *life.renewed(now)})
		if err != nil {
			return nil, err
		}
		end := life.endBy(end)
		replaced, err := found.Update().SetSuccessorID(made.ID).SetExpiresAt(end).Save(ctx)
		if err != nil {
			return nil, err
		}
		o.Publish(ctx, realtime.Access("")) // where connections of organization keys listen
		return &CreateOrganizationKeyPayload{OrganizationKey: made, Key: key}, usecase.Audit(ctx, db, "rotate", replaced, map[string]any{
			"name": found.Name, "hint": found.Hint, "expiresAt": end, "successorId": made.ID,
		})
	})
}

// Revoke ends an organization key for good, from the next request on. Revoking it again changes nothing.
func (o *OrganizationKeys) Revoke(ctx context.Context, globalID string) (*ent.OrganizationKey, error) {
	return o.end(ctx, globalID, func(ctx context.Context, db *ent.Client, found *ent.OrganizationKey) (*ent.OrganizationKey, error) {
		if found.RevokedAt != nil {
			return found, nil
		}
		revoked, err := found.Update().SetRevokedAt(o.Stamp()).Save(ctx)
		if err != nil {
			return nil, err
		}
		return revoked, auditEnd(ctx, db, "revoke", found)
	})
}

// Delete removes an organization key, which also revokes it, and answers what was removed.
func (o *OrganizationKeys) Delete(ctx context.Context, globalID string) (*ent.OrganizationKey, error) {
	return o.end(ctx, globalID, func(ctx context.Context, db *ent.Client, found *ent.OrganizationKey) (*ent.OrganizationKey, error) {
		if err := db.OrganizationKey.DeleteOne(found).Exec(ctx); err != nil {
			return nil, err
		}
		return found, auditEnd(ctx, db, "delete", found)
	})
}

// end runs a change after which a key is not valid any more.
func (o *OrganizationKeys) end(ctx context.Context, globalID string,
	fn func(ctx context.Context, db *ent.Client, found *ent.OrganizationKey) (*ent.OrganizationKey, error),
) (*ent.OrganizationKey, error) {
	return usecase.Write(ctx, o.Deps, usecase.ChangeOrganizationKey, func(ctx context.Context, db *ent.Client) (*ent.OrganizationKey, error) {
		found, err := o.Get(ctx, globalID)
		if err != nil {
			return nil, err
		}
		o.Publish(ctx, realtime.Access("")) // where connections of organization keys listen
		return fn(ctx, db, found)
	})
}

func auditEnd(ctx context.Context, db *ent.Client, action string, of *ent.OrganizationKey) error {
	return usecase.Audit(ctx, db, action, of, map[string]any{"name": of.Name, "hint": of.Hint})
}
