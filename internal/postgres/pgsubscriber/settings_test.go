package pgsubscriber_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/workflow"
)

func TestMergeSettings(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM subscriber_channels`)
	slack := s.Add(s.Here, "integrations", pgtest.Values{"identifier": "work", "provider_id": "slack"})
	s.Add(s.Here, "integrations", pgtest.Values{"identifier": "gone", "deleted": true})
	s.Add(s.There, "integrations", pgtest.Values{"identifier": "foreign"})
	n := 0
	merge := func(provider, integration string, credentials string) map[string]any {
		n++
		w := pgsubscriber.SettingWrite{ID: fmt.Sprint("c", n), EnvironmentID: s.Here.Scope.EnvironmentID, SubscriberID: s.Here.IDs["subscribers"]}
		w.ProviderID, w.IntegrationIdentifier = provider, integration
		require.NoError(t, json.Unmarshal([]byte(credentials), &w.Credentials))
		s.InTx(func(tx pgx.Tx) {
			require.NoError(t, pgsubscriber.MergeSettings(s.Ctx, tx, []pgsubscriber.SettingWrite{w}))
		})
		return pgtest.Ask[map[string]any](s, `SELECT to_jsonb(c) FROM subscriber_channels c WHERE provider_id = $1 AND integration_identifier = $2`, provider, integration)
	}
	row := merge("slack", "work", `{"webhookUrl": "k1:a", "channel": "general"}`)
	require.Equal(t, slack, row["integration_id"])
	row = merge("slack", "work", `{"webhookUrl": "k1:b"}`)
	require.Equal(t, []any{"c1", map[string]any{"webhookUrl": "k1:b", "channel": "general"}}, []any{row["id"], row["credentials"]}, "what is given overwrites, the rest stays")
	require.Nil(t, merge("slack", "", `{"channel": "x"}`)["integration_id"], "any integration")
	for _, name := range []string{"gone", "foreign"} {
		require.Nil(t, merge("slack", name, `{"channel": "x"}`)["integration_id"], "%s: no living integration of the environment", name)
	}
	tokens := func(row map[string]any) []any { return row["credentials"].(map[string]any)["deviceTokens"].([]any) }
	require.Equal(t, []any{"a", "b"}, tokens(merge("fcm", "", `{"deviceTokens": ["a", "b"]}`)))
	row = merge("fcm", "", `{"deviceTokens": ["c", "a"]}`)
	require.Equal(t, []any{"a", "b", "c"}, tokens(row), "tokens are united, each once")
	require.Len(t, row["registered"], 3)
	row = merge("fcm", "", `{"channel": "x"}`)
	require.Len(t, tokens(row), 3, "a write without tokens leaves them")
	require.Len(t, row["registered"], 3)
	var many []string
	for i := range workflow.MaxDeviceTokens {
		many = append(many, fmt.Sprintf("t%04d", i))
	}
	text, err := json.Marshal(map[string]any{"deviceTokens": many})
	require.NoError(t, err)
	left := tokens(merge("fcm", "", string(text)))
	require.Len(t, left, workflow.MaxDeviceTokens)
	require.Equal(t, many[0], left[0], "the newest stay")
}

func TestFindSubscribers(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	here, there := s.Here.Scope.EnvironmentID, s.There.Scope.EnvironmentID
	ada := s.Add(s.Here, "subscribers", pgtest.Values{"subscriber_id": "ada", "email": "ada@example.org"})
	theirs := s.Add(s.There, "subscribers", pgtest.Values{"subscriber_id": "ada"})
	s.Add(s.Here, "subscribers", pgtest.Values{"subscriber_id": "gone", "deleted": true})
	found, err := pgsubscriber.FindSubscribers(s.Ctx, s.Pool, []pgsubscriber.SubscriberKey{
		{EnvironmentID: here, SubscriberID: "ada"}, {EnvironmentID: there, SubscriberID: "ada"}, {EnvironmentID: here, SubscriberID: "gone"}, {EnvironmentID: here, SubscriberID: "none"},
	})
	require.NoError(t, err)
	byEnvironment := map[string]string{}
	for _, row := range found {
		byEnvironment[row.EnvironmentID] = row.ID
	}
	require.Len(t, found, 2)
	require.Equal(t, map[string]string{here: ada, there: theirs}, byEnvironment)
	loaded, err := pgsubscriber.LoadSubscribers(s.Ctx, s.Pool, []string{here, here, here}, []string{ada, theirs, "none"})
	require.NoError(t, err)
	require.Equal(t, []string{ada}, pgtest.Names(loaded, func(r *pgsubscriber.SubscriberRow) string { return r.ID }), "by id within the environment")
	require.Equal(t, "ada@example.org", *loaded[0].Email)
}
