package usecase

import (
	"entgo.io/ent/dialect/sql"

	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/internal/workflow"
)

// Messages that are not final are due at some time or are being sent under a lease, never both.

// DueMessage is the condition of the index of messages that are due at some time.
func DueMessage(s *sql.Selector) *sql.Predicate {
	return sql.And(sql.NEQ(s.C(message.FieldChannel), workflow.ChannelInApp), sql.NotNull(s.C(message.FieldDueAt)))
}

// LeasedMessages selects a column of the messages of an environment that are being sent under a lease. It reads little more than it
// returns.
func LeasedMessages(environmentID, column string) *sql.Selector {
	m := sql.Table(message.Table).As("leased")
	named := sql.SelectExpr(sql.Raw("unnest(message_ids)")).From(sql.Table("message_leases"))
	return sql.Select(m.C(column)).From(m).Where(sql.And(sql.EQ(m.C(message.FieldEnvironmentID), environmentID),
		sql.NotNull(m.C(message.FieldLeaseID)), sql.In(m.C(message.FieldID), named)))
}
