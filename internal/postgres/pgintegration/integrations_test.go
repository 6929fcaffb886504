package pgintegration_test

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgintegration"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

func TestDeleteIntegration(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`UPDATE integrations SET deleted = true`)
	s.Exec(`DELETE FROM channel_endpoints`)
	add := func(rows pgtest.Rows, name string, change pgtest.Values) string {
		values := pgtest.Values{"identifier": name, "channel": "email", "active": true, "primary": false}
		maps.Copy(values, change)
		return s.Add(rows, "integrations", values)
	}
	older, heir := add(s.Here, "older", nil), add(s.Here, "heir", nil)
	primary := add(s.Here, "primary", pgtest.Values{"primary": true})
	add(s.Here, "asleep", pgtest.Values{"active": false})
	sms := add(s.Here, "sms", pgtest.Values{"channel": "sms"})
	add(s.There, "primary", pgtest.Values{"primary": true})
	for i, of := range []string{primary, older} {
		s.Add(s.Here, "channel_endpoints", pgtest.Values{"identifier": []string{"mine", "other"}[i], "integration_id": of, "integration_identifier": "x", "provider_id": "p", "channel": "email", "connection_id": nil})
	}
	remove := func(id string, promote ...string) (rest []string, found bool) {
		left, found, err := pgintegration.DeleteIntegration(s.Ctx, s.DB, pgintegration.DeletedIntegration{
			Audit: postgres.AuditEntry{Scope: s.Here.Scope, ActorType: "user", ActorID: "u", Action: "deleted", RecordType: "integration", RecordID: id, At: pgtest.Noon},
			By:    new(s.Here.IDs["users"]), At: pgtest.Noon, Promote: promote,
		})
		require.NoError(t, err)
		return pgtest.Names(left, func(i **ent.Integration) string { return (*i).Identifier }), found
	}
	rest, found := remove(primary, "email")
	require.True(t, found)
	require.Equal(t, []string{"older", "heir", "asleep", "sms"}, rest, "oldest first")
	isPrimary := func(id string) bool { return s.Record("integrations", id)["primary"].(bool) }
	require.Equal(t, []bool{false, true, false}, []bool{isPrimary(older), isPrimary(heir), isPrimary(sms)}, "the youngest active one of the channel follows")
	gone := s.Record("integrations", primary)
	require.Equal(t, []any{true, false, false, pgtest.JSONTime(0)}, []any{gone["deleted"], gone["active"], gone["primary"], gone["deleted_at"]})
	require.Equal(t, []string{"mine", "other x"}, pgtest.Column[string](s, s.Here, "channel_endpoints", `concat_ws(' ', identifier, integration_identifier)`), "copies of it are cleared")
	require.Equal(t, "primary", pgtest.Ask[string](s, `SELECT changes ->> 'identifier' FROM audit_entries WHERE record_id = $1`, primary))

	_, found = remove(primary)
	require.False(t, found, "once")
	require.Equal(t, 1, pgtest.Ask[int](s, `SELECT count(*) FROM audit_entries WHERE record_id = $1`, primary))
	_, found = remove(pgtest.Ask[string](s, `SELECT id FROM integrations WHERE environment_id = $1 AND identifier = 'primary'`, s.There.Scope.EnvironmentID))
	require.False(t, found, "another environment's stays")
	_, found = remove(heir)
	require.True(t, found)
	require.False(t, isPrimary(older), "of a channel that has no primary none follows")

	deleted, err := pgintegration.GoneIntegrations(s.Ctx, s.DB, []string{primary, older, "none"})
	require.NoError(t, err)
	require.ElementsMatch(t, []string{primary, "none"}, deleted)
}

func TestCatch(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM caught_messages`)
	ids := pgtest.IDs(9)
	n := 0
	catch := func(scope viewer.Scope, message, recipient string) error {
		n++
		return pgintegration.Catch(s.Ctx, s.DB, scope, pgintegration.CaughtMessage{
			ID: ids[n], MessageID: message, ProviderID: "demo", Channel: workflow.ChannelEmail, Recipient: recipient, Subject: "S", Details: map[string]any{"k": 1},
		})
	}
	caught := func(rows pgtest.Rows) []string {
		return pgtest.Column[string](s, rows, "caught_messages", `concat_ws(' ', recipient, subject, details ->> 'k')`)
	}
	mine, theirs := s.Here.IDs["messages"], s.There.IDs["messages"]
	for range 2 {
		require.NoError(t, catch(viewer.Scope{}, mine, "ada"))
	}
	require.Equal(t, []string{"ada S 1"}, caught(s.Here), "a repeated attempt shows once")
	require.NoError(t, catch(s.Here.Scope, mine, "bob"))
	require.NoError(t, catch(s.Here.Scope, "test", "ada"))
	require.Equal(t, []string{"ada S 1", "bob S 1", "ada S 1"}, caught(s.Here), "a test message is stored nowhere else")
	require.ErrorContains(t, catch(s.Here.Scope, theirs, "eve"), "there is no such message")
	require.ErrorContains(t, catch(viewer.Scope{}, "none", "eve"), "there is no such message")
	require.Empty(t, caught(s.There))
	require.Error(t, pgintegration.Catch(s.Ctx, s.DB, s.Here.Scope, pgintegration.CaughtMessage{ID: "x", MessageID: mine, Details: map[string]any{"f": func() {}}}))
}
