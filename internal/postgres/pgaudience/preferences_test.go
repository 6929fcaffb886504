package pgaudience_test

import (
	"maps"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgaudience"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/workflow"
)

// preferences is a store without preferences, and an owner in its first environment.
func preferences(t *testing.T) (*pgtest.Store, pgaudience.PreferenceOwner) {
	t.Helper()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM preferences`)
	s.Exec(`DELETE FROM preference_changes`)
	return s, pgaudience.PreferenceOwner{Scope: s.Here.Scope, SubscriberID: s.Here.IDs["subscribers"], ChangedBy: "user:u", Now: pgtest.Noon}
}

// wish is a preference of a workflow: its channels as JSON.
func wish(workflowID string, enabled *bool, email, sms *bool) pgaudience.PreferenceWrite {
	return pgaudience.PreferenceWrite{WorkflowID: workflowID, Level: workflow.PreferenceLevel{
		Enabled: enabled, Channels: workflow.ChannelPreferences{Email: email, SMS: sms},
	}}
}

func write(s *pgtest.Store, o pgaudience.PreferenceOwner, wishes ...pgaudience.PreferenceWrite) {
	s.T.Helper()
	s.InTx(func(tx pgx.Tx) { require.NoError(s.T, o.WritePreferences(s.Ctx, tx, wishes)) })
}

// lines are the rows of a table of preferences: "workflow enabled channels".
func lines(s *pgtest.Store, rows pgtest.Rows, table string) []string {
	s.T.Helper()
	return pgtest.Column[string](s, rows, table, `concat_ws(' ', workflow_id, coalesce(enabled::text, '-'), channels)`)
}

func TestWritePreferences(t *testing.T) {
	t.Parallel()
	s, o := preferences(t)
	write(s, o)
	require.Empty(t, lines(s, s.Here, "preferences"))
	write(s, o, wish("w", new(true), new(false), nil), wish("", nil, nil, new(true)))
	write(s, o, wish("w", nil, nil, new(true)))
	require.Equal(t, []string{`w true {"sms": true, "email": false}`, ` - {"sms": true}`}, lines(s, s.Here, "preferences"),
		"what a wish leaves out stays")
	require.Equal(t, []string{`w true {"email": false}`, ` - {"sms": true}`, `w true {"sms": true, "email": false}`},
		lines(s, s.Here, "preference_changes"), "the history has the state after each change")
	write(s, o, wish("w", new(false), new(true), nil))
	require.Equal(t, `w false {"sms": true, "email": true}`, lines(s, s.Here, "preferences")[0])
	later := o
	later.Now = o.Now.Add(time.Hour)
	write(s, later, wish("w", nil, new(true), nil), wish("", nil, nil, new(true)), wish("v", nil, new(true), nil))
	require.Equal(t, []string{`w false {"sms": true, "email": true}`, `v - {"email": true}`}, lines(s, s.Here, "preference_changes")[3:],
		"a wish that is stored already adds nothing to the history")
	require.Equal(t, 1, pgtest.Ask[int](s, `SELECT count(*) FROM preferences WHERE updated_at > $1`, o.Now), "and leaves the row as it is")
	require.Equal(t, "user:u", pgtest.Ask[string](s, `SELECT DISTINCT changed_by FROM preference_changes`))

	for name, other := range map[string]pgaudience.PreferenceOwner{
		"environment": {Scope: s.There.Scope, SubscriberID: o.SubscriberID, Now: pgtest.Noon},
		"subscriber":  {Scope: o.Scope, SubscriberID: "other", Now: pgtest.Noon},
		"context set": {Scope: o.Scope, SubscriberID: o.SubscriberID, ContextKeys: []string{"a:b"}, ScopeKey: "ab", Now: pgtest.Noon},
	} {
		before := pgtest.Ask[int](s, `SELECT count(*) FROM preferences`)
		write(s, other, wish("w", new(true), nil, nil))
		require.Equal(t, before+1, pgtest.Ask[int](s, `SELECT count(*) FROM preferences`), "another %s has its own", name)
	}
	require.Equal(t, `w false {"sms": true, "email": true}`, lines(s, s.Here, "preferences")[0])
	require.Equal(t, `["a:b"]`, pgtest.Ask[string](s, `SELECT context_keys::text FROM preferences WHERE scope = 'ab'`))
}

func TestForgetChannels(t *testing.T) {
	t.Parallel()
	s, o := preferences(t)
	elsewhere := o
	elsewhere.Scope = s.There.Scope
	all := []pgaudience.PreferenceWrite{wish("", nil, new(true), nil), wish("both", nil, new(true), new(false)), wish("email", nil, new(true), nil), wish("off", new(false), new(true), nil), wish("sms", nil, nil, new(true))}
	write(s, o, all...)
	write(s, elsewhere, all...)
	s.Exec(`DELETE FROM preference_changes`)
	s.InTx(func(tx pgx.Tx) {
		require.NoError(t, o.ForgetChannels(s.Ctx, tx, []workflow.Channel{workflow.ChannelEmail}))
	})
	require.Equal(t, []string{` - {"email": true}`, `both - {"sms": false}`, `off false {}`, `sms - {"sms": true}`}, lines(s, s.Here, "preferences"),
		"the global wish stays, a row without any wish goes")
	require.ElementsMatch(t, []string{`both - {"sms": false}`, `email - {}`, `off false {}`}, lines(s, s.Here, "preference_changes"))
	require.Len(t, lines(s, s.There, "preferences"), len(all))

	s.Exec(`DELETE FROM preference_changes`)
	s.InTx(func(tx pgx.Tx) {
		require.NoError(t, o.ForgetChannels(s.Ctx, tx, []workflow.Channel{workflow.ChannelEmail}))
	})
	require.Empty(t, lines(s, s.Here, "preference_changes"), "what changes nothing leaves no history")
}

func TestDeletePreferences(t *testing.T) {
	t.Parallel()
	s, o := preferences(t)
	elsewhere := o
	elsewhere.Scope = s.There.Scope
	for _, of := range []pgaudience.PreferenceOwner{o, elsewhere} {
		write(s, of, wish("", nil, new(true), nil), wish("w", nil, new(true), nil), wish("x", nil, new(true), nil))
	}
	remove := func(workflows ...id.ID) {
		s.InTx(func(tx pgx.Tx) { require.NoError(t, o.DeletePreferences(s.Ctx, tx, workflows)) })
	}
	remove("w", "none")
	require.Equal(t, []string{` - {"email": true}`, `x - {"email": true}`}, lines(s, s.Here, "preferences"))
	remove("")
	require.Equal(t, []string{`x - {"email": true}`}, lines(s, s.Here, "preferences"), "the global one goes by its empty id")
	require.Len(t, lines(s, s.There, "preferences"), 3)
	require.Equal(t, []string{`w - {}`, `none - {}`, ` - {}`}, lines(s, s.Here, "preference_changes")[3:])
}

// TestStore stores all at once and answers what the owner wishes then.
func TestStore(t *testing.T) {
	t.Parallel()
	s, o := preferences(t)
	write(s, o, wish("old", nil, new(true), nil))
	write(s, pgaudience.PreferenceOwner{Scope: s.There.Scope, SubscriberID: o.SubscriberID, Now: pgtest.Noon}, wish("foreign", nil, new(true), nil))
	refs := []workflow.ContextRef{{Type: "b", ID: "2"}, {Type: "a", ID: "1", Data: map[string]any{"k": "v"}}}
	for range 2 {
		stored, err := o.Store(s.Ctx, s.DB, pgaudience.PreferenceWrites{Contexts: refs, Wishes: []pgaudience.PreferenceWrite{wish("new", nil, nil, new(false))}})
		require.NoError(t, err)
		wishes := map[string]workflow.ChannelPreferences{}
		for _, p := range stored {
			wishes[p.WorkflowID] = p.Channels
		}
		require.Equal(t, map[string]workflow.ChannelPreferences{"old": {Email: new(true)}, "new": {SMS: new(false)}}, wishes)
	}
	require.ElementsMatch(t, []string{"a:1", "b:2"}, pgtest.Column[string](s, s.Here, "contexts", `type || ':' || identifier`)[1:])
	nothing, err := o.Store(s.Ctx, s.DB, pgaudience.PreferenceWrites{})
	require.NoError(t, err)
	require.Len(t, nothing, 2)
}

// TestPreferencesWaitForEachOther shows that two changes of one owner follow each other, and those of two do not.
func TestPreferencesWaitForEachOther(t *testing.T) {
	t.Parallel()
	s, o := preferences(t)
	other := o
	other.ScopeKey = "other"
	tries := func(tx pgx.Tx, of pgaudience.PreferenceOwner) error {
		_, err := tx.Exec(s.Ctx, `SET LOCAL lock_timeout = '50ms'`)
		require.NoError(t, err)
		return of.LockPreferences(s.Ctx, tx)
	}
	first, err := s.Pool.Begin(s.Ctx)
	require.NoError(t, err)
	require.NoError(t, o.LockPreferences(s.Ctx, first))
	second, err := s.Pool.Begin(s.Ctx)
	require.NoError(t, err)
	require.NoError(t, tries(second, other))
	require.Error(t, tries(second, o), "the lock lasts until the transaction ends")
	require.NoError(t, second.Rollback(s.Ctx))
	require.NoError(t, first.Commit(s.Ctx))
	s.InTx(func(tx pgx.Tx) { require.NoError(t, tries(tx, o)) })
}

func TestWorkflowDefaults(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`UPDATE workflows SET active = false`)
	add := func(rows pgtest.Rows, name string, change pgtest.Values) string {
		values := pgtest.Values{"identifier": name, "name": name, "active": true, "draft": `{"preferences": {"email": false}}`}
		maps.Copy(values, change)
		return s.Add(rows, "workflows", values)
	}
	draft, critical := add(s.Here, "draft", nil), add(s.Here, "critical", pgtest.Values{"critical": true})
	published := add(s.Here, "published", nil)
	version := s.Add(s.Here, "workflow_versions", pgtest.Values{"workflow_id": published, "number": 1, "definition": `{"preferences": {"sms": true}, "steps": [{"type": "delay"}, {"type": "sms"}]}`})
	s.Exec(`UPDATE workflows SET published_version_id = $2 WHERE id = $1`, published, version)
	inactive := add(s.Here, "inactive", pgtest.Values{"active": false})
	add(s.Here, "gone", pgtest.Values{"deleted": true})
	add(s.There, "foreign", nil)
	identifiers := func(list []*pgaudience.WorkflowDefaults) []string {
		return pgtest.Names(list, func(d **pgaudience.WorkflowDefaults) string { return (*d).Identifier })
	}
	for _, c := range []struct {
		critical *bool
		want     []string
	}{
		{nil, []string{"draft", "critical", "published"}},
		{new(true), []string{"critical"}},
		{new(false), []string{"draft", "published"}},
	} {
		found, err := pgaudience.ActiveWorkflowDefaults(s.Ctx, s.Pool, s.Here.Scope, c.critical)
		require.NoError(t, err)
		require.Equal(t, c.want, identifiers(found))
		if c.critical == nil {
			require.Equal(t, workflow.ChannelPreferences{Email: new(false)}, found[0].Author, "of the draft while nothing is published")
			require.Equal(t, workflow.ChannelPreferences{SMS: new(true)}, found[2].Author)
			require.Empty(t, found[0].StepTypes, "none while nothing is published")
			require.Equal(t, []workflow.StepType{workflow.StepDelay, workflow.StepSMS}, found[2].StepTypes)
		}
	}

	name := pgtest.Ask[string](s, `SELECT subscriber_id FROM subscribers WHERE id = $1`, s.Here.IDs["subscribers"])
	choice := pgaudience.WorkflowChoice{IDs: []string{draft, inactive, "none"}, Identifiers: []string{"critical", "gone", "foreign"}}
	subscriber, found, err := pgaudience.FindForPreferences(s.Ctx, s.DB, s.Here.Scope, name, choice)
	require.NoError(t, err)
	require.Equal(t, s.Here.IDs["subscribers"], subscriber.ID)
	require.ElementsMatch(t, []string{"draft", "inactive", "critical"}, identifiers(found), "living ones, by id or identifier")
	require.Contains(t, []string{found[0].ID, found[1].ID, found[2].ID}, critical)
	subscriber, _, err = pgaudience.FindForPreferences(s.Ctx, s.DB, s.There.Scope, name, choice)
	require.NoError(t, err)
	require.Nil(t, subscriber, "a subscriber of another environment is unknown")
	s.Exec(`UPDATE subscribers SET deleted = true`)
	subscriber, _, err = pgaudience.FindForPreferences(s.Ctx, s.DB, s.Here.Scope, name, choice)
	require.NoError(t, err)
	require.Nil(t, subscriber)
}
