package pgmessage_test

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/workflow"
)

// at is an id of some minutes after Noon; n tells those of one minute apart.
func at(minutes, n int) string {
	return id.Floor(pgtest.At(minutes).Add(time.Duration(n) * time.Millisecond))
}

func TestWithinQuota(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM attempts`)
	mine := s.Add(s.Here, "integrations", pgtest.Values{"provider_id": "demo", "identifier": "mine"})
	beside := pgtest.Fill(t, s.DB, s.Here.Scope.OrganizationID)
	besides := s.Add(beside, "integrations", pgtest.Values{"provider_id": "demo", "identifier": "besides"})
	theirs := s.Add(s.There, "integrations", pgtest.Values{"provider_id": "demo", "identifier": "theirs"})
	other := s.Add(s.Here, "integrations", pgtest.Values{"provider_id": "other", "identifier": "other"})
	s.Exec(`DELETE FROM attempts`)
	message := s.Add(s.Here, "messages", pgtest.Values{"id": "m"})
	n := 0
	call := func(rows pgtest.Rows, integration, messageID string, minutes int, change pgtest.Values) {
		n++
		values := pgtest.Values{"id": at(minutes, n), "integration_id": integration, "message_id": messageID, "number": n, "outcome": "accepted", "provider_message_id": fmt.Sprint("pm", n)}
		maps.Copy(values, change)
		s.Add(rows, "attempts", values)
	}
	// used is how many messages of others count: the quota that just holds them is full.
	used := func() int {
		for limit := 0; ; limit++ {
			within, err := pgmessage.WithinQuota(s.Ctx, s.DB, s.Here.Scope, "demo", message, *pgtest.At(-60), pgtest.Noon, limit+1)
			require.NoError(t, err)
			if within {
				return limit
			}
		}
	}
	require.Zero(t, used())
	call(s.Here, mine, "a", -1, nil)
	call(s.Here, mine, "a", -1, nil)
	require.Equal(t, 1, used(), "a message counts once, however often it was tried")
	call(beside, besides, "b", -2, nil)
	require.Equal(t, 2, used(), "the organization's environments share it")
	call(s.Here, mine, message, -1, nil)
	call(s.There, theirs, "c", -1, nil)
	call(s.Here, other, "d", -1, nil)
	call(s.Here, mine, "e", -61, nil)
	call(s.Here, mine, "f", -1, pgtest.Values{"outcome": "rejected", "provider_message_id": nil})
	require.Equal(t, 2, used(), "its own, another organization's, another provider's, an older and a refused one do not")
	under := pgtest.Values{"outcome": "intent", "provider_message_id": nil}
	call(s.Here, mine, "g", -2, under)
	require.Equal(t, 3, used(), "what is on its way counts, too")
	call(s.Here, mine, "h", -11, under)
	require.Equal(t, 3, used(), "until it must have ended")
	call(s.Here, mine, message, -1, under)
	call(s.Here, mine, "i", 0, under)
	require.Equal(t, 3, used(), "of two at once the later one waits for the earlier one, not both for each other")
}

func TestReplies(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM replies`)
	add := func(name string, due time.Duration, change pgtest.Values) string {
		values := pgtest.Values{"due_at": time.Now().Add(due), "url": "https://" + name, "body": `{"n": 1}`, "attempts": 0}
		maps.Copy(values, change)
		return s.Add(s.Here, "replies", values)
	}
	claim := func(limit int) map[string]pgmessage.ReplyRow {
		found, err := pgmessage.ClaimReplies(s.Ctx, s.DB, time.Hour, limit)
		require.NoError(t, err)
		byID := map[string]pgmessage.ReplyRow{}
		for _, r := range found {
			byID[r.ID] = r
		}
		return byID
	}
	first, second := add("first", -time.Hour, nil), add("second", -time.Minute, nil)
	add("later", time.Hour, nil)
	add("done", 0, pgtest.Values{"due_at": nil})
	add("held", -time.Hour, pgtest.Values{"leased_until": time.Now().Add(time.Hour)})
	claimed := claim(1)
	require.Len(t, claimed, 1)
	require.Equal(t, []any{"https://first", 1, s.Here.Scope.EnvironmentID}, []any{claimed[first].URL, claimed[first].Attempts, claimed[first].EnvironmentID}, "the oldest first")
	require.JSONEq(t, `{"n": 1}`, string(claimed[first].Body))
	require.Contains(t, claim(9), second)
	require.Empty(t, claim(9), "what is leased belongs to its worker")

	finish := func(r pgmessage.ReplyRow, status string, due *time.Time, text *string) {
		require.NoError(t, pgmessage.FinishReply(s.Ctx, s.DB, r, status, due, text))
	}
	row := claimed[first]
	stale, foreign := row, row
	stale.Attempts, foreign.EnvironmentID = 7, s.There.Scope.EnvironmentID
	finish(stale, "sent", nil, nil)
	finish(foreign, "sent", nil, nil)
	require.NotNil(t, s.Record("replies", first)["leased_until"], "neither an older attempt nor another environment ends it")
	finish(row, "pending", new(time.Now().Add(-time.Second)), new("no answer"))
	got := s.Record("replies", first)
	require.Equal(t, []any{"no answer", nil}, []any{got["error_text"], got["leased_until"]})
	row = claim(9)[first]
	require.Equal(t, 2, row.Attempts, "it is due again")
	finish(row, "sent", nil, nil)
	require.Nil(t, s.Record("replies", first)["due_at"])
	s.Exec(`UPDATE replies SET leased_until = now() - interval '1 second' WHERE id = $1`, second)
	require.Contains(t, claim(9), second, "a lease that ended holds nothing")
}

