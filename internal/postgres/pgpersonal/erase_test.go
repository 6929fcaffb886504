package pgpersonal_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/schema/field"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/migrate"
	"github.com/carillon/carillon/internal/postgres/pgpersonal"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// mark is in every text about the person that a test erases.
const mark = "ada-lovelace"

// markTexts writes the mark to the columns of a table that hold free text or JSON, whatever they are called, so that a
// column added later is erased or fails TestEraseLeavesNothing.
func markTexts(s *pgtest.Store, table, row string) {
	for _, t := range migrate.Tables {
		for _, c := range t.Columns {
			if t.Name != table || strings.HasSuffix(c.Name, "_id") || slices.Contains([]string{"id", "scope", "context_keys", "actor_type", "record_type", "action", "recipients"}, c.Name) {
				continue
			}
			switch c.Type {
			case field.TypeString:
				s.Exec(`UPDATE `+table+` SET `+c.Name+` = $2 WHERE id = $1`, row, mark+"-"+c.Name+"@example.org")
			case field.TypeJSON:
				s.Exec(`UPDATE `+table+` SET `+c.Name+` = $2 WHERE id = $1`, row, `[{"who": "`+mark+`"}]`)
			}
		}
	}
}

// columnsWith are the columns of all tables in which a text is found, as in a dump.
func columnsWith(s *pgtest.Store, text string) (found []string) {
	for _, column := range pgtest.Ask[[]string](s, `SELECT array_agg(quote_ident(table_name) || '.' || quote_ident(column_name) ORDER BY 1)
	FROM information_schema.columns WHERE table_schema = current_schema()`) {
		table, name, _ := strings.Cut(column, ".")
		look := name + `::text`
		if pgtest.Ask[string](s, `SELECT data_type FROM information_schema.columns WHERE table_schema = current_schema()
			AND quote_ident(table_name) = $1 AND quote_ident(column_name) = $2`, table, name) == "bytea" {
			look = `encode(` + name + `, 'escape')`
		}
		if pgtest.Ask[bool](s, fmt.Sprintf(`SELECT EXISTS (SELECT FROM %s WHERE %s LIKE '%%' || $1 || '%%')`, table, look), text) {
			found = append(found, column)
		}
	}
	return found
}

// erase erases a person in batches of two rows, each in a transaction of its own, and returns how many it took, and how many records
// it counted.
func erase(t *testing.T, s *pgtest.Store, subscriberID string) (batches, records int) {
	t.Helper()
	for batches = 1; batches < 100; batches++ {
		var erased pgpersonal.Erasure
		s.InTx(func(tx pgx.Tx) {
			person, err := pgpersonal.Find(s.Ctx, tx, s.Here.Scope, subscriberID)
			require.NoError(t, err)
			erased, err = pgpersonal.Erase(s.Ctx, tx, s.Here.Scope, person, "erased:hash", time.Now(), 2)
			require.NoError(t, err)
		})
		records += int(erased.Rows)
		if erased.Done {
			return batches, records
		}
	}
	t.Fatal("never done")
	return 0, 0
}

