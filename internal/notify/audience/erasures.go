package audience

import (
	"context"
	"regexp"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgpersonal"
	"github.com/carillon/carillon/internal/secret"
)

// erasedRows bounds one transaction: rows of each table.
const erasedRows = 500

// pseudonyms are what Erase leaves of identifiers.
var pseudonyms = regexp.MustCompile("^erased:[a-z2-7]{26}$")

// Erasures are the use cases of erasing persons.
type Erasures struct {
	usecase.Deps

	secrets *secret.Keeper
}

// SubscriberErasure is what one batch of erasing a person did.
type SubscriberErasure struct {
	Rows      int
	Done      bool
	Pseudonym string
}

// Erase deletes a batch of what is stored about a subscriber, and about those deleted before it under the same identifier
// (decisions.md §16); nil when nothing is stored under it. The end is recorded in the audit log.
func (s *Erasures) Erase(ctx context.Context, subscriberID string) (*SubscriberErasure, error) {
	return usecase.Write(ctx, s.Deps, usecase.ErasePerson, func(ctx context.Context, db *ent.Client) (*SubscriberErasure, error) {
		tx, scope := usecase.TxScope(ctx)
		person, err := pgpersonal.Find(ctx, tx, scope, subscriberID)
		if err != nil || len(person.Records) == 0 {
			return nil, err
		}
		if pseudonyms.MatchString(subscriberID) { // erased already; its hash would be another one
			return nil, nil
		}
		pseudonym := pseudonym(s.secrets, scope, subscriberID)
		erased, err := pgpersonal.Erase(ctx, tx, scope, person, pseudonym, time.Now(), erasedRows)
		if err != nil {
			return nil, err
		}
		if erased.Done {
			newest, err := db.Subscriber.Get(ctx, person.Records[len(person.Records)-1])
			if err != nil {
				return nil, err
			}
			if err := usecase.Audit(ctx, db, "erase", newest, map[string]any{"pseudonym": pseudonym}); err != nil {
				return nil, err
			}
		}
		return &SubscriberErasure{Rows: int(erased.Rows), Done: erased.Done, Pseudonym: pseudonym}, nil
	})
}
