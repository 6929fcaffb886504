package pgaudience_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaudience"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/workflow"
)

func owner(s *pgtest.Store) pgaudience.PreferenceOwner {
	return pgaudience.PreferenceOwner{Scope: s.Here.Scope, SubscriberID: s.Here.IDs["subscribers"], ChangedBy: "user:u", Now: pgtest.Noon}
}

func on(channels ...workflow.Channel) workflow.ChannelPreferences { return set(true, channels) }

func off(channels ...workflow.Channel) workflow.ChannelPreferences { return set(false, channels) }

func set(enabled bool, channels []workflow.Channel) workflow.ChannelPreferences {
	p := workflow.ChannelPreferences{}
	for _, c := range channels {
		p[c] = workflow.ChannelPreference{Enabled: &enabled}
	}
	return p
}

// stored are the preferences of an environment, by workflow: "enabled channels".
func stored(s *pgtest.Store, rows pgtest.Rows, table string) map[string]string {
	s.T.Helper()
	found := map[string]string{}
	list, err := s.Pool.Query(s.Ctx, `SELECT workflow_id, concat_ws(' ', coalesce(enabled::text, '-'), channels) FROM `+table+`
WHERE environment_id = $1 ORDER BY id`, rows.Scope.EnvironmentID)
	require.NoError(s.T, err)
	var id, text string
	_, err = pgx.ForEachRow(list, []any{&id, &text}, func() error { found[id] = text; return nil })
	require.NoError(s.T, err)
	return found
}

func clean(s *pgtest.Store) {
	s.Exec(`DELETE FROM preferences`)
	s.Exec(`DELETE FROM preference_changes`)
}