func TestLoadStepOutcomes(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	here := s.Here.Scope.EnvironmentID
	add := func(run, step, status string, change pgtest.Values) {
		values := pgtest.Values{"notification_id": run, "step_id": step, "status": status, "target": fmt.Sprint(status, len(change), step)}
		maps.Copy(values, change)
		s.Add(s.Here, "messages", values)
	}
	for _, c := range []struct {
		step     string
		statuses []string
		want     pgmessage.StepOutcome
	}{
		{"pending", []string{"pending", "sent"}, pgmessage.StepOutcome{Pending: true, Sent: true}},
		{"sent", []string{"sent", "error"}, pgmessage.StepOutcome{Sent: true}},
		{"warning", []string{"warning"}, pgmessage.StepOutcome{Sent: true}},
		{"failed", []string{"error"}, pgmessage.StepOutcome{Failed: true}},
	} {
		for _, status := range c.statuses {
			add("r-"+c.step, c.step, status, nil)
		}
		c.want.NotificationID, c.want.StepID = "r-"+c.step, c.step
		found, err := pgmessage.LoadStepOutcomes(s.Ctx, s.Pool, []string{here, s.There.Scope.EnvironmentID}, []string{"r-" + c.step, "r-" + c.step})
		require.NoError(t, err)
		require.Equal(t, []pgmessage.StepOutcome{c.want}, found)
	}
	add("r", "seen", "sent", pgtest.Values{"seen": true})
	add("r", "read", "sent", pgtest.Values{"seen": true, "read": true})
	found, err := pgmessage.LoadStepOutcomes(s.Ctx, s.Pool, []string{here}, []string{"r"})
	require.NoError(t, err)
	require.ElementsMatch(t, []pgmessage.StepOutcome{
		{NotificationID: "r", StepID: "seen", Sent: true, Seen: true}, {NotificationID: "r", StepID: "read", Sent: true, Seen: true, Read: true},
	}, found)
	found, err = pgmessage.LoadStepOutcomes(s.Ctx, s.Pool, []string{s.There.Scope.EnvironmentID}, []string{"r"})
	require.NoError(t, err)
	require.Empty(t, found, "a run belongs to its environment")
}

func TestLoadConnectionsAndOrigins(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	here, there := s.Here.Scope.EnvironmentID, s.There.Scope.EnvironmentID
	connection := s.Add(s.Here, "channel_connections", pgtest.Values{"identifier": "c", "workspace_id": "w", "access_token": []byte("sealed")})
	found, err := pgmessage.LoadConnections(s.Ctx, s.Pool, []string{here, here, there}, []string{connection, connection, connection})
	require.NoError(t, err)
	require.Equal(t, []pgmessage.ConnectionRow{{ID: connection, EnvironmentID: here, WorkspaceID: "w", AccessToken: []byte("sealed")}}, found, "once, and in its environment")

	final := s.Message("final")
	final.DueAt, final.Status = nil, workflow.MessageSent
	s.InsertMessages(s.Message("due"), final)
	origins, err := pgmessage.LoadMessageOrigins(s.Ctx, s.Pool, []string{"m-due", "m-final", "none"})
	require.NoError(t, err)
	require.Len(t, origins, 1, "what is final has no outcome to come")
	o := origins[0]
	require.Equal(t, []string{here, "m-due", "n-due", "mail", "i", "p"}, []string{o.EnvironmentID, o.MessageID, o.NotificationID, o.StepID, o.IntegrationID, o.ProviderID})
	require.Equal(t, pgtest.Noon, o.DueAt.UTC())
}
