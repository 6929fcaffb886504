package postgres

import (
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/viewer"
)

// AuditEntry records who changes what.
type AuditEntry struct {
	viewer.Scope
	ActorType, ActorID   string
	ActorName            string
	Address              string // the network address that the request came from
	Action               string
	RecordType, RecordID string
	Changes              map[string]any // nil: not recorded
	At                   time.Time
}

const insertAuditEntry = `INSERT INTO audit_entries (id, created_at, updated_at, environment_id, actor_type, actor_id, action, record_type, record_id, changes, organization_id, actor_name, address)
SELECT $1::text, $2::timestamptz, $2, $3::text, $4::text, $5::text, $6::text, $7::text, $8::text, $9::jsonb, $10::text, $11::text, $12::text`

// QueueAudit records the entry with whatever else batch holds.
func QueueAudit(batch *pgx.Batch, e AuditEntry) {
	batch.Queue(insertAuditEntry, id.New(e.At), e.At, e.EnvironmentID, e.ActorType, e.ActorID, e.Action, e.RecordType, e.RecordID, e.Changes, e.OrganizationID, e.ActorName, e.Address)
}
