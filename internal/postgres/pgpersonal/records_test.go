package pgpersonal_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/migrate"
	"github.com/carillon/carillon/internal/postgres/pgpersonal"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// impersonal are the tables without rows about subscribers, and why.
var impersonal = map[string]string{
	"api_keys": "credentials of programs", "environments": "configuration", "feeds": "configuration", "integrations": "configuration",
	"invitations": "members of the organization", "layouts": "configuration", "log_in_tries": "members of the organization, as hashes",
	"members": "members of the organization", "notification_groups": "configuration", "organization_keys": "credentials of programs",
	"organizations": "configuration", "promotions": "configuration", "sessions": "members of the organization", "snippets": "configuration", "images": "configuration",
	"tenant_workflows": "configuration", "tenants": "customers of the operator", "contexts": "customers of the operator",
	"topics": "names of groups", "transaction_claims": "names of triggers", "translations": "configuration", "users": "members of the organization",
	"variables": "configuration", "pauses": "what operators hold", "message_retries": "filters of operators", "webhook_endpoints": "configuration", "workflow_versions": "configuration", "workflows": "configuration",
	"throttles":           "counts that end with their windows",
	"event_counts":        "counts of events",
	"audiences":           "filters of operators",
	"trigger_schedules":   "what operators plan; the identifiers that they name are taken out by an erasure",
	"alert_rules":         "configuration; an erasure takes the identifier out",
	"idempotency_records": "answers to the operator, for a day",
}

// TestEveryTableIsClassified: a new table is exported, or it is said why it has nothing about a person.
func TestEveryTableIsClassified(t *testing.T) {
	t.Parallel()
	exported := pgpersonal.Tables()
	for _, table := range migrate.Tables {
		_, excepted := impersonal[table.Name]
		require.NotEqual(t, slices.Contains(exported, table.Name), excepted, table.Name)
		for _, c := range table.Columns {
			if excepted && table.Name != "throttles" {
				require.NotContains(t, []string{"subscriber_id", "message_id", "recipient"}, c.Name, table.Name)
			}
		}
	}
}

func TestPageIsEverythingAboutOnePerson(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	scope := s.Here.Scope
	s.Exec(`UPDATE webhook_endpoints SET active = false`) // what follows is reported to no endpoint
	s.Exec(`UPDATE subscribers SET subscriber_id = 'ada', email = 'ada@example.org', phone = '+15550100'`)
	s.Exec(`UPDATE alert_incidents i SET subscriber_id = s.id FROM subscribers s WHERE s.environment_id = i.environment_id`)
	s.Exec(`UPDATE suppressions SET address = 'ada@example.org'`)
	s.Exec(`UPDATE caught_messages SET recipient = '+15550100'`)
	s.Exec(`UPDATE audit_entries SET record_type = 'Subscriber', record_id = (SELECT id FROM subscribers s WHERE s.environment_id = audit_entries.environment_id)`)
	s.Exec(`UPDATE channel_connections SET access_token = 'secret-token'`)
	s.Exec(`UPDATE subscriber_channels SET credentials = '{"webhookUrl": "k1:secret-url", "deviceTokens": ["token"]}'`)
	s.Exec(`UPDATE channel_endpoints SET endpoint = '{"url": "k1:secret-url", "channel": "general"}'`)
	s.Exec(`UPDATE messages SET direct_webhook_url = 'k1:secret-url', envelope = '{"url": "secret-url"}'`)
	earlier := s.Add(s.Here, "subscribers", pgtest.Values{"subscriber_id": "ada", "deleted": true, "email": "old@example.org"})
	other := s.Add(s.Here, "subscribers", pgtest.Values{"subscriber_id": "bob"})
	s.Add(s.Here, "inbox_states", pgtest.Values{"subscriber_id": other})

	reported := s.Add(s.Here, "receipts", pgtest.Values{"message_id": nil, "recipient": "15550100", "provider_event_id": "digits"})
	s.Add(s.Here, "receipts", pgtest.Values{"message_id": nil, "recipient": "bob@example.org", "provider_event_id": "other"})

	ada, err := pgpersonal.Find(s.Ctx, s.Pool, scope, "ada")
	require.NoError(t, err)
	require.ElementsMatch(t, []string{s.Here.IDs["subscribers"], earlier}, ada.Records)
	require.ElementsMatch(t, []string{"ada@example.org", "+15550100", "15550100", "old@example.org"}, ada.Addresses)

	all, err := pgpersonal.Page(s.Ctx, s.Pool, scope, ada, pgpersonal.Position{}, 1000)
	require.NoError(t, err)
	want := []string{earlier, reported}
	for _, table := range pgpersonal.Tables() {
		want = append(want, s.Here.IDs[table])
	}
	var got []string
	for _, r := range all {
		got = append(got, r.ID)
		if r.Kind == pgpersonal.KindMessage {
			got = append(got, members(r, "attempts")...)
			got = append(got, members(r, "receipts")...)
		}
		if r.Kind == pgpersonal.KindSubscription {
			got = append(got, members(r, "preferences")...)
			require.NotEmpty(t, r.Data["topic"])
		}
		if r.Kind == pgpersonal.KindNotification {
			require.Contains(t, r.Data["event"], "payload")
			got = append(got, s.Here.IDs["events"])
		}
		require.NotContains(t, toText(t, r.Data), "secret", r.Kind)
	}
	require.ElementsMatch(t, want, got, "one row of each table, of this environment and this person only")

	var paged []pgpersonal.Record
	for after := (pgpersonal.Position{}); ; after = paged[len(paged)-1].Position {
		page, err := pgpersonal.Page(s.Ctx, s.Pool, scope, ada, after, 3)
		require.NoError(t, err)
		require.LessOrEqual(t, len(page), 3)
		if len(page) == 0 {
			break
		}
		paged = append(paged, page...)
	}
	require.Equal(t, all, paged, "pages join without a gap or a repetition")

	total, err := pgpersonal.Count(s.Ctx, s.Pool, scope, ada, 100)
	require.NoError(t, err)
	require.Len(t, all, total)
	total, err = pgpersonal.Count(s.Ctx, s.Pool, scope, ada, 1)
	require.NoError(t, err)
	require.Equal(t, len(all)-1, total, "two subscribers count once")

	unknown, err := pgpersonal.Find(s.Ctx, s.Pool, scope, "nobody-else")
	require.NoError(t, err)
	require.Empty(t, unknown.Records)
	none, err := pgpersonal.Page(s.Ctx, s.Pool, scope, unknown, pgpersonal.Position{}, 10)
	require.NoError(t, err)
	require.Empty(t, none)
}

func members(r pgpersonal.Record, name string) (ids []string) {
	for _, m := range r.Data[name].([]any) {
		ids = append(ids, m.(map[string]any)["id"].(string))
	}
	return ids
}

func toText(t *testing.T, v any) string {
	t.Helper()
	var text strings.Builder
	require.NoError(t, json.NewEncoder(&text).Encode(v))
	return text.String()
}
