package usecase

import (
	"entgo.io/ent/dialect/sql"

	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/internal/workflow"
)

// OpenMessages selects a column of the messages of an environment that are not final: those that are due at some time, and those that
// are being sent under a lease. Each part reads little more than it returns.
func OpenMessages(environmentID, column string) (due, leased *sql.Selector) {
	m := sql.Table(message.Table).As("open")
	of := func(open *sql.Predicate) *sql.Selector {
		return sql.Select(m.C(column)).From(m).Where(sql.And(sql.EQ(m.C(message.FieldEnvironmentID), environmentID), open))
	}
	named := sql.SelectExpr(sql.Raw("unnest(message_ids)")).From(sql.Table("message_leases"))
	due = of(sql.And(sql.NEQ(m.C(message.FieldChannel), workflow.ChannelInApp), sql.NotNull(m.C(message.FieldDueAt))))
	return due, of(sql.And(sql.NotNull(m.C(message.FieldLeaseID)), sql.In(m.C(message.FieldID), named)))
}
