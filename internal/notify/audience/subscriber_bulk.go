package audience

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// MaxBulkSubscribers is how many subscribers one bulk call may name.
const MaxBulkSubscribers = 500

// UpsertSubscriberInput is a subscriber to be created or changed: fields left out stay as they are, null clears.
type UpsertSubscriberInput struct {
	SubscriberID string `json:"subscriberId"` // decisions.md §1; surrounding blanks are trimmed
	ProfileChanges
	Data graphql.Omittable[map[string]any] `json:"data,omitzero"` // replaced as a whole
}

// RejectedSubscriber is an item of a bulk call that was not stored.
type RejectedSubscriber struct {
	Index        int    // in the list of the call, from 0
	SubscriberID string // as given
	Problems     []fault.Field
}

// UpsertSubscribersPayload is what became of the items of Upsert.
type UpsertSubscribersPayload struct {
	Subscribers []*ent.Subscriber // ascending by SubscriberID
	Rejected    []RejectedSubscriber
}

// Upsert creates and changes up to MaxBulkSubscribers subscribers in one transaction. Items that are not valid are
// rejected, the others are stored; of a subscriber that is named twice the later values win. Cost: at most four statements.
func (s *Subscribers) Upsert(ctx context.Context, in []*UpsertSubscriberInput) (*UpsertSubscribersPayload, error) {
	if err := checkBulk("subscribers", len(in)); err != nil {
		return nil, err
	}
	v, err := usecase.Require(ctx, usecase.WriteAudience)
	if err != nil {
		return nil, err
	}
	out := &UpsertSubscribersPayload{Subscribers: []*ent.Subscriber{}, Rejected: []RejectedSubscriber{}}
	accepted := map[string]*workflow.SubscriberInput{}
	for i, item := range in {
		row, problems := item.row()
		if problems.Any() {
			out.Rejected = append(out.Rejected, RejectedSubscriber{i, item.SubscriberID, problems.Fields()})
			continue
		}
		addRow(accepted, row)
	}
	if len(accepted) > 0 {
		out.Subscribers, err = s.upsert(ctx, v.Scope, accepted)
	}
	return out, err
}

func checkBulk(path string, n int) error {
	if n == 0 || n > MaxBulkSubscribers {
		return fault.Invalidf(path, "must hold 1 to %d items", MaxBulkSubscribers)
	}
	return nil
}

// row is the item as it is stored, and what is wrong with it.
func (in *UpsertSubscriberInput) row() (row workflow.SubscriberInput, p fault.Problems) {
	var ok bool
	if row.SubscriberID, ok = workflow.ParseNewSubscriberID(in.SubscriberID); !ok {
		p.Add("subscriberId", in.SubscriberID, WrongSubscriberID)
	}
	profile := SubscriberProfile{Profile: in.ProfileChanges, Data: in.Data}
	profile.check(&p)
	given := in.Texts()
	for i, text := range row.Texts() {
		if value, set := given[i].Value.ValueOK(); set {
			*text.Value = optional(value)
		}
	}
	if data, set := in.Data.ValueOK(); set && data != nil {
		row.Data = workflow.Given(data)
	} else if set {
		row.Data = workflow.Cleared[map[string]any]()
	}
	return row, p
}

func optional(value *string) workflow.Optional[string] {
	if value == nil {
		return workflow.Cleared[string]()
	}
	return workflow.Given(*value)
}

func addRow(rows map[string]*workflow.SubscriberInput, row workflow.SubscriberInput) {
	if earlier := rows[row.SubscriberID]; earlier != nil {
		earlier.Overlay(row)
		return
	}
	rows[row.SubscriberID] = &row
}

// upsert stores rows, at least one, in one transaction.
func (s *Subscribers) upsert(ctx context.Context, scope viewer.Scope, rows map[string]*workflow.SubscriberInput) (stored []*ent.Subscriber, err error) {
	names := slices.Sorted(maps.Keys(rows)) // the order in which rows are locked
	writes := make([]pgsubscriber.SubscriberWrite, len(names))
	for i, recordID := range id.Batch(time.Now(), len(names)) {
		writes[i] = pgsubscriber.SubscriberWrite{ID: recordID, EnvironmentID: scope.EnvironmentID, Input: *rows[names[i]]}
	}
	err = postgres.Retry(ctx, func(ctx context.Context) error {
		return s.DB.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
			written, err := pgsubscriber.UpsertSubscribers(ctx, tx.Pgx, writes)
			if err != nil {
				return err //nolint:wrapcheck // says what it did
			}
			ids := make([]string, len(written))
			for i, row := range written {
				ids[i] = row.ID
			}
			stored, err = tx.Ent.Subscriber.Query().Where(subscriber.IDIn(ids...)).Order(subscriber.BySubscriberID()).All(ctx)
			if err != nil {
				return fmt.Errorf("read subscribers: %w", err)
			}
			auditBulk(ctx, tx, "upsertSubscribers", scope.EnvironmentID, len(stored))
			return nil
		})
	})
	return stored, postgres.Translate(err)
}

