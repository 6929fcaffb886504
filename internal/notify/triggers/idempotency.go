package triggers

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/idempotencyrecord"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/secret"
)

// IdempotencyRecords are the use cases of idempotency keys (decisions.md §15): requests take them, callers look at them.
// The stored reply is not shown, because it may come from another environment of the organization.
type IdempotencyRecords struct {
	usecase.Deps
	secrets *secret.Keeper
	log     *slog.Logger
	keys    *postgres.Gather[pgaccept.KeyClaim, pgaccept.KeyState]
}

func newIdempotencyRecords(b usecase.Deps, cfg usecase.Config) *IdempotencyRecords {
	return &IdempotencyRecords{Deps: b, secrets: cfg.Secrets, log: cmp.Or(cfg.Logger, slog.New(slog.DiscardHandler)), keys: &postgres.Gather[pgaccept.KeyClaim, pgaccept.KeyState]{
		Ask: func(ctx context.Context, claims []pgaccept.KeyClaim) ([]pgaccept.KeyState, error) {
			return pgaccept.TakeKeys(ctx, b.DB, claims)
		},
	}}
}

// IdempotencyRecordConnection is a page of idempotency records.
type IdempotencyRecordConnection = usecase.Connection[ent.IdempotencyRecord]

// IdempotencyRecordEdge is one idempotency record of a page.
type IdempotencyRecordEdge = usecase.Edge[ent.IdempotencyRecord]

// IdempotencyRecordFilter narrows a list of idempotency records; the fields that are set combine with AND.
type IdempotencyRecordFilter struct {
	KeyIn         []string
	StatusCodeIn  []int
	InProgress    *bool
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *IdempotencyRecordFilter) predicates() (ps []predicate.IdempotencyRecord) {
	if f == nil {
		return nil
	}
	if f.KeyIn != nil {
		ps = append(ps, idempotencyrecord.KeyIn(f.KeyIn...))
	}
	if f.StatusCodeIn != nil {
		ps = append(ps, idempotencyrecord.StatusCodeIn(f.StatusCodeIn...))
	}
	ps = usecase.WithFilter(ps, f.InProgress, func(running bool) predicate.IdempotencyRecord {
		if running {
			return idempotencyrecord.StatusCodeIsNil()
		}
		return idempotencyrecord.StatusCodeNotNil()
	})
	ps = usecase.WithFilter(ps, f.CreatedAfter, idempotencyrecord.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, idempotencyrecord.CreatedAtLT)
}

// List is a page of the organization's idempotency records.
func (i *IdempotencyRecords) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *IdempotencyRecordFilter) (*IdempotencyRecordConnection, error) {
	return usecase.Read(ctx, i.Deps, usecase.ManageEnvironment, func(ctx context.Context, db *ent.Client) (*IdempotencyRecordConnection, error) {
		return usecase.Paginate(ctx, db.IdempotencyRecord.Query(), filter.predicates(), page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one idempotency record by its global or internal id.
func (i *IdempotencyRecords) Get(ctx context.Context, globalID string) (*ent.IdempotencyRecord, error) {
	recordID, err := usecase.RecordID("IdempotencyRecord", globalID)
	if err != nil {
		return nil, err
	}
	return i.one(ctx, idempotencyrecord.ID(recordID), globalID)
}

// ByKey is one idempotency record by its key.
func (i *IdempotencyRecords) ByKey(ctx context.Context, key string) (*ent.IdempotencyRecord, error) {
	return i.one(ctx, idempotencyrecord.Key(key), key)
}

func (i *IdempotencyRecords) one(ctx context.Context, p predicate.IdempotencyRecord, name string) (*ent.IdempotencyRecord, error) {
	return usecase.Read(ctx, i.Deps, usecase.ManageEnvironment, func(ctx context.Context, db *ent.Client) (*ent.IdempotencyRecord, error) {
		found, err := db.IdempotencyRecord.Query().Where(p).Only(ctx)
		return found, usecase.NotFound(err, "Idempotency record %s was not found.", name)
	})
}