// TestEraseLeavesNothing: with a row in every table whose every text names the person, a dump does not.
func TestEraseLeavesNothing(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	for _, table := range append(pgpersonal.Tables(), "throttles") {
		markTexts(s, table, s.Here.IDs[table])
	}
	s.Exec(`UPDATE subscribers SET subscriber_id = $1, email = $2, phone = '+15550100' WHERE id = $3`, mark, mark+"@example.org", s.Here.IDs["subscribers"])
	for _, column := range []string{"suppressions.address", "caught_messages.recipient"} {
		table, name, _ := strings.Cut(column, ".")
		s.Exec(`UPDATE `+table+` SET `+name+` = $1 WHERE id = $2`, mark+"@example.org", s.Here.IDs[table])
	}
	s.Exec(`UPDATE audit_entries SET record_type = 'Subscriber', record_id = $1, actor_type = 'subscriber', actor_id = $1 WHERE id = $2`,
		s.Here.IDs["subscribers"], s.Here.IDs["audit_entries"])
	s.Exec(`UPDATE idempotency_records SET body = convert_to($1, 'UTF8') WHERE id = $2`, `{"email": "`+mark+`@example.org"}`, s.Here.IDs["idempotency_records"])
	sealed := s.Add(s.Here, "idempotency_records", pgtest.Values{"key": "sealed", "body": []byte{1, 'x'}})
	s.Exec(`UPDATE messages SET leased_until = NULL`)
	s.Exec(`UPDATE events SET due_at = NULL, recipients = $1 WHERE id = $2`, `{"direct": [{"subscriberId": "`+mark+`"}]}`, s.Here.IDs["events"])
	s.Add(s.Here, "subscribers", pgtest.Values{"subscriber_id": mark, "deleted": true, "first_name": mark})
	for i := range 5 {
		event := s.Add(s.Here, "events", pgtest.Values{"transaction_id": fmt.Sprint(i), "payload": `{"to": "` + mark + `"}`, "due_at": nil})
		run := s.Add(s.Here, "notifications", pgtest.Values{"event_id": event, "trace": `[{"who": "` + mark + `"}]`, "status": "waiting"})
		s.Add(s.Here, "messages", pgtest.Values{"notification_id": run, "subject": mark, "target": "x", "snoozed_until": time.Now()})
		s.Add(s.Here, "preference_changes", pgtest.Values{"changed_by": mark})
	}
	require.Greater(t, len(columnsWith(s, mark)), 40, "the search finds what is there")

	person, err := pgpersonal.Find(s.Ctx, s.Pool, s.Here.Scope, mark)
	require.NoError(t, err)
	stored, err := pgpersonal.Count(s.Ctx, s.Pool, s.Here.Scope, person, 1000)
	require.NoError(t, err)
	batches, records := erase(t, s, mark)
	require.Greater(t, batches, 2, "in several batches")
	require.Equal(t, stored+1, records, "as many as are announced, and the delivery that tells a webhook of the deletion")
	require.Empty(t, columnsWith(s, mark))
	require.Empty(t, columnsWith(s, "+15550100"))
	require.Zero(t, pgtest.Ask[int](s, `SELECT count(*) FROM idempotency_records WHERE id = $1`, sealed), "it may name anyone")
	require.Equal(t, 2, pgtest.Ask[int](s, `SELECT count(*) FROM subscribers WHERE subscriber_id = 'erased:hash' AND deleted`))
	require.Equal(t, 1, pgtest.Ask[int](s, `SELECT count(*) FROM audit_entries WHERE id = $1 AND actor_name = 'erased:hash'`, s.Here.IDs["audit_entries"]))
	require.Equal(t, 6, pgtest.Ask[int](s, `SELECT count(*) FROM events WHERE environment_id = $1`, s.Here.Scope.EnvironmentID), "events stay to be counted")
}

// TestEraseKeepsOthers: an event of several recipients keeps what it says about the others, and their messages stay.
func TestEraseKeepsOthers(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`UPDATE messages SET leased_until = NULL`)
	ada := s.Add(s.Here, "subscribers", pgtest.Values{"subscriber_id": `ad"a.`, "email": "ada@example.org", "phone": "5550100", "first_name": "Ada", "last_name": "Lovelace"})
	bob := s.Add(s.Here, "subscribers", pgtest.Values{"subscriber_id": "bob", "email": "shared@example.org"})
	s.Exec(`UPDATE subscribers SET phone = 'shared@example.org' WHERE id = $1`, ada)
	suppression := s.Add(s.Here, "suppressions", pgtest.Values{"address": "shared@example.org", "channel": "email"})
	event := s.Add(s.Here, "events", pgtest.Values{"transaction_id": "both", "due_at": nil, "payload": `{
		"ad\"a.": 1, "Ada": "Ada", "names": ["Ada Lovelace", "Adam"], "text": "write to ada@example.org, not \\\"Ada\\\"", "ids": ["ad\"a.", "adxa."], "number": 5550100}`})
	s.Add(s.Here, "notifications", pgtest.Values{"event_id": event, "subscriber_id": ada})
	kept := s.Add(s.Here, "notifications", pgtest.Values{"event_id": event, "subscriber_id": bob})
	scheduled := s.Add(s.Here, "events", pgtest.Values{
		"transaction_id": "later", "due_at": time.Now().Add(time.Hour), "checkpoint": nil,
		"recipients": `{"direct": [{"subscriberId": "ad\"a."}, {"subscriberId": "bob"}]}`, "payload": `{"a": 1}`,
	})
	alone := s.Add(s.Here, "events", pgtest.Values{
		"transaction_id": "alone", "due_at": time.Now().Add(time.Hour), "checkpoint": nil,
		"recipients": `{"direct": [{"subscriberId": "ad\"a.", "firstName": "Ada"}]}`, "payload": `{"a": 1}`,
	})
	erase(t, s, `ad"a.`)

	payload := func(id string) string {
		return pgtest.Ask[string](s, `SELECT payload::text FROM events WHERE id = $1`, id)
	}
	require.JSONEq(t, `{"ad\"a.": 1, "Ada": "[erased]", "names": ["[erased]", "Adam"], "text": "write to [erased], not \\\"Ada\\\"", "ids": ["[erased]", "adxa."], "number": 5550100}`, payload(event))
	require.Equal(t, 1, pgtest.Ask[int](s, `SELECT count(*) FROM notifications WHERE id = $1`, kept))
	require.Equal(t, "bob", pgtest.Ask[string](s, `SELECT subscriber_id FROM subscribers WHERE id = $1`, bob))
	require.Equal(t, 1, pgtest.Ask[int](s, `SELECT count(*) FROM suppressions WHERE id = $1`, suppression), "it protects another subscriber")
	recipients := func(id string) string {
		return pgtest.Ask[string](s, `SELECT recipients::text FROM events WHERE id = $1`, id)
	}
	require.JSONEq(t, `{"direct": [{"subscriberId": "bob"}]}`, recipients(scheduled))
	require.JSONEq(t, `{"a": 1}`, payload(scheduled))
	require.JSONEq(t, `{"direct": []}`, recipients(alone))
	require.JSONEq(t, `{}`, payload(alone))
}

