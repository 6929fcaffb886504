package access

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/auditentry"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
)

// AuditEntries are the use cases of the audit: who changed what in an environment. Entries are written with the change
// they record, and never change.
type AuditEntries struct{ usecase.Deps }

// AuditEntryConnection is a page of audit entries.
type AuditEntryConnection = usecase.Connection[ent.AuditEntry]

// AuditEntryEdge is one audit entry of a page.
type AuditEntryEdge = usecase.Edge[ent.AuditEntry]

// AuditEntryFilter narrows a list of audit entries; the fields that are set combine with AND.
type AuditEntryFilter struct {
	ActorTypeIn   []string
	ActorID       *string
	ActionIn      []string
	RecordTypeIn  []string
	RecordID      *string // global or internal id
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *AuditEntryFilter) predicates() (ps []predicate.AuditEntry, values usecase.Values) {
	if f == nil {
		return nil, values
	}
	if f.ActorTypeIn != nil {
		ps = append(ps, auditentry.ActorTypeIn(f.ActorTypeIn...))
	}
	if f.ActionIn != nil {
		ps = append(ps, auditentry.ActionIn(f.ActionIn...))
	}
	if f.RecordTypeIn != nil {
		ps = append(ps, auditentry.RecordTypeIn(f.RecordTypeIn...))
	}
	ps = usecase.WithFilter(ps, f.ActorID, func(global string) predicate.AuditEntry { return auditentry.ActorID(plainID(global)) })
	ps = usecase.WithFilter(ps, f.RecordID, func(global string) predicate.AuditEntry { return auditentry.RecordID(plainID(global)) })
	return usecase.Created(ps, &values, f.CreatedAfter, f.CreatedBefore, 0), values
}

// plainID is the internal id inside a global one; anything else stays as it is.
func plainID(global string) string {
	if _, recordID, ok := usecase.SplitGlobal(global); ok {
		return recordID
	}
	return global
}

// List is a page of the environment's audit, or of the whole organization's, environments that are gone included.
func (a *AuditEntries) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *AuditEntryFilter, organization bool) (*AuditEntryConnection, error) {
	if organization {
		return a.ofOrganization(ctx, page, order, filter)
	}
	return usecase.Read(ctx, a.Deps, usecase.ManageEnvironment, func(ctx context.Context, db *ent.Client) (*AuditEntryConnection, error) {
		ps, values := filter.predicates()
		return usecase.Paginate(ctx, db.AuditEntry.Query(), ps, page, a.Newest(order, values))
	})
}

func (a *AuditEntries) ofOrganization(ctx context.Context, page usecase.Page, order *usecase.Order, filter *AuditEntryFilter) (*AuditEntryConnection, error) {
	v, err := usecase.Require(ctx, usecase.AuditOrganization)
	if err != nil {
		return nil, err
	}
	// The schema binds entries to environments; here their organization does.
	ctx = viewer.SystemContext(ctx)
	own := a.DB.Client(ctx).AuditEntry.Query().Where(auditentry.OrganizationID(v.OrganizationID))
	ps, values := filter.predicates()
	found, err := usecase.Paginate(ctx, own, ps, page, a.Newest(order, values))
	if err != nil {
		return nil, postgres.Translate(err)
	}
	count := found.Total // when it is asked for, the viewer asks
	found.Total = func(ctx context.Context) (int, error) { return count(viewer.SystemContext(ctx)) }
	return found, nil
}

// Get is one audit entry by its global or internal id.
func (a *AuditEntries) Get(ctx context.Context, globalID string) (*ent.AuditEntry, error) {
	recordID, err := usecase.RecordID("AuditEntry", globalID)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, a.Deps, usecase.ManageEnvironment, func(ctx context.Context, db *ent.Client) (*ent.AuditEntry, error) {
		found, err := db.AuditEntry.Get(ctx, recordID)
		return found, usecase.NotFound(err, "Audit entry %s was not found.", globalID)
	})
}