// DeleteSubscribersPayload is what became of the subscribers of DeleteAll.
type DeleteSubscribersPayload struct {
	Subscribers []*ent.Subscriber // as they are deleted, ascending by SubscriberID
	Unknown     []string          // as given, in that order: of no living subscriber
}

// DeletedIDs returns the global ids of the subscribers.
func (p *DeleteSubscribersPayload) DeletedIDs() []string { return usecase.GlobalIDs(p.Subscribers) }

// DeleteAll deletes up to MaxBulkSubscribers subscribers by their external ids in one transaction, as Delete does.
func (s *Subscribers) DeleteAll(ctx context.Context, subscriberIDs []string) (*DeleteSubscribersPayload, error) {
	if err := checkBulk("subscriberIds", len(subscriberIDs)); err != nil {
		return nil, err
	}
	v, err := usecase.Require(ctx, usecase.WriteAudience)
	if err != nil {
		return nil, err
	}
	out := &DeleteSubscribersPayload{Unknown: []string{}}
	err = postgres.Retry(ctx, func(ctx context.Context) error {
		return s.DB.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) (err error) {
			if out.Subscribers, err = lockNamed(ctx, tx.Ent, subscriberIDs); err != nil || len(out.Subscribers) == 0 {
				return err
			}
			auditBulk(ctx, tx, "deleteSubscribers", v.EnvironmentID, len(out.Subscribers))
			return s.deleteRows(ctx, tx.Ent, out.Subscribers)
		})
	})
	if err != nil {
		return nil, postgres.Translate(err)
	}
	known, seen := namesOf(out.Subscribers), map[string]bool{}
	for _, given := range subscriberIDs {
		if name, ok := workflow.ParseSubscriberID(given); (!ok || !known[name]) && !seen[given] {
			out.Unknown, seen[given] = append(out.Unknown, given), true
		}
	}
	return out, nil
}

func namesOf(rows []*ent.Subscriber) map[string]bool {
	names := make(map[string]bool, len(rows))
	for _, row := range rows {
		names[row.SubscriberID] = true
	}
	return names
}

// auditBulk records how many subscribers a bulk call changed.
func auditBulk(ctx context.Context, tx *postgres.Tx, action, environmentID string, n int) {
	postgres.QueueAudit(&tx.Last, usecase.NewAuditEntry(ctx, action, "Environment", environmentID, map[string]any{"subscribers": n}))
}

// lockNamed locks the living subscribers of these external ids, in the order in which bulk writes take them.
func lockNamed(ctx context.Context, db *ent.Client, subscriberIDs []string) ([]*ent.Subscriber, error) {
	names := make([]string, 0, len(subscriberIDs))
	for _, given := range subscriberIDs {
		if name, ok := workflow.ParseSubscriberID(given); ok {
			names = append(names, name)
		}
	}
	found, err := db.Subscriber.Query().Where(subscriber.SubscriberIDIn(names...), subscriber.Deleted(false)).
		Order(subscriber.BySubscriberID()).ForUpdate().All(ctx)
	if err != nil {
		return nil, fmt.Errorf("find subscribers: %w", err)
	}
	return found, nil
}

// deleteRows marks subscribers as deleted, in the database and in rows.
func (s *Subscribers) deleteRows(ctx context.Context, db *ent.Client, rows []*ent.Subscriber) error {
	ids := slices.Collect(maps.Keys(usecase.ByID(rows)))
	at, by := s.Stamp(), usecase.DeletingActor(ctx)
	if err := db.Subscriber.Update().Where(subscriber.IDIn(ids...)).SetDeleted(true).SetDeletedAt(at).SetNillableDeletedBy(by).Exec(ctx); err != nil {
		return fmt.Errorf("delete subscribers: %w", err)
	}
	for _, row := range rows {
		row.Deleted, row.DeletedAt, row.DeletedBy = true, &at, by
	}
	return removeReach(ctx, db, ids...)
}