// TestEraseWaitsForCalls: what a process is working on is left until its lease has ended.
func TestEraseWaitsForCalls(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`UPDATE events SET due_at = NULL`)
	s.Exec(`UPDATE subscribers SET subscriber_id = 'ada' WHERE id = $1`, s.Here.IDs["subscribers"])
	s.Exec(`UPDATE messages SET leased_until = now() + interval '1 hour'`)
	batch := func(now time.Time) (erased pgpersonal.Erasure) {
		s.InTx(func(tx pgx.Tx) {
			person, err := pgpersonal.Find(s.Ctx, tx, s.Here.Scope, "ada")
			require.NoError(t, err)
			erased, err = pgpersonal.Erase(s.Ctx, tx, s.Here.Scope, person, "erased:hash", now, 100)
			require.NoError(t, err)
		})
		return erased
	}
	require.False(t, batch(time.Now()).Done)
	require.Equal(t, 1, pgtest.Ask[int](s, `SELECT count(*) FROM subscribers WHERE subscriber_id = 'ada' AND deleted`))
	require.True(t, batch(time.Now().Add(2*time.Hour)).Done)
}

// TestEraseAddressesInTheirForms: suppressions name addresses in small letters and numbers without blanks. One that protects another
// subscriber stays.
func TestEraseAddressesInTheirForms(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM suppressions`)
	s.Exec(`UPDATE events SET due_at = NULL`)
	s.Exec(`UPDATE messages SET leased_until = NULL`)
	s.Exec(`UPDATE subscribers SET subscriber_id = 'ada', email = 'Ada@B' || chr(252) || 'cher.Example', phone = '+49 (151) 123-45678' WHERE id = $1`, s.Here.IDs["subscribers"])
	s.Add(s.Here, "subscribers", pgtest.Values{"subscriber_id": "ada", "deleted": true, "email": "Shared@Example.org"})
	s.Add(s.Here, "subscribers", pgtest.Values{"subscriber_id": "bob", "email": "Shared@Example.org"})
	suppress := func(channel, address string) {
		s.Add(s.Here, "suppressions", pgtest.Values{"channel": channel, "address": address})
	}
	suppress("email", "ada@xn--bcher-kva.example")
	suppress("sms", "+4915112345678")
	suppress("email", "shared@example.org")
	suppress("email", "eve@example.org")
	person, err := pgpersonal.Find(s.Ctx, s.Pool, s.Here.Scope, "ada")
	require.NoError(t, err)
	page, err := pgpersonal.Page(s.Ctx, s.Pool, s.Here.Scope, person, pgpersonal.Position{Kind: pgpersonal.KindCaughtMessage, ID: "~"}, 3)
	require.NoError(t, err)
	require.Len(t, page, 3)
	for _, r := range page {
		require.Equal(t, pgpersonal.KindSuppression, r.Kind, "all three are exported")
	}
	erase(t, s, "ada")
	require.Equal(t, []string{"shared@example.org", "eve@example.org"}, pgtest.Column[string](s, s.Here, "suppressions", "address"))
}

// TestEraseReceiptsWithoutAMessage: an account of a provider may report mails of others as well, and receipts may come when their message
// is past its retention.
func TestEraseReceiptsWithoutAMessage(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM receipts`)
	s.Exec(`UPDATE events SET due_at = NULL`)
	s.Exec(`UPDATE messages SET leased_until = NULL`)
	s.Exec(`UPDATE subscribers SET subscriber_id = 'ada', email = 'Ada@Example.org', phone = '+4915112345678' WHERE id = $1`, s.Here.IDs["subscribers"])
	report := func(rows pgtest.Rows, recipient string, message any) string {
		return s.Add(rows, "receipts", pgtest.Values{"recipient": recipient, "message_id": message, "provider_event_id": fmt.Sprint(recipient, message)})
	}
	for _, recipient := range []string{"ada@example.org", "+4915112345678", "4915112345678"} {
		report(s.Here, recipient, nil)
	}
	kept := []string{report(s.Here, "eve@example.org", nil), report(s.Here, "ada@example.org", "of-another")}
	report(s.There, "ada@example.org", nil)
	batches, _ := erase(t, s, "ada")
	require.Greater(t, batches, 1, "in bounded batches")
	require.Equal(t, kept, pgtest.Column[string](s, s.Here, "receipts", "id"))
	require.Len(t, pgtest.Column[string](s, s.There, "receipts", "id"), 1)
}
