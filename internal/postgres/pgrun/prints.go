package pgrun

import (
	"cmp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
)

// A print is a hash of everything that planning reads of an environment or a recipient; it changes when any of that does. Postgres makes
// it of the same columns that are read.

// PersonKey names what planning wants to know of a recipient.
type PersonKey struct {
	EnvironmentID string
	SubscriberID  string // external
	Scope         string
	WorkflowID    string
	Preferences   bool
	Settings      bool // see PersonalQuery
	Endpoints     bool
}

// PersonPrint is the print of a recipient.
type PersonPrint struct {
	PersonKey
	Print string
}

// EnvironmentPrint is the print of an environment, its configuration and the health of its integrations.
type EnvironmentPrint struct{ EnvironmentID, Print string }

// Prints are those that planning rests on.
type Prints struct {
	Environments []EnvironmentPrint
	People       []PersonPrint
}

// Compact leaves out what is named twice.
func (p *Prints) Compact() {
	slices.SortFunc(p.Environments, func(a, b EnvironmentPrint) int {
		return cmp.Or(strings.Compare(a.EnvironmentID, b.EnvironmentID), strings.Compare(a.Print, b.Print))
	})
	p.Environments = slices.Compact(p.Environments)
	slices.SortFunc(p.People, func(a, b PersonPrint) int {
		return cmp.Or(strings.Compare(a.EnvironmentID, b.EnvironmentID), strings.Compare(a.SubscriberID, b.SubscriberID),
			strings.Compare(a.WorkflowID, b.WorkflowID), strings.Compare(a.Scope, b.Scope), strings.Compare(a.Print, b.Print))
	})
	p.People = slices.Compact(p.People) // two versions of a workflow may want different things; what stays twice is checked twice
}

var (
	personColumns = bulk.Columns[PersonPrint]{
		bulk.Field("environment_id", func(p *PersonPrint) *string { return &p.EnvironmentID }),
		bulk.Field("subscriber_id", func(p *PersonPrint) *string { return &p.SubscriberID }),
		bulk.Field("scope", func(p *PersonPrint) *string { return &p.Scope }),
		bulk.Field("workflow_id", func(p *PersonPrint) *string { return &p.WorkflowID }),
		bulk.Field("preferences", func(p *PersonPrint) *bool { return &p.Preferences }),
		bulk.Field("settings", func(p *PersonPrint) *bool { return &p.Settings }),
		bulk.Field("endpoints", func(p *PersonPrint) *bool { return &p.Endpoints }),
	}
	environmentColumns = bulk.Columns[EnvironmentPrint]{
		bulk.Field("environment_id", func(e *EnvironmentPrint) *string { return &e.EnvironmentID }),
	}
	personPrint = bulk.Field("print", func(p *PersonPrint) *string { return &p.Print })
	// Of rows u the prints.
	printOfPerson = `(SELECT md5(ROW(` + pgsubscriber.SubscriberColumns + `,
	CASE WHEN u.preferences THEN (SELECT string_agg(ROW(` + preferenceColumns + `)::text, ',' ORDER BY p.id) FROM preferences p
		WHERE p.environment_id = s.environment_id AND p.subscriber_id = s.id AND p.scope = u.scope AND p.workflow_id IN ('', u.workflow_id)) END,
	CASE WHEN u.settings THEN (SELECT string_agg(ROW(` + settingColumns + `)::text, ',' ORDER BY c.id) FROM subscriber_channels c
		WHERE c.environment_id = s.environment_id AND c.subscriber_id = s.id) END,
	CASE WHEN u.endpoints THEN (SELECT string_agg(ROW(` + endpointColumns + `)::text, ',' ORDER BY e.id) FROM channel_endpoints e
		WHERE e.environment_id = s.environment_id AND e.subscriber_id = s.id AND e.scope = u.scope) END)::text)
FROM subscribers s WHERE s.environment_id = u.environment_id AND s.subscriber_id = u.subscriber_id AND NOT s.deleted)`
	printOfEnvironment = `(SELECT md5(ROW(` + environmentsColumns + `, (SELECT string_agg(ROW(` + healthColumns + `)::text, ',' ORDER BY i.id)
	FROM integrations i WHERE i.environment_id = e.id AND ` + unwell + `))::text) FROM environments e WHERE e.id = u.environment_id)`

	readPersonPrints      = bulk.New(`SELECT u.place, `+printOfPerson+` FROM {rows}`, personColumns)
	readEnvironmentPrints = bulk.New(`SELECT u.place, `+printOfEnvironment+` FROM {rows}`, environmentColumns)

	expectPeople       = bulk.That(printOfPerson+` = u.print`, append(personColumns, personPrint))
	expectEnvironments = bulk.That(printOfEnvironment+` = u.print`,
		append(environmentColumns, bulk.Field("print", func(e *EnvironmentPrint) *string { return &e.Print })))
)

// Expect adds to a check that the prints are still these.
func (p *Prints) Expect(check *bulk.Check) {
	expectEnvironments.Add(check, p.Environments)
	expectPeople.Add(check, p.People)
}

// queue queues the reading of prints; those of what is not there stay empty. It comes before what the prints stand for is read, so
// that none is newer than that.
func (p *Prints) queue(b *pgx.Batch) {
	if len(p.Environments) > 0 {
		readEnvironmentPrints.Queue(b, p.Environments).Query(scanPrints(func(i int) *string { return &p.Environments[i].Print }))
	}
	if len(p.People) > 0 {
		readPersonPrints.Queue(b, p.People).Query(scanPrints(func(i int) *string { return &p.People[i].Print }))
	}
}

func scanPrints(at func(i int) *string) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		var place int
		var made *string
		_, err := pgx.ForEachRow(rows, []any{&place, &made}, func() error {
			if made != nil {
				*at(place - 1) = *made
			}
			return nil
		})
		return err
	}
}
