package schema

import (
	"entgo.io/ent"
)

// TransactionClaim decides which trigger a transactionId belongs to: the first one wins, by its unique key.
type TransactionClaim struct{ ent.Schema }

// Mixin gives the common columns.
func (TransactionClaim) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentRow{}} }

// Fields are the columns.
func (TransactionClaim) Fields() []ent.Field {
	return []ent.Field{
		fixed("transaction_id"),
		fixed("event_id"),
	}
}

// Indexes serve uniqueness and the lists.
func (TransactionClaim) Indexes() []ent.Index {
	return []ent.Index{
		uniqueInEnvironment("transaction_id"),
	}
}
