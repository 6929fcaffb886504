package pgrun

import (
	"cmp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
)

// A print is a hash of everything that planning reads of a recipient; it changes when any of that does. Postgres makes it of the same
// columns that are read, not with md5, which a server in FIPS mode refuses.

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

// Prints are what planning rests on, beside the versions of the environments.
type Prints struct {
	Environments []string // ids of those whose integrations are all well
	People       []PersonPrint
	Living       []string // internal ids of recipients who were read without a print, and may have been deleted since
}

// Compact leaves out what is named twice.
func (p *Prints) Compact() {
	slices.Sort(p.Environments)
	p.Environments = slices.Compact(p.Environments)
	slices.Sort(p.Living)
	p.Living = slices.Compact(p.Living)
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
	personPrint = bulk.Field("print", func(p *PersonPrint) *string { return &p.Print })

	readPersonPrints = bulk.New(`SELECT u.place, `+printOfPerson(true, true, true)+` FROM {rows}`, personColumns)

	// expectPeople is by what is wanted of any of the recipients: preferences, settings, endpoints. Postgres would set up the subqueries of
	// what is not wanted as well, each time: a quarter of the time that the statement of one recipient takes to begin.
	expectPeople = func() map[[3]bool]bulk.Condition[PersonPrint] {
		all := map[[3]bool]bulk.Condition[PersonPrint]{}
		for n := range 8 {
			preferences, settings, endpoints := n&1 > 0, n&2 > 0, n&4 > 0
			all[[3]bool{preferences, settings, endpoints}] = bulk.That(printOfPerson(preferences, settings, endpoints)+` = u.print`,
				append(slices.Clip(personColumns), personPrint))
		}
		return all
	}()
	expectLiving = bulk.That(`EXISTS (SELECT FROM subscribers s WHERE s.id = u.id AND NOT s.deleted)`,
		bulk.Columns[string]{bulk.Field("id", func(subscriberID *string) *string { return subscriberID })})
	expectWell = bulk.That(`NOT EXISTS (SELECT FROM integrations i WHERE i.environment_id = u.id AND `+unwell+`)`,
		bulk.Columns[string]{bulk.Field("id", func(environmentID *string) *string { return environmentID })})
)

// printOfPerson is an expression for the print of the recipient that a row u names. Preferences, settings and endpoints are in it where the
// row wants them; no row may want what is left out here.
func printOfPerson(preferences, settings, endpoints bool) string {
	only := func(wanted bool, expression string) string {
		if !wanted {
			return `NULL`
		}
		return expression
	}
	return `(SELECT hashtextextended(ROW(` + pgsubscriber.SubscriberColumns + `,
	` + only(preferences, `CASE WHEN u.preferences THEN (SELECT string_agg(ROW(`+preferenceColumns+`)::text, ',' ORDER BY p.id) FROM preferences p
		WHERE p.environment_id = s.environment_id AND p.subscriber_id = s.id AND p.scope = u.scope AND p.workflow_id IN ('', u.workflow_id)) END`) + `,
	` + only(settings, `CASE WHEN u.settings THEN (SELECT string_agg(ROW(`+settingColumns+`)::text, ',' ORDER BY c.id) FROM subscriber_channels c
		WHERE c.environment_id = s.environment_id AND c.subscriber_id = s.id) END`) + `,
	` + only(endpoints, `CASE WHEN u.endpoints THEN (SELECT string_agg(ROW(`+endpointColumns+`)::text, ',' ORDER BY e.id) FROM channel_endpoints e
		WHERE e.environment_id = s.environment_id AND e.subscriber_id = s.id AND e.scope = u.scope) END`) + `)::text, 0)::text
FROM subscribers s WHERE s.environment_id = u.environment_id AND s.subscriber_id = u.subscriber_id AND NOT s.deleted)`
}

// Expect adds to a check that the prints are still these, the integrations still well and the living still there.
func (p *Prints) Expect(check *bulk.Check) {
	var wanted [3]bool
	for i := range p.People {
		w := &p.People[i]
		wanted = [3]bool{wanted[0] || w.Preferences, wanted[1] || w.Settings, wanted[2] || w.Endpoints}
	}
	expectWell.Add(check, p.Environments)
	expectLiving.Add(check, p.Living)
	expectPeople[wanted].Add(check, p.People)
}

// queue queues the reading of prints; those of recipients who are not there stay empty.
func (p *Prints) queue(b *pgx.Batch) {
	if len(p.People) == 0 {
		return
	}
	readPersonPrints.Queue(b, p.People).Query(func(rows pgx.Rows) error {
		var place int
		var made *string
		_, err := pgx.ForEachRow(rows, []any{&place, &made}, func() error {
			if made != nil {
				p.People[place-1].Print = *made
			}
			return nil
		})
		return err
	})
}
