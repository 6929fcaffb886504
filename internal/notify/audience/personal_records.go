package audience

import (
	"context"
	"encoding/base64"
	"strings"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgpersonal"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
)

// PersonalRecordKind is what a record about a person is.
type PersonalRecordKind = pgpersonal.Kind

// PersonalRecord is one record about a person, with what belongs to it.
type PersonalRecord struct {
	Kind PersonalRecordKind
	Data map[string]any // as it is stored, without secrets; members are in camelCase
}

// SubscriberExport is a page of what is stored about a person.
type SubscriberExport struct {
	Records  []*PersonalRecord
	PageInfo usecase.PageInfo
	total    func(context.Context) (int, error)
}

// TotalCount is the number of records about the person; it stops at usecase.CountCap.
func (e *SubscriberExport) TotalCount(ctx context.Context) (int, error) {
	n, err := e.total(ctx)
	return min(n, usecase.CountCap), err
}

// TotalCountCapped reports whether there are more records than TotalCount says.
func (e *SubscriberExport) TotalCountCapped(ctx context.Context) (bool, error) {
	n, err := e.total(ctx)
	return n > usecase.CountCap, err
}

// Export is a page of everything that is stored about a subscriber, and about those deleted before it under the same
// identifier (decisions.md §16); nil when there never was one. Beginning one is recorded in the audit log.
func (s *Subscribers) Export(ctx context.Context, subscriberID string, page usecase.Page) (*SubscriberExport, error) {
	limit, _, err := page.Size()
	if err != nil {
		return nil, err
	}
	after, err := personalPosition(page.After)
	if err != nil {
		return nil, err
	}
	return usecase.Write(ctx, s.Deps, usecase.ReadPerson, func(ctx context.Context, db *ent.Client) (*SubscriberExport, error) {
		tx, scope := usecase.TxScope(ctx)
		person, err := pgpersonal.Find(ctx, tx, scope, subscriberID)
		if err != nil {
			return nil, err
		}
		if len(person.Records) == 0 {
			return nil, nil
		}
		if after.Kind == "" {
			newest, err := db.Subscriber.Get(ctx, person.Records[len(person.Records)-1])
			if err != nil {
				return nil, err
			}
			if err := usecase.Audit(ctx, db, "export", newest, nil); err != nil {
				return nil, err
			}
		}
		records, err := pgpersonal.Page(ctx, tx, scope, person, after, limit+1)
		return s.personalPage(records, limit, after, scope, person), err
	})
}

func (s *Subscribers) personalPage(records []pgpersonal.Record, limit int, after pgpersonal.Position, scope viewer.Scope, person pgpersonal.Person) *SubscriberExport {
	page := &SubscriberExport{Records: []*PersonalRecord{}}
	page.PageInfo.HasNextPage, page.PageInfo.HasPreviousPage = len(records) > limit, after.Kind != ""
	for _, r := range records[:min(limit, len(records))] {
		maskEvent(r.Data)
		page.Records = append(page.Records, &PersonalRecord{Kind: r.Kind, Data: r.Data})
		cursor := base64.RawURLEncoding.EncodeToString([]byte(string(r.Kind) + "\x00" + r.ID))
		if page.PageInfo.EndCursor = &cursor; page.PageInfo.StartCursor == nil {
			page.PageInfo.StartCursor = &cursor
		}
	}
	page.total = usecase.Once(func(ctx context.Context) (int, error) {
		return pgpersonal.Count(ctx, s.DB.Pool, scope, person, usecase.CountCap+1)
	})
	return page
}

// maskEvent masks the webhook URLs in the overrides of the event that a record came from. They are sealed, which is nothing to hand
// to the person, and may be in clear until upkeep has sealed those of earlier releases.
func maskEvent(record map[string]any) {
	event, _ := record["event"].(map[string]any)
	if overrides, ok := event["overrides"].(map[string]any); ok {
		event["overrides"] = maskedAt(overrides, secret.OverrideURLs, func(string) string { return usecase.Mask })
	}
}

// personalPosition returns where a cursor of an export is.
func personalPosition(cursor *string) (at pgpersonal.Position, err error) {
	if cursor == nil || *cursor == "" {
		return at, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(*cursor)
	kind, recordID, _ := strings.Cut(string(raw), "\x00")
	if err != nil || !pgpersonal.Kind(kind).Known() || !id.Valid(recordID) {
		return at, fault.BadRequestf("INVALID_CURSOR", "The cursor is not valid.")
	}
	return pgpersonal.Position{Kind: pgpersonal.Kind(kind), ID: recordID}, nil
}
