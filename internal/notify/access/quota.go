package access

import (
	"context"
	"time"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/viewer"
)

// DemoQuota caps what each organization sends a month through the operator's demo credentials; it is the provider.Quota of
// a server.
type DemoQuota struct {
	db     *postgres.DB
	now    func() time.Time
	limits map[string]int // by provider; 0: none
}

var _ provider.Quota = (*DemoQuota)(nil)

// NewDemoQuota reads what was sent from db. now is real time.
func NewDemoQuota(db *postgres.DB, now func() time.Time, limits map[string]int) *DemoQuota {
	return &DemoQuota{db, now, limits}
}

// Take reports whether the message is within the cap of this calendar month (UTC). A message counts once, however often it is
// tried; test messages need room under the cap and take none of it.
func (q *DemoQuota) Take(ctx context.Context, providerID, messageID string) (bool, error) {
	limit := q.limits[providerID]
	if limit <= 0 {
		return true, nil
	}
	v, _ := viewer.FromContext(ctx)
	now := q.now().UTC()
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	return pgmessage.WithinQuota(ctx, q.db, v.Scope, providerID, messageID, month, now, limit)
}
